"""Bookmarks of admin sections whose app was renamed."""

import pytest
from django.test.utils import override_script_prefix

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


@pytest.mark.parametrize(
    ("former", "path"),
    [
        ("/admin/content/", "/admin/"),
        ("/admin/content/image/", "/admin/media/image/"),
        ("/admin/content/image/5/change/", "/admin/media/image/5/change/"),
        ("/admin/content/image/?q=a+b%26c&o=1", "/admin/media/image/?q=a+b%26c&o=1"),
        ("/admin/content/image/%C3%A9%25%3F/", "/admin/media/image/%C3%A9%25%3F/"),
        ("/admin/content/customfield/add/?kind=url", "/admin/custom_fields/customfield/add/?kind=url"),
        ("/de/admin/content/customfield/", "/de/admin/custom_fields/customfield/"),
    ],
)
def test_former_url_redirects_to_the_section(client, former, path):
    response = client.get(former)

    assert (response.status_code, response["Location"]) == (301, path)


@pytest.mark.parametrize("path", ["/admin/content/image/", "/admin/content/customfield/", "/admin/content/image/add/"])
def test_redirect_leads_to_a_page(editor_browser, administrator_browser, path):
    browser = administrator_browser if "customfield" in path else editor_browser

    assert browser.get(path, follow=True).status_code == 200


def test_redirect_keeps_the_path_that_the_site_is_served_under(client):
    with override_script_prefix("/agenda/"):
        assert client.get("/admin/content/image/")["Location"] == "/agenda/admin/media/image/"


@pytest.mark.parametrize("path", ["/admin/content/event/", "/admin/content/images/"])
def test_other_paths_of_the_former_app_do_not_exist(editor_browser, path):
    assert editor_browser.get(path).status_code == 404
