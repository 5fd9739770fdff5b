"""The pages of events, venues, organizers and categories with all their fields."""

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.html_page import details_of, parse_page

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("dates", "text", "iso_times"),
    [
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-04 20:30"},
            "Saturday 4 May 2030, 18:00 to 20:30",
            ["2030-05-04T18:00:00+00:00", "2030-05-04T20:30:00+00:00"],
        ),
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-04 18:00"},
            "Saturday 4 May 2030, 18:00",
            ["2030-05-04T18:00:00+00:00"],
        ),
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-05 00:00"},
            "Saturday 4 May 2030, 18:00 to midnight",
            ["2030-05-04T18:00:00+00:00", "2030-05-05T00:00:00+00:00"],
        ),
        (
            {"start": "2030-12-31 22:00", "end": "2031-01-01 03:15"},
            "Tuesday 31 December 2030, 22:00 to 03:15 the next day",
            ["2030-12-31T22:00:00+00:00", "2031-01-01T03:15:00+00:00"],
        ),
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-05 18:00"},
            "Saturday 4 May 2030, 18:00 to Sunday 5 May 2030, 18:00",
            ["2030-05-04T18:00:00+00:00", "2030-05-05T18:00:00+00:00"],
        ),
        (
            {"start": "2030-05-04", "end": "2030-05-04", "all_day": True},
            "Saturday 4 May 2030, all day",
            ["2030-05-04"],
        ),
        (
            {"start": "2030-05-04", "end": "2030-05-06", "all_day": True},
            "Saturday 4 May 2030 to Monday 6 May 2030, all day",
            ["2030-05-04", "2030-05-06"],
        ),
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00", "time_zone": "America/New_York"},
            "Saturday 4 May 2030, 18:00 to 20:00 (America/New York, EDT)",
            ["2030-05-04T18:00:00-04:00", "2030-05-04T20:00:00-04:00"],
        ),
        (
            {"start": "2030-05-04", "end": "2030-05-04", "all_day": True, "time_zone": "Asia/Tokyo"},
            "Saturday 4 May 2030, all day (Asia/Tokyo, JST)",
            ["2030-05-04"],
        ),
        (
            {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00", "time_zone": "UTC+5.5"},
            "Saturday 4 May 2030, 18:00 to 20:00 (UTC+5.5)",
            ["2030-05-04T18:00:00+05:30", "2030-05-04T20:00:00+05:30"],
        ),
        (
            # The repeated hour: start and end have different offsets.
            {"start": "2030-10-27 00:30Z", "end": "2030-10-27 01:30Z", "time_zone": "Europe/Rome"},
            "Sunday 27 October 2030, 02:30 to 02:30 (Europe/Rome, CEST)",
            ["2030-10-27T02:30:00+02:00", "2030-10-27T02:30:00+01:00"],
        ),
        (
            {"start": "1000-01-01 10:00", "end": "9998-12-31 12:00"},
            "Wednesday 1 January 1000, 10:00 to Thursday 31 December 9998, 12:00",
            ["1000-01-01T10:00:00+00:00", "9998-12-31T12:00:00+00:00"],
        ),
    ],
)
def test_time_of_an_event(client, dates, text, iso_times):
    EventFactory(title="Fair", **dates)

    page = parse_page(client.get("/event/fair/"))

    assert details_of(page) == {"When": [text]}
    assert [time["datetime"] for time in page.all("time")] == iso_times


def test_time_zone_is_named_unless_it_is_that_of_the_site(client, settings):
    settings.SITE_TIME_ZONE = "Europe/Rome"
    EventFactory(title="Here", start="2030-05-04 18:00", end="2030-05-04 20:00")
    EventFactory(title="There", start="2030-05-04 18:00", end="2030-05-04 20:00", time_zone="UTC")

    when = [details_of(parse_page(client.get(f"/event/{slug}/")))["When"] for slug in ("here", "there")]

    assert when == [["Saturday 4 May 2030, 18:00 to 20:00"], ["Saturday 4 May 2030, 18:00 to 20:00 (UTC)"]]


@pytest.mark.parametrize(
    ("site", "zone", "start", "end", "note"),
    [
        # Two names of one zone, and two zones with the same rules.
        ("Europe/Kyiv", "Europe/Kiev", "2030-05-04 18:00", "2030-05-04 20:00", ""),
        ("Europe/Rome", "Europe/Berlin", "2030-05-04 18:00", "2030-05-04 20:00", ""),
        # The same time in winter only, and in the first hours only.
        ("Europe/London", "UTC", "2030-01-04 18:00", "2030-01-04 20:00", ""),
        ("Europe/London", "UTC", "2030-05-04 18:00", "2030-05-04 20:00", "UTC"),
        ("Europe/London", "UTC", "2030-03-30 18:00", "2030-03-31 20:00", "UTC"),
        # The same rules today, but not in that year.
        ("Europe/Istanbul", "Europe/Moscow", "2012-01-04 18:00", "2012-01-04 20:00", "Europe/Moscow"),
    ],
)
def test_time_zone_is_named_only_if_clocks_show_another_time(
    client, settings, editor_browser, site, zone, start, end, note
):
    settings.SITE_TIME_ZONE = site
    EventFactory(title="Fair", start=start, end=end, time_zone=zone)

    shown = details_of(parse_page(client.get("/event/fair/")))["When"][0]
    row = editor_browser.get("/admin/events/event/").content.decode()

    assert (note in shown, "(" in shown) == (True, bool(note))
    assert (f"({zone})" in row) == bool(note)


