"""Images, tickets, custom fields and links to maps on the pages of records."""

import json
import os
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from PIL import Image as Pillow

from calendar_site.custom_fields.models import CustomField
from tests.factories import EventFactory, OrganizerFactory, TicketFactory, VenueFactory
from tests.support.html_page import details_of, event_titles, parse_page
from tests.support.image_files import encode_image, plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]


# --- Images --------------------------------------------------------------------------------------

MAKE = {
    "event": lambda **fields: EventFactory(title="Fair", **fields),
    "venue": lambda **fields: VenueFactory(title="Fair", **fields),
    "organizer": lambda **fields: OrganizerFactory(title="Fair", **fields),
}
kinds = pytest.mark.parametrize("kind", MAKE)


def url_without_extension(image):
    """Return the URL of an image up to its extension. Those of its renditions begin alike."""
    return f"http://testserver/media/{image.file.name.rpartition('.')[0]}"


def open_graph_image(page):
    return {
        meta["property"]: meta["content"]
        for meta in page.all("meta")
        if meta.attributes.get("property", "").startswith("og:image")
    }


@kinds
def test_image_is_offered_in_several_sizes(client, wide_image, kind):
    MAKE[kind](image=wide_image)

    page = parse_page(client.get(f"/{kind}/fair/"))

    at, figure = url_without_extension(wide_image), page.one("figure")
    assert figure.one("img").attributes == {
        "src": f"{at}.png",
        "srcset": f"{at}-300x150.png 300w, {at}-768x384.png 768w, {at}-1024x512.png 1024w, {at}.png 2000w",
        "sizes": "(max-width: 736px) calc(100vw - 32px), 704px",
        "width": "704",
        "height": "352",
        "alt": 'Boats & "lanterns"',
    }
    assert figure.one("figcaption").text == "A. Nyman & sons <3"
    assert figure.one("a").attributes == {
        "href": f"{at}.png",
        "aria-label": 'View full-size image: Boats & "lanterns"',
    }
    assert open_graph_image(page) == {
        "og:image": f"{at}.png",
        "og:image:width": "2000",
        "og:image:height": "1000",
        "og:image:alt": 'Boats & "lanterns"',
    }
    assert page.one("meta", name="twitter:card")["content"] == "summary_large_image"
    data = [json.loads(script.text)["image"] for script in page.all("script", type="application/ld+json")]
    assert data == [[f"{at}.png"]] * (kind == "event")


@kinds
def test_record_without_an_image_shows_none(client, wide_image, kind):
    MAKE[kind]()

    page = parse_page(client.get(f"/{kind}/fair/"))

    assert (page.all("figure", "img"), open_graph_image(page), page.all("meta", name="twitter:card")) == ([], {}, [])


def test_small_image_is_not_enlarged_and_has_no_caption(client, keep):
    image = keep(plain_image(size=(40, 30)))
    EventFactory(title="Fair", image=image)

    page = parse_page(client.get("/event/fair/"))

    path = f"{url_without_extension(image)}.png"
    assert page.one("figure").one("img").attributes == {
        "src": path,
        "srcset": f"{path} 40w",
        "sizes": "(max-width: 72px) calc(100vw - 32px), 40px",
        "width": "40",
        "height": "30",
        "alt": "",
    }
    assert page.one("figure").all("a", "figcaption") == []
    assert list(open_graph_image(page)) == ["og:image", "og:image:width", "og:image:height"]


def test_tall_image_is_limited_in_height(client, keep):
    image = keep(plain_image("JPEG", size=(800, 1600)), alt="Poster")
    EventFactory(title="Fair", image=image)

    shown = parse_page(client.get("/event/fair/")).one("figure").one("img")

    at = url_without_extension(image)
    assert (shown["width"], shown["height"]) == ("220", "440")
    assert [size.split()[1] for size in shown["srcset"].split(", ")] == ["150w", "512w", "768w", "800w"]
    assert shown["srcset"].startswith(f"{at}-150x300.jpg 150w, ")


def test_large_original_is_only_linked(client, keep):
    noise = Pillow.frombytes("RGB", (1200, 600), os.urandom(1200 * 600 * 3))
    image = keep(encode_image(noise, "PNG"))
    EventFactory(title="Fair", image=image)

    page = parse_page(client.get("/event/fair/"))

    figure, at = page.one("figure"), url_without_extension(image)
    assert [size.split()[1] for size in figure.one("img")["srcset"].split(", ")] == ["300w", "768w", "1024w"]
    assert figure.one("img")["src"] == open_graph_image(page)["og:image"] == f"{at}-1024x512.png"
    assert figure.one("a").attributes == {
        "href": f"{at}.png",
        "aria-label": "View full-size image",
    }


