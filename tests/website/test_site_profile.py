"""The site as its owner sets it up: name, texts, links, colors and lists, on the pages of visitors."""

import base64
import hashlib

import pytest

from calendar_site.site_profile.models import SiteProfile
from calendar_site.site_profile.services import save_site_profile
from tests.factories import CategoryFactory, EventFactory, VenueFactory
from tests.support.html_page import parse_page
from tests.support.image_files import plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"


@pytest.fixture
def set_up_site(administrator):
    """Return a function that saves values of the profile."""

    def save(**changes):
        return save_site_profile(SiteProfile.objects.first() or SiteProfile(), changes=changes, user=administrator)

    return save


def get_page(client, path="/"):
    response = client.get(path)
    assert response.status_code == 200, path
    return parse_page(response)


# --- Name and images ---------------------------------------------------------------------------


def test_name_is_on_pages_in_feeds_and_in_the_manifest(client, set_up_site):
    set_up_site(name="Town of Fair Haven")

    page = get_page(client)

    assert page.one("title").text == "Upcoming events – Town of Fair Haven"
    assert page.one("a", **{"class": "site-name"}).text == "Town of Fair Haven"
    assert "X-WR-CALNAME:Town of Fair Haven" in client.get("/events.ics").content.decode()
    assert client.get("/site.webmanifest").json()["name"] == "Town of Fair Haven"
    assert parse_page(client.get("/no/such/page")).one("title").text == "Page not found – Town of Fair Haven"


def test_variable_wins_over_the_saved_name(client, set_up_site, settings):
    set_up_site(name="Saved", home_view="month")
    settings.SITE_NAME, settings.VARIABLES_OF_SITE = "Of the variable", {"SITE_NAME"}

    page = get_page(client)

    assert page.one("title").text == "Events in May 2030 – Of the variable"
    assert "X-WR-CALNAME:Of the variable" in client.get("/events.ics").content.decode()


def test_logo_and_icon_are_images_of_the_library(client, set_up_site, keep):
    logo, icon = keep(plain_image(size=(640, 160))), keep(plain_image(size=(512, 512)))
    set_up_site(name="Town", logo=logo, icon=icon)

    page = get_page(client)

    shown = page.one("img", **{"class": "site-logo"})
    assert (shown["alt"], int(shown["width"]) / int(shown["height"])) == ("Town", 4)
    link = page.one("link", rel="icon")
    assert link["href"].startswith(f"{SITE}/media/images/")
    assert client.get("/favicon.ico")["Location"] == link["href"]
    (manifest_icon,) = client.get("/site.webmanifest").json()["icons"]
    assert manifest_icon["src"] == link["href"]


# --- Texts and links ---------------------------------------------------------------------------


def test_introduction_is_on_the_home_page_only(client, set_up_site):
    EventFactory(title="Fair", start="2030-05-08 10:00")
    set_up_site(intro="<p>Welcome <script>alert(1)</script><em>here</em></p>")

    intro = get_page(client).one("div", **{"class": "prose site-intro"})

    assert intro.text == "Welcome here"
    for path in ("/events/list/", "/events/month/", "/?search=fair", "/?embed=1"):
        assert get_page(client, path).all("div", **{"class": "prose site-intro"}) == []


def test_texts_have_pages_which_the_footer_leads_to(client, set_up_site):
    set_up_site(imprint="<h2>Town hall</h2><p>1 Main St</p>", contact="<p>Write to us</p>")

    page = get_page(client)

    links = page.one("nav", **{"aria-label": "About this site"}).all("a")
    assert [(link.text, link["href"]) for link in links] == [
        ("Imprint", f"{SITE}/imprint/"),
        ("Contact", f"{SITE}/contact/"),
    ]
    imprint = get_page(client, "/imprint/")
    assert (imprint.one("h1").text, imprint.one("h2").text) == ("Imprint", "Town hall")
    assert client.get("/privacy/").status_code == 404


def test_links_are_in_the_header_and_the_footer(client, set_up_site):
    set_up_site(
        header_links="Town | hall | https://town.example/\n\nPool | /pool", footer_links="Jobs | https://jobs.example/"
    )

    page = get_page(client)

    header = page.one("nav", **{"aria-label": "Main"}).all("a")
    assert [(link.text, link["href"]) for link in header][2:] == [
        ("Town | hall", "https://town.example/"),
        ("Pool", "/pool"),
    ]
    footer = page.one("nav", **{"aria-label": "About this site"}).all("a")
    assert [(link.text, link["href"]) for link in footer] == [("Jobs", "https://jobs.example/")]


