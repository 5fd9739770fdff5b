"""The language of a response: the one in the path, else the one that the client prefers."""

import re
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec
from itertools import cycle, islice

import pytest
from django.test import Client
from django.test.utils import override_script_prefix
from django.urls import get_script_prefix
from django.utils.translation import get_language

from calendar_site import urls
from calendar_site.localization import languages
from calendar_site.media.models import Image
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support import admin
from tests.support.api_client import API, api_client_for
from tests.support.html_page import details_of, parse_page

pytestmark = pytest.mark.django_db

CODES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl")
NAMES = ("English", "Deutsch", "Français", "Español", "Italiano", "Nederlands", "Português (Portugal)", "Polski")


@pytest.fixture(autouse=True)
def day_before(time_machine):
    time_machine.move_to("2030-05-03 12:00Z", tick=False)


@pytest.fixture
def fair(db):
    return EventFactory(
        title="Fair",
        slug="fair",
        start="2030-05-04 18:00",
        image=ImageFactory(file="images/fair.png"),
        venues=[VenueFactory(title="Hall")],
        organizers=[OrganizerFactory(title="Choir")],
        categories=[CategoryFactory(name="Music")],
        tags=[TagFactory(name="Outdoor")],
    )


@pytest.fixture
def reload_urls(settings):
    """Return a function that serves the URLs as they are with these settings from the start."""

    def set_up(**changed):
        for name, value in changed.items():
            setattr(settings, name, value)
        copy = module_from_spec(urls.__spec__)
        urls.__spec__.loader.exec_module(copy)
        settings.ROOT_URLCONF = copy

    return set_up


def varies(response):
    return {name.strip() for name in response.get("Vary", "").split(",")}


# --- The language in the path


ADDRESSES = (
    "/",
    "",
    "/event/fair/",
    "/event/fair",
    "/venue/hall/",
    "/events/category/music/",
    "/admin/login/",
    API,
    f"{API}/events",
    f"{API}/events/",
    f"{API}/events/by-slug/fair",
    f"{API}/doc",
)


@pytest.mark.parametrize("path", ADDRESSES)
def test_language_of_the_path_overrides_the_header(client, fair, plain_static_files, path):
    for code in CODES:
        response = client.get(f"/{code}{path}", headers={"Accept-Language": "fr, de;q=0.5"})

        assert (response.status_code, response["Content-Language"]) == (200, code)
        assert "Accept-Language" not in varies(response)
        if response["Content-Type"].startswith("text/html"):
            assert parse_page(response).one("html")["lang"] == code


def test_month_names_are_translated(client, fair):
    months = {
        code: re.search(r"\b4\.? (?:de )?(\w+)", parse_page(client.get(f"/{code}/event/fair/")).text) for code in CODES
    }

    assert {code: found and found[1] for code, found in months.items()} == {
        "en": "May", "de": "Mai", "fr": "mai", "es": "mayo", "it": "maggio", "nl": "mei", "pt": "maio", "pl": "maja",
    }  # fmt: skip


def test_texts_are_translated(client, fair):
    page = parse_page(client.get("/de/"))

    assert page.one("h1").text == page.one("title").text.removesuffix(" – Event calendar") == "Kommende Veranstaltungen"
    assert [link.text for link in page.one("header").one("nav").all("a")] == [
        "Liste",
        "Monat",
    ]
    assert page.one("div", **{"class": "event-day"}).one("h2").text == "Samstag, 4. Mai 2030"
    assert client.get(f"/de{API}/events?per_page=x").json()["data"]["params"] == {
        "per_page": "Muss eine ganze Zahl sein, z.\xa0B. 12."
    }


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "Saturday 4 May 2030, 18:00 to 20:30"),
        ("de", "Samstag, 4. Mai 2030, 18:00 bis 20:30 Uhr"),
        ("fr", "Samedi 4 mai 2030, 18 h – 20 h 30"),
        ("es", "Sábado, 4 de mayo de 2030, 18:00 – 20:30"),
        ("it", "Sabato 4 maggio 2030, 18:00 – 20:30"),
        ("nl", "Zaterdag 4 mei 2030, 18:00 tot 20:30 uur"),
        ("pl", "Sobota, 4 maja 2030, 18:00 – 20:30"),
        ("pt", "Sábado, 4 de maio de 2030, 18:00 – 20:30"),
    ],
)
def test_times_are_written_as_in_each_language(client, code, text):
    EventFactory(title="Gala", slug="gala", start="2030-05-04 18:00", end="2030-05-04 20:30")

    page = parse_page(client.get(f"/{code}/event/gala/"))

    assert page.one("span", **{"class": "event-time"}).text == text


