"""S15 (scopes): an application password does not allow more than its restrictions, on any route.

pretalx: a token for one event could act on others, and a token was created without the permissions that it had. The
routes come from the OpenAPI document: a new one without an entry in ROUTES fails.
"""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import MULTIPART_CONTENT
from django.utils import timezone

from calendar_site.accounts.scopes import RESOURCES as SCOPE_RESOURCES
from calendar_site.accounts.services import create_application_password, create_user
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from tests.factories import EventFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API, JSONClient, api_client_for, listed_ids
from tests.support.api_writes import error_of, event_data, stored_rows
from tests.support.image_files import red_blue_image
from tests.support.openapi_document import fetch_document
from tests.support.resources import CONTENT, EVENTS, RESOURCES, SERIES, TERMS, VENUES

pytestmark = pytest.mark.django_db

NEW = {
    "events": event_data(),
    "venues": {"venue": "Hall"},
    "organizers": {"organizer": "Choir"},
    "categories": {"name": "Music"},
    "tags": {"name": "Jazz"},
    "series": event_data(rrule="FREQ=DAILY;COUNT=2"),
}
# The resource of each route, None for routes that everybody may read.
ROUTES = {
    "/": None,
    "/me": None,
    "/doc": None,
    **{f"/{resource}": resource for resource in RESOURCES},
    **{f"/{resource}/{{id}}": resource for resource in RESOURCES},
    **{f"/{resource}/by-slug/{{slug}}": resource for resource in CONTENT},
    "/series": SERIES,
    "/series/preview": SERIES,
    "/series/{id}": SERIES,
}
RESTRICTIONS = {
    "none": {},
    "read only": {"is_read_only": True},
    "own records": {"is_own_only": True},
    "own events, read only": {"is_read_only": True, "is_own_only": True, "resources": ["events"]},
    "own records of two": {"is_own_only": True, "resources": ["events", "tags"]},
    **{name: {"resources": [name]} for name in SCOPE_RESOURCES},
}


def client_with(user, address="127.0.0.1", **restrictions):
    """Return a client with an application password that has these restrictions."""
    label = f"client {user.application_passwords.count()}"
    _password, secret = create_application_password(user, label, **restrictions)
    return JSONClient(headers={"Authorization": f"Bearer {secret}"}, REMOTE_ADDR=address)


def allows(restrictions, resource, is_own):
    """Return whether an editor with these restrictions may change a record of the resource; None for a new one."""
    # Series have the permissions of events.
    name = "events" if resource == SERIES else resource.collection
    if restrictions.get("is_read_only") or name not in restrictions.get("resources", NEW):
        return False
    is_new = is_own is None
    return is_new or not restrictions.get("is_own_only") or (is_own and resource not in TERMS)


def requests_to(route, methods, resource, user):
    """Return the method, path and data of requests to a route, and whether the record is the user's own."""
    path = f"{API}{route}"
    if resource is None or "{" not in route:
        data = NEW[resource.collection] if resource else {}
        return [(method, path.rstrip("/"), data if method == "post" else {}, None) for method in methods]
    cases = []
    for method in methods:
        for is_own in (True, False):
            author = {} if resource in TERMS else {"author": user if is_own else UserFactory()}
            row = resource.factory(**author)
            cases.append((method, path.format(id=row.pk, slug=getattr(row, "slug", "")), {}, is_own))
    return cases


def test_every_route_has_an_entry():
    assert set(fetch_document()["paths"]) == set(ROUTES)


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_every_route_is_restricted(editor, name):
    restrictions = RESTRICTIONS[name]
    client = client_with(editor, **restrictions)
    statuses, expected = {}, {}

    for route, operations in fetch_document()["paths"].items():
        resource = ROUTES[route]
        for method, path, data, is_own in requests_to(route, operations, resource, editor):
            before = stored_rows()
            response = getattr(client, method)(path, data)
            key = method, route, is_own
            statuses[key] = response.status_code
            if method == "get":
                expected[key] = 200
            elif allows(restrictions, resource, is_own):
                expected[key] = 201 if is_own is None and not route.endswith("/preview") else 200
            else:
                expected[key] = 403
                assert error_of(response)[1] == "rest_forbidden", key
                assert stored_rows() == before, key

    assert statuses == expected


@pytest.mark.parametrize("name", RESTRICTIONS)
def test_allow_header_and_me_agree_with_the_restrictions(editor, name):
    client = client_with(editor, **RESTRICTIONS[name])
    me = client.get(f"{API}/me").json()["permissions"]

    for resource in RESOURCES:
        row = resource.factory(**({} if resource in TERMS else {"author": editor}))
        may_create = allows(RESTRICTIONS[name], resource, None)
        may_change = allows(RESTRICTIONS[name], resource, is_own=True)
        allowed = [client.get(path)["Allow"] for path in (resource.path, resource.item(row))]
        granted = me[resource.collection]

        assert ["POST" in methods for methods in allowed] == [may_create, may_change]
        assert (granted["create"], granted["update"], granted["delete"]) == (may_create, may_change, may_change)
        if resource in CONTENT:
            others = allows(RESTRICTIONS[name], resource, is_own=False)
            assert (granted["publish"], granted["update_others"]) == (may_change, others)


