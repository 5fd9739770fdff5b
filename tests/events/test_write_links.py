"""Writing the links of an event: venues and organizers, categories and tags."""

from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API, api_client_for, invalid_arguments, invalid_params
from tests.support.api_writes import (
    created_record,
    error_of,
    event_data,
    read_record,
    stored_rows,
    updated_record,
    without_json_ld,
)
from venues.models import Venue

EVENTS = f"{API}/events"


class Linked(NamedTuple):
    """A kind of record that events link to: the field of the event, and what it holds."""

    field: str
    collection: str
    factory: Any
    model: Any

    @property
    def name(self) -> str:
        """The key of the record's name; it is that of the event's field."""
        return self.field

    def shape(self, records: list[Any]) -> Any:
        """Records as an event answers them (D13)."""
        return records[0] if self.field == "venue" and len(records) == 1 else records

    def ids(self, event: dict[str, Any]) -> list[int]:
        found = event[self.field]
        return [record["id"] for record in (found if isinstance(found, list) else [found])]


VENUES = Linked("venue", "venues", VenueFactory, Venue)
ORGANIZERS = Linked("organizer", "organizers", OrganizerFactory, Organizer)
CATEGORIES = Linked("categories", "categories", CategoryFactory, Category)
TAGS = Linked("tags", "tags", TagFactory, Tag)

named = pytest.mark.parametrize("kind", [VENUES, ORGANIZERS], ids=lambda kind: kind.field)
terms = pytest.mark.parametrize("kind", [CATEGORIES, TAGS], ids=lambda kind: kind.field)
KINDS = (VENUES, ORGANIZERS, CATEGORIES, TAGS)
every = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.field)


def record(client, kind, pk):
    """The record as its own address answers it, as far as an event shows it."""
    alone = read_record(client, f"{API}/{kind.collection}", pk)
    # D35.
    return {**alone, "parent": 0} if kind is TAGS else alone


def spellings(*pks):
    """All the ways to name these records, by their ids."""
    numbers, texts = list(pks), [str(pk) for pk in pks]
    return {
        "numbers": numbers,
        "texts": texts,
        "comma text": ",".join(texts),
        "comma text with blanks": " , ".join(texts),
        "objects": [{"id": pk} for pk in pks],
        "objects with more": [{"id": str(pk), "description": "Not written", "city": "Nowhere"} for pk in pks],
        "mixed": [texts[0], *({"id": pk} for pk in numbers[1:])],
        "repeated": [*numbers, *texts, *numbers],
    }


ONE = ["number", "text", "object", *spellings(1)]
SEVERAL = list(spellings(1, 2, 3))
NOTHING = ["", " ", [], None, 0, "0", {}]


# --- Records there are ---------------------------------------------------------------------------


@pytest.mark.parametrize("spelling", ONE)
def test_one_record_is_linked_in_every_spelling(editor_api, spelling):
    rows = {kind: kind.factory.create_batch(2)[0] for kind in KINDS}
    argument = {
        kind.field: {"number": row.pk, "text": str(row.pk), "object": {"id": row.pk}, **spellings(row.pk)}[spelling]
        for kind, row in rows.items()
    }

    event = created_record(editor_api.post(EVENTS, event_data(**argument)))

    expected = {kind.field: kind.shape([record(editor_api, kind, row.pk)]) for kind, row in rows.items()}
    read = read_record(editor_api, EVENTS, event["id"])
    assert {name: event[name] for name in expected} == {name: read[name] for name in expected} == expected


@pytest.mark.parametrize("spelling", SEVERAL)
def test_several_records_are_linked_in_every_spelling(editor_api, spelling):
    rows = {kind: kind.factory.create_batch(4)[:3] for kind in KINDS}
    argument = {kind.field: spellings(*(row.pk for row in linked))[spelling] for kind, linked in rows.items()}

    event = created_record(editor_api.post(EVENTS, event_data(**argument)))

    for kind in (CATEGORIES, TAGS):
        rows[kind].sort(key=lambda row: row.name)
    expected = {kind.field: [record(editor_api, kind, row.pk) for row in linked] for kind, linked in rows.items()}
    assert {name: event[name] for name in expected} == expected