def test_links_to_api_and_admin_can_be_left_out(client, set_up_site):
    set_up_site(shows_admin_link=False)
    assert [link.text for link in get_page(client).one("footer").all("a") if link.text in ("API", "Admin")] == ["API"]

    set_up_site(shows_api_link=False)
    assert get_page(client).all("nav", **{"aria-label": "For developers and editors"}) == []


# --- Calendar and lists ------------------------------------------------------------------------


def test_home_page_and_first_weekday(client, set_up_site):
    set_up_site(home_view="month", first_weekday="monday")

    page = get_page(client)

    assert page.one("h1").text == "Events in May 2030"
    assert page.all("th", scope="col")[0].one("abbr")["title"] == "Monday"
    assert get_page(client, "/events/week/").one("h1").text == "29 Apr 2030 – 5 May 2030"


@pytest.mark.parametrize(
    ("day", "week"),
    [("saturday", "4 May 2030 – 10 May 2030"), ("sunday", "28 Apr 2030 – 4 May 2030")],
)
def test_weeks_begin_on_the_chosen_day(client, set_up_site, day, week):
    set_up_site(first_weekday=day)

    assert get_page(client, "/events/week/").one("h1").text == week


def test_lists_show_what_the_owner_chose(client, set_up_site, keep):
    hall = VenueFactory(title="Hall")
    shown = {"image": keep(plain_image(size=(200, 200))), "venues": [hall], "cost": "$10", "description": "<p>Fun</p>"}
    EventFactory(title="Fair", start="2030-05-08 10:00", **shown)
    EventFactory(title="Secret", start="2030-05-09 10:00", password="x", **shown)

    def items():
        return [
            (bool(item.all("img")), [text.text for text in item.all("p")][1:])
            for item in get_page(client).one("main").all("li")
            if item.all("a", **{"class": "event-title"})
        ]

    assert items() == [(True, ["Hall"]), (False, [])]
    set_up_site(lists_images=False, lists_venues=False, lists_prices=True, lists_texts=True)
    assert items() == [(False, ["$10", "Fun"]), (False, [])]


def test_category_gives_its_image_to_events_without_one(client, keep, django_assert_num_queries):
    music = CategoryFactory(name="Music", image=keep(plain_image(size=(300, 300))))
    jazz = CategoryFactory(name="Jazz", parent=music)
    EventFactory(title="Concert", start="2030-05-08 10:00", categories=[jazz])
    EventFactory(title="Session", start="2030-05-08 11:00", categories=[music])
    EventFactory(title="Talk", start="2030-05-08 12:00", categories=[CategoryFactory(name="Talks")])
    EventFactory(title="Secret", start="2030-05-08 13:00", categories=[jazz], password="x")

    links = get_page(client).all("a", **{"class": "event-title"})

    assert [(link.text, len(link.all("img"))) for link in links] == [
        ("Concert", 1),
        ("Session", 1),
        ("Talk", 0),
        ("Secret", 0),
    ]


# --- Design ------------------------------------------------------------------------------------


def test_design_is_a_style_element_with_a_hash(client, set_up_site):
    set_up_site(
        link_color="#7a1f5c", background_color="#fffaf0", font="serif", custom_css="/* x */ .site-name { color: red }"
    )

    response = client.get("/")

    css = parse_page(response).one("style").text
    assert css.startswith(':root{--font-family:"Iowan Old Style"')
    assert "--background:#fffaf0;--text:#1c2127;--link:#7a1f5c;--surface:#f4efe6" in css
    # The dark scheme stays that of the site.
    assert "@media (prefers-color-scheme:dark){:root{--background:#14181c;--text:#e6e9ec;--link:#84bcff" in css
    assert ".site-name { color: red }" in css
    assert "/* x */" not in css
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    assert f"style-src 'self' 'sha256-{digest}'" in response["Content-Security-Policy"]


def test_default_design_has_no_style_element(client):
    response = client.get("/")

    assert parse_page(response).all("style") == []
    assert "style-src 'self';" in response["Content-Security-Policy"]


def test_stored_responses_follow_the_profile(client, set_up_site):
    assert get_page(client).one("a", **{"class": "site-name"}).text == "Event calendar"
    set_up_site(name="Town")
    assert get_page(client).one("a", **{"class": "site-name"}).text == "Town"


def test_templates_of_the_theme_replace_those_of_the_service(client, settings, tmp_path):
    theme = '{% extends "base.html" %}{% block header %}<p id="theme">{{ block.super }}</p>{% endblock %}'
    (tmp_path / "base.html").write_text(theme)
    (templates,) = settings.TEMPLATES
    settings.TEMPLATES = [{**templates, "DIRS": [str(tmp_path), *templates["DIRS"]]}]

    page = get_page(client)

    assert page.one("p", id="theme").one("a", **{"class": "site-name"}).text == "Event calendar"
    assert page.one("h1").text == "Upcoming events"
