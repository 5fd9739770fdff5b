"""Every page of the back office, and every public one, as everybody can use it."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.support.browser.accessibility import accessibility_problems
from tests.support.browser.admin_pages import NO_PAGES, admin_pages, page_path, url_names
from tests.support.browser.admin_site import sign_in
from tests.support.two_factor import totp_code

# Swagger UI has the link to a call inside of the button that opens the call, and one server to choose without a name.
BORNE = {"console": ["nested-interactive", "select-name"]}
PUBLIC = {"coming": "/", "later": "/?page=2", "console": "/cal/events/v1/doc"}


@pytest.fixture
def check_page(request):
    """The faults of a page; pictures of it are kept in the folder that SCREENSHOTS names."""
    folder = os.environ.get("SCREENSHOTS")

    def check(page, name, borne=()):
        picture = ""
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            picture = f"{folder}/{name.replace('?', '-').replace('=', '-')}"
        faults = accessibility_problems(page, picture, borne)
        assert not faults, "\n".join(faults)

    return check


def test_addresses_that_are_no_pages_are_there():
    assert NO_PAGES - url_names() == set()


@pytest.mark.parametrize(
    ("name", "query"), [pytest.param(*page, id="?".join(filter(None, page))) for page in admin_pages()]
)
def test_pages_of_the_back_office(page_as, record_ids, check_page, name, query):
    page = page_as("administrator")

    page.goto(page_path(name, query, record_ids))

    check_page(page, "?".join(filter(None, (name, query))))


@pytest.mark.parametrize("name", [*PUBLIC, "event", "venue", "organizer", "category", "tag"])
def test_public_pages(nobody, record_ids, check_page, name):
    nobody.goto({**PUBLIC, **record_ids["public"]}[name])

    check_page(nobody, f"public-{name}", BORNE.get(name, ()))


@pytest.mark.parametrize(
    ("path", "code"),
    [("/admin/nothing/", 404), ("/admin/events/event/0/change/", 200), ("/event/nothing/", 404), ("/nowhere", 404)],
)
def test_pages_that_are_not_there(page_as, check_page, path, code):
    page = page_as("administrator")
    page.watch.meant(code)

    answer = page.goto(path)

    assert answer.status == code
    check_page(page, f"missing{path.replace('/', '-')}")


def test_pages_that_are_refused(page_as, check_page):
    page = page_as("contributor")
    page.watch.meant(403)

    answer = page.goto("/admin/accounts/user/")

    assert answer.status == 403
    check_page(page, "refused")


# The list, and what is asked to be done with its first two records.
ASKING = {
    "merge": "/admin/taxonomy/tag/",
    "delete_selected": "/admin/taxonomy/tag/",
    "move_to_venue": "/admin/events/event/",
}


@pytest.mark.parametrize("action", ASKING)
def test_pages_that_ask_before_an_action(page_as, check_page, action):
    page = page_as("administrator")
    page.goto(ASKING[action])
    for number in range(2):
        page.locator("tbody input.action-select").nth(number).check()
    page.locator("select[name=action]").select_option(action)

    # The button stands where the theme shows it; what it sends is the form.
    page.locator("#changelist-form").evaluate("(form) => form.submit()")
    expect(page.get_by_role("link", name="No, take me back")).to_be_visible()

    check_page(page, f"asking-{action}")


def test_a_form_with_faults(page_as, check_page):
    page = page_as("administrator")
    page.goto("/admin/events/event/add/")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".errorlist").first).to_be_visible()

    check_page(page, "form-with-faults")


def test_recovery_codes(nobody, check_page):
    sign_in(nobody, "rita")
    nobody.goto("/admin/account/second-factor/")
    nobody.get_by_label("Verification code").fill(totp_code(nobody.locator("code").first.inner_text()))
    nobody.get_by_role("button", name="Turn on").click()
    expect(nobody.get_by_role("heading", name="Your backup codes")).to_be_visible()

    check_page(nobody, "recovery-codes")


def test_a_new_application_password(page_as, check_page):
    page = page_as("author")
    page.goto("/admin/account/application-passwords/")
    page.get_by_label("Label").fill("A kiosk")
    page.get_by_role("button", name="Create").click()
    expect(page.locator("#secret")).to_be_visible()

    check_page(page, "new-application-password")


@pytest.mark.parametrize("name", ["overview", "queue", "form"])
def test_what_contributors_see_of_what_was_sent_back(page_as, record_ids, check_page, name):
    page = page_as("contributor")
    form = f"/admin/events/event/{record_ids['returned_event']}/change/"

    page.goto({"overview": "/admin/", "queue": "/admin/review/", "form": form}[name])

    expect(page.get_by_text("Where does it start?")).to_be_visible()
    check_page(page, f"contributor-{name}")


def test_the_page_to_sign_in(nobody, check_page):
    nobody.goto("/admin/")

    check_page(nobody, "login")
