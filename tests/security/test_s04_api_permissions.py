"""S4, broken access control: every role, write and status, own and other records, by id and by slug."""

from base64 import b64encode

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import URLResolver

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.core.choices import Status
from calendar_site.urls import api_patterns
from tests.factories import EventFactory, UserFactory, VenueFactory
from tests.support.api_client import API, JSONClient, api_client_for, listed_ids
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record
from tests.support.resources import CATEGORIES, CONTENT, EVENTS, RESOURCES, SERIES, TAGS, TERMS, VENUES

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "subscriber", "contributor", "author", "editor", "administrator")
NEW = {
    "events": event_data(),
    "venues": {"venue": "Hall"},
    "organizers": {"organizer": "Choir"},
    "categories": {"name": "Music"},
    "tags": {"name": "Jazz"},
    "series": event_data(rrule="FREQ=DAILY;COUNT=2"),
}
CHANGE = {
    "events": {"title": "New"},
    "series": {"title": "New"},
    "venues": {"city": "Lima"},
    "organizers": {"phone": "5"},
}


def person(role):
    return None if role == "anonymous" else create_user("person", role)


def allowed(role, action, status, is_own):
    """The status of the answer to `action` on an event, venue or organizer, as the contract's table has it."""
    if role == "anonymous":
        return 401
    if role == "subscriber":
        return 403
    if role == "contributor" and not (is_own and status in ("draft", "pending", "trash")):
        return 403
    if role == "author" and not is_own:
        return 403
    return 410 if (action, status) == ("delete", "trash") else 200


def cases_of(role, statuses):
    """Each status of own records and of those of others; two statuses for those who are refused whatever the status."""
    if role in ("anonymous", "subscriber"):
        statuses = [status for status in statuses if status in ("publish", "trash")]
    return [(status, is_own) for status in statuses for is_own in (True, False) if role != "anonymous" or not is_own]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("action", ["update", "delete"])
def test_content_is_changed_and_deleted_by_who_may(content, role, action):
    user = person(role)
    client = api_client_for(user)
    rows = {
        (status, is_own): content.factory(status=status, **({"author": user} if is_own else {}))
        for status, is_own in cases_of(role, Status.values)
    }
    expected = {case: allowed(role, action, *case) for case in rows}
    responses = {}

    def send(case):
        path = content.item(rows[case])
        response = client.patch(path, CHANGE[content.collection]) if action == "update" else client.delete(path)
        responses[case] = response.status_code

    before = stored_rows()
    for case in [case for case, status in expected.items() if status != 200]:
        send(case)
    assert stored_rows() == before
    for case in [case for case, status in expected.items() if status == 200]:
        row = type(rows[case]).objects.filter(pk=rows[case].pk).values()
        was = row.get()
        send(case)
        assert row.get() != was, case

    assert responses == expected


@pytest.mark.parametrize("role", ROLES)
def test_address_by_slug_has_the_rights_of_that_by_id(content, role):
    user = person(role)
    client = api_client_for(user)
    statuses = [status for status in Status.values if status != "trash"]
    responses, expected = {}, {}

    for status, is_own in cases_of(role, statuses):
        row = content.factory(status=status, **({"author": user} if is_own else {}))
        for action, method in (("update", client.post), ("delete", client.delete)):
            response = method(f"{content.path}/by-slug/{row.slug}")
            responses[action, status, is_own] = response.status_code
            expected[action, status, is_own] = allowed(role, action, status, is_own)

    assert responses == expected


CREATE = {
    "anonymous": dict.fromkeys(NEW, 401),
    "subscriber": dict.fromkeys(NEW, 403),
    "contributor": {"events": 201, "venues": 201, "organizers": 201, "categories": 403, "tags": 403, "series": 201},
    "author": {"events": 201, "venues": 201, "organizers": 201, "categories": 201, "tags": 403, "series": 201},
    "editor": dict.fromkeys(NEW, 201),
    "administrator": dict.fromkeys(NEW, 201),
}


@pytest.mark.parametrize("role", ROLES)
def test_records_are_created_by_who_may(role):
    user = person(role)
    client = api_client_for(user)
    before = stored_rows()

    responses = {collection: client.post(f"{API}/{collection}", body) for collection, body in NEW.items()}

    assert {collection: response.status_code for collection, response in responses.items()} == CREATE[role]
    assert (stored_rows() == before) == (role in ("anonymous", "subscriber"))
    if CREATE[role]["events"] == 201:
        made = [responses[resource.collection].json() for resource in CONTENT]
        status = "draft" if role == "contributor" else "publish"
        assert [(record["author"], record["status"]) for record in made] == [(user.pk, status)] * 3


@pytest.mark.parametrize("role", ROLES)
def test_terms_are_changed_and_deleted_by_who_may(role):
    client = api_client_for(person(role))

    for resource in TERMS:
        refused = CREATE[role][resource.collection]
        expected = 200 if refused == 201 else refused
        row = resource.factory()
        before = stored_rows()

        update = client.post(resource.item(row), {"name": "New"})
        assert (update.status_code, stored_rows() == before) == (expected, expected != 200)
        before = stored_rows()
        delete = client.delete(resource.item(row))
        assert (delete.status_code, stored_rows() == before) == (expected, expected != 200)


