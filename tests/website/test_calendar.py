"""The calendar for visitors: months, weeks, days, filters, and how far its pages reach."""

import json
from datetime import date, timedelta

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.html_page import event_titles, listed_events, parse_page
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"


def get_page(client, path):
    response = client.get(path)
    assert response.status_code == 200, path
    return parse_page(response)


def month_cells(page):
    """The texts of the events in each cell of a month, by day; bars are in the cell where they begin."""
    cells = page.one("table").all("td")
    return {
        cell.all("time")[0]["datetime"][8:]: [item.text for item in cell.all("li")]
        for cell in cells
        if cell.all("time") and cell.all("li")
    }


def days_with_counts(page):
    """The numbers of events that phones show, by day."""
    jumps = page.one("table").all("a", **{"class": "to-list"})
    return {link["href"]: int(link.all("span", **{"aria-hidden": "true"})[0].text) for link in jumps}


# --- The month ---------------------------------------------------------------------------------


def test_month_is_a_table_with_the_events_of_each_day(client):
    EventFactory(title="Breakfast", start="2030-05-04 08:00", end="2030-05-04 11:59")
    EventFactory(title="Market", start="2030-05-05", end="2030-05-05", all_day=True)
    EventFactory(title="Ball", start="2030-05-31 22:00", end="2030-06-01 02:00", event_status="cancelled")
    EventFactory(title="Camp", start="2030-05-10 09:00", end="2030-05-13 12:00")
    EventFactory(title="April", start="2030-04-30 22:00", end="2030-05-01 00:00")
    EventFactory(title="June", start="2030-06-01 00:00", end="2030-06-01 01:00")
    EventFactory(title="Draft", start="2030-05-04 09:00", end="2030-05-04 10:00", status="draft")
    EventFactory(title="Unlisted", start="2030-05-04 09:00", end="2030-05-04 10:00", hide_from_listings=True)

    page = get_page(client, "/events/2030-05/")

    assert page.one("h1").text == page.one("caption").text == "Events in May 2030"
    assert [head.one("abbr")["title"] for head in page.all("th", scope="col")] == [
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
    ]
    assert month_cells(page) == {
        "04": ["08:00 Breakfast, Saturday 4 May 2030"],
        "05": ["Market, Sunday 5 May 2030"],
        "10": ["Camp, 10 May – 13 May"],
        "12": ["Camp, 10 May – 13 May"],
        "31": ["22:00 Ball, Friday 31 May 2030 Cancelled"],
    }
    assert [link.text for link in page.one("nav", **{"aria-label": "Other dates"}).all("a")] == [
        "← Previous: April 2030",
        "Next: June 2030 →",
    ]


def test_month_says_which_days_are_past(client):
    for day in ("03", "04", "05"):
        EventFactory(title="Fair", start=f"2030-05-{day} 13:00", end=f"2030-05-{day} 14:00")

    page = get_page(client, "/events/2030-05/")

    for kind in ("to-page", "to-list"):
        assert [link.text.partition(", ")[2] for link in page.all("a", **{"class": kind})] == [
            "1 event, past",
            "1 event",
            "1 event",
        ]


def test_month_without_a_date_is_that_of_today(client):
    EventFactory(title="Breakfast", start="2030-05-04 08:00", end="2030-05-04 11:59")

    page = get_page(client, "/events/month/")

    assert page.one("main").all("table")[0].all("td", **{"class": "bar-rows-0 today"})[0].text.endswith("2030")
    assert month_cells(page) == month_cells(get_page(client, "/events/2030-05/"))
    assert page.one("link", rel="canonical")["href"] == f"{SITE}/events/2030-05/"


