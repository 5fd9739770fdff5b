"""The page on which users choose the emails that they get."""

import pytest

from calendar_site.mail.models import MailPreferences
from tests.support.admin import form_data

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PAGE = "/admin/account/email/"


def test_editor_chooses_emails(editor, editor_browser):
    response = editor_browser.post(PAGE, {"language": "pl", "submissions": "daily", "wants_sign_ins": "on"})

    assert response["Location"] == PAGE
    assert list(MailPreferences.objects.values()) == [
        {
            "user_id": editor.pk,
            "language": "pl",
            "sign_in_language": "",
            "submissions": "daily",
            "wants_decisions": False,
            "wants_sign_ins": True,
        }
    ]
    assert form_data(editor_browser.get(PAGE)) == {
        "language": ["pl"],
        "submissions": ["daily"],
        "wants_sign_ins": ["on"],
    }


def test_defaults_are_shown(editor_browser):
    page = editor_browser.get(PAGE)

    assert form_data(page) == {
        "language": [""],
        "submissions": [""],
        "wants_decisions": ["on"],
        "wants_sign_ins": ["on"],
    }
    assert "Default of the site: At once" in page.content.decode()
    assert "Your account has no email address" in page.content.decode()


def test_contributor_has_no_choice_about_submissions(contributor, contributor_browser):
    contributor_browser.post(PAGE, {"language": "", "submissions": "daily"})

    assert "submissions" not in form_data(contributor_browser.get(PAGE))
    assert MailPreferences.objects.get().submissions == ""


@pytest.mark.parametrize("fields", [{"language": "xx"}, {"submissions": "hourly"}])
def test_unknown_choices_are_refused(editor_browser, fields):
    response = editor_browser.post(PAGE, fields)

    assert list(response.context["form"].errors) == list(fields)
    assert not MailPreferences.objects.exists()


def test_page_does_not_exist_without_email(editor_browser, settings):
    settings.MAIL_ENABLED = False

    assert editor_browser.get(PAGE).status_code == 404
    assert "/admin/account/email/" not in editor_browser.get("/admin/").content.decode()


def test_strangers_are_asked_to_sign_in(client):
    assert client.post(PAGE, {"language": "de"})["Location"].startswith("/admin/login/")
