"""Every page of the back office, and every public one, as everybody can use it."""

import os
from pathlib import Path

import pytest

from tests.browser.looks import faults_of
from tests.browser.places import NO_PAGES, address_of, names, pages

# Swagger UI has the link to a call inside of the button that opens the call, and one server to choose without a name.
BORNE = {"console": ["nested-interactive", "select-name"]}
PUBLIC = {"coming": "/", "past": "/events/?past=1", "console": "/cal/events/v1/doc"}


@pytest.fixture
def look(request):
    """The faults of a page; pictures of it are kept in the folder that SCREENSHOTS names."""
    folder = os.environ.get("SCREENSHOTS")

    def check(page, name, borne=()):
        picture = ""
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            picture = f"{folder}/{name.replace('?', '-').replace('=', '-')}"
        faults = faults_of(page, picture, borne)
        assert not faults, "\n".join(faults)

    return check


def test_addresses_that_are_no_pages_are_there():
    assert NO_PAGES - names() == set()


@pytest.mark.parametrize(("name", "query"), [pytest.param(*page, id="?".join(filter(None, page))) for page in pages()])
def test_pages_of_the_back_office(page_as, records, look, name, query):
    page = page_as("administrator")

    page.goto(address_of(name, query, records))

    look(page, "?".join(filter(None, (name, query))))


@pytest.mark.parametrize("name", [*PUBLIC, "event", "venue", "organizer", "category", "tag"])
def test_public_pages(nobody, records, look, name):
    nobody.goto({**PUBLIC, **records["public"]}[name])

    look(nobody, f"public-{name}", BORNE.get(name, ()))


@pytest.mark.parametrize(
    ("address", "code"),
    [("/admin/nothing/", 404), ("/admin/events/event/0/change/", 200), ("/event/nothing/", 404), ("/nowhere", 404)],
)
def test_pages_that_are_not_there(page_as, look, address, code):
    page = page_as("administrator")
    page.watch.meant(code)

    answer = page.goto(address)

    assert answer.status == code
    look(page, f"missing{address.replace('/', '-')}")


def test_pages_that_are_refused(page_as, look):
    page = page_as("contributor")
    page.watch.meant(403)

    answer = page.goto("/admin/accounts/user/")

    assert answer.status == 403
    look(page, "refused")


def test_the_page_to_sign_in(nobody, look):
    nobody.goto("/admin/")

    look(nobody, "login")
