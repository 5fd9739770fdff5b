"""The limits of D33, at the limit and one beyond, through the API, the admin, and restored revisions."""

import unicodedata
from typing import Any, NamedTuple

import pytest

from calendar_site.content.services import save_content
from calendar_site.core.text.plain_text import normalize_for_search
from events.models import Event, EventVenue
from events.services import save_event
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    VenueFactory,
)
from tests.support.admin import form_errors, submit_form
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, error_of, event_data, stored_rows, updated_record
from tests.support.history import last_revision
from tests.support.history_pages import history_path
from tests.support.image_files import plain_image
from tests.support.records import reloaded
from tests.support.remote_server import http_response
from tests.support.resources import CONTENT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files", "media_folder")]

EVENTS = f"{API}/events"
FORM = "application/x-www-form-urlencoded"
LIMIT = 64_000
EXCERPT_LIMIT = 5000
TOO_LONG = "Must have at most 64000 characters."

every_content = pytest.mark.parametrize("resource", CONTENT, ids=str)


# --- Descriptions and excerpts


def at_limit_and_beyond(limit=LIMIT):
    """Texts of the greatest length, each with one that is a character longer. The stored text counts, escaped."""
    amp = "&" * (limit // len("&amp;"))
    return {
        "plain": ("x" * limit, "x" * (limit + 1)),
        "paragraphs": ("x\n\ny" + "z" * (limit - 10), "x\n\ny" + "z" * (limit - 9)),
        "ampersands": (amp, f"{amp}&"),
        "other script": ("東" * limit, "東" * (limit + 1)),
        "html": (f"<b>{'x' * (limit - 7)}</b>", f"<b>{'x' * (limit - 6)}</b>"),
    }


def limits_of(resource):
    """The HTML fields that clients may send, with their limits."""
    return {"description": LIMIT} | ({"excerpt": EXCERPT_LIMIT} if resource.kind == "event" else {})


def messages(limits):
    return {name: f"Must have at most {limit} characters." for name, limit in limits.items()}


def data_of(resource, **fields):
    return event_data(**fields) if resource.kind == "event" else {resource.kind: "Name", **fields}


@every_content
@pytest.mark.parametrize("text", at_limit_and_beyond())
def test_longest_description_is_kept_and_a_longer_one_refused_by_the_api(editor_api, resource, text):
    limits = limits_of(resource)
    longest, too_long = (
        {name: at_limit_and_beyond(limit)[text][index] for name, limit in limits.items()} for index in (0, 1)
    )
    row = resource.make("Old")

    record = created_record(editor_api.post(resource.path, data_of(resource, **longest)))
    sent_back = updated_record(editor_api.put(f"{resource.path}/{record['id']}", record))
    before = stored_rows()
    create = editor_api.post(resource.path, data_of(resource, **too_long))
    update = editor_api.patch(resource.item(row), too_long)

    assert [sent_back[name] for name in limits] == [record[name] for name in limits]
    assert invalid_params(create) == invalid_params(update) == messages(limits)
    assert stored_rows() == before


def test_longer_description_is_refused_in_a_form_and_in_a_new_venue(editor_api):
    body = f"venue=Hall&description={'x' * (LIMIT + 1)}"

    form = editor_api.post(f"{API}/venues", body, content_type=FORM)
    nested = editor_api.post(EVENTS, event_data(venue=[{"venue": "Hall", "description": "x" * (LIMIT + 1)}]))

    assert invalid_params(form) == {"description": TOO_LONG}
    assert invalid_params(nested)["venue[0].description"] == TOO_LONG


def test_longest_description_is_kept_and_a_longer_one_refused_by_the_admin(kind, editor_browser):
    row = kind.factory(title="Old")
    limits = {"description": LIMIT} | ({"excerpt": EXCERPT_LIMIT} if kind.factory is EventFactory else {})

    refused = submit_form(editor_browser, kind.page(row), **{name: "x" * (limits[name] + 1) for name in limits})
    submit_form(editor_browser, kind.page(row), **{name: "x" * limits[name] for name in limits})
    submit_form(editor_browser, kind.page(row), title="New")

    assert form_errors(refused) == {name: [message] for name, message in messages(limits).items()}
    row = reloaded(row)
    assert row.title == "New"
    assert {name: getattr(row, name) for name in limits} == {
        name: f"<p>{'x' * limit}</p>" for name, limit in limits.items()
    }


def test_text_that_was_stored_before_the_limit_can_be_sent_back(editor_api):
    event = EventFactory()
    Event.objects.update(description=f"<p>{'x' * (LIMIT + 1)}</p>", excerpt=f"<p>{'x' * (EXCERPT_LIMIT + 1)}</p>")
    record = editor_api.get(f"{EVENTS}/{event.pk}").json()

    assert updated_record(editor_api.put(f"{EVENTS}/{event.pk}", record))["excerpt"] == record["excerpt"]


def tickets(count, length):
    url = f"https://a.example/{'y' * (length - 118)}"
    return [{"name": "x" * 100, "url": url, "price": 1, "currency": "EUR"} for _ in range(count)]


def test_tickets_have_a_limit_together(editor_api):
    created = created_record(editor_api.post(EVENTS, event_data(tickets=tickets(20, 1000))))
    too_long = [*tickets(19, 1000), *tickets(1, 1001)]
    series = {**event_data(tickets=too_long), "rrule": "FREQ=DAILY;COUNT=2"}

    refused = [
        editor_api.post(EVENTS, event_data(tickets=too_long)),
        editor_api.patch(f"{EVENTS}/{created['id']}", {"tickets": too_long}),
        editor_api.post(f"{API}/series", series),
    ]

    message = "The names and URLs of all tickets must have at most 20000 characters together."
    assert [invalid_params(response) for response in refused] == [{"tickets": message}] * 3
    assert Event.objects.count() == 1


def test_stored_description_beyond_the_limit_is_kept(kind, editor_browser):
    row = kind.factory(title="Old")
    model = type(row)
    model.objects.filter(pk=row.pk).update(description="x" * (LIMIT + 1))

    submit_form(editor_browser, kind.page(row), title="New")
    saved = (save_event if model is Event else save_content)(reloaded(row), changes={"title": "Newer"}, user=OPERATOR)

    assert saved.description == f"<p>{'x' * (LIMIT + 1)}</p>"


# --- Links


class Linked(NamedTuple):
    """A relation of events: its field in the API, in the model and in the form, and its limit."""

    field: str
    relation: str
    form_field: str
    factory: Any
    limit: int

    def __str__(self) -> str:
        return self.field


LINKED = (
    Linked("venue", "venues", "ordered_venues", VenueFactory, 20),
    Linked("organizer", "organizers", "ordered_organizers", OrganizerFactory, 20),
    Linked("categories", "categories", "categories", CategoryFactory, 50),
    Linked("tags", "tags", "tags", TagFactory, 100),
)
every_link = pytest.mark.parametrize("linked", LINKED, ids=str)


def counted(event_id, linked):
    return getattr(Event.objects.get(pk=event_id), linked.relation).count()


@every_link
def test_links_are_limited_by_the_api(editor_api, linked):
    rows = linked.factory.create_batch(linked.limit + 1)
    ids = [row.pk for row in rows]

    most = created_record(editor_api.post(EVENTS, event_data(**{linked.field: ids[:-1] + ids[:-1]})))
    before = stored_rows()
    create = editor_api.post(EVENTS, event_data(**{linked.field: ids}))
    update = editor_api.patch(f"{EVENTS}/{most['id']}", {linked.field: ",".join(map(str, ids))})
    form = editor_api.patch(
        f"{EVENTS}/{most['id']}", "&".join(f"{linked.field}[]={pk}" for pk in ids), content_type=FORM
    )

    assert counted(most["id"], linked) == linked.limit
    message = {linked.field: f"At most {linked.limit} items are allowed."}
    assert invalid_params(create) == invalid_params(update) == invalid_params(form) == message
    assert stored_rows() == before


@every_link
def test_new_records_count_as_links(editor_api, linked):
    name = linked.field if linked.field in ("venue", "organizer") else "name"
    new = [{name: f"New {number}"} for number in range(linked.limit + 1)]

    response = editor_api.post(EVENTS, event_data(**{linked.field: new}))

    assert invalid_params(response) == {linked.field: f"At most {linked.limit} items are allowed."}
    assert not linked.factory._meta.model.objects.exists()


@every_link
def test_links_are_limited_by_the_admin(editor_browser, linked):
    ids = [row.pk for row in linked.factory.create_batch(linked.limit + 1)]
    event = EventFactory()
    page = f"/admin/events/event/{event.pk}/change/"

    refused = submit_form(editor_browser, page, **{linked.form_field: ids})
    assert counted(event.pk, linked) == 0
    submit_form(editor_browser, page, **{linked.form_field: ids[:-1]})

    assert form_errors(refused) == {linked.form_field: [f"At most {linked.limit} items are allowed."]}
    assert counted(event.pk, linked) == linked.limit


def test_hidden_venues_count_as_well(author_api, author):
    hidden = VenueFactory(status="draft")
    event = EventFactory(author=author, venues=[hidden])
    ids = [venue.pk for venue in VenueFactory.create_batch(20)]

    refused = author_api.patch(f"{EVENTS}/{event.pk}", {"venue": ids})
    updated_record(author_api.patch(f"{EVENTS}/{event.pk}", {"venue": ids[:-1]}))

    assert invalid_params(refused) == {"venue": "At most 20 items are allowed."}
    assert event.venues.count() == 20


def test_event_with_more_venues_than_allowed_keeps_them(editor_api):
    event = EventFactory(venues=VenueFactory.create_batch(20))
    EventVenue.objects.create(event=event, venue=VenueFactory(), position=20)

    updated_record(editor_api.patch(f"{EVENTS}/{event.pk}", {"title": "New"}))

    assert event.venues.count() == 21


def test_revision_with_more_venues_than_allowed_is_not_restored(editor_browser):
    rows = VenueFactory.create_batch(21)
    event = EventFactory(venues=rows[:20])
    state = last_revision(event)
    state.history_extra["venues"] = [row.pk for row in rows]
    state.save()
    save_event(event, changes={"venues": rows[:1]}, user=OPERATOR)
    path = history_path(event, f"{state.pk}/")

    editor_browser.post(path, {"newest": editor_browser.get(path).context["newest"]})

    assert list(event.venues.all()) == rows[:1]


# --- Images


@pytest.fixture
def four_addresses(serve_remotely):
    """Four URLs of images, with the server that serves them."""
    server = serve_remotely(*(http_response(plain_image(size=(10 + n, 10))) for n in range(4)))
    return server, [f"http://pictures.example/{n}.png" for n in range(4)]


def with_images(urls):
    return event_data(
        image=urls[0],
        venue=[{"venue": f"Venue {n}", "image": url} for n, url in enumerate(urls[1:2])],
        organizer=[{"organizer": "None"}, *({"organizer": f"Club {n}", "image": u} for n, u in enumerate(urls[2:]))],
    )


def test_request_brings_three_images(editor_api, four_addresses):
    server, urls = four_addresses

    event = created_record(editor_api.post(EVENTS, with_images([*urls[:3], urls[0]])))

    assert len(server.requests) == 3
    assert event["image"]["id"] == event["organizer"][2]["image"]["id"]


def test_request_with_four_images_is_refused_and_nothing_is_fetched(editor_api, four_addresses):
    server, urls = four_addresses
    before = stored_rows()

    response = editor_api.post(EVENTS, with_images(urls))

    message = "A request can contain at most 3 images."
    assert invalid_params(response) == {
        "organizer": f"organizer[2].image: {message}",
        "organizer[2].image": message,
    }
    assert server.requests == []
    assert stored_rows() == before


def test_stranger_is_refused_before_limits(client):
    body = event_data(description="x" * (LIMIT + 1))

    assert error_of(client.post(EVENTS, body, content_type="application/json")) == (401, "rest_forbidden")


def test_subscriber_is_refused_before_limits(subscriber_api):
    assert error_of(subscriber_api.post(EVENTS, event_data(tags=list(range(1, 200))))) == (403, "rest_forbidden")


# --- Combining marks

ACUTE, GRAVE = "\u0301", "\u0300"


def marks_in(text):
    return sum(unicodedata.category(char).startswith("M") for char in text)


@every_content
def test_runs_of_combining_marks_are_cut_by_the_api(editor_api, resource):
    name = "title" if resource.kind == "event" else resource.kind
    text = f"e{ACUTE * 30}x{GRAVE * 31}y"

    record = created_record(
        editor_api.post(resource.path, data_of(resource, **{name: text, "description": f"<p>{text}</p>"}))
    )

    cut = f"e{ACUTE * 30}x{GRAVE * 30}y"
    assert (record[name], record["description"]) == (cut, f"<p>{cut}</p>")


def test_runs_of_combining_marks_are_cut_by_the_admin(kind, editor_browser):
    row = kind.factory(title="Old")

    submit_form(editor_browser, kind.page(row), title=f"e{ACUTE * 31}", description=f"<p>{'e' + ACUTE * 31}</p>")

    row = reloaded(row)
    assert (row.title, row.description) == (f"e{ACUTE * 30}", f"<p>e{ACUTE * 30}</p>")


@pytest.mark.parametrize(
    "text", ["&#x301;" * 100, f"{ACUTE}<b></b>" * 100, f"<i>{ACUTE}</i>" * 100], ids=["ref", "b", "i"]
)
def test_marks_that_references_and_tags_hide_are_cut_in_search_texts(editor_api, text):
    record = created_record(
        editor_api.post(f"{API}/venues", {"venue": f"e{text}"[:400], "description": f"<p>e{text}</p>"})
    )

    row = VenueFactory._meta.model.objects.get(pk=record["id"])
    assert marks_in(row.search_text) <= 60
    assert marks_in(row.title) <= 30


def test_long_run_of_marks_is_normalized_as_a_short_one():
    # As it is, this takes minutes: normalizing takes time in the square of the length.
    marks = (ACUTE + "\u0316") * 100_000

    assert normalize_for_search(f"東{marks}") == normalize_for_search(f"東{marks[:30]}")


@pytest.mark.parametrize("number", ["x", True, 1.5, None], ids=repr)
def test_new_records_with_a_wrong_id_count_each(editor_api, number):
    venues = [{"id": number, "venue": f"Hall {place}"} for place in range(21)]

    response = editor_api.post(f"{API}/events", event_data(venue=venues))

    assert set(invalid_params(response)) == {"venue"}
    assert not VenueFactory._meta.model.objects.exists()


def test_error_about_thousands_of_items_is_short(editor_api):
    response = editor_api.post(f"{API}/events", event_data(tags=[None] * 50_000))

    assert set(invalid_params(response)) == {"tags"}
    assert len(response.content) < 2000


# --- The description of the API


def test_limits_are_in_the_document_and_in_the_index(client):
    document = client.get(f"{API}/doc").json()["components"]["schemas"]
    index = client.get(API).json()["routes"]["/cal/events/v1/events"]["endpoints"][1]["args"]

    for schemas in (document["NewEvent"]["properties"], document["EventChanges"]["properties"], index):
        assert {
            name: part[key]
            for name, schema in schemas.items()
            for part in (schema, *schema.get("anyOf", ()))
            for key in ("maxLength", "maxItems")
            if key in part and name in ("description", "excerpt", "tickets", *(linked.field for linked in LINKED))
        } == {
            "description": LIMIT,
            "excerpt": EXCERPT_LIMIT,
            "venue": 20,
            "organizer": 20,
            "categories": 50,
            "tags": 100,
            "tickets": 100,
        }
        assert "at most 3 images" in schemas["image"]["description"]
    for name in ("NewVenue", "NewOrganizer"):
        assert document[name]["properties"]["description"]["maxLength"] == LIMIT
