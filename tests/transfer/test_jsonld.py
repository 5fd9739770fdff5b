"""Importing schema.org events from files and pages."""

import json
from datetime import UTC, datetime

import pytest

from calendar_site.transfer.models import RunState
from events.choices import AttendanceMode, EventStatus
from events.models import Event
from tests.support.image_files import plain_image
from tests.support.imports import make_source, report_counts, report_lines, run_import

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

CHESS = {
    "@context": "https://schema.org",
    "@type": "Event",
    "name": "Chess &amp; tea",
    "startDate": "2030-06-01T19:00:00+02:00",
    "endDate": "2030-06-01T21:00:00+02:00",
}


@pytest.fixture
def read_jsonld(editor, tmp_path):
    """Return a function that imports a file with this text or value."""
    source = make_source(editor, kind="jsonld")

    def run(value, **options):
        return run_import(source, tmp_path, value if isinstance(value, str) else json.dumps(value), **options)

    return run


def test_all_fields(read_jsonld, serve_site, media_folder):
    serve_site(lambda path, parameters, headers: (200, {}, plain_image("PNG")))

    read_jsonld(
        {
            **CHESS,
            "@type": ["Thing", "SocialEvent"],
            "url": "https://chess.example.org/june",
            "description": "Bring a board.",
            "eventStatus": "https://schema.org/EventCancelled",
            "eventAttendanceMode": "MixedEventAttendanceMode",
            "location": [
                {"@type": "VirtualLocation", "url": "https://meet.example.org/1"},
                {
                    "@type": "Place",
                    "name": "Old Mill",
                    "address": {
                        "streetAddress": "Mill Lane 3",
                        "addressLocality": "Lindenau",
                        "postalCode": "04711",
                        "addressCountry": {"@type": "Country", "name": "Germany"},
                    },
                    "geo": {"latitude": "51.3", "longitude": 12.4},
                },
            ],
            "organizer": [{"@type": "Organization", "name": "Chess Club"}],
            "image": [{"@type": "ImageObject", "url": "http://chess.example.org/board.png"}],
            "keywords": "chess, tea",
            "offers": [{"price": "5", "priceCurrency": "EUR"}, {"lowPrice": 7.5, "highPrice": "12.00"}],
        }
    )

    event = Event.objects.get()
    assert (event.title, event.description) == ("Chess & tea", "<p>Bring a board.</p>")
    assert (event.start, event.end) == (datetime(2030, 6, 1, 17, tzinfo=UTC), datetime(2030, 6, 1, 19, tzinfo=UTC))
    assert (event.event_status, event.attendance_mode) == (EventStatus.CANCELLED, AttendanceMode.MIXED)
    assert (event.online_url, event.website) == ("https://meet.example.org/1", "https://chess.example.org/june")
    assert event.cost == "€5 – €12"
    venue = event.venues.get()
    assert (venue.title, venue.address, venue.city, venue.zip, venue.country) == (
        "Old Mill", "Mill Lane 3", "Lindenau", "04711", "Germany",
    )  # fmt: skip
    assert (venue.geo_lat, venue.geo_lng) == (51.3, 12.4)
    assert [row.title for row in event.organizers.all()] == ["Chess Club"]
    assert {tag.name for tag in event.tags.all()} == {"chess", "tea"}
    assert event.image is not None


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([CHESS]),
        json.dumps({"@graph": [{"@type": "WebSite"}, CHESS]}),
        json.dumps({"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "item": CHESS}]}),
        json.dumps({"@type": "Place", "event": CHESS}),
        "\n".join([json.dumps(CHESS), json.dumps({"@type": "Thing"})]),
        json.dumps(CHESS).replace("}", ", }"),
        json.dumps(CHESS) + ";",
        json.dumps(CHESS).replace("Chess &amp; tea", "Chess\t&amp; tea"),
        f'<html><script type="application/ld+json">{json.dumps(CHESS)}</script></html>',
        f"<html><script type='application/ld+json'>//<![CDATA[\n{json.dumps(CHESS)}\n//]]></script></html>",
        f"<html><script type=application/ld+json><!--\n{json.dumps(CHESS)}\n--></script></html>",
    ],
)
def test_forms_of_files_and_pages(read_jsonld, text):
    run = read_jsonld(text)

    assert report_counts(run) == {"created": 1}
    assert Event.objects.get().title == "Chess & tea"


def test_broken_part_of_a_page_does_not_stop_the_others(read_jsonld):
    broken = '<script type="application/ld+json">{"@type": "Event", </script>'

    run = read_jsonld(f'<html>{broken}<script type="application/ld+json">{json.dumps(CHESS)}</script></html>')

    assert [entry[0] for entry in report_lines(run)] == ["rejected", "created"]
    assert report_lines(run, "rejected")[0][2].startswith("Not valid JSON: ")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"startDate": "soon"}, "startDate: “soon” is not a date."),
        ({"startDate": "0001-01-01"}, "startDate: “0001-01-01” is not a date."),
        ({"name": ""}, "It has no title."),
    ],
)
def test_invalid_event_is_rejected(read_jsonld, changes, reason):
    run = read_jsonld([{**CHESS, **changes}, {**CHESS, "name": "Other"}])

    assert [entry[2] for entry in report_lines(run, "rejected")] == [reason]
    assert Event.objects.get().title == "Other"


def test_free_event_and_day_alone(read_jsonld):
    read_jsonld({"@type": "Festival", "name": "Fair", "startDate": "2030-06-01", "isAccessibleForFree": True})

    event = Event.objects.get()
    assert (event.cost, event.all_day, event.end_local) == ("Free", True, "2030-06-01 23:59:59")


@pytest.mark.parametrize("text", ["<html><title>Nothing</title></html>", "[]", "{}", '{"@type": "Person"}'])
def test_page_without_events_fails(read_jsonld, text):
    run = read_jsonld(text)

    assert (run.state, run.message) == (RunState.FAILED, "There are no schema.org events at this address.")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "{" + '"' * 9999])
def test_hostile_json_is_rejected(read_jsonld, text):
    run = read_jsonld(text)

    assert not Event.objects.exists()
    assert report_lines(run, "rejected")[0][2].startswith("Not valid JSON: ")
