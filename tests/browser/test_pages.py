"""Accessibility of every page of the admin and every public page."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser.accessibility import accessibility_problems
from tests.support.browser.admin_pages import EXCLUDED_NAMES, admin_pages, page_path, url_names
from tests.support.browser.admin_site import sign_in
from tests.support.two_factor import totp_code

PUBLIC = {
    "coming": "/",
    "later": "/?page=2",
    "past": "/events/list/?past=1",
    "filtered": "/events/list/?search=a&attendance_mode=in_person",
    "month": "/events/month/",
    "week": "/events/week/",
    "day": "/events/today/",
    "programme": "/programme/",
    "map": "/events/map/",
    "submit": "/submit/",
    "contact": "/contact/",
    "console": "/cal/events/v1/doc",
}


DOCUMENTATION = ("index", "search", "settings", "api/events", "guides/create-events", "deployment")


@pytest.fixture
def check_page(request):
    """Return a function that checks a page. It saves screenshots in the directory SCREENSHOTS, if set."""
    folder = os.environ.get("SCREENSHOTS")

    def check(page, name):
        screenshot = ""
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            screenshot = f"{folder}/{name.replace('?', '-').replace('=', '-')}"
        errors = accessibility_problems(page, screenshot)
        assert not errors, "\n".join(errors)

    return check


def test_excluded_url_names_exist():
    assert EXCLUDED_NAMES - url_names() == set()


@pytest.mark.parametrize(
    ("name", "query"), [pytest.param(*page, id="?".join(filter(None, page))) for page in admin_pages()]
)
def test_admin_pages(page_as, record_ids, check_page, name, query):
    page = page_as("administrator")

    page.goto(page_path(name, query, record_ids))

    check_page(page, "?".join(filter(None, (name, query))))


@pytest.mark.parametrize("name", [*PUBLIC, "event", "mistake", "venue", "organizer", "category", "tag"])
def test_public_pages(nobody, record_ids, check_page, name):
    public = record_ids["public"]
    nobody.goto({**PUBLIC, **public, "mistake": f"{public['event']}/report/"}[name])

    check_page(nobody, f"public-{name}")


@pytest.mark.parametrize("name", DOCUMENTATION)
def test_pages_of_the_documentation(nobody, check_page, name):
    nobody.goto(f"/docs/{name}.html")

    check_page(nobody, f"documentation-{name.replace('/', '-')}")


@pytest.mark.parametrize(
    ("path", "code"),
    [("/admin/nothing/", 404), ("/admin/events/event/0/change/", 200), ("/event/nothing/", 404), ("/nowhere", 404)],
)
def test_not_found_pages(page_as, check_page, path, code):
    page = page_as("administrator")
    page.watch.expect_status(code)

    response = page.goto(path)

    assert response.status == code
    check_page(page, f"missing{path.replace('/', '-')}")


def test_access_denied_page(page_as, check_page):
    page = page_as("contributor")
    page.watch.expect_status(403)

    response = page.goto("/admin/accounts/user/")

    assert response.status == 403
    check_page(page, "refused")


# The list on whose first two records the action is run.
CONFIRMED_ACTIONS = {
    "merge": "/admin/taxonomy/tag/",
    "delete_selected": "/admin/taxonomy/tag/",
    "move_to_venue": "/admin/events/event/",
    "change_selected": "/admin/events/event/",
    "duplicate_repeatedly": "/admin/events/event/",
}


@pytest.mark.parametrize("action", CONFIRMED_ACTIONS)
def test_confirmation_pages_of_actions(page_as, check_page, action):
    page = page_as("administrator")
    page.goto(CONFIRMED_ACTIONS[action])
    for number in range(2):
        page.locator("tbody input.action-select").nth(number).check()
    page.locator("select[name=action]").select_option(action)

    # The place of the button depends on the theme, so submit the form directly.
    page.locator("#changelist-form").evaluate("(form) => form.submit()")
    expect(page.get_by_role("link", name="Cancel")).to_be_visible()

    check_page(page, f"asking-{action}")


def test_form_with_errors(page_as, check_page):
    page = page_as("administrator")
    page.goto("/admin/events/event/add/")
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator(".errorlist").first).to_be_visible()

    check_page(page, "form-with-errors")


def test_backup_codes(nobody, check_page, own):
    sign_in(nobody, own("rita"))
    nobody.goto("/admin/account/second-factor/")
    nobody.get_by_label("Verification code").fill(totp_code(nobody.locator("code").first.inner_text()))
    nobody.get_by_role("button", name="Turn on").click()
    expect(nobody.get_by_role("heading", name="Your backup codes")).to_be_visible()

    check_page(nobody, "backup-codes")


def test_a_new_application_password(page_as, check_page, own):
    page = page_as("author")
    page.goto("/admin/account/application-passwords/")
    page.get_by_label("Client").fill(own("A kiosk"))
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#secret")).to_be_visible()

    check_page(page, "new-application-password")


@pytest.mark.parametrize("name", ["overview", "queue", "form"])
def test_pages_of_a_record_that_was_sent_back(page_as, record_ids, check_page, name):
    page = page_as("contributor")
    form = f"/admin/events/event/{record_ids['returned_event']}/change/"

    page.goto({"overview": "/admin/", "queue": "/admin/review/", "form": form}[name])

    expect(page.get_by_text("Where does it start?")).to_be_visible()
    check_page(page, f"contributor-{name}")


@pytest.mark.parametrize(
    ("name", "path", "heading"),
    [
        ("login", "/admin/", "Sign in"),
        ("password-reset", "/admin/password-reset/", "Forgot your password?"),
        ("used-link", "/admin/password-reset/MQ/x/", "This link is no longer valid"),
    ],
)
def test_pages_without_signing_in(nobody, check_page, name, path, heading):
    nobody.goto(path)

    expect(nobody.get_by_role("main")).to_contain_text(heading)
    check_page(nobody, name)


def test_invitation_page(nobody, record_ids, check_page):
    nobody.goto(record_ids["invitations"]["ivan"])

    expect(nobody.get_by_role("main")).to_contain_text("Your username is ivan.")
    check_page(nobody, "invitation")


def test_link_page_for_an_invitation(page_as, check_page, own):
    """The account has no email address, so the administrator hands the link over."""
    page = page_as("administrator")
    page.goto("/admin/accounts/user/add/")
    page.get_by_label("Username").fill(own("ilse"))
    page.get_by_role("button", name="Save", exact=True).click()

    expect(page.locator("#invitation-url")).to_contain_text("/admin/invitation/")
    check_page(page, "invitation-link")
