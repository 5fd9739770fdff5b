"""Markup for browsers, search engines and screen readers: heads, structured data, headings, no scripts."""

import itertools
import json

import pytest

from calendar_site.custom_fields.models import CustomField
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, TicketFactory, VenueFactory
from tests.support.html_page import details_of, parse_page

pytestmark = pytest.mark.django_db

PAGES = ("/", "/event/fair/", "/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' http: https:; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FORM_POLICY = POLICY.replace("form-action 'none'", "form-action 'self'")
RECORD_NAVIGATIONS = ["Main", "Views", "For developers and editors", "Language"]
# The labels of the navigations on each page.
NAVIGATIONS = {
    **dict.fromkeys(PAGES, RECORD_NAVIGATIONS),
    "/event/fair/": ["Main", "For developers and editors", "Language"],
}
SCRIPT = "</script><script>steal()</script><!--"
# For plain text fields: it must be escaped.
NASTY = "\"a\" 'b' & &amp; <3 > {{ title }} {% now %}"


@pytest.fixture
def fair_with_markup(db):
    return EventFactory(
        title="Fair",
        description=(
            "<h1>Programme</h1><p onclick='steal()'>By the <strong>river</strong></p><h4>Doors</h4>"
            "<script>steal()</script><img src='https://images.example.org/fair.png' alt='Boats'>"
        ),
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        venues=[VenueFactory(title="Hall", city="Port Ellery")],
        organizers=[OrganizerFactory(title="Choir", email="choir@example.org")],
        categories=[CategoryFactory(name="Music", description="All that sounds.")],
        tags=[TagFactory(name="Outdoor")],
    )


def meta_tags(page):
    return {
        meta.attributes.get("name") or meta.attributes.get("property"): meta["content"] for meta in page.all("meta")[1:]
    }


def test_head_of_an_event_page(client, fair_with_markup):
    page = parse_page(client.get("/event/fair/"))

    assert page.one("title").text == "Fair – Event calendar"
    assert meta_tags(page) == {
        "viewport": "width=device-width, initial-scale=1",
        "color-scheme": "light dark",
        "description": "Programme By the river Doors",
        "og:type": "website",
        "og:site_name": "Event calendar",
        "og:title": "Fair",
        "og:url": "http://testserver/event/fair/",
        "og:description": "Programme By the river Doors",
    }
    assert [(link["rel"], link["href"]) for link in page.all("link") if "hreflang" not in link.attributes] == [
        ("canonical", "http://testserver/event/fair/"),
        ("alternate", f"http://testserver/cal/events/v1/events/{fair_with_markup.pk}"),
        ("alternate", "http://testserver/event/fair.ics"),
        ("alternate", "http://testserver/oembed?url=http%3A%2F%2Ftestserver%2Fevent%2Ffair%2F"),
        ("manifest", "http://testserver/site.webmanifest"),
        ("icon", "/static/pages/icon.svg"),
        ("stylesheet", "/static/pages/site.css"),
    ]


def test_name_of_the_site_is_a_setting(client, settings):
    settings.SITE_NAME = "What’s on & where"

    page = parse_page(client.get("/"))

    assert page.one("title").text == "Upcoming events – What’s on & where"
    assert page.one("a", **{"class": "site-name"}).text == "What’s on & where"


def test_summary_is_the_excerpt_or_the_start_of_the_description(client):
    EventFactory(title="Short", excerpt="<p>In <em>short</em></p>", description="At length")
    EventFactory(title="Long", description="word " * 100)

    short, long = (meta_tags(parse_page(client.get(f"/event/{slug}/")))["description"] for slug in ("short", "long"))

    assert short == "In short"
    assert (len(long), long[-5:]) == (200, "word…")


def test_structured_data_of_an_event_equals_json_ld_of_the_api(client, fair_with_markup):
    page = parse_page(client.get("/event/fair/"))

    assert json.loads(page.one("script", type="application/ld+json").text) == {
        "@context": "https://schema.org",
        "@type": "Event",
        "name": "Fair",
        "url": "http://testserver/event/fair/",
        "description": "Programme By the river Doors",
        "startDate": "2030-05-04T18:00:00+00:00",
        "endDate": "2030-05-04T20:00:00+00:00",
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": {
            "@type": "Place",
            "name": "Hall",
            "url": "http://testserver/venue/hall/",
            "address": {"@type": "PostalAddress", "addressLocality": "Port Ellery"},
        },
        "organizer": {
            "@type": "Organization",
            "name": "Choir",
            "url": "http://testserver/organizer/choir/",
            "email": "choir@example.org",
        },
    }


