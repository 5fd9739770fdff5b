"""`/sitemap.xml`: the public pages, in files, for search engines."""

from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest
from django.test import Client

from calendar_site.website import sitemaps
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

SITE = "http://testserver"
PREFIX = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def entries(path, **kwargs):
    """The URLs of a file, with the times of their last changes."""
    response = Client().get(path, **kwargs)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml; charset=utf-8")
    root = ElementTree.fromstring(response.content)  # noqa: S314 - our own
    assert root.tag in (f"{PREFIX}sitemapindex", f"{PREFIX}urlset")
    return {each.findtext(f"{PREFIX}loc"): each.findtext(f"{PREFIX}lastmod") for each in root}


@pytest.fixture
def calendar_records():
    """Public records of each kind, and others that nobody but editors may see."""
    hall, hidden = VenueFactory(slug="hall"), VenueFactory(slug="hidden", status="draft")
    jazz, tag = CategoryFactory(slug="jazz"), TagFactory(slug="loud")
    CategoryFactory(slug="unused")
    OrganizerFactory(slug="club")
    OrganizerFactory(slug="gone", status="trash")
    EventFactory(slug="fair", venues=[hall], categories=[jazz], tags=[tag])
    EventFactory(slug="past-fair", start="2020-05-04 12:00", end="2020-05-04 13:00")
    EventFactory(slug="музей")
    EventFactory(slug="draft", status="draft")
    EventFactory(slug="scheduled", status="future", published_at=datetime(2030, 6, 1, tzinfo=UTC))
    EventFactory(slug="trashed", status="trash")
    EventFactory(slug="protected", password="x")
    EventFactory(slug="unlisted", hide_from_listings=True, venues=[hidden])


def test_index_names_the_files_of_each_kind_of_pages(calendar_records):
    assert list(entries("/sitemap.xml")) == [
        f"{SITE}/sitemap-{name}-1.xml" for name in ("pages", "events", "venues", "organizers", "categories", "tags")
    ]


@pytest.mark.parametrize(
    ("name", "urls"),
    [
        ("pages", ["/"]),
        ("events", ["/event/fair/", "/event/past-fair/", "/event/%D0%BC%D1%83%D0%B7%D0%B5%D0%B9/"]),
        ("venues", ["/venue/hall/"]),
        ("organizers", ["/organizer/club/"]),
        ("categories", ["/events/category/jazz/"]),
        ("tags", ["/events/tag/loud/"]),
    ],
)
def test_files_have_the_public_pages_only(calendar_records, name, urls):
    found = entries(f"/sitemap-{name}-1.xml")

    assert list(found) == [f"{SITE}{url}" for url in urls]
    assert [Client().get(url).status_code for url in found] == [200] * len(urls)


def test_last_changes_are_in_utc(calendar_records):
    assert set(entries("/sitemap-events-1.xml").values()) == {"2030-05-04T12:00:00+00:00"}
    assert set(entries("/sitemap-tags-1.xml").values()) == {None}


def test_urls_have_no_language_because_no_canonical_url_has(calendar_records):
    assert entries("/de/sitemap-events-1.xml") == entries("/sitemap-events-1.xml")
    assert entries("/de/sitemap.xml") == entries("/sitemap.xml")


def test_urls_begin_with_the_public_url(calendar_records, settings):
    settings.PUBLIC_URL = "https://calendar.example.org"

    assert list(entries("/sitemap-venues-1.xml")) == ["https://calendar.example.org/venue/hall/"]
    assert next(iter(entries("/sitemap.xml"))) == "https://calendar.example.org/sitemap-pages-1.xml"


def test_long_sections_have_several_files(calendar_records, monkeypatch):
    monkeypatch.setattr(sitemaps, "MAX_URLS", 2)

    first, second = entries("/sitemap-events-1.xml"), entries("/sitemap-events-2.xml")

    assert ([*first], [*second]) == (
        [f"{SITE}/event/fair/", f"{SITE}/event/past-fair/"],
        [f"{SITE}/event/%D0%BC%D1%83%D0%B7%D0%B5%D0%B9/"],
    )
    assert [url for url in entries("/sitemap.xml") if "events" in url] == [
        f"{SITE}/sitemap-events-1.xml",
        f"{SITE}/sitemap-events-2.xml",
    ]


@pytest.mark.parametrize(
    "path",
    [
        "/sitemap-events-2.xml", "/sitemap-events-0.xml", "/sitemap-events-999999999.xml",
        "/sitemap-events-9999999999.xml", "/sitemap-pages-2.xml", "/sitemap-users-1.xml", "/sitemap-events.xml",
    ],
)  # fmt: skip
def test_other_files_do_not_exist(calendar_records, client, path):
    assert client.get(path).status_code == 404


def test_empty_calendar_has_its_first_page_only():
    assert list(entries("/sitemap.xml")) == [f"{SITE}/sitemap-pages-1.xml"]
    assert Client().get("/sitemap-events-1.xml").status_code == 404


@pytest.mark.parametrize(("path", "queries"), [("/sitemap.xml", 5), ("/sitemap-events-1.xml", 1)])
def test_files_cost_a_fixed_number_of_queries(calendar_records, client, django_assert_num_queries, path, queries):
    with django_assert_num_queries(queries):
        client.get(path)


def test_they_are_the_same_for_those_who_see_more(calendar_records, editor):
    browser = Client()
    browser.force_login(editor)

    for path in ("/sitemap.xml", "/sitemap-events-1.xml"):
        assert browser.get(path).content == Client().get(path).content
    assert Client().post("/sitemap.xml").status_code == 405
