"""The history of changes that are made in the admin."""

import pytest
from django.contrib.admin.models import LogEntry

from calendar_site.custom_fields.models import CustomField
from calendar_site.media.library import prepare_image, store_image
from events.models import Event
from taxonomy.models import Tag
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, form_data, run_action, submit_form
from tests.support.content_kinds import EVENT
from tests.support.history import all_revisions, last_revision, recorded_changes
from tests.support.image_files import plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENTS = "/admin/events/event/"
MADE = ("created", "", "command", [])


def test_what_a_form_saves_is_recorded_once(kind, editor):
    client = browser_for(editor)

    submit_form(client, f"{kind.list}add/", **kind.new_form(title="Mine"))
    row = kind.factory._meta.model.objects.get()
    submit_form(client, kind.page(row), title="Ours", description="<p>New</p>")
    submit_form(client, kind.page(row))

    assert recorded_changes(row) == [
        ("created", "editor", "admin", []),
        ("changed", "editor", "admin", ["title", "description"]),
    ]
    assert (last_revision(row).title, last_revision(row).description) == ("Ours", "<p>New</p>")


def test_actions_are_recorded_with_what_they_do(kind, editor):
    row, other = kind.factory(title="Mine", status="draft"), kind.factory()
    client = browser_for(editor)

    for action in ("publish", "publish", "back_to_draft", "move_to_trash"):
        run_action(client, kind.list, action, [row])
    run_action(client, f"{kind.list}?status=trash", "restore", [row])

    assert recorded_changes(row)[1:] == [
        ("changed", "editor", "admin", ["status"]),
        ("changed", "editor", "admin", ["status"]),
        ("trashed", "editor", "admin", ["status"]),
        ("untrashed", "editor", "admin", ["status"]),
    ]
    assert recorded_changes(other) == [MADE]


def test_deleting_for_good_keeps_the_last_state(kind, editor):
    one, two = kind.factory(title="One", status="trash"), kind.factory(title="Two", status="trash")
    client = browser_for(editor)

    client.post(kind.page(one, "delete"), {"post": "yes"})
    run_action(client, f"{kind.list}?status=trash", "delete_selected", [two], post="yes")

    assert [recorded_changes(row)[1:] for row in (one, two)] == [[("deleted", "editor", "admin", [])]] * 2
    assert [last_revision(row).title for row in (one, two)] == ["One", "Two"]


def test_a_deleted_event_keeps_its_links(editor):
    venue, category = VenueFactory(), CategoryFactory()
    event = EventFactory(venues=[venue], categories=[category], status="trash", password="secret")
    TicketFactory(event=event)

    browser_for(editor).post(f"{EVENTS}{event.pk}/delete/", {"post": "yes"})

    kept = last_revision(event).history_extra
    assert {name: kept[name] for name in ("venues", "categories", "tags", "organizers", "password")} == {
        "venues": [venue.pk],
        "categories": [category.pk],
        "tags": [],
        "organizers": [],
        "password": True,
    }
    assert [ticket["name"] for ticket in kept["tickets"]] == ["Admission"]


def test_forged_writes_are_not_recorded(kind, author):
    row = kind.factory()
    client = browser_for(author)
    before = all_revisions()

    client.post(kind.page(row), {"title": "Mine"})
    run_action(client, kind.list, "move_to_trash", [row])
    client.post(kind.page(row, "trash"))

    assert all_revisions() == before


def test_tickets_and_links_are_one_change_with_their_event(editor):
    event, venue = EventFactory(title="Old"), VenueFactory()
    TicketFactory(event=event)
    client, path = browser_for(editor), f"{EVENTS}{event.pk}/change/"

    submit_form(client, path, title="New", ordered_venues=[venue.pk], **{"tickets-0-name": "Seat"})
    submit_form(client, path, **{"tickets-0-price": "7.5"})
    submit_form(client, path, **{"tickets-0-DELETE": "on"})

    assert recorded_changes(event) == [
        MADE,
        ("changed", "editor", "admin", ["title", "venues", "tickets"]),
        ("changed", "editor", "admin", ["tickets"]),
        ("changed", "editor", "admin", ["tickets"]),
    ]
    states = Event.history.filter(id=event.pk).order_by("history_id")
    tickets = [[(t["name"], t["price"]) for t in state.history_extra["tickets"]] for state in states]
    assert tickets == [[], [("Seat", "10.00")], [("Seat", "7.50")], []]


def test_a_new_event_with_a_ticket_is_recorded_once(editor):
    client = browser_for(editor)
    ticket = {"name": "Seat", "price": "5", "currency": "EUR", "available_from": "", "available_until": "", "url": ""}
    page = form_data(client.get(f"{EVENTS}add/"))
    fields = {
        **page,
        **EVENT.new_form(),
        "tickets-TOTAL_FORMS": "1",
        **{f"tickets-0-{name}": value for name, value in ticket.items()},
        "tickets-0-position": "0",
    }

    client.post(f"{EVENTS}add/", fields)

    event = Event.objects.get()
    assert recorded_changes(event) == [("created", "editor", "admin", [])]
    assert [ticket["name"] for ticket in last_revision(event).history_extra["tickets"]] == ["Seat"]