@pytest.mark.parametrize(
    "path",
    ["/", "/events/2030-05/", "/venue/hall/", "/organizer/choir/", "/events/category/music/", "/events/tag/outdoor/"],
)
def test_only_pages_of_one_event_have_structured_data(client, fair_with_markup, path):
    """Search engines take each of them for a page about one event."""
    assert parse_page(client.get(path)).all("script", type="application/ld+json") == []


@pytest.mark.parametrize("path", PAGES)
def test_pages_have_landmarks_a_skip_link_and_ordered_headings(client, fair_with_markup, path):
    page = parse_page(client.get(path))

    html, body = page.one("html"), page.one("body")
    levels = [int(heading.name[1]) for heading in body.all("h1", "h2", "h3", "h4", "h5", "h6")]
    ids = [element["id"] for element in body.all() if "id" in element.attributes]
    assert html["lang"] == "en"
    assert [body.one(landmark).name for landmark in ("header", "main", "footer")] == ["header", "main", "footer"]
    assert [navigation["aria-label"] for navigation in body.all("nav")] == NAVIGATIONS[path]
    assert (body.all("a")[0].text, body.all("a")[0]["href"]) == ("Skip to main content", f"#{body.one('main')['id']}")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [(above, below) for above, below in itertools.pairwise(levels) if below > above + 1] == []
    assert len(ids) == len(set(ids))
    assert [named["aria-labelledby"] for named in body.all("section") if named["aria-labelledby"] not in ids] == []


@pytest.mark.parametrize("path", [*PAGES, "/nothing/"])
def test_only_the_own_script_runs_and_only_description_images_are_external(client, fair_with_markup, path):
    response = client.get(path)

    page = parse_page(response)
    sources = [element["src"] for element in page.all() if "src" in element.attributes]
    inline = [name for element in page.all() for name in element.attributes if name == "style" or name.startswith("on")]
    is_error = path == "/nothing/"
    policy = {"/": FORM_POLICY, "/nothing/": POLICY.replace("script-src 'self'; ", "")}.get(path, POLICY)
    images = ["https://images.example.org/fair.png"] if path == "/event/fair/" else []
    assert response["Content-Security-Policy"] == policy
    assert sources == [*([] if is_error else ["/static/pages/site.js"]), *images]
    assert [link["href"] for link in page.all("link") if link["rel"] in ("icon", "stylesheet")] == [
        "/static/pages/icon.svg",
        "/static/pages/site.css",
    ]
    assert page.all("style", "iframe", "object", "base") == []
    assert [form["action"] for form in page.all("form")] == (["http://testserver/events/list/"] if path == "/" else [])
    assert [script.text for script in page.all("script") if "src" in script.attributes] == [""] * (not is_error)
    assert {script.attributes.get("type", "") for script in page.all("script")} <= {"", "application/ld+json"}
    assert inline == []
    assert "steal" not in response.content.decode()


def test_headings_of_a_description_are_below_the_page_heading(client, fair_with_markup):
    EventFactory(
        title="Other",
        description="<h3 title='A &lt;h3&gt; here'>A</h3><h6>B</h6><h3>C</h3><p>&lt;h1&gt; is text</p><hr>",
    )

    fair_page, other_page = (parse_page(client.get(f"/event/{slug}/")) for slug in ("fair", "other"))

    headings = ("h1", "h2", "h3", "h4", "h5", "h6")
    assert [(heading.name, heading.text) for heading in fair_page.all(*headings)] == [
        ("h1", "Fair"), ("h2", "Programme"), ("h3", "Doors")
    ]  # fmt: skip
    assert [(heading.name, heading.text) for heading in other_page.all(*headings)] == [
        ("h1", "Other"), ("h2", "A"), ("h3", "B"), ("h2", "C")
    ]  # fmt: skip
    assert other_page.one("div", **{"class": "prose"}).all("p")[0].text == "<h1> is text"


