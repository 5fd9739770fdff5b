"""The sample content: varied, the same for the same day, and removed completely without other records.

It is loaded once for all tests in this file, because they start with an empty database; each test is rolled back.
"""

import calendar
import itertools
import math
import re
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from functools import cache

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command, execute_from_command_line
from django.utils.text import slugify
from time_machine import travel

from calendar_site.accounts.models import User
from calendar_site.core.choices import Status
from calendar_site.custom_fields.models import CustomField
from calendar_site.derived.models import SearchWord
from calendar_site.media.models import Image
from calendar_site.review.models import Review
from calendar_site.tasks.models import BackgroundTask
from events.index_models import LinkedRecordsVersion
from events.models import Event, Series, Ticket
from events.sample_content import loader
from events.sample_content.data_files import CITY_ZONE, PICTURES, events_around, read_records
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.api_client import API
from tests.support.history import all_revisions
from venues.models import Venue

pytestmark = pytest.mark.django_db

# A Wednesday; on the Sunday after it the clocks of Port Ellery change.
NOW = datetime(2027, 3, 10, 15, tzinfo=UTC)
KINDS = (Event, Series, Category, Tag, Venue, Organizer, CustomField, Image)
AS_LOADED = (Category, Tag, CustomField, Image, Venue, Organizer, Event, Series)
LOADED_ALREADY = ["The sample content is already loaded. Nothing was changed."]


@pytest.fixture(scope="module")
def _images_prepared_once():
    """Scale each image of the content once, however often it is loaded."""
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
        # Daily tasks delete these.
        SearchWord.objects.all().delete()
        BackgroundTask.objects.all().delete()


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
    """Every row of the apps, whole, but for the version of linked records, which is always new."""
    labels = ("accounts", "custom_fields", "media", "events", "organizers", "taxonomy", "venues")
    models = [model for label in labels for model in apps.get_app_config(label).get_models(include_auto_created=True)]
    models.remove(LinkedRecordsVersion)
    return {model._meta.label: list(model._default_manager.order_by("pk").values()) for model in models}


def content():
    """What the content says: all fields and links, by title or name, without ids and moments of writing."""
    return {model.__name__: sorted(map(facts, rows), key=str) for model, rows in rows_with_links().items()}


def rows_with_links():
    links = ("categories", "tags", "tickets", "eventvenue_set__venue", "eventorganizer_set__organizer")
    events = Event.objects.select_related("parent", "author").prefetch_related(*links)
    return {model: events if model is Event else model.objects.all() for model in KINDS}


def facts(row):
    unlike = {"id", "created_at", "modified_at"}
    if isinstance(row, Image):
        # Whose names nobody guesses.
        unlike |= {"file", "renditions"}
    if isinstance(row, Series):
        # With ids, and counted from the present.
        unlike |= {"template", "extended_until"}
    fields = {field.name for field in row._meta.concrete_fields} - unlike
    said = {name: str(getattr(row, name)) for name in sorted(fields)}
    if isinstance(row, Event):
        said |= {
            "categories": sorted(str(category) for category in row.categories.all()),
            "tags": sorted(str(tag) for tag in row.tags.all()),
            "venues": [str(link) for link in row.eventvenue_set.all()],
            "organizers": [str(link) for link in row.eventorganizer_set.all()],
            "tickets": [
                (str(ticket), ticket.price, ticket.available_from, ticket.available_until)
                for ticket in row.tickets.all()
            ],
        }
    return said


# --- What there is -------------------------------------------------------------------------------


def test_about_three_hundred_events_with_titles_of_their_own(sample):
    titles = Counter(Event.objects.filter(series=None).values_list("title", flat=True))

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


def test_two_series_repeat_by_a_rule():
    assert {
        series.title: (series.rrule, [event.start_local[:10] for event in series.events.all()])
        for series in Series.objects.all()
    } == {
        "Attic Market": (
            "FREQ=MONTHLY;COUNT=6;BYDAY=1SU",
            ["2027-02-07", "2027-03-07", "2027-04-04", "2027-05-02", "2027-06-06", "2027-07-04"],
        ),
        "Tai Chi on the Pier": (
            "FREQ=WEEKLY;COUNT=10",
            [str(date(2027, 2, 17) + timedelta(weeks=week)) for week in range(10)],
        ),
    }


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
    "elsewhere": (10, lambda event: event.time_zone != CITY_ZONE),
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
    "words": (20, lambda event: event.cost and not prices(event) and event.cost != "Free"),
    "tickets": (30, lambda event: event.tickets.all()),
    "custom values": (30, lambda event: event.custom_values),
    "no image": (3, lambda event: event.image_id is None),
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
    descriptions = Counter(Event.objects.filter(series=None).values_list("description", flat=True))

    assert [text for text, count in descriptions.items() if count > 1 or len(text) < 40] == []


