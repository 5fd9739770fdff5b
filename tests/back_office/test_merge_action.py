"""Merging duplicate records from their lists in the admin."""

import pytest

from calendar_site.content.merge import merge_linked
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for, messages_in, run_action
from tests.support.records import venue_titles
from venues.models import Venue

pytestmark = pytest.mark.django_db

VENUES, ORGANIZERS = "/admin/venues/venue/", "/admin/organizers/organizer/"
CATEGORIES, TAGS = "/admin/taxonomy/category/", "/admin/taxonomy/tag/"


def test_merging_asks_which_one_stays_and_changes_nothing_yet(editor_browser):
    kept, other = VenueFactory(title="Hall"), VenueFactory(title="The hall")
    event = EventFactory(venues=[other])

    page = run_action(editor_browser, VENUES, "merge", [kept, other])

    assert [(row.title, count) for row, count, _details in page.context["rows"]] == [
        ("The hall", 1),
        ("Hall", 0),
    ]
    assert page.text.count("<b>Address:</b>") == 2
    assert "The others will be moved to trash." in page.content.decode()
    assert (venue_titles(event), Venue.objects.filter(status="trash").count()) == (["The hall"], 0)


def test_what_linked_to_any_links_to_the_one_that_is_kept_and_nothing_is_lost(editor_browser):
    kept = VenueFactory(title="Hall", address="1 High Street", phone="")
    other = VenueFactory(title="The hall", address="High St 1", phone="123", geo_lat=1.5, geo_lng=2.5)
    third, elsewhere = VenueFactory(title="Hall!", phone="456"), VenueFactory(title="Elsewhere")
    of_other = EventFactory(venues=[elsewhere, other])
    of_both = EventFactory(venues=[other, kept, third])
    of_two = EventFactory(venues=[third, other], status="trash")
    of_none = EventFactory(venues=[elsewhere])

    response = run_action(editor_browser, VENUES, "merge", [kept, other, third], kept=kept.pk)

    assert messages_in(response) == ["Merged into “Hall”: Hall!, The hall."]
    assert [venue_titles(event) for event in (of_other, of_both, of_two, of_none)] == [
        ["Elsewhere", "Hall"],
        ["Hall"],
        ["Hall"],
        ["Elsewhere"],
    ]
    kept.refresh_from_db()
    assert (kept.address, kept.phone, kept.geo_lat, kept.geo_lng) == ("1 High Street", "456", 1.5, 2.5)
    assert sorted(Venue.objects.filter(status="trash").values_list("title", flat=True)) == ["Hall!", "The hall"]


def test_organizers_are_merged_likewise(editor_browser):
    kept, other = OrganizerFactory(title="Club", email=""), OrganizerFactory(title="The club", email="a@example.org")
    event = EventFactory(organizers=[other])

    run_action(editor_browser, ORGANIZERS, "merge", [kept, other], kept=kept.pk)

    assert list(event.organizers.all()) == [kept]
    assert Organizer.objects.get(pk=kept.pk).email == "a@example.org"


def test_merged_tags_have_the_events_of_all_and_their_count(editor_browser):
    kept, other = TagFactory(name="Jazz"), TagFactory(name="jazz music", description="Blue notes")
    EventFactory(tags=[kept, other]), EventFactory(tags=[other]), EventFactory(tags=[other], status="draft")

    response = run_action(editor_browser, TAGS, "merge", [kept, other], kept=kept.pk)

    assert messages_in(response) == ["Merged into “Jazz”: jazz music."]
    assert list(Tag.objects.values_list("name", "description", "event_count")) == [("Jazz", "Blue notes", 2)]
    assert Tag.objects.get().events.count() == 3


def test_merged_categories_have_the_children_of_all(editor_browser):
    top = CategoryFactory(name="Top")
    other = CategoryFactory(name="Songs", parent=top)
    kept = CategoryFactory(name="Music", parent=CategoryFactory(name="Between", parent=other))
    CategoryFactory(name="Choir", parent=other)

    run_action(editor_browser, CATEGORIES, "merge", [kept, other], kept=kept.pk)

    assert dict(Category.objects.values_list("name", "parent__name")) == {
        "Top": None,
        "Music": "Top",
        "Between": "Music",
        "Choir": "Music",
    }


@pytest.mark.parametrize("role", ["author", "contributor", "subscriber"])
def test_nobody_else_merges(role, request):
    kept, other = VenueFactory(title="Hall"), VenueFactory(title="The hall")
    event = EventFactory(venues=[other])

    run_action(browser_for(request.getfixturevalue(role)), VENUES, "merge", [kept, other], kept=kept.pk)

    assert (venue_titles(event), Venue.objects.filter(status="trash").count()) == (["The hall"], 0)


def test_one_record_or_a_stranger_to_the_selection_merges_nothing(editor_browser):
    kept, other, third = VenueFactory(), VenueFactory(), VenueFactory()

    assert messages_in(run_action(editor_browser, VENUES, "merge", [kept], kept=kept.pk)) == [
        "Select 2 to 50 duplicate records to merge."
    ]
    assert run_action(editor_browser, VENUES, "merge", [kept, other], kept=third.pk).status_code == 200
    assert run_action(editor_browser, VENUES, "merge", [kept, other], kept="x").status_code == 200
    assert Venue.objects.filter(status="trash").count() == 0


def test_merging_writes_what_is_there_now_and_not_what_was_read_before(editor):
    kept, other = VenueFactory(title="Hall", city="Old"), VenueFactory(title="The hall")
    Venue.objects.filter(pk=kept.pk).update(city="New")

    merge_linked(kept, others=[other], user=editor)

    assert Venue.objects.get(pk=kept.pk).city == "New"


def test_empty_fields_are_filled_from_the_first_record_with_a_value(editor):
    kept, empty, full = VenueFactory(phone=""), VenueFactory(phone=""), VenueFactory(phone="123")

    merge_linked(kept, others=[empty, full], user=editor)

    assert Venue.objects.get(pk=kept.pk).phone == "123"