@pytest.mark.parametrize("role", ROLES)
def test_addresses_say_what_the_caller_may_do(resource, role):
    client = api_client_for(person(role))
    row = resource.factory()
    may_change = role in ("editor", "administrator") or (role == "author" and resource == CATEGORIES)
    may_create = CREATE[role][resource.collection] == 201

    on_list, on_item = (client.get(path)["Allow"].split(", ") for path in (resource.path, resource.item(row)))

    assert sorted(on_list) == (["GET", "POST"] if may_create else ["GET"])
    assert sorted(on_item) == (["DELETE", "GET", "PATCH", "POST", "PUT"] if may_change else ["GET"])


# --- Every route and method that writes

ITEM_WRITES = {"post": "update", "put": "update", "patch": "update", "delete": "delete"}
WRITE_METHODS = ("post", "put", "patch", "delete")


def route_writes():
    """Return the resource and the action of each known write, by the name of its route and its method."""
    writes = {}
    for resource in (*RESOURCES, SERIES):
        writes[f"{resource.kind}-list", "post"] = (resource, "create")
        for route in ("detail", "by-slug") if resource in CONTENT else ("detail",):
            writes |= {(f"{resource.kind}-{route}", method): (resource, act) for method, act in ITEM_WRITES.items()}
    return writes


