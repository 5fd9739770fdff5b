"""Lists of events on pages: their events, order, days and pagination."""

import pytest

from calendar_site.custom_fields.models import CustomField
from calendar_site.media.models import Image
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, TicketFactory, VenueFactory
from tests.support.html_page import event_titles, listed_events, parse_page
from tests.support.image_files import plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]


def section(page, name):
    return page.one("section", id=name)


# --- Upcoming events -----------------------------------------------------------------------------


def test_upcoming_events_are_grouped_by_day(client):
    hall, park = VenueFactory(title="Hall", city="Port Ellery"), VenueFactory(title="Park")
    EventFactory(title="Breakfast", start="2030-05-04 08:00", end="2030-05-04 11:59")
    EventFactory(title="Tour", start="2030-05-04 11:00", end="2030-05-04 13:00", venues=[hall, park])
    EventFactory(title="Ball", start="2030-05-04 22:00", end="2030-05-05 02:00")
    EventFactory(title="Market", start="2030-05-05", end="2030-05-05", all_day=True, venues=[park])
    EventFactory(title="Camp", start="2030-05-05 09:00", end="2030-05-08 12:00")

    page = parse_page(client.get("/"))

    assert listed_events(page) == [
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


def test_events_that_started_on_an_earlier_day_come_first(client):
    EventFactory(title="Exhibition", start="2030-01-01 10:00", end="2030-12-31 18:00")
    EventFactory(title="Night", start="2030-05-03 22:00", end="2030-05-04 12:01")
    EventFactory(title="Over", start="2030-05-03 22:00", end="2030-05-04 12:00")

    assert listed_events(parse_page(client.get("/"))) == [
        (
            "Ongoing",
            [
                ("Exhibition", "until 31 Dec 2030"),
                ("Night", "Friday 3 May 2030, 22:00 to 12:01 the next day"),
            ],
        )
    ]


def test_event_that_starts_later_in_a_time_zone_where_it_is_yesterday_is_not_under_way(client, time_machine):
    time_machine.move_to("2030-05-04 03:00Z", tick=False)
    EventFactory(title="Luau", start="2030-05-03 18:00", end="2030-05-03 20:00", time_zone="Pacific/Honolulu")
    EventFactory(title="Concert", start="2030-05-03 19:00", end="2030-05-04 06:00")

    assert listed_events(parse_page(client.get("/"))) == [
        ("Ongoing", [("Concert", "Friday 3 May 2030, 19:00 to 06:00 the next day")]),
        ("Friday 3 May 2030", [("Luau", "18:00 to 20:00 (Pacific/Honolulu, HST)")]),
    ]


def test_days_are_in_the_time_zone_of_the_site(client, settings):
    settings.SITE_TIME_ZONE = "America/New_York"
    EventFactory(title="Concert", start="2030-05-04 20:00", end="2030-05-04 22:00")
    EventFactory(title="Stream", start="2030-05-05 02:00", end="2030-05-05 04:00", time_zone="UTC")

    page = parse_page(client.get("/"))

    assert listed_events(page) == [
        ("Saturday 4 May 2030", [("Concert", "20:00 to 22:00")]),
        ("Sunday 5 May 2030", [("Stream", "02:00 to 04:00 (UTC)")]),
    ]
    assert page.one("footer").one("p").text == "Times are in America/New York unless noted otherwise."


def test_no_upcoming_events(client):
    EventFactory(title="Over", start="2030-05-03 10:00")

    page = parse_page(client.get("/"))

    assert "No upcoming events." in [paragraph.text for paragraph in page.one("main").all("p")]
    assert event_titles(page) == []


def test_home_page_leads_to_the_views_the_calendar_file_and_the_admin(client):
    page = parse_page(client.get("/"))

    links = {link.text: link["href"] for link in page.all("a") if "hreflang" not in link.attributes}
    by_url = "url=http%3A%2F%2Ftestserver%2Fevents.ics&name=Upcoming%20events"
    assert links == {
        "Skip to main content": "#content",
        "Event calendar": "http://testserver/",
        "List": "http://testserver/events/list/",
        "Month": "http://testserver/events/month/",
        "Week": "http://testserver/events/week/",
        "Day": "http://testserver/events/today/",
        "Map": "http://testserver/events/map/",
        "Today": "http://testserver/events/today/",
        "This weekend": "http://testserver/events/list/?days=2",
        "Next 7 days": "http://testserver/events/list/?days=7",
        "Past events": "http://testserver/events/list/?past=1",
        "Programme for printing": "http://testserver/programme/",
        "Apple Calendar and other programs": "webcal://testserver/events.ics",
        "Google Calendar": "https://calendar.google.com/calendar/render?cid=webcal%3A%2F%2Ftestserver%2Fevents.ics",
        "Outlook.com": f"https://outlook.live.com/calendar/0/addfromweb?{by_url}",
        "Microsoft 365": f"https://outlook.office.com/calendar/0/addfromweb?{by_url}",
        "Outlook (Windows)": "webcal:http://testserver/events.ics",
        "Download as iCalendar file": "http://testserver/events.ics",
        "API": "http://testserver/cal/events/v1/doc",
        "Admin": "http://testserver/admin/",
    }


# --- Events of a record --------------------------------------------------------------------------


@pytest.fixture
def paths(db):
    """Return the paths of records that have one upcoming and two past events each."""
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    links = {
        "venues": [VenueFactory(title="Hall"), VenueFactory(title="Park")],
        "organizers": [OrganizerFactory(title="Choir"), OrganizerFactory(title="Band")],
        # The page of the parent category finds each event by both, and lists it once.
        "categories": [jazz, music],
        "tags": [TagFactory(name="Outdoor"), TagFactory(name="Free")],
    }
    EventFactory(title="First", start="2029-05-01 10:00", **links)
    EventFactory(title="Second", start="2030-05-03 10:00", **links)
    EventFactory(title="Third", start="2030-06-01 10:00", **links)
    EventFactory(title="Elsewhere", start="2030-06-01 10:00", categories=[CategoryFactory(name="Art")])
    EventFactory(title="Elsewhere before", start="2030-05-01 10:00", categories=[CategoryFactory(name="Film")])
    return ("/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/")


def test_records_list_their_upcoming_and_past_events(client, paths):
    for path in paths:
        page = parse_page(client.get(path))

        assert [heading.text for heading in page.all("h2")] == ["Upcoming events", "Past events"]
        assert [(day, [event[:2] for event in events]) for day, events in listed_events(section(page, "coming"))] == [
            ("Saturday 1 June 2030", [("Third", "10:00")])
        ]
        assert [(day, [event[:2] for event in events]) for day, events in listed_events(section(page, "past"))] == [
            ("Friday 3 May 2030", [("Second", "10:00")]),
            ("Tuesday 1 May 2029", [("First", "10:00")]),
        ]


def test_category_lists_events_of_its_descendants(client, paths):
    jazz = CategoryFactory(name="Free jazz", parent=CategoryFactory(name="Very free jazz"))
    EventFactory(title="Session", start="2030-06-02 10:00", categories=[jazz])

    assert [
        event_titles(parse_page(client.get(f"/events/category/{slug}/"))) for slug in ("very-free-jazz", "jazz")
    ] == [
        ["Session"],
        ["Third", "Second", "First"],
    ]


@pytest.mark.parametrize(
    "path", ["/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/"]
)
def test_records_without_events_show_a_message(client, path):
    VenueFactory(title="Hall")
    OrganizerFactory(title="Choir")
    CategoryFactory(name="Music")
    TagFactory(name="Outdoor")
    EventFactory(title="Elsewhere")

    page = parse_page(client.get(path))

    assert page.one("section", id="coming").all("p")[0].text == "No upcoming events."
    assert [heading.text for heading in page.all("h2")] == ["Upcoming events"]


def test_parts_of_an_event_are_listed_with_past_ones(client):
    fair = EventFactory(title="Fair", start="2030-05-03 10:00", end="2030-05-06 10:00")
    EventFactory(title="Closing", start="2030-05-06 09:00", parent=fair)
    EventFactory(title="Opening", start="2030-05-03 10:00", parent=fair)
    EventFactory(title="Not a part", start="2030-05-03 10:00")

    page = parse_page(client.get("/event/fair/"))

    assert listed_events(section(page, "parts")) == [
        ("Friday 3 May 2030", [("Opening", "10:00")]),
        ("Monday 6 May 2030", [("Closing", "09:00")]),
    ]


# --- Pagination ----------------------------------------------------------------------------------


def pager_of(element):
    """Return the items of the pagination: their texts and URLs."""
    return [
        (item.text, *(link["href"] for link in item.all("a")))
        for navigation in element.all("nav", **{"class": "pagination"})
        for item in navigation.all("li")
    ]


def create_events(count, start, **links):
    for number in range(count):
        EventFactory(title=f"Event {number:02}", start=f"{start} {number // 2:02}:{number % 2 * 30:02}", **links)


def test_lists_have_twenty_events_per_page(client):
    create_events(41, "2030-06-01")
    EventFactory(title="Over", start="2030-05-03 10:00")

    first, second, third = (parse_page(client.get(f"/?page={number}")) for number in (1, 2, 3))

    assert [*event_titles(first), *event_titles(second), *event_titles(third)] == [
        f"Event {number:02}" for number in range(41)
    ]
    assert [len(event_titles(page)) for page in (first, second, third)] == [20, 20, 1]
    assert [pager_of(page) for page in (first, second, third)] == [
        [("Page 1 of 3",), ("Next page", "http://testserver/?page=2#content")],
        [
            ("Previous page", "http://testserver/#content"),
            ("Page 2 of 3",),
            ("Next page", "http://testserver/?page=3#content"),
        ],
        [("Previous page", "http://testserver/?page=2#content"), ("Page 3 of 3",)],
    ]
    assert [page.one("title").text for page in (first, second)] == [
        "Upcoming events – Event calendar",
        "Upcoming events, page 2 – Event calendar",
    ]
    assert [page.one("link", rel="canonical")["href"] for page in (first, second)] == [
        "http://testserver/",
        "http://testserver/?page=2",
    ]


def test_twenty_events_have_no_pagination(client):
    create_events(20, "2030-06-01")

    page = parse_page(client.get("/"))

    assert (len(event_titles(page)), pager_of(page)) == (20, [])


def test_upcoming_and_past_events_are_paginated_separately(client):
    hall = VenueFactory(title="Hall")
    create_events(21, "2030-06-01", venues=[hall])
    create_events(41, "2030-05-01", venues=[hall])

    page = parse_page(client.get("/venue/hall/?page=2&past=2&utm_source=letter"))

    assert event_titles(section(page, "coming")) == ["Event 20"]
    assert event_titles(section(page, "past")) == [f"Event {number:02}" for number in range(20, 0, -1)]
    assert pager_of(section(page, "coming")) == [
        ("Previous page", "http://testserver/venue/hall/?past=2#coming"),
        ("Page 2 of 2",),
    ]
    assert pager_of(section(page, "past")) == [
        ("Previous page", "http://testserver/venue/hall/?page=2#past"),
        ("Page 2 of 3",),
        ("Next page", "http://testserver/venue/hall/?page=2&past=3#past"),
    ]
    assert page.one("link", rel="canonical")["href"] == "http://testserver/venue/hall/?page=2&past=2"


@pytest.mark.parametrize("number", ["0", "3", "-1", "01", "1.0", "x", "", "%00", "１", "%FF", "9" * 9, "9" * 5000])
def test_invalid_page_numbers_are_not_found(client, number):
    hall = VenueFactory(title="Hall")
    music = CategoryFactory(name="Music")
    fair = EventFactory(title="Fair")
    for start in ("2030-06-01", "2030-05-01"):
        create_events(21, start, venues=[hall], categories=[music], parent=fair)

    paths = [
        f"/?page={number}",
        f"/event/fair/?page={'4' if number == '3' else number}",
        f"/venue/hall/?page={number}",
        f"/venue/hall/?past={number}",
        f"/venue/hall/?page=2&past={number}",
        f"/events/category/music/?past={number}",
    ]

    assert [client.get(path).status_code for path in paths] == [404] * len(paths)


def test_empty_list_has_one_page(client):
    TagFactory(name="Outdoor")

    paths = ("/events/tag/outdoor/?page=1&past=1", "/events/tag/outdoor/?page=2", "/events/tag/outdoor/?past=2")

    assert [client.get(path).status_code for path in paths] == [200, 404, 404]


# --- Queries -------------------------------------------------------------------------------------


@pytest.fixture
def make_extras(keep):
    """Return a function that creates an image and a custom field value for a record."""
    for resource in CustomField.Resource.values:
        CustomField.objects.create(resource=resource, name="seats", label="Seats", kind="number")

    def make():
        number = Image.objects.count()
        return {"image": keep(plain_image(size=(20 + number, 20))), "custom_values": {"seats": number}}

    return make


def create_linked_records(make_extras):
    """Create the records that all events link to, three of each kind."""
    return {
        "venues": [VenueFactory(**make_extras()) for _ in range(3)],
        "organizers": [OrganizerFactory(**make_extras()) for _ in range(3)],
        "categories": [CategoryFactory(parent=CategoryFactory()) for _ in range(3)],
        "tags": TagFactory.create_batch(3),
        "parent": EventFactory(title="Whole", start="2020-01-01 10:00", **make_extras()),
    }


# For JSON-LD, the record of the API: the rendering, the version of linked records, the parent, and what a process reads
# once of each kind of linked records, their images and custom fields.
RECORD = 13
# A list of upcoming events: long events, count, ids, events, links, venues, images. Other lists have no query for long
# events, and lists of a record one to find it again.
UPCOMING, OTHER, OF_RECORD = 7, 6, 1
# The site, and the images of categories.
SITE = 2
NEIGHBORS, SIMILAR = 2, 4
LISTS_OF_RECORD = UPCOMING + OTHER + 2 * OF_RECORD + SITE
QUERIES = {
    # The first and the last event, the categories and the towns of the filter.
    "/": lambda links: ("/", UPCOMING + 4 + SITE),
    # The events before and after it; for similar ones, the records, long events, ids and events.
    # The event, 4 kinds of links and tickets, 4 kinds of linked records and scheduled events if it has links, images
    # and custom fields, the parent, the parts; of an event with a parent, also whether the parent is visible.
    "event": lambda links: ("/event/whole/", 1 + 5 + 2 + 4 + OTHER + NEIGHBORS + SITE),
    "part": lambda links: ("/event/event-0/", 1 + 5 + 5 + 2 + 1 + 1 + 1 + RECORD + NEIGHBORS + SIMILAR + SITE),
    "venue": lambda links: (f"/venue/{links['venues'][0].slug}/", 3 + LISTS_OF_RECORD),
    "organizer": lambda links: (f"/organizer/{links['organizers'][0].slug}/", 3 + LISTS_OF_RECORD),
    # The category, its parent, its children.
    "category": lambda links: (f"/events/category/{links['categories'][0].slug}/", 3 + LISTS_OF_RECORD),
    "category above": lambda links: (f"/events/category/{links['categories'][0].parent.slug}/", 2 + LISTS_OF_RECORD),
    "tag": lambda links: (f"/events/tag/{links['tags'][0].slug}/", 1 + LISTS_OF_RECORD),
}


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("page", QUERIES)
def test_pages_cost_a_fixed_number_of_queries(client, django_assert_num_queries, make_extras, page, count):
    links = create_linked_records(make_extras)
    for number in range(count):
        coming = EventFactory(title=f"Event {number}", start=f"2030-06-0{number + 1} 10:00", **links, **make_extras())
        EventFactory(title=f"Past event {number}", start=f"2030-05-0{number + 1} 10:00", **links, **make_extras())
        TicketFactory.create_batch(count, event=coming)
    path, queries = QUERIES[page](links)

    with django_assert_num_queries(queries):
        response = client.get(path)

    assert response.status_code == 200
