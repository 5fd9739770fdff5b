"""The page of one's own application passwords."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from calendar_site.accounts.models import ApplicationPassword
from calendar_site.accounts.services import create_application_password, create_user, find_application_password
from tests.support.admin import browser_for, form_data, messages_in
from tests.support.api_client import API

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PAGE = "/admin/account/application-passwords/"


@pytest.fixture
def ann_browser(ann):
    return browser_for(ann)


def labels(user):
    return [password.label for password in user.application_passwords.order_by("label")]


@pytest.mark.parametrize("role", ["administrator", "editor", "author", "contributor"])
def test_every_role_with_the_admin_creates_and_revokes_passwords(role):
    user = create_user(role, role)
    browser = browser_for(user)

    made = browser.post(PAGE, {"label": " phone "})
    found = find_application_password(made.context["secret"])
    revoked = browser.post(PAGE, {"revoke": "phone"})

    assert made.status_code == 200
    assert (found.user, found.label) == (user, "phone")
    assert (revoked.status_code, revoked["Location"]) == (302, PAGE)
    assert messages_in(revoked) == ["The application password has been revoked. Clients can no longer use it."]
    assert labels(user) == []


def test_subscribers_and_anonymous_users_have_no_access(subscriber):
    for user in (subscriber, None):
        browser = browser_for(user)
        for answer in (browser.get(PAGE), browser.post(PAGE, {"label": "phone"})):
            assert (answer.status_code, answer["Location"]) == (302, f"/admin/login/?next={PAGE}")

    assert not ApplicationPassword.objects.exists()


def test_secret_is_shown_once_with_an_example(ann_browser):
    made = ann_browser.post(PAGE, {"label": "<b>phone"})

    page = made.content.decode()
    assert made.context["secret"] in page
    assert "Application password “&lt;b&gt;phone”" in page
    assert made.context["api"] == f"http://testserver{API}"
    assert made.context["example"] == f"curl -u ann 'http://testserver{API}/events?status=draft'"
    assert made["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert made.context["secret"] not in ann_browser.get(PAGE).content.decode()


def test_last_use_is_shown_in_the_time_zone_of_the_site(ann, settings, time_machine):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    time_machine.move_to("2030-01-15 12:00+00:00", tick=False)
    _password, secret = create_application_password(ann, "phone")
    create_application_password(ann, "laptop")
    time_machine.move_to("2030-01-15 13:30+00:00", tick=False)
    Client(headers={"Authorization": f"Bearer {secret}"}).get(f"{API}/venues")

    page = browser_for(ann).get(PAGE).content.decode()

    assert '<td data-label="Created">15 Jan 2030, 13:00</td>' in page
    assert '<td data-label="Last used">15 Jan 2030, 14:30</td>' in page
    assert '<td data-label="Last used">Never</td>' in page


@pytest.mark.parametrize(
    ("label", "fault"),
    [
        ("phone", "This user already has an application password for this client."),
        ("", "This field is required."),
        ("  ", "This field is required."),
        ("a\x1bb", "Must be a single line of text without control characters."),
        ("a\0b", "Null characters are not allowed."),
        ("x" * 101, "Ensure this value has at most 100 characters (it has 101)."),
    ],
)
def test_invalid_label_is_reported_beside_the_field(ann_browser, ann, secret, label, fault):
    response = ann_browser.post(PAGE, {"label": label})

    assert response.status_code == 200
    assert response.context["form"].errors == {"label": [fault]}
    assert form_data(response) == {"label": [label], "expires_on": [""], "networks": [""]}
    assert labels(ann) == ["phone"]


def test_number_of_passwords_is_limited(ann_browser, ann):
    for number in range(20):
        create_application_password(ann, f"program {number}")

    response = ann_browser.post(PAGE, {"label": "phone"})

    fault = "A user can have at most 20 application passwords. Revoke one that is no longer used."
    assert response.context["form"].errors == {"label": [fault]}
    assert ann.application_passwords.count() == 20


def test_passwords_of_others_cannot_be_revoked(ann, secret, ada):
    other = create_user("ben", "editor")
    browser = browser_for(other)

    made = browser.post(PAGE, {"label": "mine", "user": ann.pk, "username": "ann"})
    revoked = browser.post(PAGE, {"revoke": "phone", "user": ann.pk})
    theirs = ann.application_passwords.get()
    deleted = browser.post(f"/admin/accounts/applicationpassword/{theirs.pk}/delete/", {"post": "yes"})

    assert made.context["password"].user == other
    assert messages_in(revoked) == ["ben has no application password with the label phone."]
    assert deleted.status_code == 403
    assert (labels(ann), labels(other)) == (["phone"], ["mine"])


@pytest.mark.parametrize("fields", [{"label": "phone"}, {"revoke": "phone"}])
def test_forms_need_the_csrf_token(ann, secret, fields):
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ann)

    assert browser.post(PAGE, fields).status_code == 403
    assert labels(ann) == ["phone"]


@pytest.mark.parametrize("count", [1, 3])
def test_page_query_count(ann_browser, ann, django_assert_num_queries, count):
    for number in range(count):
        create_application_password(ann, f"program {number}")

    # session, user, permissions for the menu, the passwords
    with django_assert_num_queries(4):
        page = ann_browser.get(PAGE)

    assert len(page.context["rows"]) == count


def test_account_links_lead_to_the_page(ann_browser):
    links = [(link["title"], link["link"]) for link in ann_browser.get("/admin/").context["account_links"]]

    assert links == [
        ("My application passwords", PAGE),
        ("Sign-in and security", "/admin/account/security/"),
        ("Change password", "/admin/password_change/"),
        ("Email notifications", "/admin/account/email/"),
    ]


# --- Restrictions, on this page and in the admin --------------------------------------------------

ADMIN_PAGE = "/admin/accounts/applicationpassword/"
RESTRICTED = {
    "label": "shop",
    "is_read_only": "on",
    "is_own_only": "on",
    "resources": ["events", "venues"],
    "expires_on": "2030-01-31",
    "networks": "192.0.2.0/24, 2001:db8::/32\n198.51.100.7",
}
NETWORK_ERROR = "“{}” is not an IP address or network. Use CIDR notation, such as 192.0.2.0/24."


@pytest.fixture(params=["own page", "admin"])
def post_new_password(request, ann, ada, time_machine, settings):
    """Return a function that submits the form of a new password for Ann, and returns the response and the form."""
    settings.SITE_TIME_ZONE = "Europe/Rome"
    time_machine.move_to("2030-01-15 12:00Z", tick=False)

    def post(data):
        if request.param == "own page":
            response = browser_for(ann).post(PAGE, data)
            return response, response.context.get("form")
        response = browser_for(ada).post(f"{ADMIN_PAGE}add/", {**data, "user": ann.pk})
        return response, response.context["adminform"].form if "adminform" in response.context else None

    return post


def test_password_is_created_with_restrictions(post_new_password, ann, ada):
    response, _form = post_new_password(RESTRICTED)

    password = ann.application_passwords.get()
    assert find_application_password(response.context["secret"]) == password
    assert (password.is_read_only, password.is_own_only, password.resources) == (True, True, ["events", "venues"])
    assert password.networks == ["192.0.2.0/24", "2001:db8::/32", "198.51.100.7/32"]
    assert password.expires_at == datetime(2030, 1, 31, 23, tzinfo=UTC)
    restrictions = (
        "Read only, Own records only, Events, Venues, 192.0.2.0/24, 2001:db8::/32, 198.51.100.7/32, "
        "Until 1 Feb 2030, 00:00"
    )
    for browser, path in ((browser_for(ann), PAGE), (browser_for(ada), ADMIN_PAGE)):
        assert restrictions in browser.get(path).content.decode()
    assert restrictions in browser_for(ada).get(f"{ADMIN_PAGE}{password.pk}/change/").content.decode()


def test_history_of_the_account_contains_the_restrictions(post_new_password, ann):
    post_new_password(RESTRICTED)

    assert ann.history.order_by("history_id").last().history_extra["application_passwords"] == [
        "shop (read-only, own records, events, venues, 192.0.2.0/24, 2001:db8::/32, 198.51.100.7/32, "
        "until 2030-01-31 23:00 UTC)"
    ]


@pytest.mark.parametrize(
    ("field", "value", "errors"),
    [
        ("networks", "192.0.2.1/24", [NETWORK_ERROR.format("192.0.2.1/24")]),
        ("networks", "10.0.0.0/8 somewhere 300.1.1.1", [*map(NETWORK_ERROR.format, ("somewhere", "300.1.1.1"))]),
        ("networks", " ".join(f"10.0.0.{number}" for number in range(21)), ["Enter at most 20 networks."]),
        ("expires_on", "2030-01-14", ["Must not be in the past."]),
        ("resources", ["users"], ["Select a valid choice. users is not one of the available choices."]),
    ],
)
def test_invalid_restriction_is_reported_beside_the_field(post_new_password, ann, field, value, errors):
    response, form = post_new_password({**RESTRICTED, field: value})

    assert response.status_code == 200
    assert form.errors == {field: errors}
    assert labels(ann) == []