@named
def test_venues_and_organizers_stay_in_the_order_given(editor_api, kind):
    first, second, third = kind.factory.create_batch(3)

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: [third.pk, first.pk, second.pk]})))
    changed = updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {kind.field: [second.pk, third.pk, first.pk]}))

    assert kind.ids(event) == [third.pk, first.pk, second.pk]
    assert kind.ids(changed) == [second.pk, third.pk, first.pk]


@terms
def test_terms_are_answered_in_the_order_of_their_names(editor_api, kind):
    names = ["zoo", "Alps", "éclair", "beach"]
    rows = [kind.factory(name=name) for name in names]

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: [row.pk for row in rows]})))

    assert [term["name"] for term in event[kind.field]] == ["Alps", "beach", "éclair", "zoo"]


def test_nothing_links_nothing(editor_api):
    for kind in KINDS:
        kind.factory()

    events = [created_record(editor_api.post(EVENTS, event_data(**in_every_field(nothing)))) for nothing in NOTHING]

    assert [{kind.field: event[kind.field] for kind in KINDS} for event in events] == [in_every_field([])] * len(
        NOTHING
    )


def test_nothing_takes_the_links_away_on_update(editor_api):
    rows = {kind: kind.factory.create_batch(2) for kind in KINDS}
    links = {kind.collection: linked for kind, linked in rows.items()}
    events = EventFactory.create_batch(len(NOTHING), **links)

    changed = [
        updated_record(editor_api.post(f"{EVENTS}/{event.pk}", in_every_field(nothing)))
        for event, nothing in zip(events, NOTHING, strict=True)
    ]

    assert [{kind.field: event[kind.field] for kind in KINDS} for event in changed] == [in_every_field([])] * len(
        NOTHING
    )
    assert [kind.model.objects.count() for kind in KINDS] == [2] * len(KINDS)


def in_every_field(value):
    return {kind.field: value for kind in KINDS}


@every
def test_links_that_are_named_replace_those_before(editor_api, kind):
    old, new = kind.factory.create_batch(2)
    event = EventFactory(**{kind.collection: [old]})

    changed = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {kind.field: [new.pk]}))

    assert kind.ids(changed) == [new.pk]


@every
def test_links_that_are_not_named_stay(editor_api, kind):
    rows = kind.factory.create_batch(2)
    event = EventFactory(**{kind.collection: rows})

    changed = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"title": "Another"}))

    assert kind.ids(changed) == [row.pk for row in rows]


NO_RECORDS = [999_999, "999999", [999_999], {"id": 999_999}, "hall", "hall,2", True, False, 1.5, -1, "-1"]
NO_RECORDS += [[True], [None, "hall"], {"id": True}, 2**63, "9" * 24, "9" * 5000, [[1]]]


@named
def test_invalid_venues_and_organizers_are_rejected(editor_api, kind):
    before = stored_rows()

    responses = [editor_api.post(EVENTS, event_data(**{kind.field: argument})) for argument in NO_RECORDS]

    assert [invalid_arguments(response) for response in responses] == [[kind.field]] * len(NO_RECORDS)
    assert stored_rows() == before


@named
def test_error_names_the_unknown_records_of_a_list(editor_api, kind):
    row = kind.factory()
    event = EventFactory(**{kind.collection: [row]})
    before = stored_rows()

    response = editor_api.post(f"{EVENTS}/{event.pk}", {kind.field: [row.pk, 999_998, 999_999]})

    first, second = (f"{kind.collection.capitalize()} not found: {pk}." for pk in (999_998, 999_999))
    assert invalid_params(response) == {
        kind.field: f"{kind.field}[1]: {first} {kind.field}[2]: {second}",
        f"{kind.field}[1]": first,
        f"{kind.field}[2]": second,
    }
    assert stored_rows() == before