def test_cell_has_five_events_and_the_number_of_the_others(client):
    for hour in range(10, 22):
        EventFactory(title=f"At {hour}", start=f"2030-05-04 {hour}:00", end=f"2030-05-04 {hour}:30")
    EventFactory(title="Long", start="2030-05-01 10:00", end="2030-05-30 10:00")

    page = get_page(client, "/events/2030-05/")
    day = get_page(client, "/events/2030-05-04/")

    assert month_cells(page)["04"] == [
        *(f"{hour}:00 At {hour}, Saturday 4 May 2030" for hour in range(10, 14)),
        "8 more, Saturday 4 May 2030",
    ]
    assert days_with_counts(page)["#day-2030-05-04"] == len(event_titles(day)) == 13
    assert event_titles(day)[0] == "Long"
    assert page.one("li", **{"class": "more"}).one("a")["href"] == f"{SITE}/events/2030-05-04/"


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Pacific/Auckland"])
def test_numbers_of_a_month_are_those_of_its_days(client, settings, zone):
    settings.SITE_TIME_ZONE = zone
    first = date(2030, 3, 1)
    for index in range(60):
        day = first + timedelta(days=index * 7 % 61)
        length = (0, 0, 1, 0, 4, 0, 12)[index % 7]
        end = day + timedelta(days=length)
        EventFactory(
            title=f"Event {index}",
            start=f"{day} {index % 24:02}:30",
            end=f"{end} 23:45",
            **({"time_zone": "Asia/Tokyo"} if index % 5 == 0 else {}),
        )

    for month in ("2030-03", "2030-04", "2030-05"):
        counts = days_with_counts(get_page(client, f"/events/{month}/"))
        assert counts
        for anchor, count in counts.items():
            day = anchor.removeprefix("#day-")
            assert len(event_titles(get_page(client, f"/events/{day}/"))) == count, day


# Local times, and the days of May on which the event takes place.
MIDNIGHT_CASES = {
    "until midnight": ("2030-05-08 22:00", "2030-05-09 00:00", ["08"]),
    "into the night": ("2030-05-08 22:00", "2030-05-09 02:00", ["08"]),
    "without an end": ("2030-05-08 23:45", "2030-05-08 23:45", ["08"]),
    "after midnight": ("2030-05-08 00:00", "2030-05-08 01:00", ["08"]),
    "whole day": ("2030-05-08 00:00:00", "2030-05-08 23:59:59", ["08"]),
    "until the next morning": ("2030-05-08 22:00", "2030-05-09 10:00", ["08", "09"]),
}


@pytest.mark.parametrize(("start", "end", "days"), MIDNIGHT_CASES.values(), ids=MIDNIGHT_CASES)
def test_events_near_midnight_are_on_their_days_in_every_view(client, start, end, days):
    EventFactory(title="Night", start=start, end=end)
    EventFactory(title="Frame", start="2030-04-01 10:00", end="2030-04-01 11:00")
    EventFactory(title="Frame", start="2030-06-20 10:00", end="2030-06-20 11:00")

    counts = days_with_counts(get_page(client, "/events/2030-05/"))
    week = listed_events(get_page(client, "/events/week/2030-05-08/"))

    assert [anchor[-2:] for anchor in counts] == days
    assert [
        day for day in ("07", "08", "09", "10") if "Night" in event_titles(get_page(client, f"/events/2030-05-{day}/"))
    ] == days
    assert [heading.split()[1].zfill(2) for heading, events in week if events] == days
    assert [
        heading for heading, events in listed_events(get_page(client, "/events/list/")) if events[0][0] == "Night"
    ] == ["Wednesday 8 May 2030"]


# --- Weeks, days and the list ------------------------------------------------------------------


def test_week_and_day_list_long_events_once(client):
    EventFactory(title="Exhibition", start="2030-04-20 10:00", end="2030-05-20 18:00")
    EventFactory(title="Fair", start="2030-05-07 10:00", end="2030-05-08 18:00")

    week, day = (listed_events(get_page(client, f"/events/{path}/")) for path in ("week/2030-05-08", "2030-05-08"))

    fair = ("Fair", "Tuesday 7 May 2030, 10:00 to Wednesday 8 May 2030, 18:00")
    assert [entry for entry in week if entry[1]] == [
        ("Ongoing", [("Exhibition", "until 20 May 2030")]),
        ("Tuesday 7 May 2030", [fair]),
        ("Wednesday 8 May 2030", [fair]),
    ]
    assert day == [("Ongoing", [("Exhibition", "until 20 May 2030")]), ("Wednesday 8 May 2030", [fair])]