def test_terms_are_recorded(editor):
    client = browser_for(editor)
    submit_form(client, "/admin/taxonomy/tag/add/", name="Free")
    tag = Tag.objects.get()
    submit_form(client, f"/admin/taxonomy/tag/{tag.pk}/change/", name="Gratis")
    event = EventFactory(tags=[tag])
    run_action(client, "/admin/taxonomy/tag/", "delete_selected", [tag], post="yes")

    assert recorded_changes(tag) == [
        ("created", "editor", "admin", []),
        ("changed", "editor", "admin", ["name"]),
        ("deleted", "editor", "admin", []),
    ]
    assert last_revision(tag).history_extra == {"unlinked_events": [event.pk]}


@pytest.mark.parametrize("count", [1, 30])
def test_deleting_terms_costs_the_same_however_many_events_have_them(editor, count, django_assert_max_num_queries):
    tag = TagFactory()
    EventFactory.create_batch(count, tags=[tag])
    client = browser_for(editor)

    with django_assert_max_num_queries(25):
        run_action(client, "/admin/taxonomy/tag/", "delete_selected", [tag], post="yes")

    assert len(last_revision(tag).history_extra["unlinked_events"]) == count


def test_moving_an_event_in_the_calendar_is_recorded(editor):
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00")

    response = browser_for(editor).post(f"{EVENTS}{event.pk}/move/", {"from": "2030-05-04", "to": "2030-05-05"})

    assert response.status_code == 200, response.content
    assert recorded_changes(event)[1:] == [("changed", "editor", "admin", ["start", "end"])]


def test_the_admins_own_log_does_not_say_it_again(kind, editor):
    row = kind.factory(status="draft")
    client = browser_for(editor)

    submit_form(client, kind.page(row), title="Ours")
    run_action(client, kind.list, "publish", [row])
    run_action(client, kind.list, "move_to_trash", [row])
    client.post(kind.page(row, "delete"), {"post": "yes"})

    assert not LogEntry.objects.exists()


MERGED = {
    "venue": (VenueFactory, "/admin/venues/venue/", "venues", "trashed", ["status"]),
    "organizer": (OrganizerFactory, "/admin/organizers/organizer/", "organizers", "trashed", ["status"]),
    "category": (CategoryFactory, "/admin/taxonomy/category/", "categories", "deleted", []),
    "tag": (TagFactory, "/admin/taxonomy/tag/", "tags", "deleted", []),
}


@pytest.mark.parametrize("name", MERGED)
def test_records_that_are_made_one_tell_of_each_other(name, editor):
    factory, path, links, done, changed = MERGED[name]
    kept, other = factory(), factory(description="<p>Said</p>")
    events = [EventFactory(**{links: [other]}), EventFactory(**{links: [kept, other]})]

    run_action(browser_for(editor), path, "merge", [kept, other], kept=kept.pk)

    assert recorded_changes(kept) == [MADE, ("merged", "editor", "admin", ["description"])]
    assert recorded_changes(other) == [MADE, (done, "editor", "admin", changed)]
    # The other names are for undoing it.
    former_parent = {"former_parent": None} if name == "category" else {}
    assert last_revision(kept).history_extra == {"merged": [other.pk], **former_parent}
    positions = {"unlinked_positions": [0, 1]} if done == "trashed" else {}
    assert last_revision(other).history_extra == {
        "merged_into": kept.pk,
        "unlinked_events": [event.pk for event in events],
        "replaced_in_events": [events[0].pk],
        **positions,
    }
    assert [recorded_changes(event) for event in events] == [[MADE], [MADE]]


def test_a_declared_custom_field_is_recorded(administrator):
    client = browser_for(administrator)
    path = "/admin/custom_fields/customfield/"
    submit_form(client, f"{path}add/", resource="event", name="stage", label="Stage", kind="text")
    field = CustomField.objects.get()
    submit_form(client, f"{path}{field.pk}/change/", label="Which stage", position="3")
    EventFactory(custom_values={"stage": "Main"})
    client.post(f"{path}{field.pk}/delete/", {"post": "yes"})

    assert recorded_changes(field) == [
        ("created", "administrator", "admin", []),
        ("changed", "administrator", "admin", ["label", "position"]),
        ("deleted", "administrator", "admin", []),
    ]
    assert last_revision(field).history_extra == {"records": 1}


def test_a_custom_value_is_a_change_of_its_record(editor):
    CustomFieldFactory(name="stage")
    event = EventFactory()

    submit_form(browser_for(editor), f"{EVENTS}{event.pk}/change/", custom_stage="Main")

    assert recorded_changes(event) == [MADE, ("changed", "editor", "admin", ["custom_values"])]
    assert last_revision(event).custom_values == {"stage": "Main"}


def test_the_library_records_its_pictures(editor):
    client = browser_for(editor)
    image = store_image(prepare_image(plain_image(), "hall.png"), user=editor)

    submit_form(client, f"/admin/media/image/{image.pk}/change/", alt="A hall")
    client.post(f"/admin/media/image/{image.pk}/delete/", {"post": "yes"})

    assert recorded_changes(image) == [
        ("created", "editor", "command", []),
        ("changed", "editor", "admin", ["alt"]),
        ("deleted", "editor", "admin", []),
    ]
