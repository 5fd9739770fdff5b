"""Lists of events on pages: what is in them, in what order, under which days, and on which page."""

import pytest

from calendar_site.content.models import CustomField, Image
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, TicketFactory, VenueFactory
from tests.pages.reading import listed, read, titles
from tests.pictures import drawn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def noon(time_machine):
    """A Saturday."""
    time_machine.move_to("2030-05-04 12:00Z", tick=False)


def section(page, name):
    return page.one("section", id=name)


# --- Coming events -------------------------------------------------------------------------------


def test_coming_events_stand_under_their_days(client):
    hall, park = VenueFactory(title="Hall", city="Port Ellery"), VenueFactory(title="Park")
    EventFactory(title="Breakfast", start="2030-05-04 08:00", end="2030-05-04 11:59")
    EventFactory(title="Tour", start="2030-05-04 11:00", end="2030-05-04 13:00", venues=[hall, park])
    EventFactory(title="Ball", start="2030-05-04 22:00", end="2030-05-05 02:00")
    EventFactory(title="Market", start="2030-05-05", end="2030-05-05", all_day=True, venues=[park])
    EventFactory(title="Camp", start="2030-05-05 09:00", end="2030-05-08 12:00")

    page = read(client.get("/"))

    assert listed(page) == [
        (
            "Saturday 4 May 2030",
            [
                ("Tour", "11:00 to 13:00", "Hall, Port Ellery; Park"),
                ("Ball", "22:00 to 02:00 the next day"),
            ],
        ),
        (
            "Sunday 5 May 2030",
            [
                ("Market", "All day", "Park"),
                ("Camp", "Sunday 5 May 2030, 09:00 to Wednesday 8 May 2030, 12:00"),
            ],
        ),
    ]
    assert [time["datetime"] for heading in page.all("h2") for time in heading.all("time")] == [
        "2030-05-04",
        "2030-05-05",
    ]


def test_what_began_on_an_earlier_day_stands_first_with_its_day(client):
    EventFactory(title="Exhibition", start="2030-01-01 10:00", end="2030-12-31 18:00")
    EventFactory(title="Night", start="2030-05-03 22:00", end="2030-05-04 12:01")
    EventFactory(title="Over", start="2030-05-03 22:00", end="2030-05-04 12:00")

    assert listed(read(client.get("/"))) == [
        (
            "Already under way",
            [
                ("Exhibition", "Tuesday 1 January 2030, 10:00 to Tuesday 31 December 2030, 18:00"),
                ("Night", "Friday 3 May 2030, 22:00 to 12:01 the next day"),
            ],
        )
    ]


def test_what_is_ahead_on_the_day_before_by_its_own_clock_is_not_under_way(client, time_machine):
    time_machine.move_to("2030-05-04 03:00Z", tick=False)
    EventFactory(title="Luau", start="2030-05-03 18:00", end="2030-05-03 20:00", time_zone="Pacific/Honolulu")
    EventFactory(title="Concert", start="2030-05-03 19:00", end="2030-05-04 06:00")

    assert listed(read(client.get("/"))) == [
        ("Already under way", [("Concert", "Friday 3 May 2030, 19:00 to 06:00 the next day")]),
        ("Friday 3 May 2030", [("Luau", "18:00 to 20:00 (Pacific/Honolulu, HST)")]),
    ]


def test_days_are_those_of_the_site(client, settings):
    settings.SITE_TIME_ZONE = "America/New_York"
    EventFactory(title="Concert", start="2030-05-04 20:00", end="2030-05-04 22:00")
    EventFactory(title="Stream", start="2030-05-05 02:00", end="2030-05-05 04:00", time_zone="UTC")

    page = read(client.get("/"))

    assert listed(page) == [
        ("Saturday 4 May 2030", [("Concert", "20:00 to 22:00")]),
        ("Sunday 5 May 2030", [("Stream", "02:00 to 04:00 (UTC)")]),
    ]
    assert page.one("footer").one("p").text == "Times without a time zone are in America/New York."


def test_no_coming_events(client):
    EventFactory(title="Over", start="2030-05-03 10:00")

    page = read(client.get("/"))

    assert next(paragraph.text for paragraph in page.one("main").all("p")) == "There are no coming events."
    assert titles(page) == []


def test_the_first_page_of_the_site_leads_to_the_api_and_the_admin(client):
    page = read(client.get("/"))

    links = {link.text: link["href"] for link in page.all("a") if "hreflang" not in link.attributes}
    assert links == {
        "Skip to the content": "#content",
        "Event calendar": "http://testserver/",
        "Coming events": "http://testserver/",
        "API": "http://testserver/cal/events/v1/doc",
        "Admin": "http://testserver/admin/",
        "http://testserver/cal/events/v1": "http://testserver/cal/events/v1",
        "try out": "http://testserver/cal/events/v1/doc",
        "admin": "http://testserver/admin/",
    }


# --- Events of a record --------------------------------------------------------------------------