def test_week_shows_ten_events_of_a_day_and_the_number_of_the_others(client):
    for number in range(12):
        EventFactory(
            title=f"Event {number}", start=f"2030-05-07 {number + 8:02}:00", end=f"2030-05-07 {number + 8:02}:30"
        )

    page = get_page(client, "/events/week/2030-05-07/")

    assert event_titles(page) == [f"Event {number}" for number in range(10)]
    assert [link["href"] for link in page.all("a") if link.text.startswith("2 more")] == [f"{SITE}/events/2030-05-07/"]


def test_list_begins_on_the_chosen_day(client):
    EventFactory(title="Exhibition", start="2030-05-01 10:00", end="2030-06-20 18:00")
    EventFactory(title="Fair", start="2030-06-01 10:00", end="2030-06-01 18:00")
    EventFactory(title="Ball", start="2030-06-02 10:00", end="2030-06-02 18:00")

    page = get_page(client, "/events/list/?date=2030-06-02")

    assert listed_events(page) == [
        ("Ongoing", [("Exhibition", "until 20 Jun 2030")]),
        ("Sunday 2 June 2030", [("Ball", "10:00 to 18:00")]),
    ]


def test_past_events_are_a_list_of_their_own(client):
    EventFactory(title="Older", start="2030-05-01 10:00", end="2030-05-01 18:00")
    EventFactory(title="Old", start="2030-05-02 10:00", end="2030-05-04 12:00")
    EventFactory(title="Now", start="2030-05-02 10:00", end="2030-05-04 12:01")

    response = client.get("/events/list/?past=1")

    assert event_titles(parse_page(response)) == ["Old", "Older"]
    assert client.get("/events/list/?past=1&page=2").status_code == 404
    assert parse_page(response).one("h1").text == "Past events"
    assert response["X-Robots-Tag"] == "noindex, follow"


@pytest.mark.parametrize(("view", "title"), [("list", "Upcoming events"), ("month", "Events in May 2030")])
def test_root_shows_the_view_of_the_setting(client, settings, view, title):
    settings.HOME_VIEW, settings.VARIABLES_OF_SITE = view, {"HOME_VIEW"}
    EventFactory(title="Fair")

    for path in ("/", "/events", "/events/"):
        page = get_page(client, path)
        assert page.one("h1").text == title
        assert page.one("link", rel="canonical")["href"] == f"{SITE}/"


@pytest.mark.parametrize("path", ["2030-08", "week/2030-08-07", "2030-08-07"])
def test_empty_period_leads_to_the_next_event(client, path):
    EventFactory(title="Fair", start="2030-09-03 10:00", end="2030-09-03 12:00")

    page = get_page(client, f"/events/{path}/")

    message = page.one("p", **{"class": "no-events"})
    assert message.text == "No events. Next: 3 September"
    assert message.one("a")["href"] == f"{SITE}/events/2030-09-03/"


# --- How far pages reach -----------------------------------------------------------------------


def test_pages_reach_from_the_month_before_the_first_event_to_that_after_the_last(client):
    EventFactory(title="First", start="2030-03-10 10:00", end="2030-03-10 12:00")
    EventFactory(title="Last", start="2030-07-30 10:00", end="2030-08-02 12:00")
    EventFactory(title="Draft", start="2031-01-01 10:00", end="2031-01-01 12:00", status="draft")

    found = ["2030-02", "2030-09", "week/2030-02-01", "2030-02-01", "2030-09-30"]
    missing = ["2030-01", "2030-10", "week/2030-01-20", "2030-01-31", "2030-10-01", "2030-13", "2030-02-30", "0000-00"]

    assert [client.get(f"/events/{path}/").status_code for path in found] == [200] * len(found)
    assert [client.get(f"/events/{path}/").status_code for path in missing] == [404] * len(missing)
    assert client.get("/events/list/?date=2031-01-01").status_code == 404
    first, last = (get_page(client, f"/events/{month}/") for month in ("2030-02", "2030-09"))
    links = [
        [link.text for link in page.one("nav", **{"aria-label": "Other dates"}).all("a")] for page in (first, last)
    ]
    assert links == [["Today", "Next: March 2030 →"], ["← Previous: August 2030", "Today"]]


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_first_and_last_days_of_the_calendar_are_not_found(client, day):
    paths = [f"/events/{day[:7]}/", f"/events/week/{day}/", f"/events/{day}/"]
    queries = [f"/events/list/?date={day}", f"/programme/?date={day}", f"/events/month/?date={day}"]

    assert [client.get(path).status_code for path in paths + queries] == [404] * 6


