"""S17: no text, list or query makes a request take more than linear work, or grows beyond its limit when it is stored.

Covers the row about slow parsers, sanitizers and truncators (Wagtail GHSA-jmp3-39vp-fwg8, Django CVE-2025-32873 and
CVE-2026-1285), and the findings of the audit: combining marks, digits in character references, formatting that is
opened again, search texts that grow, long `_fields`, and lists of records with long descriptions.
"""

import ast
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db import connection

from calendar_site.core.text.html import html_to_text, sanitize_html, searchable_html
from calendar_site.core.text.plain_text import (
    MAX_COMBINING_MARKS,
    MAX_SEARCH_TEXT_LENGTH,
    limit_combining_marks,
    normalize_for_search,
    shorten,
    unescape_references,
)
from calendar_site.custom_fields.models import CustomField
from events.linked_rows import VENUES
from tests.factories import EventFactory, VenueFactory
from tests.support.admin import form_data
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, event_data, updated_record
from venues.models import Venue

pytestmark = pytest.mark.django_db

SOURCES = [
    path
    for package in ("calendar_site", "events", "venues", "organizers", "taxonomy")
    for path in (Path(django_settings.BASE_DIR) / package).rglob("*.py")
    if "migrations" not in path.parts
]
# A reference with more digits than Python converts to a number.
LONG_REFERENCE = "&#" + "9" * 4400 + ";"


# --- Functions that do more than linear work are called in one place


def callers(*names):
    """Return the modules that use an attribute or a name, such as `unescape`."""
    return {module for module, used in used_names().items() if used & set(names)}


@cache
def used_names():
    """Return the attributes and names that each module uses."""
    found = {}
    for path in SOURCES:
        nodes = ast.walk(ast.parse(path.read_text()))
        module = path.relative_to(django_settings.BASE_DIR).as_posix()
        found[module] = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
    return found


def test_texts_are_normalized_and_truncated_by_bounded_functions_only():
    assert callers("unescape", "Truncator") == {"calendar_site/core/text/plain_text.py"}
    assert callers("normalize") == {"calendar_site/core/slugs.py", "calendar_site/core/text/plain_text.py"}


# --- Combining marks


@pytest.mark.parametrize("marks", ["\u0301\u0323", "\U0001d165\U0001d16d", "\u0301\U0001d165"], ids=ascii)
def test_run_of_marks_is_cut_in_every_script(marks):
    run = marks * 500_000

    assert limit_combining_marks(f"é{run}x") == f"é{run[:MAX_COMBINING_MARKS]}x"


def test_shortened_text_is_cut_before_it_is_normalized():
    # Normalizing all of it takes minutes.
    marks = "\u0301\u0323" * 500_000

    short = shorten(f"東{marks}京都", 2)

    assert (short[0], short[-1], len(short)) == ("東", "…", 2 + MAX_COMBINING_MARKS)
    assert shorten("One two three", 8) == "One two…"
    assert shorten("One two", 8) == "One two"


def test_page_of_an_event_with_a_stored_run_of_marks_is_shown(client):
    event = EventFactory(title="Jazz")
    # As stored before the limit.
    type(event).objects.filter(pk=event.pk).update(description="<p>a" + "\u0301\u0323" * 500_000 + "</p>")

    record = client.get(f"{API}/events/{event.pk}").json()
    assert client.get(record["url"]).status_code == 200


# --- Character references


@pytest.mark.parametrize("reference", [LONG_REFERENCE, LONG_REFERENCE[:-1], "&#" + "0" * 5000 + "65;"])
def test_reference_with_thousands_of_digits_is_one_character(reference):
    assert html_to_text(f"a{reference}b") == "a\ufffdb"
    assert unescape_references("&lt;&#65;&#x41;&hearts;") == "<AA♥"


def test_plain_text_that_looks_like_a_reference_is_kept(client, editor_api):
    text = f"{LONG_REFERENCE} &amp; &copy"
    CustomField.objects.create(resource="venue", name="note", label="Note")

    category = created_record(editor_api.post(f"{API}/categories", {"name": "A", "description": text}))
    venue = created_record(editor_api.post(f"{API}/venues", {"venue": "Hall", "custom_fields": {"note": text}}))
    updated_record(editor_api.patch(f"{API}/venues/{venue['id']}", {"description": LONG_REFERENCE}))
    page = client.get(category["url"])

    assert category["description"] == venue["custom_fields"]["note"]["value"] == text
    assert page.status_code == 200
    assert "&amp;amp; &amp;copy" in page.content.decode()
    assert client.get(venue["url"]).status_code == 200
    assert client.get(f"{API}/venues", {"search": '"&amp; &copy"'}).json()["total"] == 1


