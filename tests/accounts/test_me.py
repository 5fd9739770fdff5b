"""`GET /me`: who is authenticated, and what they may do."""

import pytest

from calendar_site.accounts.roles import ROLES
from calendar_site.accounts.services import create_application_password, create_user
from tests.support.admin import browser_for
from tests.support.api_client import API, JSONClient, api_client_for

ME = f"{API}/me"
ALL = dict.fromkeys(("create", "update", "delete", "publish", "update_others", "delete_others"), True)
OWN = ALL | {"update_others": False, "delete_others": False}
NONE = dict.fromkeys(ALL, False)
ALL_TERMS = dict.fromkeys(("create", "update", "delete"), True)
NO_TERMS = dict.fromkeys(ALL_TERMS, False)
ALL_IMAGES = {**ALL_TERMS, "update_others": True, "delete_others": True}
OWN_IMAGES = ALL_IMAGES | {"update_others": False, "delete_others": False}
NO_IMAGES = dict.fromkeys(ALL_IMAGES, False)


def test_user_of_an_application_password(db, settings):
    settings.THROTTLE_USER = "100/min"
    user = create_user("mia", "editor")
    user.first_name, user.last_name = "Mia", "Marsh"
    user.save()
    _password, secret = create_application_password(user, "ticket shop")

    response = JSONClient(headers={"Authorization": f"Bearer {secret}"}).get(ME)

    assert response.status_code == 200
    assert response.json() == {
        "id": user.pk,
        "username": "mia",
        "name": "Mia Marsh",
        "roles": ["editor"],
        "is_superuser": False,
        "application_password": "ticket shop",
        "scope": {
            "read_only": False,
            "own_records_only": False,
            "resources": ["events", "venues", "organizers", "categories", "tags", "images"],
            "expires": None,
            "networks": [],
        },
        "permissions": {
            **dict.fromkeys(("events", "venues", "organizers"), ALL),
            **dict.fromkeys(("categories", "tags"), ALL_TERMS),
            "images": ALL_IMAGES,
        },
        "limits": {
            "per_page": 100,
            "body_bytes": 2_097_152,
            "upload_bytes": 12_582_912,
            "requests": "100/min",
            "writes": None,
        },
    }
    assert response["Cache-Control"] == "private, no-store"


def test_user_of_an_admin_session(db):
    user = create_user("ann", "author")

    record = browser_for(user).get(ME).json()

    assert (record["name"], record["limits"]["requests"]) == ("ann", None)
    assert (record["application_password"], record["scope"]) == (None, None)


@pytest.mark.parametrize(
    ("role", "content", "categories", "tags", "images"),
    [
        ("administrator", ALL, ALL_TERMS, ALL_TERMS, ALL_IMAGES),
        ("editor", ALL, ALL_TERMS, ALL_TERMS, ALL_IMAGES),
        ("author", OWN, ALL_TERMS, NO_TERMS, OWN_IMAGES),
        ("contributor", OWN | {"publish": False}, NO_TERMS, NO_TERMS, NO_IMAGES),
        ("subscriber", NONE, NO_TERMS, NO_TERMS, NO_IMAGES),
    ],
)
def test_permissions_of_each_role(db, role, content, categories, tags, images):
    record = api_client_for(create_user("somebody", role)).get(ME).json()

    assert record["roles"] == [role]
    assert record["permissions"] == {
        **dict.fromkeys(("events", "venues", "organizers"), content),
        "categories": categories,
        "tags": tags,
        "images": images,
    }


def test_every_role_is_here():
    table = next(mark for mark in test_permissions_of_each_role.pytestmark if mark.name == "parametrize")

    assert [row[0] for row in table.args[1]] == list(ROLES)


def test_fields_are_selected(db):
    record = api_client_for(create_user("mia", "editor")).get(f"{ME}?_fields=username,permissions.tags.create").json()

    assert record == {"username": "mia", "permissions": {"tags": {"create": True}}}


def test_anonymous_visitor_is_refused(client):
    response = client.get(ME)

    assert (response.status_code, response.json()["code"]) == (401, "rest_forbidden")


def test_query_count(editor, django_assert_num_queries):
    client = api_client_for(editor)
    client.get(ME)

    with django_assert_num_queries(3):  # the account, its roles, its permissions
        client.get(ME)