# --- Pictures, places, prices --------------------------------------------------------------------


def test_each_image_has_its_own_alternative_text_and_a_credit(sample):
    alternative_texts = Counter(Image.objects.values_list("alt", flat=True))

    assert [text for text, count in alternative_texts.items() if count > 1] == []
    assert [text for text in alternative_texts if not re.fullmatch("[A-Z].{10,}[.]", text)] == []
    assert set(Image.objects.values_list("credit", flat=True)) == {"Drawn for the sample content"}


def test_images_are_many_and_small(sample):
    images = list(Image.objects.all())

    assert len(images) >= 80
    assert {(image.width, image.height, image.media_type) for image in images} == {(960, 540, "image/jpeg")}
    assert [image.name for image in images if image.filesize > 60_000] == []


def test_few_events_have_the_same_image(events):
    uses = Counter(event.image_id for event in events if event.image_id and event.series_id is None)

    assert max(uses.values()) <= 8


def test_neighbours_in_a_series_seldom_have_the_same_image(events):
    """A market has bread, then cheese; only series without a subject of their own have one image."""
    series = Counter()
    images = {}
    for event in events:
        if event.series_id:
            continue
        name = event.title.partition(":")[0]
        series[name] += 1
        images.setdefault(name, set()).add(event.image_id)

    assert len([name for name, count in series.items() if count >= 4 and len(images[name]) == 1]) <= 3


def test_every_picture_is_used(sample):
    pictures = read_records("pictures")

    assert {picture["name"] for picture in pictures} == set(Image.objects.values_list("name", flat=True))
    assert {f"{slugify(picture['name'])}.jpg" for picture in pictures} == {file.name for file in PICTURES.iterdir()}


def metres_between(place, other):
    """On a plane, which is exact enough within a city."""
    return math.hypot((place.geo_lat - other.geo_lat) * 111_200, (place.geo_lng - other.geo_lng) * 78_400)


def streets():
    """The venues with a house number by street, in the order of the numbers."""
    numbers, found = {}, {}
    for venue in Venue.objects.exclude(geo_lat=None):
        if match := re.match(r"(?:[\w ]+, )?(?:Shed )?(\d+)[a-z]?,? ([\w ]+)", venue.address):
            numbers[venue] = int(match[1])
            found.setdefault(match[2], []).append(venue)
    return {street: sorted(venues, key=numbers.get) for street, venues in found.items()}


def test_venues_lie_around_the_square_and_apart_from_each_other():
    square = Venue.objects.get(title="Fishmarket Square")
    venues = list(Venue.objects.exclude(geo_lat=None))

    assert len(venues) >= 25
    for venue in venues:
        nearest = min(metres_between(venue, other) for other in venues if other != venue)
        assert metres_between(venue, square) < 4_000
        assert 50 <= nearest <= 800, venue


def test_house_numbers_rise_along_a_street():
    square = Venue.objects.get(title="Fishmarket Square")
    by_street = {street: venues for street, venues in streets().items() if len(venues) > 1}

    assert sorted(by_street) == [
        "Bonded Quay", "Causeway", "Hemp Lane", "Ring Road", "Stave Road", "Summit Road", "Tallow Street",
    ]  # fmt: skip
    for venues in by_street.values():
        distances = [metres_between(venue, square) for venue in venues]
        assert distances == sorted(distances)
        # On a straight line, the ways from house to house add up to the way from the first to the last.
        ways = sum(metres_between(one, other) for one, other in itertools.pairwise(venues))
        assert ways < 1.05 * metres_between(venues[0], venues[-1]) + 1