@named
@pytest.mark.parametrize("status", ["draft", "pending", "private", "trash"])
def test_records_not_visible_to_the_user_cannot_be_linked(author_api, editor_api, kind, status):
    row = kind.factory(status=status)

    refused = author_api.post(EVENTS, event_data(**{kind.field: row.pk}))
    by_editor = editor_api.post(EVENTS, event_data(**{kind.field: row.pk}))

    assert invalid_params(refused) == {kind.field: f"{kind.collection.capitalize()} not found: {row.pk}."}
    if status == "trash":
        assert invalid_params(by_editor) == {kind.field: f"{kind.collection.capitalize()} not found: {row.pk}."}
    else:
        assert kind.ids(created_record(by_editor)) == [row.pk]


@named
def test_own_draft_can_be_linked_and_is_shown_to_its_author_only(contributor_api, contributor, client, kind):
    row = kind.factory(status="draft", author=contributor)
    event = EventFactory(author=contributor, status="draft")

    changed = updated_record(contributor_api.post(f"{EVENTS}/{event.pk}", {kind.field: row.pk}))
    Event.objects.update(status="publish")

    assert kind.ids(changed) == [row.pk]
    assert client.get(f"{EVENTS}/{event.pk}").json()[kind.field] == []


@every
def test_linked_records_show_as_they_are_now(editor_api, kind):
    row = kind.factory()
    event = EventFactory(**{kind.collection: [row]})
    name = kind.name if kind in (VENUES, ORGANIZERS) else "name"

    updated_record(editor_api.post(f"{API}/{kind.collection}/{row.pk}", {name: "Renamed"}))

    answer = read_record(editor_api, EVENTS, event.pk)[kind.field]
    assert answer == kind.shape([record(editor_api, kind, row.pk)])
    assert record(editor_api, kind, row.pk)[name] == "Renamed"


@every
def test_deleted_record_is_taken_from_its_events_and_no_other(editor_api, kind):
    gone, kept = kind.factory.create_batch(2)
    event = EventFactory(**{kind.collection: [gone, kept]})

    updated_record(editor_api.delete(f"{API}/{kind.collection}/{gone.pk}"))

    assert kind.ids(editor_api.get(f"{EVENTS}/{event.pk}").json()) == [kept.pk]


@named
def test_record_that_is_put_in_the_trash_by_an_update_is_taken_from_its_events(editor_api, kind):
    gone, kept = kind.factory.create_batch(2)
    event = EventFactory(**{kind.collection: [gone, kept]})

    updated_record(editor_api.post(f"{API}/{kind.collection}/{gone.pk}", {"status": "trash"}))
    updated_record(editor_api.post(f"{API}/{kind.collection}/{gone.pk}", {"status": "publish"}))

    assert kind.ids(editor_api.get(f"{EVENTS}/{event.pk}").json()) == [kept.pk]


@pytest.fixture
def only_writer():
    """Hide the writes of other processes: on PostgreSQL, writes to any database of the server change the snapshot."""

    def execute(run, sql, params, many, context):
        return run(sql.replace("pg_current_snapshot()", "'unchanged'"), params, many, context)

    with connection.execute_wrapper(execute):
        yield


@every
@pytest.mark.usefixtures("only_writer")
def test_more_links_cost_no_more_queries(editor_api, kind):
    rows = kind.factory.create_batch(7)
    event = EventFactory(**{kind.collection: rows[:1]})
    editor_api.get(EVENTS)

    def queries(pks):
        with CaptureQueriesContext(connection) as captured:
            updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {kind.field: pks}))
        return len(captured)

    # One is replaced by one, and three by three.
    few = queries([rows[1].pk])
    queries([row.pk for row in rows[1:4]])
    many = queries([row.pk for row in rows[4:]])

    assert many == few


# --- Records that the writer may not see (D10, D14) -----------------------------------------------


@named
def test_answer_sent_back_keeps_the_links_that_it_does_not_show(author_api, author, editor_api, kind):
    first, hidden, second = kind.factory(), kind.factory(status="draft"), kind.factory()
    event = EventFactory(author=author, **{kind.collection: [first, hidden, second]})
    answer = author_api.get(f"{EVENTS}/{event.pk}").json()[kind.field]

    changed = updated_record(author_api.post(f"{EVENTS}/{event.pk}", {kind.field: answer}))

    assert changed[kind.field] == without_json_ld(answer)
    assert kind.ids(editor_api.get(f"{EVENTS}/{event.pk}").json()) == [first.pk, hidden.pk, second.pk]


