"""The sample content: varied, the same for the same day, and taken away to the last record, but no further.

It is loaded once for all tests of this file, as they begin on an empty database; what a test changes is undone.
"""

import calendar
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from functools import cache

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command, execute_from_command_line
from time_machine import travel

from calendar_site.accounts.models import User
from calendar_site.core.choices import Status
from calendar_site.media.models import Image
from calendar_site.review.models import Review
from events.models import Event
from events.sample_content import loader
from events.sample_content.data_files import events_around
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, UserFactory, VenueFactory
from tests.support.api_client import API
from tests.support.history import all_revisions
from venues.models import Venue

pytestmark = pytest.mark.django_db

# A Wednesday; on the Sunday after it the clocks of Port Ellery change.
NOW = datetime(2027, 3, 10, 15, tzinfo=UTC)
KINDS = (Event, Category, Tag, Venue, Organizer, Image)
AS_LOADED = (Category, Tag, Image, Venue, Organizer, Event)
LOADED_ALREADY = ["The sample content is loaded already: nothing was changed."]


@pytest.fixture(scope="module")
def _images_prepared_once():
    """Scale each image of the content once, however often it is loaded: that is half of the work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loader, "prepare_image", cache(loader.prepare_image))
        yield


@pytest.fixture(scope="module")
def sample(django_db_setup, django_db_blocker, _images_prepared_once):
    """The content, loaded on `NOW` and there for every test of this file; answers how much it is, by kind."""
    with django_db_blocker.unblock():
        before = database()
        with travel(NOW, tick=False):
            call_command("load_sample_content", verbosity=0)
        yield amounts()
        call_command("load_sample_content", "--remove")
        assert database() == before


@pytest.fixture(scope="module")
def events(sample, django_db_blocker):
    """All events of the content with their links, read once."""
    with django_db_blocker.unblock():
        return list(rows_with_links()[Event])


@pytest.fixture(autouse=True)
def _now(time_machine, sample):
    time_machine.move_to(NOW, tick=False)


@pytest.fixture
def run(capsys):
    """Runs the command; answers the lines that it prints."""
    capsys.readouterr()

    def run_command(*arguments):
        call_command("load_sample_content", *arguments)
        return capsys.readouterr().out.splitlines()

    return run_command


def amounts():
    return {model: model.objects.count() for model in KINDS}


def words(counts, kinds=KINDS):
    """How the command says how many of each kind there are."""
    return ", ".join(
        f"{counts[kind]} {kind._meta.verbose_name if counts[kind] == 1 else kind._meta.verbose_name_plural}"
        for kind in kinds
    )


def database():
    """Every row of the apps, whole."""
    labels = ("accounts", "custom_fields", "media", "events", "organizers", "taxonomy", "venues")
    models = [model for label in labels for model in apps.get_app_config(label).get_models(include_auto_created=True)]
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in models}


def content():
    """What the content says: all fields and links, by title or name, without ids and moments of writing."""
    return {model.__name__: sorted(map(facts, rows), key=str) for model, rows in rows_with_links().items()}


def rows_with_links():
    links = ("categories", "tags", "eventvenue_set__venue", "eventorganizer_set__organizer")
    events = Event.objects.select_related("parent", "author").prefetch_related(*links)
    return {model: events if model is Event else model.objects.all() for model in KINDS}


def facts(row):
    unlike = {"id", "created_at", "modified_at"}
    if isinstance(row, Image):
        # Whose names nobody guesses.
        unlike |= {"file", "renditions"}
    fields = {field.name for field in row._meta.concrete_fields} - unlike
    said = {name: str(getattr(row, name)) for name in sorted(fields)}
    if isinstance(row, Event):
        said |= {
            "categories": sorted(str(category) for category in row.categories.all()),
            "tags": sorted(str(tag) for tag in row.tags.all()),
            "venues": [str(link) for link in row.eventvenue_set.all()],
            "organizers": [str(link) for link in row.eventorganizer_set.all()],
        }
    return said


# --- What there is -------------------------------------------------------------------------------


def test_about_three_hundred_events_with_titles_of_their_own(sample):
    titles = Counter(Event.objects.values_list("title", flat=True))

    assert 280 <= sample[Event] <= 340
    assert [title for title, count in titles.items() if count > 1] == []


@pytest.mark.parametrize("kind", [Category, Tag, Venue, Organizer])
def test_everything_beside_the_events_is_used_by_some(kind):
    assert kind.objects.count() >= 20
    assert list(kind.objects.filter(events=None)) == []


def letters_of_other_scripts(text):
    return [letter for letter in text if letter.isalpha() and not "\u0000" <= letter <= "\u024f"]


def lasts(event):
    return event.end - event.start


def prices(event):
    return [value for value in event.cost_values if value[0].isdigit()]


# How many events at least are such.
VARIETY = {
    "past": (80, lambda event: event.end < NOW),
    "coming": (100, lambda event: event.start > NOW),
    "running": (1, lambda event: event.start <= NOW <= event.end),
    "today": (5, lambda event: abs(event.start - NOW) < timedelta(days=1)),
    "whole days": (8, lambda event: event.all_day),
    "several days": (5, lambda event: not event.all_day and lasts(event) > timedelta(days=1)),
    "months": (1, lambda event: lasts(event) > timedelta(days=90)),
    "minutes": (1, lambda event: timedelta() < lasts(event) <= timedelta(minutes=10)),
    "past midnight": (
        10,
        lambda event: event.start_local[:10] < event.end_local[:10] and lasts(event) < timedelta(hours=14),
    ),
    "elsewhere": (10, lambda event: event.time_zone != "America/Halifax"),
    "featured": (15, lambda event: event.featured),
    "sticky": (2, lambda event: event.sticky),
    "hidden": (2, lambda event: event.hide_from_listings),
    "parts": (20, lambda event: event.parent),
    "two venues": (15, lambda event: len(event.eventvenue_set.all()) > 1),
    "nowhere": (5, lambda event: not event.eventvenue_set.all()),
    "two organizers": (10, lambda event: len(event.eventorganizer_set.all()) > 1),
    "by nobody": (5, lambda event: not event.eventorganizer_set.all()),
    "excerpt": (50, lambda event: event.excerpt),
    "website": (100, lambda event: event.website),
    "list": (10, lambda event: "<ul>" in event.description or "<ol>" in event.description),
    "script": (5, lambda event: letters_of_other_scripts(event.title)),
    "free": (40, lambda event: event.cost == "Free"),
    "unpriced": (50, lambda event: not event.cost),
    "one price": (50, lambda event: len(prices(event)) == 1),
    "range": (20, lambda event: len(prices(event)) == 2),
    "price list": (10, lambda event: len(prices(event)) > 2),
    "currency": (5, lambda event: prices(event) and event.cost_symbol not in ("", "$")),
    "behind": (3, lambda event: event.cost_position == "postfix"),
    "words": (20, lambda event: event.cost and not prices(event) and event.cost != "Free"),
}


@pytest.mark.parametrize(("least", "is_such"), VARIETY.values(), ids=VARIETY)
def test_events_vary(events, least, is_such):
    assert len([event for event in events if is_such(event)]) >= least


def test_events_have_every_status_but_the_trash():
    assert set(Event.objects.values_list("status", flat=True)) == set(Status.values) - {Status.TRASH}


def test_time_zones_are_many_and_some_are_odd():
    zones = set(Event.objects.values_list("time_zone", flat=True))

    assert len(zones) >= 10
    # A half hour beside the others, no summer time, and no name of a place.
    assert zones >= {"America/St_Johns", "UTC", "UTC-3"}


def test_categories_have_three_levels():
    assert Category.objects.filter(parent=None).exists()
    assert Category.objects.filter(parent__parent__isnull=False).exists()


def test_events_lie_around_the_day_and_thickest_at_it():
    weeks = Counter((start - NOW).days // 7 for start in Event.objects.values_list("start", flat=True))

    assert -9 <= min(weeks) <= -7
    assert 35 <= max(weeks) <= 41
    assert all(weeks[week] >= 20 for week in (-1, 0, 1))
    assert all(weeks[week] <= 10 for week in range(8, 41))


def test_descriptions_are_long_enough_to_say_something_and_none_is_repeated():
    descriptions = Counter(Event.objects.values_list("description", flat=True))

    assert [text for text, count in descriptions.items() if count > 1 or len(text) < 40] == []


def test_images_have_alternative_texts_and_credits():
    said = set(Image.objects.values_list("alt", "credit"))

    assert said == {("Hills, water and lights under a wide sky; a drawing.", "Drawn by the sample content")}


def test_every_record_is_valid():
    for rows in rows_with_links().values():
        for row in rows:
            row.full_clean()


def test_everybody_sees_what_is_published_and_nothing_else(client):
    seen, page = [], f"{API}/events?start_date=2026-01-01&end_date=2028-12-31&per_page=100"
    while page:
        answer = client.get(page).json()
        seen += [event["title"] for event in answer["events"]]
        page = answer.get("next_rest_url")

    public = Event.objects.filter(status="publish", hide_from_listings=False)
    assert sorted(seen) == sorted(public.values_list("title", flat=True))
    draft = Event.objects.filter(status="draft").first()
    assert client.get(f"{API}/events/{draft.pk}").json()["code"] == "event-not-accessible"


@pytest.mark.parametrize("collection", ["categories", "tags"])
def test_terms_count_their_published_events(client, collection):
    links = Event._meta.get_field(collection).remote_field.through.objects.filter(event__status="publish")
    counts = Counter(links.values_list(f"{'category' if collection == 'categories' else 'tag'}__name", flat=True))

    answer = client.get(f"{API}/{collection}?per_page=100").json()

    assert {term["name"]: term["count"] for term in answer[collection]} == counts


def test_author_cannot_sign_in():
    author = User.objects.get()

    assert set(Event.objects.values_list("author", flat=True)) == {author.pk}
    assert (author.is_active, author.has_usable_password(), list(author.groups.all())) == (False, False, [])


@pytest.mark.parametrize("number", range(0, 731, 43))
def test_titles_with_a_weekday_are_on_that_weekday(number):
    day = date(2027, 12, 27) + timedelta(days=number)
    named = 0

    for event, schedule in events_around(day):
        for weekday, name in enumerate(calendar.day_name):
            if name in event["title"].partition(":")[0]:
                named += 1
                assert (event["title"], schedule["start"].weekday()) == (event["title"], weekday)

    assert named > 20


# --- Loading -------------------------------------------------------------------------------------


def test_loading_twice_changes_nothing(run):
    before = database()

    assert run() == LOADED_ALREADY
    assert run("--date", "2028-02-29") == LOADED_ALREADY
    assert database() == before


def test_same_day_gives_the_same_content(run, sample, time_machine):
    first = content()
    run("--remove")
    time_machine.move_to(NOW + timedelta(hours=8))

    assert run() == [f"Loaded {words(sample, AS_LOADED)}."]
    assert content() == first


def test_events_are_placed_around_another_day(run, sample, settings, time_machine):
    published = Counter(Event.objects.values_list("status", flat=True))
    run("--remove")
    # Half past midnight, where the day begins first.
    settings.SITE_TIME_ZONE = "Pacific/Kiritimati"
    time_machine.move_to(datetime(2027, 3, 9, 10, 30, tzinfo=UTC))

    run("--date", "2028-02-29")

    day = datetime(2028, 2, 29, tzinfo=UTC)
    weeks = Counter((start - day).days // 7 for start in Event.objects.values_list("start", flat=True))
    assert sum(weeks.values()) == sample[Event]
    assert -9 <= min(weeks) <= -7
    assert 35 <= max(weeks) <= 41
    assert all(weeks[week] >= 20 for week in (-1, 0, 1))
    # What is a year away can be seen all the same.
    assert Counter(Event.objects.values_list("status", flat=True)) == published


def test_what_is_there_is_used_and_left_there(run, sample):
    venue = Venue.objects.order_by("pk").first()
    description = venue.description
    run("--remove")
    mine = [
        CategoryFactory(name="MUSIC"),
        TagFactory(name="Open Air"),
        VenueFactory(title=venue.title.upper(), description=description),
    ]

    fewer = {**sample, Category: sample[Category] - 1, Tag: sample[Tag] - 1, Venue: sample[Venue] - 1}
    fewer[Image] = sample[Image] - 1
    assert run() == [f"Loaded {words(fewer, AS_LOADED)}."]
    assert all(record.events.exists() for record in mine)
    assert amounts() == {**sample, Image: fewer[Image]}

    assert run("--remove") == [f"Removed {words(fewer)}."]
    assert amounts() == {Event: 0, Category: 1, Tag: 1, Venue: 1, Organizer: 0, Image: 0}


def test_account_of_another_user_is_left_unchanged(run):
    run("--remove")
    UserFactory(username="sample-content")
    before = database()

    with pytest.raises(
        CommandError,
        match=r"^An account named sample-content already exists and does not belong to the sample content\.$",
    ):
        run()

    assert database() == before


def test_loading_is_recorded_as_a_command(sample):
    kinds = set(Event.history.values_list("history_kind", "history_channel", "history_username"))

    assert kinds == {("created", "command", "")}
    assert Event.history.count() == sample[Event]


def test_pending_event_is_reviewed_like_any_other():
    pending = Event.objects.pending().get()

    assert [(review.record_id, review.outcome) for review in Review.objects.all()] == [(pending.pk, "open")]


# --- Removing ------------------------------------------------------------------------------------


@pytest.fixture
def wedding():
    """Somebody else's event, linked to sample content of every kind, and their category below a sample one."""
    CategoryFactory(name="Weddings", parent=Category.objects.get(name="Dance"))
    return EventFactory(
        title="Wedding of two strangers",
        start="2027-05-01 15:00",
        venues=[Venue.objects.get(title="MV Wren"), VenueFactory(title="Their garden")],
        organizers=[Organizer.objects.get(title="Lantern Jazz Collective"), OrganizerFactory(title="Their aunt")],
        categories=[Category.objects.get(name="Choral")],
        tags=[Tag.objects.get(name="on the water"), TagFactory(name="confetti")],
        parent=Event.objects.order_by("pk").first(),
    )