def test_the_city_is_where_its_time_zone_is_and_its_harbour_in_the_east():
    """On the coast of Nova Scotia, with open water at the longitudes east of the quays."""
    venues = Venue.objects.exclude(geo_lat=None)

    assert all(45.14 < venue.geo_lat < 45.19 and -61.48 < venue.geo_lng < -61.449 for venue in venues)
    easternmost = sorted(venues, key=lambda venue: -venue.geo_lng)[:4]
    assert {venue.title for venue in easternmost} == {
        "Lantern Pier", "MV Wren", "Dockside Makerspace", "Customs House Gallery"
    }  # fmt: skip


AMOUNT = r"(US\$|NZ\$|\$|€|¥|₹)\d{1,3}(,\d{3})*(\.\d\d)?"
COST = re.compile(rf"|Free|Pay what you can|Donation|{AMOUNT}|(Free|{AMOUNT}) – {AMOUNT}")


def test_costs_are_written_in_one_way(events):
    assert [event.cost for event in events if not COST.fullmatch(event.cost)] == []
    assert [event.title for event in events if event.cost_position == "postfix"] == []


def test_costs_in_the_city_are_in_dollars(events):
    elsewhere = {"Corvid Harbor Opera House", "Ballymarrin Arts Centre", "Wavelength Studio"}

    for event in events:
        if prices(event) and not {str(link) for link in event.eventvenue_set.all()} & elsewhere:
            assert event.cost_symbol in ("", "$"), event


def test_costs_are_those_of_the_tickets(events):
    symbols = {"CAD": "$", "USD": "US$", "EUR": "€"}
    ticketed = [event for event in events if event.tickets.all()]

    for event in ticketed:
        tickets = event.tickets.all()
        assert {symbols[ticket.currency] for ticket in tickets} == {event.cost_symbol or "$"}, event
        assert [f"{ticket.price:f}".removesuffix(".00") for ticket in tickets] == event.cost_values, event
        assert all(ticket.available_until is None or ticket.available_until <= event.end for ticket in tickets)


def test_tickets_show_what_tickets_can_be(sample):
    tickets = Ticket.objects.all()

    assert tickets.filter(sold_out=True).count() >= 5
    assert tickets.filter(available_from__gt=NOW).exists()
    assert tickets.filter(available_from__lte=NOW, available_until__gt=NOW).exists()
    assert tickets.filter(available_until__lt=NOW).exists()
    assert tickets.exclude(url="").exists()
    assert tickets.filter(price=0).exists()


def test_custom_fields_say_what_the_calendar_has_no_field_for(client):
    venue = Venue.objects.get(title="The Tin Lantern")

    answer = client.get(f"{API}/venues/{venue.pk}").json()

    assert answer["custom_fields"] == {
        "access_notes": {
            "label": "Access notes",
            "value": "Fourteen steps down, no lift. The staff help with wheelchairs that fold.",
        },
        "step_free": {"label": "Step-free entrance", "value": False},
        "seats": {"label": "Seats", "value": 60},
    }
    assert '<dt dir="auto">Access notes</dt>' in client.get(answer["url"]).content.decode()


@pytest.mark.parametrize(("number"), range(6))
def test_every_custom_field_is_used(number):
    field = CustomField.objects.order_by("pk")[number]
    model = {"event": Event, "venue": Venue}[field.resource]

    assert model.objects.filter(custom_values__has_key=field.name).count() >= 4


# --- All of it -----------------------------------------------------------------------------------


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
    links = Event._meta.get_field(collection).remote_field.through.objects.filter(
        event__status="publish", event__password="", event__hide_from_listings=False
    )
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