@named
def test_links_that_the_writer_does_not_see_keep_their_place_among_new_ones(author_api, author, editor_api, kind):
    first, hidden, second, third = kind.factory(), kind.factory(status="private"), kind.factory(), kind.factory()
    event = EventFactory(author=author, **{kind.collection: [first, hidden, second]})

    changed = updated_record(author_api.post(f"{EVENTS}/{event.pk}", {kind.field: [third.pk, second.pk, first.pk]}))

    assert kind.ids(changed) == [third.pk, second.pk, first.pk]
    assert kind.ids(editor_api.get(f"{EVENTS}/{event.pk}").json()) == [third.pk, hidden.pk, second.pk, first.pk]


@named
def test_clearing_takes_away_what_the_writer_sees(author_api, author, editor_api, kind):
    seen, hidden = kind.factory(), kind.factory(status="draft")
    event = EventFactory(author=author, **{kind.collection: [seen, hidden]})

    by_author = updated_record(author_api.post(f"{EVENTS}/{event.pk}", {kind.field: []}))
    left = kind.ids(editor_api.get(f"{EVENTS}/{event.pk}").json())
    by_editor = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {kind.field: []}))

    assert by_author[kind.field] == []
    assert left == [hidden.pk]
    assert by_editor[kind.field] == []


# --- Records made along with the event ------------------------------------------------------------

FULL = {
    "venue": {
        "venue": "Old Mill",
        "description": "<p>By the river.</p>",
        "address": "1 Mill Lane",
        "city": "Port Ellery",
        "country": "Ellery",
        "province": "North",
        "state": "",
        "zip": "1000",
        "phone": "+1 555 0100",
        "website": "https://mill.example.org",
        "show_map": "no",
        "show_map_link": True,
    },
    "organizer": {
        "organizer": "River Club",
        "description": "<p>Since 1901.</p>",
        "phone": "+1 555 0101",
        "website": "https://club.example.org",
        "email": "club@example.org",
    },
}


@named
def test_new_record_is_made_from_its_data(editor_api, editor, kind):
    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: FULL[kind.field]})))

    made = event[kind.field] if kind is VENUES else event[kind.field][0]
    expected = {**FULL[kind.field], **({"show_map": False} if kind is VENUES else {})}
    assert {key: made[key] for key in expected} == expected
    assert (made["author"], made["status"]) == (editor.pk, "publish")
    assert made == record(editor_api, kind, made["id"])


@named
def test_new_and_known_records_can_be_mixed(editor_api, kind):
    known = kind.factory()
    argument = [{kind.name: "Second"}, known.pk, {kind.name: "Third"}, str(known.pk)]

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: argument})))

    assert [row[kind.name] for row in event[kind.field]] == ["Second", known.title, "Third"]


@named
def test_new_records_of_the_same_name_are_one(editor_api, kind):
    argument = [{kind.name: "Same"}, {kind.name: "SAME"}]

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: argument})))

    assert kind.ids(event) == [kind.model.objects.get().pk]


@named
@pytest.mark.parametrize("name", ["Old Mill", "OLD MILL", " old  mill "])
def test_known_name_is_the_record_there_is_unchanged(editor_api, kind, name):
    known = kind.factory(title="Old Mill", phone="1", description="<p>Here.</p>")
    before = kind.model.objects.values().get()

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: {kind.name: name, "phone": "2"}})))

    assert kind.ids(event) == [known.pk]
    assert kind.model.objects.values().get() == before


@named
def test_another_description_makes_another_record(editor_api, kind):
    known = kind.factory(title="Old Mill", description="<p>Here.</p>")
    same = {kind.name: "Old Mill", "description": "<p>Here.</p>"}
    other = {kind.name: "Old Mill", "description": "<p>There.</p>"}

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: [same, other]})))

    assert [row["description"] for row in event[kind.field]] == ["<p>Here.</p>", "<p>There.</p>"]
    assert kind.ids(event)[0] == known.pk


