"""The admin site: its menu, sign-in and search."""

import pytest

from tests.support.admin import browser_for

MENU = "sidebar_navigation"


def menu_items(client):
    return [
        (str(group["title"]), [(item["title"], item["link"]) for item in group["items"]])
        for group in client.get("/admin/").context[MENU]
    ]


def test_menu_of_an_author_has_the_permitted_pages(author):
    assert menu_items(browser_for(author)) == [
        (
            "Calendar",
            [
                ("Calendar", "/admin/events/event/calendar/"),
                ("Events", "/admin/events/event/"),
                ("Review queue", "/admin/review/"),
                ("Recent changes", "/admin/changes/"),
                ("Trash", "/admin/trash/"),
            ],
        ),
        (
            "Venues and organizers",
            [("Venues", "/admin/venues/venue/"), ("Organizers", "/admin/organizers/organizer/")],
        ),
        ("Categories and tags", [("Categories", "/admin/taxonomy/category/"), ("Tags", "/admin/taxonomy/tag/")]),
        ("Images and custom fields", [("Images", "/admin/media/image/")]),
    ]


def test_nobody_sees_the_menu_without_signing_in():
    response = browser_for(None).get("/admin/")

    assert (response.status_code, response["Location"]) == (302, "/admin/login/?next=/admin/")


def test_signing_in_leads_to_the_first_page(editor):
    client = browser_for(None)
    editor.set_password("a long password")
    editor.save()

    response = client.post("/admin/login/", {"username": editor.username, "password": "a long password"})

    assert (response.status_code, response["Location"]) == (302, "/admin/")


@pytest.mark.parametrize("page", ["x", "0", "-1", "99", "1e3"])
def test_a_page_of_results_that_there_is_not_is_not_found(editor, page):
    assert browser_for(editor).get("/admin/search/", {"s": "event", "page": page}).status_code == 404