@pytest.mark.parametrize(
    ("code", "end", "text"),
    [
        ("de", "2030-05-05 00:30", "Samstag, 4. Mai 2030, 22:30 bis 00:30 Uhr am nächsten Tag"),
        ("de", "2030-05-05 00:00", "Samstag, 4. Mai 2030, 22:30 Uhr bis Mitternacht"),
        ("de", "2030-05-04 22:30", "Samstag, 4. Mai 2030, 22:30 Uhr"),
        ("nl", "2030-05-05 00:30", "Zaterdag 4 mei 2030, 22:30 tot 00:30 uur de volgende dag"),
    ],
)
def test_unit_of_a_time_follows_the_last_time_of_a_night(client, code, end, text):
    EventFactory(title="Gala", slug="gala", start="2030-05-04 22:30", end=end)

    page = parse_page(client.get(f"/{code}/event/gala/"))

    assert page.one("span", **{"class": "event-time"}).text == text


def test_costs_and_prices_are_localised(client):
    event = EventFactory(title="Gala", slug="gala", cost="0 - 10")
    TicketFactory(event=event, name="Seat", price="1234.50", currency="EUR")
    TicketFactory(event=event, name="Child", price=0)

    records = [client.get(f"/{code}{API}/events/{event.pk}").json() for code in ("en", "de")]
    pages = [details_of(parse_page(client.get(f"/{code}/event/gala/"))) for code in ("en", "de")]

    assert [record["cost"] for record in records] == ["Free – $10", "Free – $10"]
    assert [pages[0]["Cost"], pages[1]["Kosten"]] == [["Free – $10"], ["Kostenlos – $10"]]
    assert [pages[0]["Tickets"], pages[1]["Tickets"]] == [
        ["Seat €1,234.50", "Child Free"],
        ["Seat 1.234,50 €", "Child Kostenlos"],
    ]


def test_throttle_message_is_translated(client, settings):
    settings.THROTTLE_EVENT_PASSWORD = "1/hour"
    EventFactory(title="Secret", slug="secret", password="open sesame")
    client.post("/de/event/secret/", {"password": "wrong"})

    message = parse_page(client.post("/de/event/secret/", {"password": "wrong"})).one("p", id="password-error").text

    assert message == "Zu viele falsche Passwörter. Versuchen Sie es in 60 Minuten erneut."


def test_headings_are_capitalised(client, fair):
    headings = {
        code: parse_page(client.get(f"/{code}/")).one("div", **{"class": "event-day"}).one("h2").text
        for code in ("fr", "nl")
    }

    assert headings == {"fr": "Samedi 4 mai 2030", "nl": "Zaterdag 4 mei 2030"}


@pytest.mark.parametrize(
    "path",
    [
        "/xx/event/fair/",
        "/DE/event/fair/",
        "/de-AT/event/fair/",
        "/deu/event/fair/",
        "/event/de/fair/",
        "/event/fair/de/",
        "/devent/fair/",
        f"/xx{API}/events",
    ],
)
def test_other_path_prefixes_are_not_languages(client, fair, path):
    response = client.get(path, headers={"Accept-Language": "nl"})

    assert (response.status_code, response["Content-Language"]) == (404, "nl")
    assert "Accept-Language" in varies(response)


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"REST_ROOT": "it"}, f"/it{API}/events"),
        ({"NAMESPACE_ALIASES": ["pt/agenda/v1"]}, "/pt/agenda/v1/events"),
        ({"NAMESPACE_ALIASES": ["pt/agenda/v1"]}, "/pt/agenda/v1"),
        ({"NAMESPACE_ALIASES": ["pt"]}, "/pt/events"),
        ({"NAMESPACE_ALIASES": ["pt"]}, "/pt"),
    ],
)
def test_configured_path_that_looks_like_a_language_is_none(client, fair, reload_urls, changed, path):
    reload_urls(**changed)

    own, under_a_language = client.get(path), client.get(f"/de{path}")

    assert (own.status_code, own["Content-Language"]) == (200, "en")
    assert (under_a_language.status_code, under_a_language["Content-Language"]) == (200, "de")


@pytest.mark.parametrize("path", ["/de/de/event/fair/", "/de/fr/", "/de//event/fair/", "/de/nothing/", "/de/xx/"])
def test_path_below_the_language_shows_the_same_page(client, fair, path):
    response = client.get(path, headers={"Accept-Language": "nl"})

    assert (response.status_code, response["Content-Language"]) == (404, "de")
    assert "Accept-Language" not in varies(response)


