"""Responses agree with the OpenAPI document: every operation and error, with full and with empty records."""

import json
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from calendar_site.accounts.models import User
from calendar_site.idempotency.models import IdempotentRequest
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.api_client import JSONClient, api_client_for
from tests.support.contract import OPERATION_IDS
from tests.support.openapi_document import OpenAPIDocument, path_of
from tests.support.resources import CATEGORIES, EVENTS, ORGANIZERS, RESOURCES, SERIES, TAGS, VENUES, Resource

NOW = datetime(2027, 3, 10, 12, tzinfo=UTC)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("empty_cache"), pytest.mark.time_machine(NOW, tick=False)]
# What a create needs, and what an update sends.
FIELDS = {
    "events": {"title": "Open air", "start_date": "2027-03-20 18:00:00", "end_date": "2027-03-20 20:00:00"},
    "venues": {"venue": "Park"},
    "organizers": {"organizer": "Friends of the park"},
    "categories": {"name": "Music"},
    "tags": {"name": "Outdoor"},
    "series": {"title": "Open air", "start_date": "2027-03-20 18:00:00", "end_date": "2027-03-20 20:00:00"},
}


class Asked(NamedTuple):
    """An operation with what a request of it is made of."""

    documented: OpenAPIDocument
    id: str
    method: str
    path: str
    # None where the operation is about the API itself.
    resource: Resource | None
    row: Any
    # A client for each role.
    clients: dict[str, JSONClient]

    @property
    def name(self) -> str:
        """The field that a create requires first."""
        if self.id == "previewSeries":
            return "start_date"
        return next(iter(FIELDS[self.resource.collection]))

    def send(self, client: Client, row: Any = None, *, body: Any = None, headers: Any = None, **query: str) -> Any:
        """The request, about `row` where it is about one."""
        row = row or self.row
        value = {"id": row.pk, "slug": getattr(row, "slug", "")} if row else {}
        return self.send_to(client, path_of(self.path, **value), body=body, headers=headers, **query)

    def send_to(self, client: Client, path: str, *, body: Any = None, headers: Any = None, **query: str) -> Any:
        takes_body = self.method not in ("GET", "DELETE") or isinstance(body, str)
        sent = body if isinstance(body, str) else json.dumps(body or {})
        return client.generic(self.method, path, sent if takes_body else "", query_params=query, headers=headers)

    def other(self, **fields: Any) -> Any:
        """Another row of the resource."""
        return self.resource.factory(**fields)


@pytest.fixture
def asked(request, documented, editor, author, subscriber):
    operation_id = request.param
    method, path, _operation = documented.operations[operation_id]
    resource = next((item for item in (*RESOURCES, SERIES) if path.startswith(f"/{item.collection}")), None)
    row = resource.make("Record") if resource and "{" in path else None
    clients = {str(user): api_client_for(user) for user in (editor, author, subscriber)}
    return Asked(documented, operation_id, method, path, resource, row, clients)


def of_each(ids):
    return pytest.mark.parametrize("asked", list(ids), indirect=True)


# --- Answers


@of_each(OPERATION_IDS.values())
def test_success_is_as_documented(asked):
    client = asked.clients["editor"]
    fields = FIELDS[asked.resource.collection] if asked.resource else None
    (status,) = [status for status in asked.documented.responses(asked.id) if status < 300]

    response = asked.send(client, body=fields)

    assert response.status_code == status, response.content
    assert asked.documented.faults(asked.id, response) == []
    assert set(asked.documented.responses(asked.id)[status]["headers"]) >= {"Link", "X-Ignored-Fields"}


@pytest.fixture
def everything(editor):
    """A record of each kind with all that it can have, and one with nothing but its name."""
    renditions = {"thumbnail": {"file": "a-1.jpg", "width": 1, "height": 1, "media_type": "image/jpeg", "filesize": 1}}
    image = ImageFactory(renditions=renditions)
    for kind in ("event", "venue", "organizer"):
        CustomFieldFactory(resource=kind, name="note")
    shared = {
        "image": image,
        "description": "<p>Words</p>",
        "excerpt": "Words",
        "custom_values": {"note": "Words"},
    }
    hall = VenueFactory(
        address="Via Roma 1",
        city="Bolzano",
        country="Italy",
        province="BZ",
        state="South Tyrol",
        zip="39100",
        phone="1",
        website="https://example.org/",
        geo_lat=1.5,
        geo_lng=2.5,
        **shared,
    )
    choir = OrganizerFactory(phone="1", website="https://example.org/", email="a@example.org", **shared)
    music = CategoryFactory(description="Words")
    song = CategoryFactory(parent=music)
    tag = TagFactory(description="Words")
    whole = EventFactory(title="Whole")
    links = {"categories": [music, song], "tags": [tag], "organizers": [choir, OrganizerFactory()]}
    concert = EventFactory(
        cost="10 - 30",
        website="https://example.org/",
        time_zone="Asia/Kathmandu",
        parent=whole,
        venues=[hall, VenueFactory()],
        **links,
        **shared,
    )
    TicketFactory(event=concert)
    TicketFactory(event=concert, available_from=NOW, available_until=NOW, url="https://example.org/")
    EventFactory(title="At one place", venues=[hall], time_zone="UTC+5.5")
    protected = EventFactory(title="Protected", password="secret", venues=[hall], **links, **shared)
    TicketFactory(event=protected)
    return {
        EVENTS: [whole, concert, protected],
        VENUES: [hall, VenueFactory()],
        ORGANIZERS: [choir, OrganizerFactory()],
        CATEGORIES: [music, song],
        TAGS: [tag, TagFactory()],
    }