# --- HTML that grows when it is parsed


def opened_again():
    """HTML of less than 64,000 characters that becomes megabytes."""
    return {
        "attributes": "<p>" + "".join(f'<b title="{n}">' for n in range(90)) + "<p>x" * 9000,
        "long link": '<p><a href="http://x.example/' + "y" * 30_000 + '">' + "<p>x" * 1000,
        "closed in a text area": "<p>" + '<b title="x"><textarea></b></textarea>' * 1000 + "<p>x" * 5000,
        "closed in a comment": "<p>" + '<b title="x"><!--</b>-->' * 1000 + "<p>x" * 5000,
        "closed in an attribute": "<p>" + '<b "x title="></b>">' * 1000 + "<p>x" * 5000,
        "all elements": "<p>" + "<b><i><em><strong><u><s><small><code><tt><big><font><strike>" * 3 + "<p>x" * 9000,
    }


@pytest.mark.parametrize("text", opened_again())
def test_formatting_that_is_opened_again_in_every_paragraph_is_refused(author_api, text):
    response = author_api.post(f"{API}/venues", {"venue": "Hall", "description": opened_again()[text]})

    message = "Close formatting tags such as <b> and <a> within the paragraph in which they begin."
    assert invalid_params(response) == {"description": message}


@pytest.mark.parametrize(
    "text",
    [
        '<p>A <strong class="x">bold</strong> <em>and <b>two</b></em> <a href="https://x.example/">link</a></p>' * 500,
        "<strong>" + "<p>text</p>" * 3000 + "</strong>",
        ('<font face="Arial" size="2" color="#000000"><p>' + "x" * 500 + "</p></font>") * 100,
    ],
    ids=["inline", "around paragraphs", "fonts"],
)
def test_formatting_of_ordinary_html_is_kept(author_api, text):
    record = created_record(author_api.post(f"{API}/venues", {"venue": "Hall", "description": text}))

    assert record["description"] == sanitize_html(text)


def test_html_that_becomes_too_long_is_refused(author_api):
    text = "<p>" + "".join(f'<b title="{n}">' for n in range(90)) + "<p>x" * 400

    response = author_api.post(f"{API}/events", event_data(description=text))

    assert invalid_params(response) == {"description": "The HTML is longer than 500000 characters."}


@pytest.mark.parametrize(("count", "text"), [(3, "<br>x" * 3334), (8, "x" * 62_501)], ids=["tags", "characters"])
@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_descriptions_of_new_records_are_limited_together(author_api, field, count, text):
    new = [{field: f"New {number}", "description": text} for number in range(count)]

    response = author_api.post(f"{API}/events", event_data(**{field: new}))

    message = "The descriptions of the new records are too long together. Create some of them first."
    assert invalid_params(response) == {field: message}
    created_record(author_api.post(f"{API}/events", event_data(**{field: new[1:]})))


def test_descriptions_of_linked_records_are_not_limited_together(author_api):
    venues = [VenueFactory(title=f"Hall {number}", description="<br>x" * 3334) for number in range(3)]
    event = EventFactory(venues=venues)
    record = author_api.get(f"{API}/events/{event.pk}").json()

    response = author_api.post(f"{API}/events", event_data(venue=record["venue"]))

    assert [venue["id"] for venue in created_record(response)["venue"]] == [venue.pk for venue in venues]


# --- Search


@pytest.mark.parametrize("letter", ["\ufdfa", "㌀", "ß"], ids=ascii)
def test_search_text_of_letters_that_grow_is_limited(author_api, letter):
    record = created_record(author_api.post(f"{API}/venues", {"venue": "Hall", "description": letter * 64_000}))

    row = Venue.objects.get(pk=record["id"])
    assert max(map(len, row.search_text.split("\n"))) == MAX_SEARCH_TEXT_LENGTH
    assert author_api.get(f"{API}/venues", {"search": letter * 3}).json()["total"] == 1