def test_images_use_the_media_url(client, wide_image, settings):
    settings.MEDIA_URL = "https://media.example.org/calendar/"
    EventFactory(title="Fair", image=wide_image)

    response = client.get("/event/fair/")

    shown = parse_page(response).one("figure").one("img")
    assert shown["src"] == f"https://media.example.org/calendar/{wide_image.file.name}"
    assert "img-src 'self' http: https:; " in response["Content-Security-Policy"]


def test_lists_show_thumbnails(client, wide_image, keep):
    small = keep(plain_image(size=(40, 30)))
    hall = VenueFactory(title="Hall", image=wide_image)
    fair = EventFactory(title="Fair", image=wide_image, venues=[hall])
    EventFactory(title="Part", image=small, venues=[hall], parent=fair)
    EventFactory(title="Plain", venues=[hall])
    EventFactory(title="Past", image=wide_image, venues=[hall], start="2030-05-03 10:00")

    pages = [parse_page(client.get(path)) for path in ("/", "/venue/hall/", "/event/fair/")]

    square = {"src": f"{url_without_extension(wide_image)}-150x150.png"}
    tiny = {"src": f"{url_without_extension(small)}.png"}
    also = {"width": "72", "height": "72", "alt": "", "loading": "lazy"}
    shown = [
        [link.one("img").attributes for link in page.all("a", **{"class": "event-title"}) if link.all("img")]
        for page in pages
    ]
    assert shown == [
        [square | also, tiny | also],
        [square | also, tiny | also, square | also],
        [tiny | also],
    ]
    assert event_titles(pages[1]) == ["Fair", "Part", "Plain", "Past"]


# --- Tickets -------------------------------------------------------------------------------------


def shown_tickets(client):
    return details_of(parse_page(client.get("/event/fair/"))).get("Tickets")


def test_tickets_are_shown_in_their_order(client):
    fair = EventFactory(title="Fair", start="2030-06-01 18:00")
    other = EventFactory(title="Other")
    TicketFactory(event=fair, name="Adult", price=Decimal("12.50"), position=1)
    TicketFactory(event=fair, name="Child", price=Decimal(0), position=2)
    TicketFactory(event=fair, name="Box", price=Decimal(1200), currency="CHF", sold_out=True, position=3)
    TicketFactory(event=fair, name="Early", url="https://tickets.example.org/a?b=1&c=2", position=0)
    TicketFactory(event=other, name="Elsewhere")

    page = parse_page(client.get("/event/fair/"))

    assert details_of(page)["Tickets"] == [
        "Early €10 tickets.example.org",
        "Adult €12.50",
        "Child Free",
        "Box CHF 1,200 Sold out",
    ]
    (link,) = [link for link in page.one("main").all("a") if link.text == "Early"]
    assert link.attributes == {
        "href": "https://tickets.example.org/a?b=1&c=2",
        "rel": "nofollow noopener",
        "dir": "auto",
    }


def test_event_without_tickets_has_no_ticket_row(client):
    EventFactory(title="Fair")

    assert shown_tickets(client) is None


@pytest.mark.parametrize(
    ("dates", "period"),
    [
        ({}, ""),
        ({"available_until": "2030-05-04 12:00:01"}, "On sale until Saturday 4 May 2030, 12:00"),
        ({"available_until": "2030-05-04 12:00:00"}, "Sales ended on Saturday 4 May 2030, 12:00"),
        ({"available_from": "2030-05-05 09:30:00"}, "On sale from Sunday 5 May 2030, 09:30"),
        ({"available_from": "2030-05-04 12:00:00"}, ""),
        (
            {"available_from": "2030-05-05 09:30:00", "available_until": "2030-05-06 00:00:00"},
            "On sale from Sunday 5 May 2030, 09:30 to Monday 6 May 2030, 00:00",
        ),
        (
            {"available_from": "2030-05-01 09:30:00", "available_until": "2030-05-06 00:00:00"},
            "On sale until Monday 6 May 2030, 00:00",
        ),
        (
            {"available_from": "2030-05-01 09:30:00", "available_until": "2030-05-02 00:00:00"},
            "Sales ended on Thursday 2 May 2030, 00:00",
        ),
        ({"available_until": "2030-05-06 00:00:00", "sold_out": True}, "Sold out"),
    ],
)
def test_sale_period_of_a_ticket(client, editor_api, dates, period):
    ticket = {"name": "Adult", "price": "10", "currency": "EUR", **dates}
    event = EventFactory(title="Fair", start="2030-06-01 18:00")
    editor_api.patch(f"/cal/events/v1/events/{event.pk}", {"tickets": [ticket]})

    assert shown_tickets(client) == [f"Adult €10 {period}".strip()]


