"""The HTML editor for descriptions: what it shows, what it sends, and the strings of its scripts."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.factories import EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for, form_data, submit_form

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

# Nothing that an editor would write so.
MARKUP = (
    '\n<table><caption>Prices</caption><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody>'
    '</table>\n\n<figure><img src="/a.png" alt="A"><figcaption>A</figcaption></figure><dl><dt>t</dt><dd>d</dd></dl>'
    "bare <b>words</b>  &amp; <i></i>\n"
)
SCRIPTS = sorted(Path(finders.find("back_office/html_editor.js")).parent.glob("*.js"))

FORMS = [
    ("events/event", EventFactory),
    ("venues/venue", VenueFactory),
    ("organizers/organizer", OrganizerFactory),
]


def text_area(response, name="description"):
    """Attributes and content of a text area, as they stand in the page."""
    found = re.search(rf'<textarea name="{name}"([^>]*)>(.*?)</textarea>', response.content.decode(), re.S)
    return found[1], found[2]


@pytest.mark.parametrize(("path", "factory"), FORMS)
def test_descriptions_are_shown_and_kept_to_the_letter(editor, path, factory):
    client, row = browser_for(editor), factory(description=MARKUP)
    page = f"/admin/{path}/{row.pk}/change/"
    stored = type(row).objects.get(pk=row.pk).description

    shown = form_data(client.get(page))["description"]
    answer = submit_form(client, page, title="Another title")

    after = type(row).objects.get(pk=row.pk)
    assert stored == MARKUP
    assert shown == [MARKUP.replace("\n", "\r\n")]
    assert answer.status_code == 302
    assert (after.title, after.description) == ("Another title", MARKUP)


@pytest.mark.parametrize(("path", "factory"), FORMS)
def test_what_the_editor_sends_is_sanitised(editor, path, factory):
    client, row = browser_for(editor), factory(description="<p>Old</p>")

    submit_form(
        client,
        f"/admin/{path}/{row.pk}/change/",
        description='<p class="x" style="color:red">a <strong>b</strong><script>alert(1)</script></p>'
        '<p><a href="javascript:alert(1)" onclick="x()">c</a> <img src="data:image/png;base64,AA" alt="d"></p>',
    )

    assert type(row).objects.get(pk=row.pk).description == (
        '<p>a <strong>b</strong></p><p><a rel="noopener noreferrer">c</a> <img alt="d"></p>'
    )


def test_the_page_names_the_modules_and_has_no_data_in_a_script(editor):
    client, event = browser_for(editor), EventFactory(description="<p>Words</p>")

    response = client.get(f"/admin/events/event/{event.pk}/change/")

    page, (attributes, content) = response.content.decode(), text_area(response)
    modules = json.loads(re.search(r'data-html-editor="([^"]*)"', attributes)[1].replace("&quot;", '"'))
    assert content == "\n&lt;p&gt;Words&lt;/p&gt;"
    assert sorted(modules) == ["editor", "markup", "schema", "tools"]
    assert all(finders.find(path.removeprefix("/static/")) for path in modules.values())
    assert '<script src="/static/back_office/html_editor.js" type="module"></script>' in page
    assert "importmap" not in page
    assert "data-html-editor" not in text_area(response, "excerpt")[0]


def test_plain_descriptions_have_no_editor(editor):
    tag = TagFactory()

    assert "rich" not in browser_for(editor).get(f"/admin/taxonomy/tag/{tag.pk}/change/").content.decode()


def test_who_may_only_look_gets_no_editor(author):
    event = EventFactory(description="<p>Words</p>")

    page = browser_for(author).get(f"/admin/events/event/{event.pk}/change/").content.decode()

    assert "data-html-editor" not in page


def test_every_text_of_the_scripts_is_in_the_catalog(editor):
    said = {text for path in SCRIPTS for text in re.findall(r'gettext\(\s*"([^"]+)",?\s*\)', path.read_text())}

    catalog = browser_for(editor).get("/admin/jsi18n/").content.decode()

    known = json.loads(re.search(r"const newcatalog = (\{.*?\});", catalog, re.S)[1])
    assert len(said) > 30
    assert said - known.keys() == set()


def test_our_translations_of_the_scripts_take_precedence(editor):
    catalog = browser_for(editor).get("/fr/admin/jsi18n/").content.decode()

    known = json.loads(re.search(r"const newcatalog = (\{.*?\});", catalog, re.S)[1])
    assert known["Available %s"] == "Disponibles\u202f: %s"
    assert known["%(sel)s of %(cnt)s selected"] == ["Sélection\u202f: %(sel)s sur %(cnt)s"] * 3
