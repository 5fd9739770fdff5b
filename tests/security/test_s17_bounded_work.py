"""S17: no text, list or query makes a request take more than linear work, or grows beyond its limit when it is stored.

Covers the row about slow parsers, sanitizers and truncators (Wagtail GHSA-jmp3-39vp-fwg8, Django CVE-2025-32873 and
CVE-2026-1285), and the findings of the audit: combining marks, digits in character references, formatting that is
opened again, search texts that grow, long `_fields`, and lists of records with long descriptions.
"""

import ast
from pathlib import Path

import pytest
from django.conf import settings as django_settings

from calendar_site.core.html import html_to_text, sanitize_html
from calendar_site.core.text import MAX_COMBINING_MARKS, limit_combining_marks, shorten, unescape_references
from calendar_site.custom_fields.models import CustomField
from tests.factories import EventFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import created_record, event_data, updated_record

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
    found = set()
    for path in SOURCES:
        nodes = ast.walk(ast.parse(path.read_text()))
        used = {getattr(node, "attr", getattr(node, "id", "")) for node in nodes}
        if used & set(names):
            found.add(path.relative_to(django_settings.BASE_DIR).as_posix())
    return found


def test_texts_are_normalized_and_truncated_by_bounded_functions_only():
    assert callers("unescape", "Truncator") == {"calendar_site/core/text.py"}
    assert callers("normalize") == {"calendar_site/core/slugs.py", "calendar_site/core/text.py"}


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
