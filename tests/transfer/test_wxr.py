"""Importing WordPress exports."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calendar_site.transfer.models import RunState
from events.models import Event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.support.image_files import plain_image
from tests.support.imports import make_source, report_counts, report_lines, run_import
from tests.support.remote_site import RecordedSite
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

RECORDED = Path(os.environ.get("REAL_DATA", "../shared/data")) / "source-site"
HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/"><channel><wp:wxr_version>1.2</wp:wxr_version>
<wp:author><wp:author_login>mia</wp:author_login><wp:author_email>{email}</wp:author_email></wp:author>
<wp:term><wp:term_id>8</wp:term_id><wp:term_taxonomy>tribe_events_cat</wp:term_taxonomy><wp:term_slug>chess</wp:term_slug>
<wp:term_parent>games</wp:term_parent><wp:term_name><![CDATA[Chess & more]]></wp:term_name></wp:term>
<wp:term><wp:term_id>7</wp:term_id><wp:term_taxonomy>tribe_events_cat</wp:term_taxonomy><wp:term_slug>games</wp:term_slug>
<wp:term_parent></wp:term_parent><wp:term_name>Games</wp:term_name></wp:term>
<wp:tag><wp:term_id>9</wp:term_id><wp:tag_slug>free</wp:tag_slug><wp:tag_name>free</wp:tag_name></wp:tag>
"""
TIMES = {
    "_EventStartDate": "2030-06-01 19:00:00",
    "_EventEndDate": "2030-06-01 21:00:00",
    "_EventStartDateUTC": "2030-06-01 17:00:00",
    "_EventEndDateUTC": "2030-06-01 19:00:00",
    "_EventTimezone": "Europe/Berlin",
}


def item(pk, kind, title, meta=None, *, status="publish", slug="", extra=""):
    found = "".join(
        f"<wp:postmeta><wp:meta_key>{name}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>"
        for name, value in (meta or {}).items()
    )
    return (
        f"<item><title><![CDATA[{title}]]></title><link>http://old.example.org/{slug}/</link><dc:creator>mia</dc:creator>"
        f"<wp:post_id>{pk}</wp:post_id><wp:post_date_gmt>2029-01-02 08:00:00</wp:post_date_gmt>"
        f"<wp:post_name>{slug}</wp:post_name><wp:status>{status}</wp:status><wp:post_type>{kind}</wp:post_type>"
        f"{found}{extra}</item>\n"
    )


CHESS = item(
    101, "tribe_events", "Chess", {
        **TIMES, "_EventCost": "5", "_EventCurrencySymbol": "€", "_EventCurrencyPosition": "suffix",
        "_EventVenueID": "20", "_EventOrganizerID": "30", "_tribe_featured": "1", "_thumbnail_id": "5",
        "_EventURL": "https://chess.example.org", "_EventShowMap": "1",
    },
    slug="chess-night",
    extra="<content:encoded><![CDATA[<!-- wp:paragraph --><p>Bring a board.</p><!-- /wp:paragraph -->]]>"
    "</content:encoded><excerpt:encoded><![CDATA[In short]]></excerpt:encoded>"
    '<category domain="tribe_events_cat" nicename="chess">Chess</category>'
    '<category domain="post_tag" nicename="free">free</category>',
)  # fmt: skip
VENUE = item(20, "tribe_venue", "Old Mill", {"_VenueCity": "Lindenau", "_VenueShowMap": "1"}, slug="old-mill")
ORGANIZER = item(30, "tribe_organizer", "Chess Club", {"_OrganizerEmail": "club@example.org"}, slug="club")
IMAGE = item(
    5, "attachment", "board", {"_wp_attachment_image_alt": "A chess board"},
    extra="<wp:attachment_url>http://old.example.org/board.png</wp:attachment_url>",
)  # fmt: skip


def export(*items, email="nobody@example.org"):
    return HEAD.format(email=email) + "".join(items) + "</channel></rss>"


@pytest.fixture
def wxr_source(administrator):
    return make_source(administrator, kind="wxr")


@pytest.fixture(autouse=True)
def image_server(serve_site, media_folder):
    return serve_site(lambda path, parameters, headers: (200, {}, plain_image("PNG")))