# --- Accept-Language


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("", "en"),
        ("de", "de"),
        ("pl", "pl"),
        ("de-AT", "de"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("zh-Hant-TW, nl-BE;q=0.1", "nl"),
        ("FR-ca", "fr"),
        ("en, de;q=0.9", "en"),
        ("de;q=0.3, it;q=0.7", "it"),
        ("ja, es;q=0.5", "es"),
        ("ja", "en"),
        ("*", "en"),
        ("*, de;q=0.5", "en"),
        ("*;q=0.1, de;q=0.5", "de"),
        ("de;q=0", "en"),
        ("de;q=0, fr;q=0.001", "fr"),
        ("de;q=2", "en"),
        ("de;q=high", "en"),
        ("german", "en"),
        ("d", "en"),
        (",,,;;;", "en"),
        ("../../etc/passwd", "en"),
        ("de\x00", "en"),
        ("дe", "en"),
        ("x" * 5000, "en"),
        ("de," * 500, "de"),
    ],
)
def test_accept_language_selects_the_language(client, fair, accepted, code):
    for path in ("/", f"{API}/events", "/nothing/"):
        response = client.get(path, headers={"Accept-Language": accepted})

        assert response["Content-Language"] == code
        assert "Accept-Language" in varies(response)


def test_accept_language_selects_the_language_of_the_admin(client, plain_static_files):
    labels = {
        code: parse_page(client.get("/admin/login/", headers={"Accept-Language": code})).one(
            "label", **{"for": "id_password"}
        )
        for code in ("en", "de", "pl")
    }

    assert {code: label.text for code, label in labels.items()} == {
        "en": "Password*",
        "de": "Passwort*",
        "pl": "Hasło*",
    }


def test_site_language_is_the_default(client, settings):
    settings.LANGUAGE_CODE = "it"

    languages_by_header = {name: client.get("/", headers=headers)["Content-Language"] for name, headers in {
        "nothing": {}, "another": {"Accept-Language": "ja"}, "English": {"Accept-Language": "en-GB"}
    }.items()}  # fmt: skip

    assert languages_by_header == {"nothing": "it", "another": "it", "English": "en"}


# --- URLs in API responses


def urls_in(value):
    """Return every URL in a response by its path of keys."""
    if isinstance(value, dict):
        return {f"{key}.{path}".rstrip("."): text for key in value for path, text in urls_in(value[key]).items()}
    if isinstance(value, list):
        return {f"{place}.{path}": text for place, item in enumerate(value) for path, text in urls_in(item).items()}
    return {"": value} if isinstance(value, str) and value.startswith("http") else {}


def test_urls_in_api_responses_keep_the_language(client, fair):
    plain, german = (urls_in(client.get(f"{root}{API}/events/{fair.pk}").json()) for root in ("", "/de"))

    same = {path for path in plain if plain[path] == german[path]}
    assert len(plain) > 15
    assert {path: german[path] for path in plain.keys() - same} == {
        path: plain[path].replace("http://testserver/", "http://testserver/de/") for path in plain.keys() - same
    }
    assert {plain[path] for path in same} == {
        "http://testserver/media/images/fair.png",
        "https://schema.org",
        "https://schema.org/EventScheduled",
        "https://schema.org/OfflineEventAttendanceMode",
        "https://schema.org/InStock",
    } & {*plain.values()}


def test_api_records_differ_only_in_urls(client, fair):
    for path in (
        f"/events/{fair.pk}",
        "/events?start_date=2030-01-01",
        "/venues",
        "/organizers",
        "/categories",
        "/tags",
    ):
        responses = {client.get(f"/{code}{API}{path}").content.replace(f"/{code}/".encode(), b"/") for code in CODES}

        assert responses == {client.get(f"{API}{path}", headers={"Accept-Language": "ja"}).content}


def test_pagination_links_of_the_api_keep_the_language(client, fair):
    EventFactory(title="Second", start="2030-05-05 10:00")

    response = client.get(f"/fr{API}/events?per_page=1&start_date=2030-01-01&end_date=2031-01-01")

    following = response.json()["next_rest_url"]
    assert following.startswith(f"http://testserver/fr{API}/events?")
    assert f'<{following}>; rel="next"' in response["Link"]
    assert re.findall(r"<http://testserver/(?!fr/)[^>]*>", response["Link"]) == []
    assert client.get(following)["Content-Language"] == "fr"


