"""Differences between revisions."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.accounts.services import record_account_changes
from calendar_site.audit.recorder import snapshot
from calendar_site.content.services import delete_linked, save_content, trash_linked
from calendar_site.core.dates.conversion import parse_zone
from calendar_site.core.dates.parser import parse_wire_date
from calendar_site.media.library import save_image
from calendar_site.revisions.diff import (
    changed_field_labels,
    differences,
    differences_of_pairs,
    side_effects,
)
from events.models import Event
from events.relations import load_relations
from events.services import save_event
from taxonomy.services import delete_term, save_term
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from venues.models import Venue

pytestmark = pytest.mark.django_db

ROME = parse_zone("Europe/Rome")


def revisions_of(row):
    """Return the revisions of a record, newest first."""
    return type(row).history.filter(id=row.pk).order_by("-history_id")


def last_differences(row, user=OPERATOR):
    """Return what the last change of a record changed."""
    newer, older = revisions_of(row)[:2]
    return [tuple(difference)[:4] for difference in differences(older, newer, user)]


def test_dates_are_in_the_time_zone_of_the_event():
    event = EventFactory(start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="Europe/Rome")

    save_event(event, changes={"start": parse_wire_date("2030-05-04 17:30", ROME)}, user=OPERATOR)

    assert last_differences(event) == [("start", "Starts", "4 May 2030, 18:00", "4 May 2030, 17:30")]


def test_publication_date_is_in_the_time_zone_of_the_site(settings):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    venue = VenueFactory(published_at=datetime(2020, 1, 1, 12, tzinfo=UTC))

    save_content(venue, changes={"published_at": datetime(2020, 1, 1, 12, 0, 30, tzinfo=UTC)}, user=OPERATOR)

    # Where the words are the same they say more.
    assert last_differences(venue) == [("published_at", "Publish date", "2020-01-01 12:00:00", "2020-01-01 12:00:30")]


def test_fields_have_the_labels_of_their_form():
    venue = VenueFactory(title="Hall", status="draft")

    place = {"geo_lat": 41.5, "geo_lng": 12.5}
    save_content(venue, changes={"title": "Grand hall", "status": "publish", "show_map": False, **place}, user=OPERATOR)

    assert last_differences(venue) == [
        ("title", "Name", "Hall", "Grand hall"),
        ("status", "Status", "Draft", "Published"),
        ("show_map", "Show map", "Yes", "No"),
        ("geo_lat", "Latitude", "", "41.5"),
        ("geo_lng", "Longitude", "", "12.5"),
        ("time_zone", "Time zone", "", "Europe/Rome"),
    ]
    assert changed_field_labels(revisions_of(venue)[0]) == [
        "Name", "Status", "Show map", "Latitude", "Longitude", "Time zone",
    ]  # fmt: skip


def test_links_show_the_titles_that_the_user_may_see(author):
    mine = VenueFactory(title="Mine", status="draft", author=author)
    open_to_all, secret = VenueFactory(title="Hall"), VenueFactory(title="Secret", status="draft")
    tag, category = TagFactory(name="Free"), CategoryFactory(name="Music")
    organizer = OrganizerFactory(title="Us")
    event = EventFactory(venues=[open_to_all, secret], author=author)

    new = {"venues": [mine, open_to_all, secret], "tags": [tag], "categories": [category], "organizers": [organizer]}
    save_event(event, changes=new, user=OPERATOR)

    linked = [
        ("categories", "Categories", "", "Music"),
        ("tags", "Tags", "", "Free"),
        ("organizers", "Organizers", "", "Us"),
    ]
    assert sorted(last_differences(event, author)) == sorted(
        [
            *linked,
            ("venues", "Venues", "Hall\n1 not visible to you", "Mine\nHall\n1 not visible to you"),
        ]
    )
    assert ("venues", "Venues", "Hall\nSecret", "Mine\nHall\nSecret") in last_differences(event)


def test_links_to_deleted_records_show_their_title(author):
    trashed, gone, tag = VenueFactory(title="Old"), VenueFactory(title="Gone"), TagFactory(name="Free")
    event = EventFactory(venues=[trashed, gone], tags=[tag], author=author)
    save_event(event, changes={"venues": [], "tags": []}, user=OPERATOR)
    trash_linked(trashed, user=OPERATOR)
    delete_linked(Venue.objects.filter(pk=gone.pk), user=OPERATOR)
    delete_term(tag, user=OPERATOR)

    assert {name: before for name, _label, before, _after in last_differences(event)} == {
        "venues": "Old (in the trash)\nGone (deleted)",
        "tags": "Free (deleted)",
    }
    assert {name: before for name, _label, before, _after in last_differences(event, author)} == {
        "venues": "2 not visible to you",
        "tags": "Free (deleted)",
    }


def test_parts_images_and_authors_are_shown_by_name(author):
    festival, image = EventFactory(title="Festival"), ImageFactory(name="poster.png")
    event = EventFactory(author=author)

    save_event(
        event, changes={"parent": festival, "image": image, "author_id": UserFactory(username="ann").pk}, user=OPERATOR
    )

    assert last_differences(event) == [
        ("author", "Author", "author", "ann"),
        ("image", "Image", "", "poster.png"),
        ("parent", "Parent event", "", "Festival"),
    ]


def test_tickets_are_shown_as_text():
    event = EventFactory(time_zone="Europe/Rome", start="2030-05-04 18:00")
    ticket = {"name": "Seat", "price": Decimal(12), "currency": "EUR"}
    sale = {"available_from": datetime(2030, 5, 1, 8, tzinfo=UTC), "sold_out": True, "url": "https://example.org/"}

    save_event(event, changes={"tickets": [ticket, {**ticket, **sale, "name": "Box"}]}, user=OPERATOR)

    lines = ["Seat: 12.00 EUR", "Box: 12.00 EUR, 1 May 2030, 10:00 – …, sold out, https://example.org/"]
    assert last_differences(event) == [("tickets", "Tickets", "", "\n".join(lines))]


def test_password_is_never_shown():
    event = EventFactory()
    for title, password in (("One", "first"), ("Two", "second"), ("Three", "second"), ("Four", "")):
        save_event(event, changes={"password": password, "title": title}, user=OPERATOR)
    gone, titled, other, first, created = revisions_of(event)

    def of_password(older, newer):
        return [tuple(d)[1:4] for d in differences(older, newer, OPERATOR) if d.name == "password"]

    assert of_password(created, first) == [("Password", "", "(set)")]
    assert of_password(first, other) == [("Password", "(set)", "(new value)")]
    assert of_password(other, titled) == []
    assert of_password(first, titled) == [("Password", "(set)", "(new value)")]
    assert of_password(titled, gone) == [("Password", "(set)", "")]
    assert "first" not in str(differences(None, first, OPERATOR))


def test_custom_values_are_shown_one_by_one():
    CustomFieldFactory(name="stage", label="Which stage")
    CustomFieldFactory(name="seated", label="Seated", kind="boolean")
    event = EventFactory(custom_values={"stage": "Main", "old": "x"})

    save_event(event, changes={"custom_values": {"stage": None, "seated": True, "old": "y"}}, user=OPERATOR)

    assert sorted(last_differences(event)) == [
        ("custom_values.old", "old", "x", "y"),
        ("custom_values.seated", "Seated", "", "Yes"),
        ("custom_values.stage", "Which stage", "Main", ""),
    ]


def test_markup_is_shown_as_text():
    event = EventFactory(description="<p>One <strong>day</strong></p><ul><li>first</li></ul>")

    save_event(event, changes={"description": "<p>One <strong>day</strong></p><ul><li>second</li></ul>"}, user=OPERATOR)

    assert last_differences(event) == [("description", "Description", "One **day**\n• first", "One **day**\n• second")]


def test_markup_with_the_same_text_is_shown_as_markup():
    event = EventFactory(description="<p>Day</p>")

    save_event(event, changes={"description": "<h2>Day</h2>"}, user=OPERATOR)

    assert last_differences(event) == [("description", "Description", "<p>Day</p>", "<h2>Day</h2>")]


def test_cost_is_one_value():
    event = EventFactory(cost="$10 – $30")

    save_event(event, changes={"cost": "10, 20, 30"}, user=OPERATOR)

    assert [difference[:2] for difference in last_differences(event)] == [("cost", "Cost")]


def test_new_record_differs_in_its_values():
    venue = VenueFactory(title="Hall", city="Rome", status="draft", author=UserFactory(username="ann"))
    (state,) = revisions_of(venue)

    made = {name: (before, after) for name, _label, before, after, _text in differences(None, state, OPERATOR)}
    gone = {name: (before, after) for name, _label, before, after, _text in differences(state, None, OPERATOR)}

    del made["published_at"]
    assert made == {
        "title": ("", "Hall"),
        "slug": ("", "hall"),
        "status": ("", "Draft"),
        "author": ("", "ann"),
        "city": ("", "Rome"),
        "show_map": ("", "Yes"),
        "show_map_link": ("", "Yes"),
    }
    assert gone["city"] == ("Rome", "")


def test_revision_differs_from_the_current_record():
    venue = VenueFactory(title="Hall")
    event = EventFactory(title="Old", venues=[venue])
    (state,) = revisions_of(event)
    trash_linked(venue, user=OPERATOR)
    event = Event.objects.get()
    event.title = "New"

    now = snapshot(event, load_relations([event])[event.pk])

    assert [tuple(difference)[:4] for difference in differences(now, state, OPERATOR)] == [
        ("title", "Title", "New", "Old"),
        ("venues", "Venues", "", "Hall (in the trash)"),
    ]


def test_side_effects_are_no_differences(author):
    venue = VenueFactory()
    mine, other = EventFactory(title="Mine", venues=[venue]), EventFactory(title="Secret", venues=[venue])
    save_event(other, changes={"status": "draft"}, user=OPERATOR)

    trash_linked(venue, user=OPERATOR)

    assert last_differences(venue) == [("status", "Status", "Published", "In the trash")]
    (fact,) = side_effects(revisions_of(venue)[0], author)
    assert tuple(fact) == ("Removed from these events", f"{mine.title}\n1 not visible to you")


def test_side_effects_do_not_name_events_with_a_password(author, editor):
    venue = VenueFactory(author=author)
    mine = EventFactory(title="Mine", author=author, venues=[venue], password="sesame")
    other = EventFactory(title="Other", venues=[venue], password="sesame")

    trash_linked(venue, user=OPERATOR)

    (for_author,), (for_editor,) = (side_effects(revisions_of(venue)[0], user) for user in (author, editor))
    assert for_author.text == f"{mine.title}\n1 not visible to you"
    assert for_editor.text == f"{mine.title}\n{other.title}"


def test_no_and_nothing_differ_in_custom_fields():
    for name, kind in (("entry", "boolean"), ("rows", "number")):
        CustomFieldFactory(resource="venue", name=name, kind=kind, label=name.title())
    venue = VenueFactory()

    save_content(
        venue, changes={"custom_values": {"entry": False, "rows": 0}, "geo_lat": 0.0, "geo_lng": 9.0}, user=OPERATOR
    )

    assert last_differences(venue) == [
        ("geo_lat", "Latitude", "", "0.0"),
        ("geo_lng", "Longitude", "", "9.0"),
        ("time_zone", "Time zone", "", "Africa/Libreville"),
        ("custom_values.entry", "Entry", "", "No"),
        ("custom_values.rows", "Rows", "", "0"),
    ]


def test_accounts_and_images_are_shown_as_text(administrator):
    account, image = UserFactory(), ImageFactory()
    for name in ("Ann", "Bob"):
        with record_account_changes(account, administrator):
            account.first_name = name
            account.save()
        save_image(image, changes={"alt": name}, user=administrator)

    assert last_differences(account) == [("first_name", "First name", "Ann", "Bob")]
    assert last_differences(image) == [("alt", "Alternative text", "Ann", "Bob")]


@pytest.mark.parametrize("count", [1, 3])
def test_differences_query_count(count, author):
    pairs = []
    for _turn in range(count):
        event = EventFactory(venues=[VenueFactory()], author=author)
        links = {"venues": [VenueFactory()], "tags": [TagFactory()], "categories": [CategoryFactory()]}
        save_event(
            event, changes={**links, "organizers": [OrganizerFactory()], "custom_values": {"a": 1}}, user=OPERATOR
        )
        newer, older = revisions_of(event)
        pairs.append((older, newer))

    with CaptureQueriesContext(connection) as queries:
        found = differences_of_pairs(pairs, author)

    # Passwords, venues, tags, categories, organizers and custom fields; and what the author may do.
    assert len([query for query in queries if "permission" not in query["sql"]]) == 6
    assert [len(differences) for differences in found] == [5] * count


def test_parent_of_a_term_is_shown():
    music = CategoryFactory(name="Music")
    category = CategoryFactory(name="Jazz")

    save_term(category, changes={"parent": music}, user=OPERATOR)

    assert last_differences(category) == [("parent", "Parent category", "", "Music")]