def test_events_at_the_end_of_the_calendar_have_pages(client):
    EventFactory(title="Last", start="9998-12-30", end="9998-12-31", all_day=True)
    EventFactory(title="Very last", start="9998-12-31 23:00", end="9998-12-31 23:59", attendance_mode="online")

    paths = ["event/last", "event/very-last", "events/9999-01", "events/week/9998-12-31", "events/9998-12-31"]
    queries = ["programme/?date=9999-01-31&days=62", "events/list/?date=9998-12-31", "events/list/"]

    found = {path: client.get(f"/{path}").status_code for path in paths + queries}
    assert found == dict.fromkeys(paths + queries, 200)


def test_crawlers_come_to_an_end(client):
    """A spider that follows every link without `nofollow` finds no more than the records and a few months."""
    hall, choir = VenueFactory(title="Hall"), OrganizerFactory(title="Choir")
    music, jazz, tag = CategoryFactory(name="Music"), CategoryFactory(name="Jazz"), TagFactory(name="Loud")
    for number in range(45):
        day = date(2030, 4, 1) + timedelta(days=number * 2)
        EventFactory(
            title=f"Event {number}",
            start=f"{day} 10:00",
            end=f"{day} 12:00",
            venues=[hall],
            organizers=[choir],
            categories=[music, jazz],
            tags=[tag],
        )

    seen, queue = set(), [f"{SITE}/"]
    while queue:
        url = queue.pop()
        if url in seen or not url.startswith(SITE) or "/admin/" in url or "/cal/" in url:
            continue
        seen.add(url)
        response = client.get(url.removeprefix(SITE))
        if response["Content-Type"] != "text/html; charset=utf-8":
            continue
        links = [link for link in parse_page(response).all("a") if "nofollow" not in link.attributes.get("rel", "")]
        # The languages are the same pages.
        queue += [link["href"].partition("#")[0] for link in links if "hreflang" not in link.attributes]

    months = 4
    assert len(seen) <= 45 + 1 + 1 + 3 + 3 * months + 50
    assert f"{SITE}/events/2030-06/" in seen


# --- Records and filters -----------------------------------------------------------------------


@pytest.fixture
def concerts(db):
    """A concert, and an event that no filter of the tests finds. Return the paths of the concert's records."""
    hall = VenueFactory(title="Hall", city="Halifax", geo_lat=44.65, geo_lng=-63.57)
    choir = OrganizerFactory(title="Choir")
    VenueFactory(title="Draft", city="Secret", geo_lat=1, geo_lng=1, status="draft")
    music, tag = CategoryFactory(name="Music"), TagFactory(name="Loud")
    jazz = CategoryFactory(name="Jazz", parent=music)
    EventFactory(
        title="Concert",
        start="2030-05-08 20:00",
        end="2030-05-08 22:00",
        venues=[hall],
        organizers=[choir],
        categories=[jazz],
        tags=[tag],
        featured=True,
        cost="Free",
        attendance_mode="mixed",
        accessibility=["step_free", "hearing_loop"],
    )
    EventFactory(title="Other", start="2030-05-08 10:00", end="2030-05-08 12:00")
    protected = {"venues": [hall], "organizers": [choir], "categories": [jazz], "tags": [tag], "cost": "Free"}
    protected["featured"] = True
    EventFactory(title="Secret", start="2030-05-08 10:00", end="2030-05-08 12:00", password="x", **protected)


@pytest.mark.parametrize("view", ["list", "2030-05", "week/2030-05-08", "2030-05-08"])
@pytest.mark.parametrize(
    "path", ["events/category/music", "events/category/jazz", "events/tag/loud", "venue/hall", "organizer/choir"]
)
def test_records_have_calendars_of_their_events(client, concerts, path, view):
    page = get_page(client, f"/{path}/{view}/")

    name = path.rpartition("/")[2].title()
    assert page.one("h1").text.startswith(name)
    titles = event_titles(page) or [item.text for items in page.all("table") for item in items.all("li")]
    assert [title.partition(",")[0].removeprefix("20:00 ") for title in titles] == ["Concert"]
    assert page.one("link", rel="alternate", type="text/calendar")["href"] == f"{SITE}/{path}.ics"


