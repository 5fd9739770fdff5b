"""Derived data after random writes, each through a random one of the ways in which rows change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import chain, count

import pytest
from django.core import serializers
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from calendar_site.content.merge import merge_linked
from calendar_site.content.services import save_content
from calendar_site.core.choices import Status
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import delete_custom_field, save_custom_field
from calendar_site.derived.registry import registered
from calendar_site.media.library import delete_image, save_image
from calendar_site.media.models import Image
from calendar_site.revisions.restore import restore
from events.derived.term_counts import term_counts
from events.models import Event, EventOrganizer, EventVenue, Series, Ticket
from events.restore import plan_event_restore
from events.services import save_event
from organizers.models import Organizer
from taxonomy.merge import merge_terms
from taxonomy.models import Category, Tag
from taxonomy.services import delete_terms
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    VenueFactory,
)
from tests.support.admin import run_action, submit_form
from tests.support.api_client import API
from tests.support.tallied_totals import tally_every_list
from venues.models import Venue

DAY = datetime(2031, 5, 1, 18, 30, tzinfo=UTC)
LINKS = [
    (EventVenue, "venue_id", Venue),
    (EventOrganizer, "organizer_id", Organizer),
    (Event.categories.through, "category_id", Category),
    (Event.tags.through, "tag_id", Tag),
]
SERIES_FIELDS = ("title", "timezone", "status", "featured", "hide_from_listings", "categories", "tags", "venue")
PARAMETERS = {"venue": "venues", "organizer": "organizers", "tags": "tags"}


def nth(rows, number):
    """Return one of the rows, None if there are none."""
    found = list(rows.order_by("pk"))
    return found[number % len(found)] if found else None


def execute(sql, *values):
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def move_links(link, column, record):
    """Let one link of each event that does not link to the record do so."""
    taken = link.objects.filter(**{column: record.pk}).values("event")
    others = link.objects.exclude(event__in=taken).order_by("pk").values_list("event", "pk")
    link.objects.filter(pk__in=list(dict(others).values())).update(**{column: record.pk})


class Writer:
    """Writes to a small calendar. Each method takes two numbers, which choose the rows and the values."""

    def __init__(self, api, browser, image):
        self.api = api
        self.browser = browser
        self.image = image
        self.names = (f"name {number}" for number in count())

    def fields(self, a, b):
        start = DAY + timedelta(days=a % 60)
        return {
            "title": f"Event {a} {b}",
            "start_date": f"{start:%Y-%m-%d %H:%M:%S}",
            "end_date": f"{start + timedelta(days=[0, 0, 3, 20][b % 4], hours=2):%Y-%m-%d %H:%M:%S}",
            "timezone": ["UTC", "Asia/Tokyo", "America/Los_Angeles"][b % 3],
            "status": ["publish", "publish", "draft", "pending"][a % 4],
            "featured": a % 3 == 0,
            "hide_from_listings": b % 5 == 0,
            "post_password": "secret" if a % 7 == 0 else "",
            "categories": [nth(Category.objects, a).pk, nth(Category.objects, b).pk]
            if Category.objects.exists()
            else [],
            "tags": [f"tag {a % 3}"],
            "venue": [{"id": venue.pk} for venue in [nth(Venue.objects.published(), b)] if venue],
        }

    def create_with_api(self, a, b):
        assert self.api.post(f"{API}/events", self.fields(a, b)).status_code == 201

    def update_with_api(self, a, b):
        if event := nth(Event.objects.not_trashed(), b):
            assert self.api.post(f"{API}/events/{event.pk}", self.fields(a, b)).status_code == 200

    def trash_with_api(self, a, b):
        if event := nth(Event.objects.not_trashed(), a):
            assert self.api.delete(f"{API}/events/{event.pk}").status_code == 200

    def write_linked_with_api(self, a, b):
        collection, model, title = [("venues", Venue, "venue"), ("organizers", Organizer, "organizer")][a % 2]
        row = nth(model.objects.exclude(status=Status.TRASH), b)
        if row is None or b % 4 == 0:
            assert self.api.post(f"{API}/{collection}", {title: next(self.names)}).status_code == 201
        elif b % 4 == 1:
            assert self.api.delete(f"{API}/{collection}/{row.pk}").status_code == 200
        else:
            fields = {title: next(self.names), "status": ["publish", "draft"][a % 3 == 0]}
            assert self.api.post(f"{API}/{collection}/{row.pk}", fields).status_code == 200

    def write_term_with_api(self, a, b):
        collection, model = [("categories", Category), ("tags", Tag)][a % 2]
        term = nth(model.objects, b)
        if term is None or b % 4 == 0:
            parent = nth(Category.objects, a)
            fields = {"parent": parent.pk} if parent and model is Category else {}
            assert self.api.post(f"{API}/{collection}", {"name": next(self.names), **fields}).status_code == 201
        elif b % 4 == 1:
            assert self.api.delete(f"{API}/{collection}/{term.pk}").status_code == 200
        else:
            fields = {"name": next(self.names)} | ({"parent": 0} if model is Category and a % 3 == 0 else {})
            assert self.api.post(f"{API}/{collection}/{term.pk}", fields).status_code == 200

    def write_series(self, a, b):
        series = nth(Series.objects, a)
        fields = {name: value for name, value in self.fields(a, b).items() if name in SERIES_FIELDS}
        if series is None or (b % 4 == 0 and Series.objects.count() < 2):
            start = timezone.now() + timedelta(days=a % 9 + 1)
            dates = {"start_date": f"{start:%Y-%m-%d} 19:00:00", "end_date": f"{start:%Y-%m-%d} 21:00:00"}
            response = self.api.post(f"{API}/series", {**fields, **dates, "rrule": "FREQ=DAILY;COUNT=3"})
            assert response.status_code == 201, response.content
        elif b % 4 == 1:
            assert self.api.delete(f"{API}/series/{series.pk}").status_code == 200
        else:
            fields |= {"rrule": f"FREQ=DAILY;COUNT={b % 3 + 2}"} if b % 4 == 2 else {}
            response = self.api.patch(f"{API}/series/{series.pk}", fields)
            assert response.status_code == 200, response.content

    def merge(self, a, b):
        model = [Venue, Organizer, Category, Tag][a % 4]
        rows = model.objects.all() if a % 4 > 1 else model.objects.exclude(status=Status.TRASH)
        kept, other = nth(rows, a), nth(rows, b)
        if kept and kept != other:
            (merge_terms if a % 4 > 1 else merge_linked)(kept, others=[other], user=OPERATOR)

    def merge_terms_and_undo(self, a, b):
        model = [Category, Tag][a % 2]
        path = f"/admin/taxonomy/{model._meta.model_name}/"
        terms = list(model.objects.order_by("pk")[b % 2 :][:3])
        if len(terms) > 1:
            run_action(self.browser, path, "merge", terms, kept=terms[a % len(terms)].pk)
            request = model.history.latest("history_id").history_request_id
            self.browser.post(f"{path}undo/?request={request}")
            assert model.objects.filter(pk__in=[term.pk for term in terms]).count() == len(terms)

    def restore(self, a, b):
        if event := nth(Event.objects.not_trashed(), a):
            revision = nth(Event.history.filter(id=event.pk), b)
            restore(event, plan=plan_event_restore(revision, event, OPERATOR), save=save_event, user=OPERATOR)

    def change_image(self, a, b):
        event, image = nth(Event.objects, b), Image.objects.get(pk=self.image.pk)
        if b % 4 == 0:
            save_image(image, changes={"focus_x": a % 5 / 5, "focus_y": 0.2}, user=OPERATOR)
        elif b % 4 == 1:
            save_image(image, changes={"name": f"{next(self.names)}.png", "alt": "Stage"}, user=OPERATOR)
        elif b % 4 == 2:
            delete_image(ImageFactory(), user=OPERATOR)
        elif event:
            save_event(event, changes={"image": None if event.image_id else image}, user=OPERATOR)

    def change_custom_fields(self, a, b):
        resource, model, save = [("event", Event, save_event), ("venue", Venue, save_content)][a % 2]
        field, row = CustomField.objects.filter(resource=resource).first(), nth(model.objects, b)
        if field is None:
            field = CustomFieldFactory(resource=resource)
        if b % 5 == 0:
            delete_custom_field(field, user=OPERATOR)
        elif b % 5 == 1:
            save_custom_field(field, changes={"label": next(self.names)}, user=OPERATOR)
        elif row:
            save(row, changes={"custom_values": {field.name: next(self.names)}}, user=OPERATOR)

    def save_form_in_admin(self, a, b):
        if event := nth(Event.objects.not_trashed().filter(series=None), a):
            form = f"/admin/events/event/{event.pk}/change/"
            fields = {
                "title": f"Event {a} {b}",
                "start": "2031-05-01T18:00",
                "end": ["2031-05-01T20:00", "2031-05-20T20:00"][a % 2],
                "hide_from_listings": "on" if b % 5 == 0 else None,
                "tags": [tag.pk for tag in [nth(Tag.objects, b)] if tag],
                "ordered_venues": [venue.pk for venue in [nth(Venue.objects.published(), b)] if venue],
            }
            assert submit_form(self.browser, form, **fields).status_code == 302

    def act_in_admin(self, a, b):
        if event := nth(Event.objects.not_trashed(), a):
            action = ["feature", "feature_no_longer", "hide", "show", "move_to_trash"][b % 5]
            data = {"action": action, "_selected_action": [event.pk]}
            assert self.browser.post("/admin/events/event/", data).status_code == 302

    def update_many(self, a, b):
        events = Event.objects.filter(pk__gt=a % 5)
        [
            lambda: events.update(status=Status.values[b % 6]),
            lambda: events.update(password="x" * (b % 2), featured=F("hide_from_listings")),
            lambda: events.update(published_at=timezone.now() + timedelta(days=b % 5 - 2), status="publish"),
            lambda: events.update(published_at=timezone.now() + timedelta(days=b % 5 - 2), status="future"),
            lambda: events.update(end=F("end") + timedelta(hours=b % 24)),
        ][a % 5]()

    def update_with_sql(self, a, b):
        day = f"2031-05-{b % 28 + 1:02}"
        execute("UPDATE events_event SET start_local = %s WHERE id %% 3 = %s", f"{day} 10:00:00", a % 3)
        execute("UPDATE events_event SET is_long = NOT is_long WHERE id %% 5 = %s", b % 5)
        execute("UPDATE events_event SET password = '', status = 'publish' WHERE id %% 4 = %s", a % 4)

    def delete_with_sql(self, a, b):
        if event := nth(Event.objects, a):
            with transaction.atomic():
                for link, _column, _model in LINKS:
                    execute(f"DELETE FROM {link._meta.db_table} WHERE event_id = %s", event.pk)
                execute("DELETE FROM events_ticket WHERE event_id = %s", event.pk)
                execute("UPDATE events_event SET parent_id = NULL WHERE parent_id = %s", event.pk)
                execute("DELETE FROM events_event WHERE id = %s", event.pk)

    def load_fixture(self, a, b):
        if event := nth(Event.objects, a):
            links = [model.objects.filter(event=event) for model in (EventVenue, EventOrganizer, Ticket)]
            fixture = serializers.serialize("json", [event, *chain.from_iterable(links)])
            Event.objects.filter(pk=event.pk).delete()
            for row in serializers.deserialize("json", fixture):
                row.save()

    def delete_many(self, a, b):
        Event.objects.filter(
            pk__in=[event.pk for event in [nth(Event.objects, a), nth(Event.objects, b)] if event]
        ).delete()

    def change_links(self, a, b):
        link, column, model = LINKS[a % 4]
        event, record = nth(Event.objects, b), nth(model.objects, a)
        if event and record:
            [
                lambda: link.objects.bulk_create([link(event=event, **{column: record.pk})], ignore_conflicts=True),
                lambda: link.objects.filter(**{column: record.pk}).delete(),
                lambda: link.objects.filter(event=event).exclude(**{column: record.pk}).delete(),
                lambda: move_links(link, column, record),
            ][b % 4]()

    def change_tickets(self, a, b):
        if event := nth(Event.objects, a):
            [
                lambda: Ticket.objects.create(event=event, name=f"Ticket {b}", price=b, currency="EUR"),
                lambda: Ticket.objects.filter(pk__gt=a % 5).update(price=F("price") + 1),
                lambda: Ticket.objects.filter(event=event).delete(),
                lambda: execute("UPDATE events_ticket SET event_id = %s WHERE id %% 2 = 0", event.pk),
            ][b % 4]()

    def move_category(self, a, b):
        category, parent = nth(Category.objects, a), nth(Category.objects, b)
        if category and category.pk not in Category.objects.ancestor_ids(parent.pk):
            Category.objects.filter(pk=category.pk).update(parent=parent)
        elif category:
            Category.objects.filter(pk=category.pk).update(parent=None)

    def update_records(self, a, b):
        records = [Venue, Organizer][a % 2].objects.filter(pk__gt=b % 3)
        [
            lambda: records.update(status=Status.values[b % 5]),
            lambda: records.update(published_at=timezone.now() + timedelta(days=b % 5 - 2), status="publish"),
            lambda: records.update(published_at=timezone.now() + timedelta(days=b % 5 - 2), status="future"),
            lambda: execute(f"UPDATE {records.model._meta.db_table} SET status = 'publish' WHERE id %% 2 = %s", b % 2),
        ][a % 4]()

    def load_fixture_of_record(self, a, b):
        """Load links before their venue or organizer, as `loaddata` may."""
        link, column, model = LINKS[a % 2]
        if record := nth(model.objects, b):
            fixture = serializers.serialize("json", [*link.objects.filter(**{column: record.pk}), record])
            with transaction.atomic():
                record.delete()
                for row in serializers.deserialize("json", fixture):
                    row.save()

    def delete_record(self, a, b):
        delete_terms(
            Category.objects.filter(pk__in=[row.pk for row in [nth(Category.objects, a)] if row]), user=OPERATOR
        )
        model = [Venue, Organizer, Tag][b % 3]
        model.objects.filter(pk__in=[row.pk for row in [nth(model.objects, a)] if row]).delete()

    def add_records(self, a, b):
        CategoryFactory(parent=nth(Category.objects, a))
        records = {"venues": [VenueFactory()], "organizers": [OrganizerFactory()], "tags": [TagFactory()]}
        event = EventFactory(categories=list(Category.objects.order_by("-pk")[:2]), **records)
        Ticket.objects.create(event=event, name="Regular", price=b % 20, currency="EUR")


# Writes that change events or their links without the services, which keep the counts of terms (decision 0003).
WITHOUT_SERVICES = {"update_many", "update_with_sql", "delete_with_sql", "load_fixture", "delete_many", "change_links"}
WRITES = [name for name in vars(Writer) if not name.startswith("_") and name != "fields"]
# Each write four times, with other rows and values.
ALL_WRITES = [(name, number, number + 1) for number in range(4) for name in WRITES]
PLAN = st.lists(st.tuples(st.sampled_from(WRITES), st.integers(0, 99), st.integers(0, 99)), min_size=3, max_size=12)


def listed(client, **parameters):
    answer = client.get(f"{API}/events", {"starts_after": "2000-01-01", "per_page": 100, **parameters}).json()
    assert answer["total"] == len(answer["events"])
    return [event["id"] for event in answer["events"]]


def expected(**conditions):
    """Return the ids of the events that everybody finds, by the tables that are not derived."""
    events = Event.objects.published().listed().filter(**conditions).order_by("start_local", "pk")
    return list(dict.fromkeys(events.values_list("pk", flat=True)))


def differing_lists(client):
    """Return the parameters of the lists that are not as the rows say."""
    found = [name for name in ("", "featured") if name == "" and listed(client) != expected()]
    if listed(client, featured="true") != expected(featured=True, password=""):
        found.append("featured")
    for parameter, relation in PARAMETERS.items():
        for record in Event._meta.get_field(relation).related_model.objects.all():
            if getattr(record, "is_published", True):
                ids = expected(**{relation: record.pk}, password="")
                found += [] if listed(client, **{parameter: record.pk}) == ids else [f"{parameter}={record.pk}"]
    for category in Category.objects.all():
        ids = expected(categories__in=Category.objects.descendant_ids([category.pk]), password="")
        found += [] if listed(client, categories=category.pk) == ids else [f"categories={category.pk}"]
    for collection, model in (("venues", Venue), ("organizers", Organizer)):
        public = Event.objects.published().filter(password="")
        for parameter, events in (
            ("has_events", public),
            ("only_with_upcoming", public.filter(end__gt=timezone.now())),
        ):
            answer = client.get(f"{API}/{collection}", {parameter: "true", "per_page": 100}).json()
            ids = set(model.objects.published().filter(events__in=events).values_list("pk", flat=True))
            if {record["id"] for record in answer[collection]} != ids or answer["total"] != len(ids):
                found.append(f"{collection}?{parameter}")
    return found


@pytest.fixture
def always_tallied(monkeypatch):
    """Take totals from the tally, however few the events are."""
    tally_every_list(monkeypatch)


@settings(
    max_examples=15,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(plan=PLAN)
@example(plan=ALL_WRITES)
# A new link at the place of another one: their order is that of the links, not of the venues.
@example(plan=[("delete_with_sql", 40, 3), ("change_links", 80, 48), ("act_in_admin", 64, 17)])
# No later write hides that the activity of venues and organizers was not changed.
@example(plan=[("update_records", 0, 3), ("update_records", 1, 3)])
@example(plan=[("load_fixture_of_record", 0, 0), ("load_fixture_of_record", 1, 0)])
def test_derived_data_is_what_a_rebuild_would_make(always_tallied, editor_api, editor_browser, client, image, plan):
    with transaction.atomic():
        writer = Writer(editor_api, editor_browser, image)
        writer.add_records(0, 0)
        writer.add_records(1, 1)
        for name, a, b in plan:
            getattr(writer, name)(a, b)
            if name in WITHOUT_SERVICES:
                term_counts.rebuild()
            # Not only at the end: the next rebuild would hide it.
            assert term_counts.count_differences() == 0, name

        differences = {data.name: data.count_differences() for data in registered()}
        lists = differing_lists(client)
        transaction.set_rollback(True)

    assert differences == dict.fromkeys(differences, 0)
    assert lists == []