@named
@pytest.mark.parametrize("status", ["draft", "trash"])
def test_names_of_records_not_visible_to_the_user_are_not_matched(author_api, kind, status):
    hidden = kind.factory(title="Old Mill", status=status)

    event = created_record(author_api.post(EVENTS, event_data(**{kind.field: {kind.name: "Old Mill"}})))

    assert hidden.pk not in kind.ids(event)
    assert kind.model.objects.count() == 2


@named
@pytest.mark.parametrize(
    ("more", "messages"),
    [
        ({"name": "x"}, {"{name}": "This field is required."}),
        ({"{name}": None}, {"{name}": "This field is required."}),
        ({"{name}": ""}, {"{name}": "Must not be empty."}),
        ({"{name}": "<b></b>"}, {"{name}": "Must not be empty."}),
        ({"{name}": "  "}, {"{name}": "Must not be empty."}),
        ({"{name}": 5}, {"{name}": "Must be a string."}),
        (
            {"website": "mill", "phone": 5},
            {
                "{name}": "This field is required.",
                "phone": "Must be a string.",
                "website": "Enter a URL that starts with http:// or https://.",
            },
        ),
        (
            {"{name}": "Mill", "status": ""},
            {
                "status": "Not a valid status. Use one of these: publish, future, draft, pending, private, trash.",
            },
        ),
        ({"id": "x"}, {"{name}": "This field is required."}),
    ],
)
def test_errors_in_the_data_of_a_new_record_are_reported_with_their_paths(editor_api, kind, more, messages):
    argument = {key.format(name=kind.name): value for key, value in more.items()}
    before = stored_rows()

    alone = invalid_params(editor_api.post(EVENTS, event_data(**{kind.field: argument})))
    in_list = invalid_params(editor_api.post(EVENTS, event_data(**{kind.field: [{kind.name: "Good"}, argument]})))

    for params, path in ((alone, kind.field), (in_list, f"{kind.field}[1]")):
        nested = {f"{path}.{key.format(name=kind.name)}": text for key, text in messages.items()}
        whole = params.pop(kind.field)
        assert params == nested
        assert sorted(whole.split(" ")) == sorted(
            word for key, text in nested.items() for word in f"{key}: {text}".split(" ")
        )
    assert stored_rows() == before


@named
def test_new_record_of_a_contributor_is_a_draft(contributor_api, contributor, client, kind):
    event = created_record(contributor_api.post(EVENTS, event_data(**{kind.field: {kind.name: "Old Mill"}})))

    row = kind.model.objects.get()
    assert kind.ids(event) == [row.pk]
    assert (row.status, row.author_id) == ("draft", contributor.pk)
    assert client.get(f"{API}/{kind.collection}").json()["total"] == 0


@terms
def test_terms_are_found_by_name_and_slug_and_made_by_name(editor_api, kind):
    by_name, by_slug = kind.factory(name="Jazz & Blues", slug="blue"), kind.factory(name="Folk", slug="roots")
    kind.factory(name="Not asked for")

    argument = ["jazz  & BLUES", "roots", "New Wave", "new wave"]
    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: argument})))

    made = kind.model.objects.get(name="New Wave")
    assert made.slug == "new-wave"
    assert event[kind.field] == [record(editor_api, kind, row.pk) for row in (by_slug, by_name, made)]


@terms
def test_names_of_terms_stand_in_a_comma_text_as_well(editor_api, kind):
    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: "Jazz, Blues ,, Folk"})))

    assert [term["name"] for term in event[kind.field]] == ["Blues", "Folk", "Jazz"]


@terms
def test_name_with_a_comma_is_one_name_in_a_list(editor_api, kind):
    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: ["Song, Dance", "Talk"]})))

    assert [term["name"] for term in event[kind.field]] == ["Song, Dance", "Talk"]


@terms
def test_unknown_ids_of_terms_are_passed_over(editor_api, kind):
    row = kind.factory()

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: [999_999, row.pk, "999998"]})))

    assert kind.ids(event) == [row.pk]
    assert kind.model.objects.count() == 1


NO_TERMS = [True, 1.5, [True], [-1], ["<b></b>"], "x" * 201, [[1]], [None], [["Jazz"]], [{}], {"title": "Jazz"}]
NO_TERMS += [{"slug": "unheard-of"}, {"name": 5}, {"slug": ["a"]}, {"id": "x"}, [{"name": "x" * 201}]]