STAYING = {
    "category": ["Choral", "Classical", "Dance", "Music", "Stage"],
    "tag": ["on the water"],
    "venue": ["MV Wren"],
    "organizer": ["Lantern Jazz Collective"],
    "image": ["MV Wren"],
}


def test_removal_leaves_what_others_use(run, sample, wedding, client):
    address = f"{API}/events/{wedding.pk}"
    before = client.get(address).json()

    lines = run("--remove")

    removed = {
        Event: sample[Event],
        **{kind: sample[kind] - len(STAYING[kind._meta.model_name]) for kind in KINDS if kind is not Event},
    }
    assert lines[0] == f"Removed {words(removed)}."
    assert sorted(lines[1:]) == sorted(
        f"The {kind} {name} stays: other records use it." for kind, names in STAYING.items() for name in names
    )
    names = {model: sorted(map(str, model.objects.all())) for model in KINDS}
    assert names == {
        Event: ["Wedding of two strangers"],
        Category: [*STAYING["category"], "Weddings"],
        Tag: ["confetti", "on the water"],
        Venue: ["MV Wren", "Their garden"],
        Organizer: ["Lantern Jazz Collective", "Their aunt"],
        Image: STAYING["image"],
    }
    after = client.get(address).json()
    assert after == {**before, "post_parent": 0, "categories": after["categories"], "tags": after["tags"]}
    assert {term["name"]: term["count"] for term in (*after["categories"], *after["tags"])} == {
        "Choral": 1,
        "confetti": 1,
        "on the water": 1,
    }