FILTERS = {
    "search=concert": ["“concert”"],
    "categories=music": ["Music"],
    "tags=loud": ["Loud"],
    "venue=hall": ["Hall"],
    "organizer=choir": ["Choir"],
    "featured=true": ["Highlights"],
    "free=true": ["Free"],
    "near=44.65,-63.57": ["Within 25 km of Halifax"],
    "near=44.7,-63.5": ["Within 25 km of 44.7, -63.5"],
    "attendance_mode=online&attendance_mode=mixed": ["Online, In person and online"],
    "accessibility=step_free&accessibility=hearing_loop": ["Step-free access, Hearing loop"],
    "featured=true&categories=jazz&search=": ["Jazz", "Highlights"],
}


@pytest.mark.parametrize("view", ["list", "2030-05", "week/2030-05-08", "2030-05-08"])
@pytest.mark.parametrize(("query", "chips"), FILTERS.items(), ids=FILTERS)
def test_filters_apply_to_every_view(client, concerts, query, chips, view):
    response = client.get(f"/events/{view}/?{query}")

    page = parse_page(response)
    titles = event_titles(page) or [item.text for items in page.all("table") for item in items.all("li")]
    assert [title.partition(",")[0].removeprefix("20:00 ") for title in titles] == ["Concert"]
    assert [chip.one("bdi").text for chip in page.all("a", **{"class": "chip"})] == chips
    assert response["X-Robots-Tag"] == "noindex, follow"


def test_chip_takes_its_filter_off(client, concerts):
    page = get_page(client, "/events/2030-05/?search=concert&featured=true")

    assert [chip["href"] for chip in page.all("a", **{"class": "chip"})] == [
        f"{SITE}/events/2030-05/?featured=true",
        f"{SITE}/events/2030-05/?search=concert",
    ]


def test_filters_are_kept_in_all_links(client, concerts):
    page = get_page(client, "/events/2030-05/?featured=true")

    dated = [link["href"] for link in page.one("main").all("a") if f"{SITE}/events/" in link["href"]]
    without = [href for href in dated if "featured=true" not in href]
    assert without == [f"{SITE}/events/2030-05/"]


def test_form_is_filled_with_the_filters(client, concerts):
    page = get_page(client, "/events/2030-05/?search=concert&categories=jazz&featured=true&venue=hall")

    form = page.one("form", role="search")
    assert form.one("input", name="search")["value"] == "concert"
    assert [option["value"] for option in form.all("option") if "selected" in option.attributes] == ["jazz"]
    assert [option.text for option in form.all("option")] == ["All", "Music", "Jazz", "Everywhere", "Halifax"]
    assert [box["value"] for box in form.all("input", type="checkbox") if "checked" in box.attributes] == ["true"]
    assert [(hidden["name"], hidden["value"]) for hidden in form.all("input", type="hidden")] == [("venue", "hall")]


@pytest.mark.parametrize(
    "query",
    [
        "categories=nothing",
        "venue=999",
        "featured=maybe",
        "attendance_mode=x",
        "accessibility=x",
        "tags=%00",
        "free=x",
        "near=Halifax",
        "near=44.65",
        "near=91,0",
        "near=0,181",
        "near=1,2&near=3,4",
    ],
)
@pytest.mark.parametrize("view", ["list", "month", "week", "today", "map"])
def test_invalid_filters_are_refused(client, concerts, view, query):
    response = client.get(f"/events/{view}/?{query}")

    assert response.status_code == 400
    assert parse_page(response).one("h1").text == "Bad request"


def test_filter_reveals_no_hidden_venue(client):
    VenueFactory(slug="secret-hall", title="Secret hall", status="draft")

    assert client.get("/events/list/?venue=secret-hall").status_code == 400
    assert client.get("/venue/secret-hall/month/").status_code == 404