def test_event_with_everything(client):
    EventFactory(
        title="Fair",
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        description="<p>By the <em>river</em>.</p>",
        cost=["0", "20"],
        website="https://fair.example.org/?a=1&b=2",
        parent=EventFactory(title="Festival"),
        venues=[
            VenueFactory(
                title="Hall", address="12 Quay Street", zip="PE1", city="Port Ellery", state="Kent", country="UK"
            ),
            VenueFactory(title="Park"),
        ],
        organizers=[OrganizerFactory(title="Choir"), OrganizerFactory(title="Band")],
        categories=[CategoryFactory(name="Music"), CategoryFactory(name="Art")],
        tags=[TagFactory(name="Outdoor")],
    )

    page = parse_page(client.get("/event/fair/"))

    assert details_of(page) == {
        "When": ["Saturday 4 May 2030, 18:00 to 20:00"],
        "Where": ["Hall 12 Quay Street, PE1 Port Ellery, Kent, UK", "Park"],
        "Organized by": ["Choir", "Band"],
        "Cost": ["Free – $20"],
        "Website": ["https://fair.example.org/?a=1&b=2"],
        "Part of": ["Festival"],
        "Categories": ["Art, Music"],
        "Tags": ["Outdoor"],
    }
    links = {link.text: link["href"] for link in page.one("main").all("a")}
    assert {name: url for name, url in links.items() if not name.startswith(("Google", "Outlook", "Microsoft"))} == {
        "Apple Calendar and other programs": "http://testserver/event/fair.ics",
        "← Previous event: Festival": "http://testserver/event/festival/",
        "Hall": "http://testserver/venue/hall/",
        "Park": "http://testserver/venue/park/",
        "Choir": "http://testserver/organizer/choir/",
        "Band": "http://testserver/organizer/band/",
        "https://fair.example.org/?a=1&b=2": "https://fair.example.org/?a=1&b=2",
        "Festival": "http://testserver/event/festival/",
        "Report a mistake": "http://testserver/event/fair/report/",
        "Art": "http://testserver/events/category/art/",
        "Music": "http://testserver/events/category/music/",
        "Outdoor": "http://testserver/events/tag/outdoor/",
    }
    assert page.one("div", **{"class": "prose"}).text == "By the river."
    assert page.all("h2") == []


def test_venue_with_everything(client):
    VenueFactory(
        title="Hall",
        address="12 Quay Street",
        city="Port Ellery",
        province="Kent",
        phone="+44 20 7946 0000",
        website="https://hall.example.org",
        description="One.\n\nTwo.",
    )

    page = parse_page(client.get("/venue/hall/"))

    assert details_of(page) == {
        "Address": ["12 Quay Street, Port Ellery, Kent Show on map"],
        "Phone": ["+44 20 7946 0000"],
        "Website": ["https://hall.example.org"],
    }
    assert [paragraph.text for paragraph in page.one("div", **{"class": "prose"}).all("p")] == ["One.", "Two."]


@pytest.mark.parametrize(
    ("email", "links"),
    [
        ("choir@example.org", ["mailto:choir@example.org"]),
        ("a+b?c=d&e@example.org", ["mailto:a%2Bb%3Fc%3Dd%26e@example.org"]),
        ("ask at the door", []),
    ],
)
def test_organizer_with_everything(client, email, links):
    OrganizerFactory(
        title="Choir",
        phone="+44 20 7946 0000",
        email=email,
        website="https://choir.example.org",
        description="We sing.",
    )

    page = parse_page(client.get("/organizer/choir/"))

    assert details_of(page) == {
        "Phone": ["+44 20 7946 0000"],
        "Email": [email],
        "Website": ["https://choir.example.org"],
    }
    hrefs = [link["href"] for link in page.one("main").all("a")]
    by_url = "url=http%3A%2F%2Ftestserver%2Forganizer%2Fchoir.ics&name=Choir"
    assert hrefs == [
        *links,
        "https://choir.example.org",
        *(f"http://testserver/organizer/choir/{view}/" for view in ("list", "month", "week", "today", "map")),
        "webcal://testserver/organizer/choir.ics",
        "https://calendar.google.com/calendar/render?cid=webcal%3A%2F%2Ftestserver%2Forganizer%2Fchoir.ics",
        f"https://outlook.live.com/calendar/0/addfromweb?{by_url}",
        f"https://outlook.office.com/calendar/0/addfromweb?{by_url}",
        "webcal:http://testserver/organizer/choir.ics",
        "http://testserver/organizer/choir.ics",
    ]
    assert page.one("div", **{"class": "prose"}).text == "We sing."


def test_category_shows_its_parent_and_children(client):
    music = CategoryFactory(name="Music", description="All that sounds.", parent=CategoryFactory(name="Art"))
    CategoryFactory(name="Opera", parent=music)
    CategoryFactory(name="Jazz", parent=music)
    CategoryFactory(name="Film")

    page = parse_page(client.get("/events/category/music/"))

    assert details_of(page) == {"Part of": ["Art"], "Subcategories": ["Jazz, Opera"]}
    assert page.one("main").all("p")[0].text == "All that sounds."