@pytest.mark.parametrize(
    ("public", "root"),
    [
        ("", "http://testserver"),
        ("https://calendar.example.org", "https://calendar.example.org"),
        ("https://example.org/whats-on", "https://example.org/whats-on"),
    ],
)
def test_language_follows_the_public_url(client, fair, settings, public, root):
    settings.PUBLIC_URL = public

    record = client.get(f"/de{API}/events/{fair.pk}").json()

    assert record["url"] == f"{root}/de/event/fair/"
    assert record["rest_url"] == f"{root}/de{API}/events/{fair.pk}"
    assert record["image"]["url"] == f"{'/'.join(root.split('/')[:3])}/media/images/fair.png"
    assert record["global_id"] == client.get(f"{API}/events/{fair.pk}").json()["global_id"]


def test_language_follows_the_script_name(client, fair):
    with override_script_prefix("/agenda/"):
        record = client.get(f"/de{API}/events/{fair.pk}").json()
        page = parse_page(client.get("/de/event/fair/"))
        to_the_admin = client.get("/de/admin")["Location"]

    assert record["url"] == "http://testserver/agenda/de/event/fair/"
    assert page.one("link", rel="canonical")["href"] == "http://testserver/agenda/event/fair/"
    assert record["rest_url"] == f"http://testserver/agenda/de{API}/events/{fair.pk}"
    assert page.one("a", hreflang="fr")["href"] == "http://testserver/agenda/fr/event/fair/"
    assert to_the_admin == "/agenda/de/admin/"


def test_language_precedes_the_root_and_the_aliases_of_the_api(client, fair, reload_urls):
    reload_urls(REST_ROOT="api", NAMESPACE_ALIASES=["wp-json/tribe/events/v1"])

    for base in ("/de/api/cal/events/v1", "/de/wp-json/tribe/events/v1"):
        record = client.get(f"{base}/events/{fair.pk}").json()

        assert record["rest_url"] == f"http://testserver{base}/events/{fair.pk}"
        assert record["url"] == "http://testserver/de/event/fair/"


def test_record_read_in_one_language_can_be_written_in_another(editor_api, fair):
    before = editor_api.get(f"{API}/events/{fair.pk}").json()

    for code, other in (("de", ""), ("", "/fr"), ("it", "/pl")):
        read_there = editor_api.get(f"{code and '/'}{code}{API}/events/{fair.pk}").json()
        assert editor_api.put(f"{other}{API}/events/{fair.pk}", read_there).status_code == 200

    after = editor_api.get(f"{API}/events/{fair.pk}").json()
    assert {**after, "modified": "", "modified_utc": ""} == {**before, "modified": "", "modified_utc": ""}
    fair.refresh_from_db()
    assert fair.website == ""


# --- Files


@pytest.fixture
def served_file_path(editor, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    name = f"images/00/{'0' * 32}-fair.png"
    (tmp_path / "images" / "00").mkdir(parents=True)
    (tmp_path / name).write_bytes(b"picture")
    return f"/media/{name}"


def test_files_have_no_language(client, served_file_path):
    for path in (served_file_path, "/static/pages/icon.svg"):
        response = client.get(path, headers={"Accept-Language": "de"})
        response.close()

        assert response.status_code == 200
        assert "Content-Language" not in response
        assert "Accept-Language" not in varies(response)
        assert client.get(f"/de{path}").status_code == 404


def test_image_urls_in_the_admin_have_no_language(editor, served_file_path, plain_static_files):
    image = Image(file=served_file_path.removeprefix("/media/"))

    under_german = admin.browser_for(editor).get("/de/admin/")

    assert under_german["Content-Language"] == "de"
    assert image.file.url == served_file_path


# --- HTML pages


@pytest.mark.parametrize(
    "path", ["/", "/events/2030-05/", "/event/fair/", "/venue/hall/", "/organizer/choir/", "/events/tag/outdoor/"]
)
def test_page_of_untranslated_content_has_one_canonical_url_in_all_languages(client, fair, path):
    for root, shown in (("", "English"), ("/de", "Deutsch")):
        page = parse_page(client.get(f"{root}{path}?page=1"))

        choice = page.one("footer").all("nav")[-1]
        assert [link for link in page.all("link") if "hreflang" in link.attributes] == []
        assert page.one("link", rel="canonical")["href"] == f"http://testserver{path}"
        assert [(link.text, link["lang"], link["href"]) for link in choice.all("a")] == [
            (name, code, f"http://testserver/{code}{path}") for name, code in zip(NAMES, CODES, strict=True)
        ]
        assert [link.text for link in choice.all("a") if "aria-current" in link.attributes] == [shown]


def test_page_of_a_list_links_to_the_same_page_in_every_language(client):
    EventFactory.create_batch(21, start="2030-05-04 18:00")

    page = parse_page(client.get("/pl/?page=2"))

    assert page.one("link", rel="canonical")["href"] == "http://testserver/?page=2"
    assert page.one("a", hreflang="it")["href"] == "http://testserver/it/?page=2"
    assert page.one("a", rel="prev nofollow")["href"] == "http://testserver/pl/#content"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/event/fair/",
        "/venue/hall/",
        "/organizer/choir/",
        "/events/category/music/",
        "/events/tag/outdoor/",
        "/no/",
    ],
)
def test_links_of_a_page_keep_the_language(client, fair, path):
    page = parse_page(client.get(f"/de{path}"))

    leading = {link["href"] for link in page.one("body").all("a") if "hreflang" not in link.attributes}
    own = ("#", "http://testserver/de/", "webcal://testserver/de/", "webcal:http://testserver/de/")
    elsewhere = {href for href in leading if not href.startswith(own)} - {"http://testserver/media/images/fair.png"}
    # Google Calendar and Outlook, which get the URL of the calendar or of the event.
    assert all("testserver%2Fde%2F" in href for href in elsewhere)