def routed_writes(patterns):
    """Yield the name of the route and the method of each write that the URL configuration of the API accepts."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from routed_writes(pattern.url_patterns)
            continue
        view = pattern.callback
        methods = getattr(view, "actions", None) or [
            method for method in view.cls.http_method_names if hasattr(view.cls, method)
        ]
        yield from ((pattern.name, method) for method in methods if method in WRITE_METHODS)


def test_every_write_route_of_the_api_is_tried():
    """A new route that writes needs an entry in `route_writes()`, from which the next test is generated."""
    # A preview saves nothing; see tests/series/test_api_preview.py.
    assert sorted(routed_writes(api_patterns())) == sorted([*route_writes(), ("series-preview", "post")])


@pytest.mark.parametrize("role", ROLES)
def test_every_write_route_checks_the_record(role):
    client = api_client_for(person(role))
    responses, expected = {}, {}

    for (route, method), (resource, action) in route_writes().items():
        row = resource.factory()
        if action == "create":
            path, body = resource.path, NEW[resource.collection]
            expected[route, method] = CREATE[role][resource.collection]
        else:
            path = f"{resource.path}/by-slug/{row.slug}" if route.endswith("by-slug") else resource.item(row)
            body = CHANGE.get(resource.collection, {"name": "New"}) if action == "update" else None
            status = CREATE[role][resource.collection] if resource in TERMS else allowed(role, action, "publish", False)
            expected[route, method] = 200 if status == 201 else status
        before = stored_rows()
        responses[route, method] = getattr(client, method)(path, body).status_code
        assert (stored_rows() != before) == (expected[route, method] < 400), (route, method)

    assert responses == expected


# --- Somebody with permissions of their own -------------------------------------------------------


def test_superuser_may_do_everything():
    client = api_client_for(UserFactory(is_superuser=True))

    for resource in CONTENT:
        row = resource.factory(status="private")
        assert updated_record(client.patch(resource.item(row), CHANGE[resource.collection]))["status"] == "private"
        assert updated_record(client.delete(resource.item(row)))["status"] == "trash"


@pytest.mark.parametrize("permission", ["add", "change", "delete", "publish", "change_others", "delete_others"])
def test_each_permission_allows_what_it_says_and_no_more(permission):
    user = UserFactory()
    user.user_permissions.set(Permission.objects.filter(codename=f"{permission}_venue"))
    client = api_client_for(user)
    own, draft = VenueFactory(author=user), VenueFactory(author=user, status="draft")
    others = VenueFactory()

    responses = {
        "create": client.post(VENUES.path, {"venue": "New"}),
        "change own": client.post(VENUES.item(own), {"city": "Lima"}),
        "change own draft": client.post(VENUES.item(draft), {"city": "Lima"}),
        "change": client.post(VENUES.item(others), {"city": "Lima"}),
        "delete own": client.delete(VENUES.item(own)),
        "delete own draft": client.delete(VENUES.item(draft)),
        "delete": client.delete(VENUES.item(others)),
    }

    allowed = {"add": ["create"], "change": ["change own draft"], "delete": ["delete own draft"]}.get(permission, [])
    assert [name for name, response in responses.items() if response.status_code < 400] == allowed
    assert {response.status_code for name, response in responses.items() if name not in allowed} == {403}


def test_inactive_account_is_refused(author):
    client = api_client_for(author)
    User.objects.update(is_active=False)

    assert error_of(client.post(EVENTS.path, event_data())) == (401, "incorrect_password")


def test_account_without_a_role_reads_only():
    client = api_client_for(UserFactory())
    VenueFactory(status="draft")

    assert error_of(client.post(VENUES.path, {"venue": "New"})) == (403, "rest_forbidden")
    assert listed_ids(client.get(VENUES.path), "venues") == []


def test_role_that_is_taken_away_counts_at_once(author):
    client = api_client_for(author)
    event = created_record(client.post(EVENTS.path, event_data()))
    author.groups.clear()

    assert error_of(client.post(f"{EVENTS.path}/{event['id']}", {"title": "New"})) == (403, "rest_forbidden")


# --- Headers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header", ["Digest x", "Basic", "Basic !!!", "Basic bm8tY29sb24=", "Bearer", "Bearer ", "Negotiate abc", "x" * 2000]
)
def test_header_that_cannot_be_read_is_no_account(header):
    client = JSONClient(headers={"Authorization": header})

    assert error_of(client.post(VENUES.path, {"venue": "Hall"})) == (401, "rest_forbidden")
    assert client.get(VENUES.path).status_code == 200


def test_wrong_account_writes_nothing(author):
    before = stored_rows()
    for credentials in ("author:wrong", "nobody:wrong", ":", "author:"):
        basic = b64encode(credentials.encode()).decode()
        client = JSONClient(headers={"Authorization": f"Basic {basic}"})

        assert error_of(client.post(VENUES.path, {"venue": "Hall"})) == (401, "incorrect_password")
    assert stored_rows() == before


def test_basic_signs_a_write(author):
    _password, secret = create_application_password(author, "basic")
    basic = b64encode(f"author:{secret}".encode()).decode()

    venue = created_record(JSONClient(headers={"Authorization": f"Basic {basic}"}).post(VENUES.path, {"venue": "Hall"}))

    assert venue["author"] == author.pk


# --- The session of the admin ---------------------------------------------------------------------


@pytest.fixture
def browser(author):
    client = Client(enforce_csrf_checks=True)
    client.force_login(author)
    client.cookies["csrftoken"] = "a" * 32
    return client


def write(browser, method, path, body, token=None):
    headers = {"X-CSRFToken": token} if token else {}
    return browser.generic(method, path, body, "application/x-www-form-urlencoded", headers=headers)


@pytest.mark.parametrize("token", [None, "b" * 32, "short"])
def test_session_without_the_token_writes_nothing(browser, author, token):
    row = VenueFactory(author=author)
    before = stored_rows()

    responses = [write(browser, "POST", VENUES.path, "venue=Forged", token)]
    methods = ("POST", "PUT", "PATCH", "DELETE")
    responses += [write(browser, method, VENUES.item(row), "city=Forged", token) for method in methods]

    assert [error_of(response) for response in responses] == [(403, "rest_cookie_invalid_nonce")] * 5
    assert stored_rows() == before


def test_session_with_the_token_writes(browser, author):
    row = VenueFactory(author=author)

    made = write(browser, "POST", VENUES.path, "venue=Hall&city=Lima", "a" * 32)
    changed = write(browser, "PUT", VENUES.item(row), "city=Lima", "a" * 32)
    deleted = write(browser, "DELETE", VENUES.item(row), "", "a" * 32)

    assert (created_record(made)["venue"], made.json()["author"]) == ("Hall", author.pk)
    assert (updated_record(changed)["city"], updated_record(deleted)["status"]) == ("Lima", "trash")


def test_token_in_a_form_is_a_token(browser):
    token = "a" * 32
    form = write(browser, "POST", VENUES.path, f"venue=Hall&organizer[]=x&csrfmiddlewaretoken={token}")
    parts = browser.post(VENUES.path, {"venue": "Barn", "csrfmiddlewaretoken": token})

    assert (created_record(form)["venue"], created_record(parts)["venue"]) == ("Hall", "Barn")


def test_session_reads_what_is_its_own(browser, author):
    own, _other = VenueFactory(author=author, status="draft"), VenueFactory(status="draft")

    assert listed_ids(browser.get(VENUES.path), "venues") == [own.pk]


def test_event_of_others_is_out_of_reach_of_a_session(browser):
    row = EventFactory()

    assert error_of(write(browser, "PUT", EVENTS.item(row), "title=x", "a" * 32)) == (403, "rest_forbidden")


def test_tags_are_out_of_reach_of_an_author_in_every_way(author_api, browser):
    row = TAGS.factory(name="Jazz")
    before = stored_rows()

    for response in (
        author_api.post(TAGS.path, {"name": "New"}),
        author_api.post(TAGS.item(row), {"name": "New"}),
        author_api.delete(TAGS.item(row)),
        author_api.post(EVENTS.path, event_data(tags=["New"])),
        write(browser, "DELETE", TAGS.item(row), "", "a" * 32),
    ):
        assert error_of(response) == (403, "rest_forbidden")
    assert stored_rows() == before