def test_calendar_file_has_the_events_of_the_filters(client, concerts):
    page = get_page(client, "/events/list/?featured=true&search=concert")

    url = page.one("link", rel="alternate", type="text/calendar")["href"]
    assert url == f"{SITE}/events.ics?search=concert&featured=true"
    calendar = client.get(url.removeprefix(SITE)).content.decode()
    assert [line for line in calendar.splitlines() if line.startswith("SUMMARY")] == ["SUMMARY:Concert"]
    assert "SUMMARY:Concert" in client.get("/venue/hall.ics?featured=true").content.decode()
    assert "SUMMARY:Concert" in client.get("/events.ics?tribe_events_cat=jazz&featured=true").content.decode()
    others = (
        "/events.ics?categories=nothing",
        "/venue/hall.ics?featured=false",
        "/events.ics?tribe_events_cat=jazz&featured=false",
        "/events.ics?tribe_event_display=past&featured=true",
    )
    assert ["BEGIN:VEVENT" in client.get(path).content.decode() for path in others] == [False] * 4


# --- Other URLs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/events/month/?date=2030-05-20&search=", "/events/2030-05/"),
        ("/events/month/?date=2030-05-04", "/events/month/"),
        ("/events/week/?date=2030-05-20&featured=true", "/events/week/2030-05-20/?featured=true"),
        ("/events/today/?date=2030-05-20", "/events/2030-05-20/"),
        ("/events/month/?date=&search=jazz", "/events/month/?search=jazz"),
        ("/events/?eventDisplay=month&tribe-bar-date=2030-05-20", "/events/2030-05/"),
        ("/events/list/?tribe-bar-date=2030-05-20&tribe-bar-search=jazz", "/events/list/?search=jazz&date=2030-05-20"),
        ("/events/list/?eventDisplay=past", "/events/list/?past=1"),
        ("/?tribe-bar-search=jazz", "/events/list/?search=jazz"),
        ("/venue/hall/month/?date=2030-05-20", "/venue/hall/2030-05/"),
    ],
)
def test_form_and_links_of_the_original_lead_to_the_page(client, concerts, path, target):
    response = client.get(path)

    assert (response.status_code, response["Location"]) == (302, f"{SITE}{target}")
    assert client.get(target).status_code == 200


def test_dates_that_do_not_exist_are_not_found(client):
    assert [client.get(f"/events/{path}").status_code for path in ("list/?date=x", "month/?date=2030-02-30")] == [
        404,
        404,
    ]


def test_shortcuts_lead_to_the_next_days(client, concerts):
    EventFactory(title="Today", start="2030-05-04 18:00", end="2030-05-04 20:00")
    EventFactory(title="Sunday", start="2030-05-05 18:00", end="2030-05-05 20:00")
    EventFactory(title="After a week", start="2030-05-11 18:00", end="2030-05-11 20:00")
    links = {
        link.text: link["href"]
        for link in get_page(client, "/events/list/").one("ul", **{"class": "shortcuts"}).all("a")
    }

    found = {text: event_titles(get_page(client, url.removeprefix(SITE))) for text, url in links.items()}

    assert found == {
        "Today": ["Today"],
        "This weekend": ["Today", "Sunday"],
        "Next 7 days": ["Today", "Sunday", "Other", "Secret", "Concert"],
    }
    page = get_page(client, links["Next 7 days"].removeprefix(SITE))
    assert page.one("h1").text == "4 May 2030 – 10 May 2030"
    assert page.one("link", rel="canonical")["href"] == f"{SITE}/events/list/?days=7"


@pytest.mark.parametrize(
    ("now", "query"),
    [
        ("2030-05-03 12:00Z", "?date=2030-05-04&days=2"),
        ("2030-05-05 12:00Z", "?days=1"),
        ("2030-05-06 12:00Z", "?date=2030-05-11&days=2"),
    ],
)
def test_weekend_is_the_next_one_until_it_is_over(client, time_machine, now, query):
    time_machine.move_to(now, tick=False)

    links = get_page(client, "/events/list/").one("ul", **{"class": "shortcuts"}).all("a")

    assert links[1]["href"] == f"{SITE}/events/list/{query}"