@pytest.fixture
def paths(db):
    """The pages that list events; each of their records has one coming and two past events."""
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    links = {
        "venues": [VenueFactory(title="Hall"), VenueFactory(title="Park")],
        "organizers": [OrganizerFactory(title="Choir"), OrganizerFactory(title="Band")],
        # Both are on the way to the same page: the event is there once.
        "categories": [jazz, music],
        "tags": [TagFactory(name="Outdoor"), TagFactory(name="Free")],
    }
    EventFactory(title="First", start="2029-05-01 10:00", **links)
    EventFactory(title="Second", start="2030-05-03 10:00", **links)
    EventFactory(title="Third", start="2030-06-01 10:00", **links)
    EventFactory(title="Elsewhere", start="2030-06-01 10:00", categories=[CategoryFactory(name="Art")])
    EventFactory(title="Elsewhere before", start="2030-05-01 10:00", categories=[CategoryFactory(name="Film")])
    return ("/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/")


def test_pages_of_records_list_their_coming_events_and_their_past_ones(client, paths):
    for path in paths:
        page = read(client.get(path))

        assert [heading.text for heading in page.all("h2")] == ["Coming events", "Past events"]
        assert [(day, [event[:2] for event in events]) for day, events in listed(section(page, "coming"))] == [
            ("Saturday 1 June 2030", [("Third", "10:00")])
        ]
        assert [(day, [event[:2] for event in events]) for day, events in listed(section(page, "past"))] == [
            ("Friday 3 May 2030", [("Second", "10:00")]),
            ("Tuesday 1 May 2029", [("First", "10:00")]),
        ]


def test_category_has_the_events_below_it_and_not_those_above(client, paths):
    jazz = CategoryFactory(name="Free jazz", parent=CategoryFactory(name="Very free jazz"))
    EventFactory(title="Session", start="2030-06-02 10:00", categories=[jazz])

    assert [titles(read(client.get(f"/events/category/{slug}/"))) for slug in ("very-free-jazz", "jazz")] == [
        ["Session"],
        ["Third", "Second", "First"],
    ]


@pytest.mark.parametrize(
    "path", ["/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/"]
)
def test_pages_of_records_without_events_say_so(client, path):
    VenueFactory(title="Hall")
    OrganizerFactory(title="Choir")
    CategoryFactory(name="Music")
    TagFactory(name="Outdoor")
    EventFactory(title="Elsewhere")

    page = read(client.get(path))

    assert [paragraph.text for paragraph in page.one("main").all("p")] == ["There are no coming events here."]
    assert [heading.text for heading in page.all("h2")] == ["Coming events"]


def test_parts_of_an_event_stand_in_their_order_past_ones_too(client):
    fair = EventFactory(title="Fair", start="2030-05-03 10:00", end="2030-05-06 10:00")
    EventFactory(title="Closing", start="2030-05-06 09:00", parent=fair)
    EventFactory(title="Opening", start="2030-05-03 10:00", parent=fair)
    EventFactory(title="Not a part", start="2030-05-03 10:00")

    page = read(client.get("/event/fair/"))

    assert listed(section(page, "parts")) == [
        ("Friday 3 May 2030", [("Opening", "10:00")]),
        ("Monday 6 May 2030", [("Closing", "09:00")]),
    ]


# --- Pages of a list -----------------------------------------------------------------------------


def pager(element):
    """The texts and addresses of the links to the other pages."""
    return [
        (item.text, *(link["href"] for link in item.all("a")))
        for navigation in element.all("nav", **{"class": "pages"})
        for item in navigation.all("li")
    ]


def make_many(count, start, **links):
    for number in range(count):
        EventFactory(title=f"Event {number:02}", start=f"{start} {number // 2:02}:{number % 2 * 30:02}", **links)


def test_long_lists_come_in_pages_of_twenty(client):
    make_many(41, "2030-06-01")
    EventFactory(title="Over", start="2030-05-03 10:00")

    first, second, third = (read(client.get(f"/?page={number}")) for number in (1, 2, 3))

    assert [*titles(first), *titles(second), *titles(third)] == [f"Event {number:02}" for number in range(41)]
    assert [len(titles(page)) for page in (first, second, third)] == [20, 20, 1]
    assert [pager(page) for page in (first, second, third)] == [
        [("Page 1 of 3",), ("Next page", "http://testserver/?page=2#content")],
        [
            ("Previous page", "http://testserver/#content"),
            ("Page 2 of 3",),
            ("Next page", "http://testserver/?page=3#content"),
        ],
        [("Previous page", "http://testserver/?page=2#content"), ("Page 3 of 3",)],
    ]
    assert [page.one("title").text for page in (first, second)] == [
        "Coming events – Event calendar",
        "Coming events, page 2 – Event calendar",
    ]
    assert [page.one("link", rel="canonical")["href"] for page in (first, second)] == [
        "http://testserver/",
        "http://testserver/?page=2",
    ]


def test_twenty_events_are_one_page(client):
    make_many(20, "2030-06-01")

    page = read(client.get("/"))

    assert (len(titles(page)), pager(page)) == (20, [])