@terms
def test_invalid_terms_are_rejected(editor_api, kind):
    before = stored_rows()

    responses = [editor_api.post(EVENTS, event_data(**{kind.field: argument})) for argument in NO_TERMS]

    assert [invalid_arguments(response) for response in responses] == [[kind.field]] * len(NO_TERMS)
    assert stored_rows() == before


def test_category_of_the_same_name_below_another_is_found(editor_api):
    music = CategoryFactory(name="Music")
    child = CategoryFactory(name="Folk", parent=music)

    event = created_record(editor_api.post(EVENTS, event_data(categories=["folk"])))

    assert [(term["id"], term["parent"]) for term in event["categories"]] == [(child.pk, music.pk)]


# --- Rights of the child (D7), and one transaction (D8) -------------------------------------------


@pytest.fixture
def only_events(db):
    """Somebody who may write and publish events and nothing else, as a maintainer may set it up."""
    user = UserFactory()
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="events"))
    return api_client_for(user)


@every
def test_making_a_record_needs_the_right_to_create_it(only_events, kind):
    name = kind.name if kind in (VENUES, ORGANIZERS) else None
    event = EventFactory(title="There")
    before = stored_rows()

    response = only_events.post(EVENTS, event_data(**{kind.field: [{name: "New"} if name else "New"]}))

    assert error_of(response) == (403, "rest_forbidden")
    assert stored_rows() == before
    assert Event.objects.get() == event


@every
def test_linking_a_record_needs_no_right_to_create_it(only_events, kind):
    row = kind.factory()

    event = created_record(only_events.post(EVENTS, event_data(**{kind.field: [row.pk]})))

    assert kind.ids(event) == [row.pk]


@terms
def test_naming_a_known_term_needs_no_right_to_create_it(contributor_api, kind):
    row = kind.factory(name="Jazz")

    event = created_record(contributor_api.post(EVENTS, event_data(**{kind.field: ["jazz"]})))

    assert kind.ids(event) == [row.pk]


def test_author_makes_categories_but_no_tags_along_with_an_event(author_api):
    with_category = author_api.post(EVENTS, event_data(categories=["New"]))
    before = stored_rows()
    with_tag = author_api.post(EVENTS, event_data(categories=["Newer"], tags=["New"], venue={"venue": "New"}))

    assert [term["name"] for term in created_record(with_category)["categories"]] == ["New"]
    assert error_of(with_tag) == (403, "rest_forbidden")
    assert stored_rows() == before


def test_invalid_child_leaves_the_event_unchanged(author_api, author):
    event = EventFactory(author=author, title="Before", venues=[VenueFactory()])
    before = stored_rows()

    body = {"title": "After", "venue": {"venue": "New"}, "organizer": {"organizer": "New"}, "tags": ["New"]}
    response = author_api.post(f"{EVENTS}/{event.pk}", body)

    assert error_of(response) == (403, "rest_forbidden")
    assert stored_rows() == before


@named
def test_author_of_a_new_record_is_not_somebody_else(author_api, editor, kind):
    before = stored_rows()

    response = author_api.post(EVENTS, event_data(**{kind.field: {kind.name: "New", "author": editor.pk}}))

    assert error_of(response) == (403, "rest_cannot_edit_others")
    assert stored_rows() == before


# --- Part of another event ------------------------------------------------------------------------


def test_event_is_made_a_part_of_another_and_taken_out_again(editor_api):
    festival = EventFactory()

    event = created_record(editor_api.post(EVENTS, event_data(post_parent=str(festival.pk))))
    kept = updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {"title": "Concert"}))
    alone = updated_record(editor_api.post(f"{EVENTS}/{event['id']}", {"post_parent": 0}))

    assert (event["post_parent"], kept["post_parent"], alone["post_parent"]) == (festival.pk, festival.pk, 0)


@pytest.mark.parametrize("nothing", ["", None, 0, "0", False], ids=repr)
def test_nothing_is_no_parent_event(editor_api, nothing):
    event = EventFactory(parent=EventFactory())

    made = created_record(editor_api.post(EVENTS, event_data(post_parent=nothing)))
    changed = updated_record(editor_api.post(f"{EVENTS}/{event.pk}", {"post_parent": nothing}))

    assert (made["post_parent"], changed["post_parent"]) == (0, 0)