def test_password_form_keeps_the_language(client):
    EventFactory(title="Secret", slug="secret", password="open sesame")

    refused = client.post("/de/event/secret/", {"password": "wrong"})
    taken = client.post("/de/event/secret/", {"password": "open sesame"})

    assert (refused.status_code, refused["Content-Language"]) == (403, "de")
    assert (taken.status_code, taken["Location"]) == (303, "/de/event/secret/")
    assert client.get("/de/event/secret/").content.count(b"<form") == 0


def test_admin_keeps_the_language_of_its_path(editor, fair, plain_static_files):
    browser = admin.browser_for(editor)

    form = f"/de/admin/events/event/{fair.pk}/change/"

    for path in ("/de/admin/", "/de/admin/events/event/", form):
        leading = re.findall(r'(?:href|action|data-ajax--url)="(/[^"]*)"', browser.get(path).content.decode())
        assert "/de/admin/events/event/" in leading
        assert [path for path in leading if not path.startswith(("/de/", "/static/", "/media/"))] == []
    assert admin.submit_form(browser, form, title="Jahrmarkt")["Location"] == "/de/admin/events/event/"


def test_site_link_of_the_admin_uses_the_script_name(editor, plain_static_files):
    browser = admin.browser_for(editor)

    with override_script_prefix("/agenda/"):
        ways = [browser.get(f"{root}/admin/").context["site_url"] for root in ("", "/de")]

    assert ways == ["/agenda/", "/agenda/de/"]


# --- Errors and isolation


@pytest.mark.parametrize(
    ("path", "status"), [("/nothing/", 404), (f"{API}/nothing", 404), (f"{API}/events?page=x", 400)]
)
def test_errors_are_translated(client, db, path, status):
    response = client.get(f"/es{path}")

    assert (response.status_code, response["Content-Language"]) == (status, "es")


def test_refused_host_error_is_translated(client, db, settings):
    settings.ALLOWED_HOSTS = ["calendar.example.org"]

    for path, kind in (("/", "text/html"), (f"{API}/events", "application/json")):
        response = client.get(f"/nl{path}", headers={"Host": "evil.example.org"})

        assert (response.status_code, response["Content-Language"]) == (400, "nl")
        assert response["Content-Type"].startswith(kind)


def test_language_is_restored_after_an_error(client, rf):
    seen = []

    def fail(request):
        seen.append((get_language(), get_script_prefix(), request.path_info))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        languages.language_middleware(fail)(rf.get("/de/event/fair/"))
    client.get(f"/fr{API}/nothing")

    assert seen == [("de", "/de/", "/event/fair/")]
    assert (get_language(), get_script_prefix()) == ("en", "/")


def test_concurrent_requests_have_their_own_languages():
    def shown(code):
        page = parse_page(Client().get(f"/{code}/nothing/"))
        return page.one("html")["lang"], page.one("a", **{"class": "site-name"})["href"]

    codes = list(islice(cycle(CODES), 80))
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(shown, codes))

    assert responses == [(code, f"http://testserver/{code}/") for code in codes]


def test_session_is_valid_in_every_language(editor):
    assert api_client_for(editor).get(f"/de{API}/events").status_code == 200
    assert api_client_for(None).post(f"/de{API}/events", {"title": "x"}).status_code == 401