@pytest.mark.parametrize("view", ["list", "map"])
def test_misspelled_search_leads_to_the_right_one(client, concerts, view):
    page = get_page(client, f"/events/{view}/?search=konzert")
    assert page.one("main").all("p")
    assert [link for link in page.one("main").all("a") if link.text == "concert"] == []

    page = get_page(client, f"/events/{view}/?search=concrt&featured=true")

    (link,) = [link for link in page.one("main").all("a") if link.text == "concert"]
    assert link["href"] == f"{SITE}/events/list/?search=concert&featured=true"


# --- The map -----------------------------------------------------------------------------------


def map_places(page):
    return [
        (place.one("h2").text, place.one("h2").one("a")["href"], event_titles(place))
        for place in page.all("section", **{"class": "map-place"})
    ]


def test_map_lists_the_places_of_the_next_events(client, concerts):
    hall = Venue.objects.get(slug="hall")
    park = VenueFactory(title="Park", geo_lat=44.6, geo_lng=-63.5, address="1 Lake Rd", city="Dartmouth")
    EventFactory(title="Picnic", start="2030-05-06 12:00", venues=[park, hall])
    EventFactory(title="Past", start="2030-05-03 12:00", end="2030-05-03 13:00", venues=[park])
    EventFactory(title="Draft", start="2030-05-06 12:00", venues=[park], status="draft")
    EventFactory(title="Unknown place", start="2030-05-06 12:00", venues=[VenueFactory(title="Somewhere")])
    EventFactory(title="Hidden place", start="2030-05-06 12:00", venues=[Venue.objects.get(title="Draft")])

    page = get_page(client, "/events/map/")

    assert map_places(page) == [
        ("Park", f"{SITE}/venue/park/", ["Picnic"]),
        ("Hall", f"{SITE}/venue/hall/", ["Picnic", "Concert"]),
    ]
    assert json.loads(page.one("script", id="places").text) == [
        {"id": park.pk, "name": "Park", "lat": 44.6, "lng": -63.5, "count": 1},
        {"id": hall.pk, "name": "Hall", "lat": 44.65, "lng": -63.57, "count": 2},
    ]
    assert "4 events have no place on the map." in page.one("main").text
    assert page.one("div", **{"class": "event-map"})["data-tiles"] == ""


def test_map_shows_the_first_events_of_a_place(client, concerts):
    hall = Venue.objects.get(slug="hall")
    for day in range(10, 16):
        EventFactory(title=f"Event {day}", start=f"2030-05-{day} 10:00", venues=[hall])

    page = get_page(client, "/events/map/")

    assert map_places(page)[0][2] == ["Concert", "Event 10", "Event 11"]
    (link,) = [link for link in page.all("a") if link.text == "4 more"]
    assert link["href"] == f"{SITE}/venue/hall/list/"


@pytest.mark.parametrize("path", ["events/category/music", "venue/hall"])
def test_records_have_maps_of_their_events(client, concerts, path):
    page = get_page(client, f"/{path}/map/")

    assert [titles for _name, _url, titles in map_places(page)] == [["Concert"]]


def test_streets_come_from_the_server_of_the_setting(client, concerts, settings):
    settings.MAP_TILES_URL, settings.MAP_TILES_ATTRIBUTION = "https://tiles.example/{z}/{x}/{y}.png", "© <a>Maps</a>"

    page = get_page(client, "/events/map/")

    box = page.one("div", **{"class": "event-map"})
    assert (box["data-tiles"], box["data-attribution"]) == ("https://tiles.example/{z}/{x}/{y}.png", "© <a>Maps</a>")
    assert "another server" in page.one("p", **{"class": "event-map-consent"}).text


# --- Cost --------------------------------------------------------------------------------------

# The site, the first and the last event, the categories and the towns of the form; long events, ids and events; their
# texts, links and venues, and the images of categories.
FRAME, MONTH, TEXTS = 5, 3, 4
VIEW_QUERIES = {
    "2030-05": FRAME + MONTH,
    "week/2030-05-08": FRAME + MONTH + TEXTS,
    "2030-05-08": FRAME + MONTH + TEXTS,
    # Long events, ids, and the venues of the events with their coordinates.
    "map": FRAME + 2 + TEXTS + 1,
}