def answers_about(client, content, rows):
    """Return status and body of every way in which a client could read the rows."""
    paths = [content.item(row) for row in rows.values()]
    paths += [f"{content.path}/by-slug/{row.slug}" for row in rows.values()]
    paths += [content.list(f"status={status}") for status in Status.values] + [content.list()]
    responses = [client.get(path) for path in paths]
    return {path: (answer.status_code, answer.content) for path, answer in zip(paths, responses, strict=True)}


@pytest.fixture(params=CONTENT, ids=str)
def restricted_content(request):
    return request.param


@pytest.fixture
def rows_to_read(editor, restricted_content):
    """Rows in every status, of the editor and of others."""
    return {
        (status, is_own): restricted_content.factory(status=status, author=editor if is_own else UserFactory())
        for status in Status.values
        for is_own in (True, False)
    }


@pytest.mark.parametrize("role", ["editor", "author", "contributor", "subscriber"])
def test_read_only_password_reads_what_the_user_reads(restricted_content, role):
    user = create_user("reader", role)
    rows = {
        (status, is_own, password): restricted_content.factory(
            status=status,
            author=user if is_own else UserFactory(),
            **({"password": password} if restricted_content == EVENTS else {}),
        )
        for status in Status.values
        for is_own in (True, False)
        for password in ("", "open sesame")
    }

    read_only = answers_about(client_with(user, is_read_only=True), restricted_content, rows)

    assert read_only == answers_about(api_client_for(user), restricted_content, rows)


def test_password_for_another_resource_reads_what_everybody_reads(editor, subscriber, restricted_content, rows_to_read):
    client = client_with(editor, resources=["tags"])

    responses = answers_about(client, restricted_content, rows_to_read)

    assert responses == answers_about(api_client_for(subscriber), restricted_content, rows_to_read)


def test_password_for_own_records_does_not_read_drafts_of_others(editor, restricted_content, rows_to_read):
    client = client_with(editor, is_own_only=True)

    readable = {
        case for case, row in rows_to_read.items() if client.get(restricted_content.item(row)).status_code == 200
    }
    drafts = listed_ids(client.get(restricted_content.list("status=draft")), restricted_content.collection)

    unreadable = {"trash"} if restricted_content == EVENTS else set()
    own = {(status, True) for status in Status.values if status not in unreadable}
    assert readable == own | {(status, False) for status in PUBLIC_STATUSES}
    assert drafts == [rows_to_read["draft", True].pk]


def test_restrictions_apply_to_linked_records(editor):
    event = EventFactory(author=editor, venues=[VenueFactory(status="draft", title="Hidden hall")])

    texts = {
        name: client_with(editor, **restrictions).get(EVENTS.item(event)).content
        for name, restrictions in RESTRICTIONS.items()
    }

    reading = {name for name, text in texts.items() if b"Hidden hall" in text}
    assert reading == {"none", "read only", "venues"}


@pytest.mark.parametrize(
    ("missing", "data"),
    [
        ("venues", {"venue": {"venue": "New hall"}}),
        ("organizers", {"organizer": {"organizer": "New choir"}}),
        ("categories", {"categories": ["New category"]}),
        ("tags", {"tags": ["New tag"]}),
    ],
)
def test_linked_records_are_created_only_within_the_restrictions(editor, missing, data):
    others = [name for name in SCOPE_RESOURCES if name != missing]
    before = stored_rows()

    refused = client_with(editor, resources=others).post(EVENTS.path, event_data(**data))
    after = stored_rows()
    accepted = client_with(editor, resources=["events", missing]).post(EVENTS.path, event_data(**data))

    assert error_of(refused) == (403, "rest_forbidden")
    assert after == before
    assert accepted.status_code == 201


def test_images_are_uploaded_only_within_the_restrictions(editor, media_folder):
    def upload(resources):
        file = SimpleUploadedFile("night.png", red_blue_image(), "image/png")
        data = {**event_data(), "image": file}
        return client_with(editor, resources=resources).post(EVENTS.path, data, MULTIPART_CONTENT)

    before = stored_rows()
    refused = upload(["events"])
    after = stored_rows()

    assert error_of(refused) == (403, "rest_forbidden")
    assert after == before
    assert upload(["events", "images"]).status_code == 201