def test_records_with_all_and_with_nothing_are_as_documented(documented, client, editor_api, everything):
    for resource, rows in everything.items():
        for caller in (client, editor_api):
            for query in ("", "per_page=1&page=2"):
                response = caller.get(resource.list(query))
                assert documented.faults(f"list{resource.collection.capitalize()}", response) == []
            for row in rows:
                response = caller.get(f"{resource.item(row)}?password=secret")
                assert response.status_code == 200 or row.title == "Protected"
                assert documented.faults(f"get{resource.kind.capitalize()}", response) == []


# --- Errors


def provoke(asked: Asked, status: int, code: str, monkeypatch: Any) -> Any:
    """An answer with this error."""
    anybody, editor = JSONClient(), asked.clients["editor"]
    resource, kind = asked.resource, asked.resource and asked.resource.kind
    match status, code:
        case 400, "rest_invalid_body":
            return asked.send(editor, body={}, x="\0")
        case 400, "rest_invalid_json":
            return asked.send(editor, body="{")
        case 400, "rest_missing_callback_param":
            return asked.send(editor, body={})
        case 400, "rest_invalid_param" if asked.method == "GET" and not asked.row:
            return asked.send(anybody, page="x")
        case 400, "rest_invalid_param" if asked.method in ("GET", "DELETE"):
            return asked.send(editor, password="")
        case 400, "rest_invalid_param":
            return asked.send(editor, body=FIELDS[resource.collection] | {asked.name: ""})
        case 400, "rest_invalid_if_match":
            return asked.send(editor, headers={"If-Match": "no quotes"})
        case 400, "rest_invalid_idempotency_key":
            return asked.send(editor, headers={"Idempotency-Key": "é"})
        case 400, "term_exists":
            asked.other(name=FIELDS[resource.collection]["name"])
            return asked.send(editor, body=FIELDS[resource.collection])
        case 400, "rest_taxonomy_not_hierarchical":
            return asked.send(editor, body=FIELDS["tags"] | {"parent": 1})
        case 400, _ if code == f"could-not-create-{kind}":
            return asked.send(editor, body={asked.name: " "})
        case 401, "incorrect_password":
            return asked.send(JSONClient(headers={"Authorization": "Bearer wrong"}))
        case 401, "rest_forbidden":
            return asked.send(anybody)
        case 403, "rest_forbidden":
            return asked.send(asked.clients["subscriber"])
        case 403, "rest_cookie_invalid_nonce":
            browser = JSONClient(enforce_csrf_checks=True)
            browser.force_login(User.objects.get(username="editor"))
            return asked.send(browser)
        case 403, "rest_cannot_edit_others":
            author, others = User.objects.get(username="author"), User.objects.get(username="editor")
            own = asked.row and asked.other(author=author)
            return asked.send(asked.clients["author"], own, body=FIELDS[resource.collection] | {"author": others.pk})
        case 403, _ if code == f"{kind}-not-accessible":
            return asked.send(anybody, asked.other(status="draft"))
        case 403, "event-password-protected":
            return asked.send(anybody, asked.other(password="secret"))
        case (403, "event-no-longer-available") | (410, _):
            return asked.send(editor, asked.other(status="trash"))
        case 404, "rest_invalid_namespace":
            return asked.send(anybody, namespace="other/v1")
        case 404, "rest_no_route":
            return asked.send_to(editor, path_of(asked.path, id="x", slug="a/b"), body={})
        case 404, _ if code == f"{kind}-archive-page-not-found":
            return asked.send(anybody, page="9")
        case 404, _:
            return asked.send_to(editor, path_of(asked.path, id=0, slug="none"), body={})
        case 409, _:
            row = asked.row and asked.other()
            asked.send(editor, row, headers={"Idempotency-Key": "1"})
            # As while the first request is running.
            IdempotentRequest.objects.update(status=None)
            return asked.send(editor, row, headers={"Idempotency-Key": "1"})
        case 422, _:
            asked.send(editor, headers={"Idempotency-Key": "2"})
            return asked.send(editor, headers={"Idempotency-Key": "2"}, other="data")
        case 412, _:
            return asked.send(editor, headers={"If-Match": '"another version"'})
        case 413, _:
            # Of whatever method.
            monkeypatch.setattr(settings, "UPLOAD_LIMIT", 10)
            return asked.send(editor, body='{"title": "more than ten bytes"}')
        case 429, _:
            monkeypatch.setattr(settings, "THROTTLE_ANONYMOUS", "1/min")
            asked.send(anybody)
            return asked.send(anybody)
    raise AssertionError(f"Nobody knows how {status} {code} comes about.")


@of_each(OPERATION_IDS.values())
def test_errors_are_as_documented(asked, monkeypatch):
    for status, code in sorted(asked.documented.codes(asked.id)):
        if code == "rest_busy" or (status == 404 and asked.id.startswith("create")):
            # Takes another writer: tests/security/test_s20_races.py.
            continue
        with monkeypatch.context() as patch:
            response = provoke(asked, status, code, patch)

        assert (response.status_code, response.json()["code"]) == (status, code), response.content
        assert asked.documented.faults(asked.id, response) == []
        answer = asked.documented.responses(asked.id)[status]
        assert set(answer["headers"]) <= set(response.headers)
        if code != "term_exists":
            # All of an error but the number of a record can be foreseen.
            assert response.json() == answer["content"]["application/json"]["examples"][code]["value"]
        # Where the requests are counted.
        cache.clear()