def test_texts_are_escaped(client):
    EventFactory(
        title=f"Fair {NASTY}",
        slug="fair",
        start="2030-05-04 18:00",
        cost="pay what you want & more",
        venues=[VenueFactory(title=f"Hall {NASTY}", slug="hall", address=NASTY)],
        organizers=[OrganizerFactory(title=f"Choir {NASTY}", slug="choir", email=f"{NASTY}@example.org", phone=NASTY)],
        categories=[CategoryFactory(name=f"Music {NASTY}", slug="music", description=NASTY)],
        tags=[TagFactory(name=f"Outdoor {NASTY}", slug="outdoor")],
    )

    event, *others = (parse_page(client.get(path)) for path in PAGES[1:])

    assert details_of(event) == {
        "When": ["Saturday 4 May 2030, 18:00"],
        "Where": [f"Hall {NASTY} {NASTY}"],
        "Organized by": [f"Choir {NASTY}"],
        "Cost": ["pay what you want & more"],
        "Categories": [f"Music {NASTY}"],
        "Tags": [f"Outdoor {NASTY}"],
    }
    assert [page.one("h1").text for page in (event, *others)] == [
        f"{name} {NASTY}" for name in ("Fair", "Hall", "Choir", "Music", "Outdoor")
    ]
    assert json.loads(event.one("script", type="application/ld+json").text)["name"] == f"Fair {NASTY}"
    assert details_of(others[1]) == {"Phone": [NASTY], "Email": [f"{NASTY}@example.org"]}
    assert others[2].one("main").all("p")[0].text == NASTY


def test_text_of_a_description_cannot_end_the_structured_data(client):
    escaped = SCRIPT.replace("<", "&lt;").replace(">", "&gt;")
    EventFactory(title="Fair", description=f"<p>{escaped}</p>")

    page = parse_page(client.get("/event/fair/"))

    assert json.loads(page.one("script", type="application/ld+json").text)["description"] == SCRIPT
    assert meta_tags(page)["description"] == SCRIPT
    assert page.one("div", **{"class": "prose"}).text == SCRIPT


def update_without_validation(row, **fields):
    """Write values to the database without cleaning or validation."""
    type(row)._default_manager.filter(pk=row.pk).update(**fields)


def all_texts(data):
    """Return all texts in structured data, at every level."""
    match data:
        case dict():
            return {text for value in data.values() for text in all_texts(value)}
        case list():
            return {text for value in data for text in all_texts(value)}
    return {data}


def test_hostile_texts_are_escaped_in_structured_data_and_markup(client, wide_image):
    hall, choir = VenueFactory(title="Hall", image=wide_image), OrganizerFactory(title="Choir", image=wide_image)
    fair = EventFactory(title="Fair", venues=[hall], organizers=[choir], image=wide_image, show_map_link=True)
    shared = {"title": f"title {SCRIPT}", "description": "", "custom_values": {"note": f"custom {SCRIPT}"}}
    contact = {name: f"{name} {SCRIPT}" for name in ("phone", "website")}
    address = {name: f"{name} {SCRIPT}" for name in ("address", "city", "state", "zip", "country")}
    update_without_validation(hall, **shared, **contact, **address)
    update_without_validation(choir, **shared, **contact, email=f"email {SCRIPT}")
    update_without_validation(fair, **shared, cost=f"cost {SCRIPT}", website=f"website {SCRIPT}")
    update_without_validation(TicketFactory(event=fair), name=f"ticket {SCRIPT}", url=f"url {SCRIPT}")
    update_without_validation(wide_image, alt=f"alt {SCRIPT}", credit=f"credit {SCRIPT}")
    for resource in CustomField.Resource.values:
        update_without_validation(
            CustomField.objects.create(resource=resource, name="note", label="Note"), label=f"label {SCRIPT}"
        )

    responses = [client.get(path) for path in PAGES[1:4]]

    found = all_texts(json.loads(parse_page(responses[0]).one("script", type="application/ld+json").text))
    hostile = {text.removesuffix(f" {SCRIPT}") for text in found if str(text).endswith(SCRIPT)}
    assert hostile == {"title", "email", "phone", "website", "ticket", "url", *address}
    assert [response.content.decode().count("steal()</script") for response in responses] == [0, 0, 0]
    assert [parse_page(response).one("figcaption").text for response in responses] == [f"credit {SCRIPT}"] * 3
    assert [details_of(parse_page(response))[f"label {SCRIPT}"] for response in responses] == [[f"custom {SCRIPT}"]] * 3