def test_author_cannot_be_another_user_with_own_records_only(editor, author):
    client = client_with(editor, is_own_only=True)

    assert error_of(client.post(VENUES.path, {"venue": "Hall", "author": author.pk}))[0] == 403
    assert client.post(VENUES.path, {"venue": "Hall", "author": editor.pk}).status_code == 201


def test_restricted_password_does_not_get_the_response_to_a_write_of_another_one(editor):
    venue = VenueFactory(status="draft")
    key = {"Idempotency-Key": "the same"}

    unrestricted = client_with(editor)
    first = unrestricted.patch(VENUES.item(venue), {"city": "Lima"}, headers=key)
    refused = client_with(editor, is_own_only=True).patch(VENUES.item(venue), {"city": "Lima"}, headers=key)
    replayed = unrestricted.patch(VENUES.item(venue), {"city": "Lima"}, headers=key)

    assert error_of(refused) == (403, "rest_forbidden")
    assert (first.status_code, replayed.content) == (200, first.content)


def test_restricted_password_does_not_use_up_the_key_of_another_one(editor):
    venue = VenueFactory()
    key = {"Idempotency-Key": "the same"}

    refused = client_with(editor, is_own_only=True).patch(VENUES.item(venue), {"city": "Lima"}, headers=key)
    accepted = client_with(editor).patch(VENUES.item(venue), {"city": "Lima"}, headers=key)

    assert (refused.status_code, accepted.status_code) == (403, 200)


@pytest.mark.parametrize("name", [name for name in RESTRICTIONS if name != "none"])
def test_superuser_is_restricted_too(name):
    root = UserFactory(is_superuser=True)
    client = client_with(root, **RESTRICTIONS[name])

    for resource in CONTENT:
        row = resource.factory(status="draft", author=UserFactory())
        expected = 200 if allows(RESTRICTIONS[name], resource, is_own=False) else 403
        assert client.patch(resource.item(row), {}).status_code == expected


def test_role_limits_the_password_as_well(subscriber):
    for restrictions in RESTRICTIONS.values():
        assert client_with(subscriber, **restrictions).post(VENUES.path, {"venue": "Hall"}).status_code == 403


# --- Expiry and networks --------------------------------------------------------------------------


def comparable(response):
    headers = {name: value for name, value in response.headers.items() if name != "X-Request-ID"}
    return response.status_code, headers, response.json()


def test_expired_password_is_answered_as_a_wrong_one(client, editor, time_machine):
    expires = timezone.now() + timedelta(days=1)
    expiring = client_with(editor, expires_at=expires)
    wrong = comparable(client.get(VENUES.path, headers={"Authorization": "Bearer wrong"}))
    time_machine.move_to(expires - timedelta(seconds=1), tick=False)
    before = expiring.get(VENUES.path).status_code
    time_machine.move_to(expires, tick=False)

    assert before == 200
    assert wrong[0] == 401
    assert comparable(expiring.get(VENUES.path)) == wrong


@pytest.mark.parametrize(
    ("networks", "address", "is_allowed"),
    [
        (["192.0.2.0/24"], "192.0.2.77", True),
        (["192.0.2.0/24"], "192.0.3.77", False),
        (["192.0.2.0/24"], "::ffff:192.0.2.77", True),
        (["192.0.2.0/24", "2001:db8::/32"], "2001:db8:1::9", True),
        (["192.0.2.0/24", "2001:db8::/32"], "2001:db9::9", False),
        (["198.51.100.7"], "198.51.100.7", True),
        (["198.51.100.7"], "198.51.100.8", False),
        (["0.0.0.0/0"], "", False),
        ([], "", True),
    ],
)
def test_password_is_used_from_allowed_networks_only(client, editor, networks, address, is_allowed):
    found = client_with(editor, address, networks=networks).get(VENUES.path)

    if is_allowed:
        assert found.status_code == 200
    else:
        assert comparable(found) == comparable(client.get(VENUES.path, headers={"Authorization": "Bearer wrong"}))


def test_forged_header_is_not_an_allowed_network(editor, settings):
    settings.PROXY_COUNT = 0
    client = client_with(editor, "203.0.113.9", networks=["192.0.2.0/24"])

    assert client.get(VENUES.path, headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 401


def test_refused_use_is_not_recorded(editor):
    client_with(editor, "203.0.113.9", networks=["192.0.2.0/24"]).get(VENUES.path)

    assert editor.application_passwords.get().last_used_at is None


# --- Who creates passwords ------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_nobody_creates_a_password_of_another_user(administrator, role):
    user = create_user("person", role)
    data = {"user": administrator.pk, "label": "stolen"}

    browser_for(user).post("/admin/accounts/applicationpassword/add/", data)
    browser_for(user).post("/admin/account/application-passwords/", data)
    api_client_for(user).post(f"{API}/application-passwords", data)

    assert list(administrator.application_passwords.all()) == []
