"""S16, templates and format strings: texts of users are never evaluated.

Elsewhere, `{event.__init__.__globals__}` in a text for e-mails revealed the settings. This service formats texts of
users with no template; the tests store such texts and read every page.
"""

import ast

import pytest

from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.api_client import API, json_of
from tests.support.programs import ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

FOLDERS = ("calendar_site", "events", "venues", "organizers", "taxonomy")
# Methods of our own classes, which are not str.format().
OWN_FORMATS = {"self.filters[name]", "custom_fields", "CustomFieldLabels()", "display", "titles", "super()"}
TEXTS = [
    "{0.__class__.__init__.__globals__}",
    "{event.__init__.__globals__[settings]}",
    "{{ 7|add:7 }}{% now 'Y' %}{# x #}",
    "{{ settings.SECRET_KEY }}",
    "%(password)s %s %d %n %",
    "${7*7} #{7*7} [[7*7]] {7*7}",
    "$(id) `id` $HOME",
    "{title} {} {0} {venue!r:>{width}}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_returned_unchanged_everywhere(client, editor, settings, text):
    category, tag = CategoryFactory(name=text, description=text), TagFactory(name=text)
    venue, organizer = VenueFactory(title=text, address=text), OrganizerFactory(title=text)
    event = EventFactory(
        title=text,
        excerpt=text,
        description=text,
        venues=[venue],
        organizers=[organizer],
        categories=[category],
        tags=[tag],
    )
    browser = browser_for(editor)

    record = json_of(client.get(f"{API}/events/{event.pk}"))
    pages = [
        client.get(path)
        for path in (
            "/",
            f"/event/{event.slug}/",
            f"/venue/{venue.slug}/",
            f"/organizer/{organizer.slug}/",
            f"/events/category/{category.slug}/",
            f"/events/tag/{tag.slug}/",
        )
    ]
    forms = [
        browser.get(f"/admin/{path}")
        for path in (
            "",
            "events/event/",
            f"events/event/{event.pk}/change/",
            f"events/event/{event.pk}/history/",
            f"venues/venue/{venue.pk}/change/",
            "changes/",
        )
    ]

    names = [record["venue"]["venue"], record["organizer"][0]["organizer"], record["tags"][0]["name"]]
    assert names == [text] * 3
    assert [page.status_code for page in (*pages, *forms)] == [200] * 12
    bodies = "".join(page.content.decode() for page in (*pages, *forms)) + str(record)
    assert settings.SECRET_KEY not in bodies
    assert not [sign for sign in ("<module", "uid=", "'__builtins__'", ">49<") if sign in bodies]


def test_no_template_or_format_comes_from_data():
    """`Template(...)` and `.format()` are only called on literals and constants of modules."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                is_template = name in ("Template", "from_string", "render_to_string_from", "format_map", "eval", "exec")
                is_format = name == "format" and isinstance(node.func, ast.Attribute) and not _is_known(node.func.value)
                if is_template or is_format:
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)[:80]}")

    assert found == []


def _is_known(receiver):
    """Return whether this is a literal, a constant, which is in capital letters here, or a class of our own.

    A constant may be a dictionary, such as `TITLES["sqlite"]`.
    """
    if isinstance(receiver, ast.Constant) or ast.unparse(receiver) in OWN_FORMATS:
        return True
    if isinstance(receiver, ast.Subscript):
        receiver = receiver.value
    name = receiver.attr if isinstance(receiver, ast.Attribute) else getattr(receiver, "id", "a")
    return name.lstrip("_").isupper()