def test_coming_and_past_events_have_pages_of_their_own(client):
    hall = VenueFactory(title="Hall")
    make_many(21, "2030-06-01", venues=[hall])
    make_many(41, "2030-05-01", venues=[hall])

    page = read(client.get("/venue/hall/?page=2&past=2&utm_source=letter"))

    assert titles(section(page, "coming")) == ["Event 20"]
    assert titles(section(page, "past")) == [f"Event {number:02}" for number in range(20, 0, -1)]
    assert pager(section(page, "coming")) == [
        ("Previous page", "http://testserver/venue/hall/?past=2#coming"),
        ("Page 2 of 2",),
    ]
    assert pager(section(page, "past")) == [
        ("Previous page", "http://testserver/venue/hall/?page=2#past"),
        ("Page 2 of 3",),
        ("Next page", "http://testserver/venue/hall/?page=2&past=3#past"),
    ]
    assert page.one("link", rel="canonical")["href"] == "http://testserver/venue/hall/?page=2&past=2"


@pytest.mark.parametrize("number", ["0", "3", "-1", "01", "1.0", "x", "", "%00", "１", "%FF", "9" * 9, "9" * 5000])
def test_pages_that_are_none_are_not_found(client, number):
    hall = VenueFactory(title="Hall")
    music = CategoryFactory(name="Music")
    fair = EventFactory(title="Fair")
    for start in ("2030-06-01", "2030-05-01"):
        make_many(21, start, venues=[hall], categories=[music], parent=fair)

    asked = [
        f"/?page={number}",
        f"/event/fair/?page={'4' if number == '3' else number}",
        f"/venue/hall/?page={number}",
        f"/venue/hall/?past={number}",
        f"/venue/hall/?page=2&past={number}",
        f"/events/category/music/?past={number}",
    ]

    assert [client.get(path).status_code for path in asked] == [404] * len(asked)


def test_the_first_page_of_nothing_is_there_and_the_second_is_not(client):
    TagFactory(name="Outdoor")

    paths = ("/events/tag/outdoor/?page=1&past=1", "/events/tag/outdoor/?page=2", "/events/tag/outdoor/?past=2")

    assert [client.get(path).status_code for path in paths] == [200, 404, 404]


# --- Queries -------------------------------------------------------------------------------------


@pytest.fixture
def carried(keep):
    """Makes what a record carries: an image of its own, a custom field."""
    for resource in CustomField.Resource.values:
        CustomField.objects.create(resource=resource, name="seats", label="Seats", kind="number")

    def make():
        number = Image.objects.count()
        return {"image": keep(drawn(size=(20 + number, 20))), "custom_values": {"seats": number}}

    return make


def linked_to_everything(carried):
    """What three events share, three of each kind."""
    return {
        "venues": [VenueFactory(**carried()) for _ in range(3)],
        "organizers": [OrganizerFactory(**carried()) for _ in range(3)],
        "categories": [CategoryFactory(parent=CategoryFactory()) for _ in range(3)],
        "tags": TagFactory.create_batch(3),
        "parent": EventFactory(title="Whole", start="2020-01-01 10:00", **carried()),
    }


# Coming events: long ones, count, page, venues, images. Past ones and parts: the same but the long ones.
# Categories and tags: scheduled events whose date has come, as counts need them.
QUERIES = {
    "/": lambda links: ("/", 5),
    # The event, 4 kinds of links, the scheduled and the tickets, images and custom fields, the whole, the parts.
    "event": lambda links: ("/event/whole/", 1 + 6 + 2 + 4),
    "part": lambda links: ("/event/event-0/", 1 + 6 + 2 + 1 + 1),
    "venue": lambda links: (f"/venue/{links['venues'][0].slug}/", 3 + 5 + 4),
    "organizer": lambda links: (f"/organizer/{links['organizers'][0].slug}/", 3 + 5 + 4),
    # The scheduled, the category, the one above, all of them for those below, those right below.
    "category": lambda links: (f"/events/category/{links['categories'][0].slug}/", 5 + 5 + 4),
    "category above": lambda links: (f"/events/category/{links['categories'][0].parent.slug}/", 4 + 5 + 4),
    "tag": lambda links: (f"/events/tag/{links['tags'][0].slug}/", 2 + 5 + 4),
}


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("page", QUERIES)
def test_pages_cost_the_same_queries_however_much_they_show(client, django_assert_num_queries, carried, page, count):
    links = linked_to_everything(carried)
    for number in range(count):
        coming = EventFactory(title=f"Event {number}", start=f"2030-06-0{number + 1} 10:00", **links, **carried())
        EventFactory(title=f"Past event {number}", start=f"2030-05-0{number + 1} 10:00", **links, **carried())
        TicketFactory.create_batch(count, event=coming)
    path, queries = QUERIES[page](links)

    with django_assert_num_queries(queries):
        response = client.get(path)

    assert response.status_code == 200