def test_long_text_is_normalized_as_short_ones_are():
    words = "Äpfel und e\u0301t\u0323\u0301u Ελλάς ﬃ 각 " * 3000

    assert normalize_for_search(words) == normalize_for_search(words[: len(words) // 3000]) * 3000


def text_work():
    """Return how many texts were sanitized and normalized so far."""
    return sanitize_html.cache_info().misses, searchable_html.cache_info().misses


def test_texts_are_made_ready_before_the_write_lock_is_taken(author_api):
    body = event_data(description="<p>One</p>", excerpt="Two", venue=[{"venue": "New", "description": "<b>Three</b>"}])
    done = []

    def watch(execute, sql, params, many, context):
        # On SQLite, `write_after()` reads the version of the database before it prepares a write, and again inside the
        # lock; on PostgreSQL, it prepares a parallel write before it locks names and slugs.
        if "user_version" in sql or "advisory" in sql:
            done.append(text_work())
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        created_record(author_api.post(f"{API}/events", body))

    before, in_lock, *_others = done
    assert (in_lock[0] > before[0], in_lock[1] > before[1]) == (True, True)
    assert in_lock == text_work()


def test_texts_of_a_form_are_made_ready_before_the_write_lock_is_taken(editor_browser):
    event = EventFactory(title="Jazz")
    page = f"/admin/events/event/{event.pk}/change/"
    form = form_data(editor_browser.get(page)) | {"description": "Four", "excerpt": "Five"}
    done = []

    def watch(execute, sql, params, many, context):
        if sql.startswith("SAVEPOINT"):
            done.append(text_work())
        return execute(sql, params, many, context)

    before = text_work()
    with connection.execute_wrapper(watch):
        assert editor_browser.post(page, form).status_code == 302

    assert (done[0][0] > before[0], done[0][1] > before[1]) == (True, True)
    assert done[0] == text_work()


# --- Costs, paths and lists


def test_list_of_costs_is_counted_before_it_is_converted(author_api):
    response = author_api.post(f"{API}/events", event_data(cost=["<b>"] * 200_000))

    assert invalid_params(response) == {"cost": "A list of costs can have at most 50 amounts."}


def test_path_in_fields_is_as_deep_as_responses_are(author_api, client):
    venue = VenueFactory(title="Hall")

    deep = client.get(f"{API}/venues/{venue.pk}", {"_fields": "venue" + ".a" * 3000})
    written = author_api.post(f"{API}/venues", {"venue": "New", "_fields": "a." * 900_000})

    assert deep.json() == {"venue": "Hall"}
    assert (written.status_code, written.json()) == (201, {})


# --- Lists of events


@pytest.fixture
def long_venues(author):
    """Twenty venues with as many characters in their descriptions and excerpts as a response may repeat."""
    rows = VenueFactory.create_batch(20)
    assert VENUES.max_texts == 20 * (20_000 + 5000)
    Venue.objects.update(description="x" * 20_000, excerpt="y" * 5000)
    return rows


def test_single_event_has_all_descriptions_of_its_venues(client, long_venues):
    event = EventFactory(venues=long_venues)

    record = client.get(f"{API}/events/{event.pk}").json()

    texts = [(venue["description"], venue["excerpt"]) for venue in record["venue"]]
    assert texts == [("x" * 20_000, "y" * 5000)] * 20


def test_list_repeats_descriptions_and_excerpts_up_to_a_limit(client, long_venues):
    events = [EventFactory(venues=long_venues) for _number in range(3)]

    listed = client.get(f"{API}/events").json()["events"]

    for name, length in (("description", 20_000), ("excerpt", 5000)):
        lengths = [[len(venue[name]) for venue in event["venue"]] for event in listed]
        assert lengths == [[length] * 20, [0] * 20, [0] * 20]
    assert [event["id"] for event in listed] == [event.pk for event in events]


def test_search_by_many_words_compares_the_longest_in_one_field(client):
    words = [f"w{number:02}{'x' * number}" for number in range(20)]
    VenueFactory(title="All", description=" ".join(words))
    VenueFactory(title=" ".join(words[:15]), description=" ".join(words[15:]))
    VenueFactory(title="Lacks one", description=" ".join(words[1:]))

    response = client.get(f"{API}/venues", {"search": " ".join(words), "_fields": "venues.venue"})

    assert response.json() == {"venues": [{"venue": "All"}]}