@pytest.mark.parametrize("argument", ["festival", -1, True, 1.5, [1], {"id": 1}, 999_999], ids=repr)
def test_what_is_no_event_is_no_parent(editor_api, argument):
    before = stored_rows()

    response = editor_api.post(EVENTS, event_data(post_parent=argument))

    assert list(invalid_params(response)) == ["post_parent"]
    assert stored_rows() == before


def test_events_are_not_parts_of_themselves_in_a_circle(editor_api):
    top = EventFactory()
    middle = EventFactory(parent=top)
    bottom = EventFactory(parent=middle)

    itself = editor_api.post(f"{EVENTS}/{top.pk}", {"post_parent": top.pk})
    circle = editor_api.post(f"{EVENTS}/{top.pk}", {"post_parent": bottom.pk})

    assert invalid_params(itself) == {"post_parent": "An event cannot be part of itself."}
    assert invalid_params(circle) == {"post_parent": "An event cannot be part of itself."}


def test_parent_not_visible_to_the_user_is_kept_but_cannot_be_set(author_api, author):
    hidden = EventFactory(status="draft")
    event = EventFactory(author=author, parent=hidden)
    answer = author_api.get(f"{EVENTS}/{event.pk}").json()

    chosen = author_api.post(EVENTS, event_data(post_parent=hidden.pk))
    sent_back = updated_record(author_api.post(f"{EVENTS}/{event.pk}", {"post_parent": answer["post_parent"]}))

    assert invalid_params(chosen) == {"post_parent": "There is no event with this id."}
    assert sent_back["post_parent"] == answer["post_parent"]


@terms
def test_percent_encoded_term_is_the_existing_one(editor_api, kind):
    """Imports from WordPress send slugs so (D23)."""
    row = kind.factory(name="東京")

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: ["%e6%9d%b1%e4%ba%ac"]})))

    assert [term["id"] for term in event[kind.field]] == [row.pk]


@terms
@pytest.mark.parametrize(
    ("sent", "name"), [("%e6%9d%b1%e4%ba%ac", "東京"), ("jazz-%C3%A9t%C3%A9", "jazz-été"), ("100%20off", "100%20off")]
)
def test_new_term_is_named_by_the_text_of_a_percent_encoded_slug(editor_api, kind, sent, name):
    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: [sent]})))

    assert [term["name"] for term in event[kind.field]] == [name]


@terms
def test_text_means_the_same_term_in_a_write_and_in_a_filter(editor_api, kind):
    """A slug comes before a name."""
    by_slug, _by_name = kind.factory(name="Year", slug="the-year"), kind.factory(name="the-year", slug="other")

    event = created_record(editor_api.post(EVENTS, event_data(**{kind.field: ["the-year"]})))

    assert [term["id"] for term in event[kind.field]] == [by_slug.pk]
    listed = editor_api.get(EVENTS, {kind.field: "the-year", "end_date": "2040-01-01"}).json()["events"]
    assert [record["id"] for record in listed] == [event["id"]]


def test_terms_are_found_by_name_in_as_many_queries_as_by_id(editor_api):
    categories, tags = CategoryFactory.create_batch(2), TagFactory.create_batch(3)
    by_id = {"categories": [row.pk for row in categories], "tags": [row.pk for row in tags]}
    by_name = {"categories": [row.name.upper() for row in categories], "tags": [row.slug for row in tags]}
    editor_api.post(EVENTS, event_data())

    with CaptureQueriesContext(connection) as of_ids:
        first = created_record(editor_api.post(EVENTS, event_data(title="First", **by_id)))
    with CaptureQueriesContext(connection) as of_names:
        second = created_record(editor_api.post(EVENTS, event_data(title="Second", **by_name)))

    assert [row["id"] for row in second["categories"]] == [row["id"] for row in first["categories"]]
    assert [row["id"] for row in second["tags"]] == [row["id"] for row in first["tags"]]
    assert len(of_names) == len(of_ids)