def test_next_removal_takes_what_is_no_longer_used(run, wedding):
    run("--remove")
    wedding.delete()
    Category.objects.get(name="Weddings").delete()

    assert run("--remove") == ["Removed 0 events, 5 categories, 1 tag, 1 venue, 1 organizer, 1 image."]
    assert {model: list(map(str, model.objects.all())) for model in KINDS} == {
        Event: [],
        Category: [],
        Tag: ["confetti"],
        Venue: ["Their garden"],
        Organizer: ["Their aunt"],
        Image: [],
    }
    assert not User.objects.filter(username="sample-content").exists()


def test_loading_again_uses_what_had_to_stay(run, sample, wedding):
    run("--remove")

    run()

    theirs = {Event: 1, Category: 1, Tag: 1, Venue: 1, Organizer: 1, Image: 0}
    assert amounts() == {kind: sample[kind] + theirs[kind] for kind in KINDS}


def test_removal_finds_records_however_they_were_changed(run, sample, editor_api):
    event, venue = Event.objects.order_by("pk").first(), Venue.objects.order_by("pk").first()
    editor_api.post(f"{API}/events/{event.pk}", {"title": "Changed", "slug": "changed", "status": "draft"})
    editor_api.post(f"{API}/venues/{venue.pk}", {"venue": "Changed"})
    editor_api.delete(f"{API}/events/{Event.objects.order_by('pk').last().pk}")

    assert run("--remove") == [f"Removed {words(sample)}."]
    assert amounts() == dict.fromkeys(KINDS, 0)