@pytest.mark.parametrize(("path", "queries"), VIEW_QUERIES.items())
@pytest.mark.parametrize("count", [1, 3])
def test_views_cost_a_fixed_number_of_queries(client, django_assert_num_queries, path, queries, count):
    for number in range(count):
        EventFactory(title=f"Event {number}", start=f"2030-05-08 1{number}:00", venues=[VenueFactory()])

    with django_assert_num_queries(queries):
        client.get(f"/events/{path}/")


# --- The programme -----------------------------------------------------------------------------


def programme_of(page):
    return [
        (day.one("h2").text, [[part.text for part in item.all("p")] for item in day.all("li")])
        for day in page.all("section", **{"class": "programme-day"})
    ]


def test_programme_lists_some_days_with_short_texts(client):
    hall = VenueFactory(title="Hall", city="Port Ellery")
    EventFactory(title="Exhibition", start="2030-04-20 10:00", end="2030-05-20 18:00")
    EventFactory(
        title="Fair",
        start="2030-05-04 14:00",
        end="2030-05-04 18:00",
        venues=[hall],
        cost="$5",
        description="<p>By the river.</p>",
    )
    EventFactory(title="Camp", start="2030-05-10 14:00", end="2030-05-12 10:00", event_status="cancelled")
    EventFactory(
        title="Secret", start="2030-05-10 15:00", end="2030-05-10 16:00", description="Hidden.", cost="9", password="x"
    )
    EventFactory(title="Festival", start="2030-05-10 16:00", end="2030-05-20 16:00")
    EventFactory(title="Later", start="2030-05-11 14:00", end="2030-05-11 18:00")
    EventFactory(title="Earlier", start="2030-05-03 14:00", end="2030-05-03 18:00")

    page = get_page(client, "/programme/")

    assert page.one("h1").text == "Programme, 4 May 2030 – 10 May 2030"
    assert programme_of(page) == [
        ("Ongoing", [["until 20 May 2030 Exhibition"]]),
        ("Saturday 4 May 2030", [["14:00 to 18:00 Fair", "Hall, Port Ellery · $5", "By the river."]]),
        (
            "Friday 10 May 2030",
            [
                ["Friday 10 May 2030, 14:00 to Sunday 12 May 2030, 10:00 Camp Cancelled"],
                ["15:00 to 16:00 Secret"],
                ["Friday 10 May 2030, 16:00 to Monday 20 May 2030, 16:00 Festival"],
            ],
        ),
    ]


def test_programme_has_the_days_and_filters_of_its_url(client, concerts):
    EventFactory(title="Later", start="2030-05-09 14:00", end="2030-05-09 18:00", featured=True)

    page = get_page(client, "/programme/?date=2030-05-08&days=1&featured=true")

    assert programme_of(page) == [("Wednesday 8 May 2030", [["20:00 to 22:00 Concert", "Hall, Halifax · Free"]])]
    assert page.one("link", rel="canonical")["href"] == f"{SITE}/programme/?featured=true&date=2030-05-08&days=1"
    assert [(hidden["name"], hidden["value"]) for hidden in page.all("input", type="hidden")] == [("featured", "true")]
    venue = get_page(client, "/venue/hall/2030-05-08/")
    assert [link["href"] for link in venue.all("a") if link.text == "Programme for printing"] == [
        f"{SITE}/programme/?venue={Venue.objects.get(slug='hall').pk}&date=2030-05-08"
    ]


@pytest.mark.parametrize(
    "query", ["days=0", "days=63", "days=x", "days=-1", "days=9999999999", "date=x", "date=2035-01-01"]
)
def test_invalid_days_of_a_programme_are_not_found(client, query):
    assert client.get(f"/programme/?{query}").status_code == 404


def test_programme_says_how_many_events_are_left_out(client, monkeypatch):
    monkeypatch.setattr("calendar_site.website.calendar.views.MAX_EVENTS", 2)
    monkeypatch.setattr("calendar_site.website.calendar.programme.MAX_EVENTS", 2)
    for hour in (10, 11, 12):
        EventFactory(title=f"At {hour}", start=f"2030-05-04 {hour}:00", end=f"2030-05-04 {hour}:30")

    page = get_page(client, "/programme/")

    assert len(programme_of(page)[0][1]) == 2
    assert page.one("p", **{"class": "notice"}).text.startswith("1 more event is not shown.")