def test_records_of_all_kinds_are_imported(wxr_source, tmp_path, author):
    author.email = "mia@example.org"
    author.save()

    run = run_import(wxr_source, tmp_path, export(CHESS, ORGANIZER, VENUE, IMAGE, email="Mia@example.org"))

    assert report_counts(run) == {"created": 6}
    event = Event.objects.get()
    assert (event.title, event.slug, event.cost, event.featured) == ("Chess", "chess-night", "5€", True)
    assert (event.start, event.author) == (datetime(2030, 6, 1, 17, tzinfo=UTC), author)
    assert (event.description, event.excerpt) == ("<p>Bring a board.</p>", "<p>In short</p>")
    assert (event.website, event.show_map, event.show_map_link) == ("https://chess.example.org", True, False)
    assert event.image.alt == "A chess board"
    assert [row.title for row in event.venues.all()] == ["Old Mill"]
    assert [row.email for row in event.organizers.all()] == ["club@example.org"]
    assert [(row.name, row.parent.slug) for row in event.categories.all()] == [("Chess & more", "games")]
    assert [row.slug for row in event.tags.all()] == ["free"]


@pytest.mark.parametrize(
    ("status", "meta", "extra", "expected"),
    [
        ("draft", {}, "", {"status": "draft"}),
        ("private", {}, "", {"status": "private"}),
        ("publish", {"_EventHideFromUpcoming": "yes"}, "", {"hide_from_listings": True}),
        ("publish", {}, "<wp:menu_order>-1</wp:menu_order>", {"sticky": True}),
        ("publish", {}, "<wp:post_password>seeds</wp:post_password>", {"password": "seeds"}),
        ("publish", {"_EventAllDay": "yes"}, "", {"all_day": True}),
    ],
)
def test_states_of_events(wxr_source, tmp_path, status, meta, extra, expected):
    run_import(
        wxr_source, tmp_path, export(item(101, "tribe_events", "Chess", {**TIMES, **meta}, status=status, extra=extra))
    )

    event = Event.objects.get()
    assert {name: getattr(event, name) for name in expected} == expected


def test_trash_is_skipped_and_other_posts_are_ignored(wxr_source, tmp_path):
    trashed = item(102, "tribe_events", "Old", TIMES, status="trash")

    run = run_import(wxr_source, tmp_path, export(item(1, "page", "About us"), trashed, CHESS))

    assert report_lines(run, "skipped") == [("skipped", "Old", "It is in the trash of the site.")]
    assert [event.title for event in Event.objects.all()] == ["Chess"]


def test_event_without_dates_is_rejected(wxr_source, tmp_path):
    run = run_import(wxr_source, tmp_path, export(item(102, "tribe_events", "Undated"), CHESS))

    assert [entry[:2] for entry in report_lines(run, "rejected")] == [("rejected", "Undated")]
    assert Event.objects.count() == 1


@pytest.mark.parametrize(
    "content",
    [
        export(CHESS)[:-30],
        "<html><body>Sign in</body></html>",
        "not xml",
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + export(CHESS).partition("?>")[2],
    ],
)
def test_incomplete_or_dangerous_file_fails_before_anything_is_written(wxr_source, tmp_path, content):
    run = run_import(wxr_source, tmp_path, content)

    assert run.state == RunState.FAILED
    assert run.message.startswith(("The file is not a complete WordPress export", "The file is not a WordPress export"))
    assert not Event.objects.exists()


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded site is not here")
def test_recorded_export_is_imported_as_a_whole(wxr_source, tmp_path, serve_site):
    serve_site(RecordedSite(RECORDED))
    wxr_source.options = {"keep_ids": True}
    wxr_source.save()
    content = (RECORDED / "wxr" / "all.xml").read_text().replace("https://events", "http://events")

    run = run_import(wxr_source, tmp_path, content)

    assert report_lines(run, "rejected") == []
    assert [entry[2] for entry in report_lines(run, "skipped")] == ["It is in the trash of the site."]
    assert Event.objects.count() == 122
    assert Event.objects.filter(hide_from_listings=True).count() == 5
    assert (Venue.objects.count(), Organizer.objects.count()) == (18, 12)
    assert (Category.objects.count(), Tag.objects.count()) == (18, 15)