def test_sale_ends_in_the_repeated_hour_of_daylight_saving_time(client, time_machine):
    time_machine.move_to("2030-10-27 01:00Z", tick=False)
    event = EventFactory(title="Fair", start="2030-11-01", time_zone="Europe/Rome")
    TicketFactory(event=event, available_until=datetime(2030, 10, 27, 1, 30, tzinfo=UTC))

    assert shown_tickets(client) == ["Admission €10 On sale until Sunday 27 October 2030, 02:30 (Europe/Rome, CET)"]


def test_sale_dates_are_in_the_time_zone_of_the_event(client, editor_api):
    ticket = {"name": "Adult", "price": "10", "currency": "USD", "available_until": "2030-05-04 08:30:00"}
    event = EventFactory(title="Fair", start="2030-12-01 18:00", time_zone="America/New_York")
    editor_api.patch(f"/cal/events/v1/events/{event.pk}", {"tickets": [ticket]})

    assert shown_tickets(client) == ["Adult $10 On sale until Saturday 4 May 2030, 08:30 (America/New York, EDT)"]


@pytest.mark.parametrize(
    ("price", "currency", "text"),
    [
        ("0", "EUR", "Free"),
        ("0.50", "GBP", "£0.50"),
        ("9.90", "USD", "$9.90"),
        ("1234567.89", "EUR", "€1,234,567.89"),
        ("3000", "JPY", "¥3,000"),
        ("15", "CAD", "CA$15"),
        ("120", "SEK", "SEK\N{NO-BREAK SPACE}120"),
    ],
)
def test_price_is_formatted_with_its_currency(client, price, currency, text):
    TicketFactory(event=EventFactory(title="Fair"), price=Decimal(price), currency=currency)

    page = parse_page(client.get("/event/fair/"))

    (shown,) = page.all("span", **{"class": "ticket-price"})
    assert shown.children == [text]


# --- Custom fields -------------------------------------------------------------------------------


def declare_custom_field(resource, name, kind, **fields):
    return CustomField.objects.create(resource=resource, name=name, label=name.title(), kind=kind, **fields)


@pytest.fixture
def custom_fields():
    """Create a field of each kind for events, in this order, and one for other records."""
    for position, kind in enumerate(CustomField.Kind.values):
        declare_custom_field("event", kind, kind, position=position, choices="Red\nBlue")
    declare_custom_field("venue", "seats", "number")
    declare_custom_field("organizer", "since", "date")


def test_custom_fields_are_shown_with_their_labels(client, custom_fields):
    values = {
        "choice": "Blue",
        "url": "https://example.org/a?b=1&c=2",
        "date": "2030-05-04",
        "boolean": True,
        "number": 1200,
        "text": "Doors <at> the back & so on",
        "forgotten": "never declared",
    }
    EventFactory(title="Fair", start="2030-05-04 18:00", custom_values=values)

    page = parse_page(client.get("/event/fair/"))

    assert list(details_of(page).items()) == [
        ("When", ["Saturday 4 May 2030, 18:00"]),
        ("Text", ["Doors <at> the back & so on"]),
        ("Number", ["1200"]),
        ("Boolean", ["Yes"]),
        ("Date", ["Saturday 4 May 2030"]),
        ("Url", ["https://example.org/a?b=1&c=2"]),
        ("Choice", ["Blue"]),
    ]
    assert [link.attributes for link in page.one("dl").all("a")] == [
        {"href": "https://example.org/a?b=1&c=2", "rel": "nofollow noopener"},
    ]


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ({"boolean": False}, {"Boolean": ["No"]}),
        ({"number": 0}, {"Number": ["0"]}),
        ({"number": -2.5}, {"Number": ["-2.5"]}),
        ({"number": 1e-7}, {"Number": ["0.0000001"]}),
        ({"number": 10**15}, {"Number": ["1000000000000000"]}),
        # Saved while the field had another kind.
        ({"date": "soon"}, {"Date": ["soon"]}),
        ({"date": 2030}, {"Date": ["2030"]}),
        ({"url": "javascript:steal()"}, {"Url": ["javascript:steal()"]}),
        ({"url": "HTTPS://EXAMPLE.ORG"}, {"Url": ["HTTPS://EXAMPLE.ORG"]}),
        ({}, {}),
    ],
)
def test_custom_field_values_are_formatted(client, custom_fields, values, shown):
    EventFactory(title="Fair", start="2030-05-04 18:00", custom_values=values)

    page = parse_page(client.get("/event/fair/"))

    assert details_of(page) == {"When": ["Saturday 4 May 2030, 18:00"], **shown}
    assert [link["href"] for link in page.one("dl").all("a")] == [
        value for value in values.values() if str(value).startswith("HTTPS")
    ]