def test_removal_passes_over_what_was_deleted_by_hand(run, sample):
    gone = Event.objects.filter(featured=True)
    count = gone.count()
    gone.delete()

    assert run("--remove") == [f"Removed {words({**sample, Event: sample[Event] - count})}."]


def test_dry_run_lists_what_would_be_removed_and_changes_nothing(run, wedding):
    before = database()

    lines = run("--remove", "--dry-run")

    assert database() == before
    assert lines == [line.replace("Removed", "Would remove") for line in run("--remove")]


def test_removal_takes_histories_and_reviews_along(run):
    VenueFactory(title="Ours")

    run("--remove")

    (kept,) = all_revisions()
    assert (kept["title"], kept["history_kind"]) == ("Ours", "created")
    assert not Review.objects.exists()


def test_removing_nothing(run):
    run("--remove")

    assert run("--remove") == ["Removed 0 events, 0 categories, 0 tags, 0 venues, 0 organizers, 0 images."]


# --- Wrong arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--date", "2027-02-30"], "argument --date: 2027-02-30 is not a valid date."),
        (["--date", "someday"], "argument --date: Not a valid date. Use a format such as 2027-03-10 10:30:00."),
        (["--date", ""], "argument --date: The date cannot be empty."),
        (["--date"], "argument --date: expected one argument"),
        (["everything"], "unrecognized arguments: everything"),
    ],
)
def test_invalid_arguments_are_rejected(capsys, arguments, message):
    with pytest.raises(SystemExit) as end:
        execute_from_command_line(["manage.py", "load_sample_content", *arguments])

    assert end.value.code == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--date", "2027-03-10", "--remove"], "--date and --remove do not go together."),
        (["--dry-run"], "--dry-run goes with --remove only."),
    ],
)
def test_conflicting_arguments_are_rejected(arguments, message):
    before = database()

    with pytest.raises(CommandError) as refusal:
        call_command("load_sample_content", *arguments)

    assert (str(refusal.value), refusal.value.returncode) == (message, 1)
    assert database() == before
