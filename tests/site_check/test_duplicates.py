"""The command that merges records with the same name."""

import pytest
from django.core.management import CommandError

from calendar_site.core.choices import Status
from events.models import Event
from taxonomy.models import Category
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, VenueFactory
from tests.support.imports import command_output
from venues.models import Venue

pytestmark = pytest.mark.django_db


def copy_of(row, **changes):
    """Return a second record with the same name, which no service would create."""
    row.pk, row._state.adding, row.slug = None, True, f"{row.slug}-copy"
    for name, value in changes.items():
        setattr(row, name, value)
    row.save()
    return row


def test_records_with_one_name_become_one(admin_user, capsys):
    kept = VenueFactory(title="Old Mill")
    other = copy_of(VenueFactory(title="Old Mill 2"), title="old  MILL", city=kept.city)
    elsewhere = copy_of(VenueFactory(title="Old Mill 3"), title="Old Mill", address="1 Main St")
    event = EventFactory(venues=[other])
    EventFactory(venues=[kept])
    EventFactory(venues=[kept])

    assert command_output(capsys, "merge_duplicates", "venues", dry_run=True) == [
        f"Would merge venues “Old Mill”: {other.pk} into {kept.pk}",
        "Would merge 1 groups of records.",
    ]
    assert Venue.objects.exclude(status=Status.TRASH).count() == Venue.objects.count()

    command_output(capsys, "merge_duplicates")

    assert list(Event.objects.get(pk=event.pk).venues.all()) == [kept]
    assert set(Venue.objects.exclude(status=Status.TRASH).filter(title__icontains="mill")) >= {kept, elsewhere}
    assert Venue.objects.get(pk=other.pk).status == Status.TRASH
    assert command_output(capsys, "merge_duplicates") == ["Merged 0 groups of records."]


def test_categories_below_different_parents_stay(admin_user, capsys):
    music, games = CategoryFactory(name="Music"), CategoryFactory(name="Games")
    CategoryFactory(name="For kids", parent=music)
    CategoryFactory(name="For kids", parent=games)

    assert command_output(capsys, "merge_duplicates", "categories") == ["Merged 0 groups of records."]
    assert Category.objects.count() == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["people"], "Unknown: people. Use any of venues, organizers, categories, tags."),
        ([], "Name a user with --user."),
    ],
)
def test_wrong_arguments(capsys, arguments, message):
    with pytest.raises(CommandError, match=message):
        command_output(capsys, "merge_duplicates", *arguments)


def test_user_without_the_right(author, capsys):
    copy_of(OrganizerFactory(title="Club 2"), title=OrganizerFactory(title="Club").title)

    with pytest.raises(CommandError, match=f"{author} may not merge organizers."):
        command_output(capsys, "merge_duplicates", user=author.username)