def test_loading_again_around_another_day_uses_what_had_to_stay(run, sample, wedding, settings, time_machine):
    published = Counter(Event.objects.values_list("status", flat=True))
    run("--remove")
    # Half past midnight, where the day begins first.
    settings.SITE_TIME_ZONE = "Pacific/Kiritimati"
    time_machine.move_to(datetime(2027, 3, 9, 10, 30, tzinfo=UTC))

    run("--date", "2028-02-29")

    day = datetime(2028, 2, 29, tzinfo=UTC)
    starts = Event.objects.exclude(pk=wedding.pk).values_list("start", flat=True)
    weeks = Counter((start - day).days // 7 for start in starts)
    assert sum(weeks.values()) == sample[Event]
    assert -9 <= min(weeks) <= -7
    assert 35 <= max(weeks) <= 41
    assert all(weeks[week] >= 20 for week in (-1, 0, 1))
    # What is a year away can be seen all the same.
    assert Counter(Event.objects.values_list("status", flat=True)) == published
    theirs = {Event: 1, Series: 0, Category: 1, Tag: 1, Venue: 1, Organizer: 1, CustomField: 0, Image: 0}
    assert amounts() == {kind: sample[kind] + theirs[kind] for kind in KINDS}


def test_existing_records_are_used_and_left_there(run, sample):
    venue = Venue.objects.order_by("pk").first()
    description = venue.description
    run("--remove")
    mine = [
        CategoryFactory(name="MUSIC"),
        TagFactory(name="Open Air"),
        VenueFactory(title=venue.title.upper(), description=description),
    ]
    CustomFieldFactory(resource="venue", name="seats", label="Places", kind="number")
    # Of another type, so the content has no values of it.
    CustomFieldFactory(resource="venue", name="step_free", label="Step-free", kind="text")

    mine_by_kind = {Category: 1, Tag: 1, Venue: 1, CustomField: 2}
    fewer = {kind: sample[kind] - mine_by_kind.get(kind, 0) for kind in KINDS}
    assert run() == [f"Loaded {words(fewer, AS_LOADED)}."]
    assert all(record.events.exists() for record in mine)
    assert Venue.objects.get(title="The Tin Lantern").custom_values == {
        "access_notes": "Fourteen steps down, no lift. The staff help with wheelchairs that fold.",
        "seats": 60,
    }
    assert amounts() == sample

    assert run("--remove") == [f"Removed {words(fewer)}."]
    assert amounts() == {kind: mine_by_kind.get(kind, 0) for kind in KINDS}
    assert sorted(map(str, CustomField.objects.all())) == ["Places", "Step-free"]


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
    "series": [],
    "category": ["Choral", "Classical", "Dance", "Music", "Stage"],
    "tag": ["on the water"],
    "venue": ["MV Wren"],
    "organizer": ["Lantern Jazz Collective"],
    "custom field": ["Access notes", "Seats", "Step-free entrance"],
    "image": ["Ferry"],
}


def test_removal_leaves_what_others_use(run, sample, wedding, client):
    address = f"{API}/events/{wedding.pk}"
    before = client.get(address).json()

    lines = run("--remove")

    removed = {
        Event: sample[Event],
        **{kind: sample[kind] - len(STAYING[kind._meta.verbose_name]) for kind in KINDS if kind is not Event},
    }
    assert lines[0] == f"Removed {words(removed)}."
    assert sorted(lines[1:]) == sorted(
        f"The {kind} {name} was kept because other records use it." for kind, names in STAYING.items() for name in names
    )
    names = {model: sorted(map(str, model.objects.all())) for model in KINDS}
    assert names == {
        Event: ["Wedding of two strangers"],
        Series: [],
        Category: [*STAYING["category"], "Weddings"],
        Tag: ["confetti", "on the water"],
        Venue: ["MV Wren", "Their garden"],
        Organizer: ["Lantern Jazz Collective", "Their aunt"],
        CustomField: STAYING["custom field"],
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

    assert run("--remove") == [
        "Removed 0 events, 0 series, 5 categories, 1 tag, 1 venue, 1 organizer, 3 custom fields, 1 image."
    ]
    assert {model: list(map(str, model.objects.all())) for model in KINDS} == {
        Event: [],
        Series: [],
        Category: [],
        Tag: ["confetti"],
        Venue: ["Their garden"],
        Organizer: ["Their aunt"],
        CustomField: [],
        Image: [],
    }
    assert not User.objects.filter(username="sample-content").exists()


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

    assert run("--remove") == [f"Removed {words(dict.fromkeys(KINDS, 0))}."]


# --- Wrong arguments -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--date", "2027-02-30"], "argument --date: 2027-02-30 is not a valid date."),
        (
            ["--date", "someday"],
            "argument --date: Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am.",
        ),
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
        (["--date", "2027-03-10", "--remove"], "--date cannot be used with --remove."),
        (["--dry-run"], "--dry-run requires --remove."),
    ],
)
def test_conflicting_arguments_are_rejected(arguments, message):
    before = database()

    with pytest.raises(CommandError) as refusal:
        call_command("load_sample_content", *arguments)

    assert (str(refusal.value), refusal.value.returncode) == (message, 1)
    assert database() == before