def test_venue_shows_its_time_zone_if_it_has_another_time(client, settings):
    settings.SITE_TIME_ZONE = "Europe/Vienna"
    VenueFactory(title="Hall", time_zone="America/New_York")
    VenueFactory(title="Barn", time_zone="Europe/Berlin")

    shown = [details_of(parse_page(client.get(path))) for path in ("/venue/hall/", "/venue/barn/")]

    assert shown == [{"Time zone": ["America/New York"]}, {}]


def test_venues_and_organizers_show_their_custom_fields(client, custom_fields):
    VenueFactory(title="Hall", custom_values={"seats": 300, "since": "2001-01-01"})
    OrganizerFactory(title="Choir", custom_values={"since": "1999-12-31"})

    shown = [details_of(parse_page(client.get(path))) for path in ("/venue/hall/", "/organizer/choir/")]

    assert shown == [{"Seats": ["300"]}, {"Since": ["Friday 31 December 1999"]}]


# --- Links to maps -------------------------------------------------------------------------------

ADDRESS = {"address": "12 Quay Street", "city": "Port Ellery & more"}
SEARCH = "https://www.openstreetmap.org/search?query=12+Quay+Street%2C+Port+Ellery+%26+more"
POINT = {"geo_lat": 51.5, "geo_lng": -0.1234567}
PLACE = "https://www.openstreetmap.org/?mlat=51.500000&mlon=-0.123457#map=17/51.500000/-0.123457"
ORIGIN = "https://www.openstreetmap.org/?mlat=0.000000&mlon=0.000000#map=17/0.000000/0.000000"


def map_links(page):
    return [link["href"] for link in page.one("main").all("a") if link.text == "Show on map"]


@pytest.mark.parametrize(
    ("venue", "links"),
    [
        (ADDRESS, [SEARCH]),
        (POINT, [PLACE]),
        (ADDRESS | POINT, [PLACE]),
        ({"geo_lat": 0, "geo_lng": 0}, [ORIGIN]),
        ({"phone": "+44 20 7946 0000"}, []),
        (ADDRESS | POINT | {"show_map_link": False}, []),
        (ADDRESS | {"show_map": False}, [SEARCH]),
    ],
)
def test_venue_links_to_a_map_if_it_allows_and_has_a_location(client, venue, links):
    hall = VenueFactory(title="Hall", **venue)
    EventFactory(title="Fair", venues=[hall], show_map_link=True)
    EventFactory(title="Secluded", venues=[hall])

    of_venue, of_event, without = (
        parse_page(client.get(path)) for path in ("/venue/hall/", "/event/fair/", "/event/secluded/")
    )

    assert (map_links(of_venue), map_links(of_event), map_links(without)) == (links, links, [])
    assert {"Address"} & details_of(of_venue).keys() == ({"Address"} if links or "address" in venue else set())


def test_map_links_of_several_venues_have_different_labels(client):
    venues = [VenueFactory(title="Hall", city="Here"), VenueFactory(title='"Park"', city="There")]
    EventFactory(title="Fair", venues=venues, show_map_link=True)

    page = parse_page(client.get("/event/fair/"))

    assert details_of(page)["Where"] == ["Hall Here Show on map", '"Park" There Show on map']
    assert [link["aria-label"] for link in page.all("a") if link.text == "Show on map"] == [
        "Show on map: Hall",
        'Show on map: "Park"',
    ]
