"""Undoing that categories or tags were merged: they are as before, with their ids, subcategories and events."""

from datetime import timedelta
from typing import Any, NamedTuple

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from calendar_site.derived.content_version import read_version
from calendar_site.revisions.diff import side_effects
from events.models import Event
from taxonomy.models import Category
from taxonomy.services import delete_term, save_term
from tests.factories import OPERATOR, CategoryFactory, EventFactory, SeriesFactory, TagFactory
from tests.support.admin import browser_for, messages_in, run_action, undo, undo_url
from tests.support.api_client import API
from tests.support.history import last_revision, recorded_changes
from tests.support.records import reloaded, save_as

pytestmark = pytest.mark.django_db


class TermKind(NamedTuple):
    """Categories or tags: their factory, and their name in the plural."""

    factory: Any
    relation: str

    def __str__(self):
        return self.relation

    @property
    def model(self):
        return self.factory._meta.model

    @property
    def name(self):
        return self.model._meta.model_name

    @property
    def list(self):
        return f"/admin/taxonomy/{self.name}/"

    def event(self, title, *terms, **fields):
        return EventFactory(title=title, **{self.relation: list(terms)}, **fields)

    def merge(self, browser, kept, *others):
        return run_action(browser, self.list, "merge", [kept, *others], kept=kept.pk)

    def names_of(self, event):
        return [term.name for term in getattr(event, self.relation).order_by("pk")]

    def stored(self):
        """Return all terms and the links to them, with all columns but the ids of links."""
        links = getattr(Event, self.relation).through.objects.values_list("event", self.name)
        return list(self.model.objects.order_by("pk").values()), sorted(links)


CATEGORY, TAG = TermKind(CategoryFactory, "categories"), TermKind(TagFactory, "tags")
BOTH_KINDS = pytest.mark.parametrize("kind", [CATEGORY, TAG], ids=str)


def tree():
    """Return the name of the parent of each category."""
    return dict(Category.objects.order_by("pk").values_list("name", "parent__name"))


def rename(term, **changes):
    """Change a term without the admin."""
    save_term(reloaded(term), changes=changes, user=OPERATOR)


@BOTH_KINDS
def test_merged_terms_are_as_before(kind, editor_browser, client, run_command):
    kept = kind.factory(name="Jazz")
    other = kind.factory(name="jazz music", slug="swing", description="Blue notes")
    third, untouched = kind.factory(name="JAZZ!"), kind.factory(name="Rock", description="Loud")
    events = [
        kind.event("Of kept", kept),
        kind.event("Of other", other, untouched),
        kind.event("Of both", kept, other),
        kind.event("Of two", other, third),
        kind.event("Draft", third, status="draft"),
        kind.event("Hidden", other, hide_from_listings=True),
    ]
    kind.event("Of none", untouched)
    paths = [
        f"{API}/{kind.relation}",
        *(f"{API}/{kind.relation}/{term.pk}" for term in (kept, other, third, untouched)),
        *(f"{API}/events/{event.pk}" for event in events if event.status == "publish"),
        f"{API}/events?{kind.relation}={other.pk}",
    ]

    def responses():
        found = [client.get(path) for path in paths]
        return [(response.status_code, response.json()) for response in found]

    page = f"/events/{kind.name}/swing/"
    stored, answered, pages = kind.stored(), responses(), [client.get(page).status_code]
    revisions = list(Event.history.values_list("history_id", flat=True))

    merged = kind.merge(editor_browser, kept, other, third)
    pages.append(client.get(page).status_code)
    after_merge = kind.stored()
    texts = undo(editor_browser, merged)
    pages.append(client.get(page).status_code)

    assert [term["name"] for term in after_merge[0]] == ["Jazz", "Rock"]
    assert [kind.names_of(event) for event in events][:4] == [
        ["Jazz"], ["jazz music", "Rock"], ["Jazz", "jazz music"], ["jazz music", "JAZZ!"]
    ]  # fmt: skip
    assert texts == ["Undone: jazz music, JAZZ!, Jazz.", "6 events are linked again."]
    assert kind.stored() == stored
    assert responses() == answered
    assert pages == [200, 404, 200]
    # As when the links were removed, only the history of the terms tells it.
    assert list(Event.history.values_list("history_id", flat=True)) == revisions
    assert {line.rpartition(": ")[2] for line in run_command("rebuild_derived", "--check")} == {"0 differences"}


@BOTH_KINDS
def test_merge_page_tells_the_outcome(kind, editor_browser):
    page = run_action(editor_browser, kind.list, "merge", [kind.factory(), kind.factory()]).content.decode()

    assert "The others will be deleted." in page
    assert "cannot undo" not in page


@BOTH_KINDS
def test_history_records_the_undo(kind, editor_browser, editor):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing", description="Blue notes")
    event = kind.event("Concert", other)

    undo(editor_browser, kind.merge(editor_browser, kept, other))

    assert recorded_changes(other)[1:] == [("deleted", "editor", "admin", []), ("restored", "editor", "admin", [])]
    assert recorded_changes(kept)[1:] == [
        ("merged", "editor", "admin", ["description"]), ("restored", "editor", "admin", ["description"])
    ]  # fmt: skip
    assert last_revision(other).history_extra == {"relinked_events": [event.pk]}
    shown = side_effects(last_revision(other), editor)
    assert [tuple(effect) for effect in shown] == [("Linked to these events again", "Concert")]
    page = editor_browser.get(f"{kind.list}{other.pk}/history/")
    assert (page.status_code, "(deleted)" in page.content.decode()) == (200, False)


@BOTH_KINDS
def test_later_changes_of_others_stay(kind, editor_browser, administrator):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing", description="Blue notes")
    restored, elsewhere = kind.factory(name="Bebop"), kind.factory(name="Rock")
    moved, removed, added = kind.event("Moved", other), kind.event("Removed", other), kind.event("Added", elsewhere)
    deleted = kind.event("Deleted", other)
    response = kind.merge(editor_browser, kept, other, restored)
    rename(kept, description="Edited")
    save_as(administrator, removed, **{kind.relation: [elsewhere]})
    save_as(administrator, added, **{kind.relation: [elsewhere, reloaded(kept)]})
    deleted.delete()

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone: Bebop, Swing.",
        "Could not be undone (changed in the meantime): Jazz.",
        "1 event is linked again.",
        "2 events are not linked again. They were changed or deleted in the meantime, or you may not change them.",
    ]
    assert [kind.names_of(event) for event in (moved, removed, added)] == [["Swing"], ["Rock"], ["Jazz", "Rock"]]
    assert list(kind.model.objects.order_by("pk").values_list("name", "description", "event_count")) == [
        ("Jazz", "Edited", 1), ("Swing", "Blue notes", 1), ("Bebop", "", 0), ("Rock", "", 2)
    ]  # fmt: skip


@BOTH_KINDS
def test_taken_slugs_and_names(kind, editor_browser):
    kept = kind.factory(name="Jazz")
    swing, bebop = kind.factory(name="Swing"), kind.factory(name="Bebop")
    response = kind.merge(editor_browser, kept, swing, bebop)
    kind.factory(name="Other", slug="swing"), kind.factory(name="Bebop")

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone, except for some values or links that cannot be restored: Swing.",
        "Undone: Jazz.",
        "Skipped: Bebop. This name is already in use.",
    ]
    assert list(kind.model.objects.order_by("slug").values_list("name", "slug")) == [
        ("Bebop", "bebop"), ("Jazz", "jazz"), ("Other", "swing"), ("Swing", "swing-2")
    ]  # fmt: skip


@BOTH_KINDS
def test_terms_return_without_the_one_that_was_kept(kind, editor_browser):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing")
    replaced, of_both = kind.event("Replaced", other), kind.event("Of both", kept, other)
    response = kind.merge(editor_browser, kept, other)
    delete_term(reloaded(kept), user=OPERATOR)

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone: Swing.",
        "1 event is linked again.",
        "1 event is not linked again. It was changed or deleted in the meantime, or you may not change it.",
    ]
    assert [kind.names_of(event) for event in (replaced, of_both)] == [[], ["Swing"]]
    assert list(kind.model.objects.values_list("pk", "name", "event_count")) == [(other.pk, "Swing", 1)]


@BOTH_KINDS
def test_events_with_as_many_terms_as_they_may_have(kind, editor_browser, monkeypatch):
    monkeypatch.setattr(Event, f"MAX_{kind.relation.upper()}", 2)
    kept, other, third = kind.factory(name="Jazz"), kind.factory(name="Swing"), kind.factory(name="Rock")
    full = kind.event("Full", kept, other)
    response = kind.merge(editor_browser, kept, other)
    getattr(full, kind.relation).add(third)

    texts = undo(editor_browser, response)

    assert texts[1:] == [
        "1 event is not linked again. It was changed or deleted in the meantime, or you may not change it."
    ]
    assert kind.names_of(full) == ["Jazz", "Rock"]


# --- Who may undo it, when and how often


@BOTH_KINDS
def test_nobody_else_undoes_a_merge(kind, editor_browser, administrator, author, client):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing")
    kind.event("Concert", other)
    url = undo_url(kind.merge(editor_browser, kept, other))
    stored = kind.stored()

    for browser in (browser_for(administrator), browser_for(author), client):
        browser.post(url)
    assert editor_browser.get(url).status_code == 405

    assert kind.stored() == stored


@pytest.mark.parametrize(
    ("kind", "status", "texts"),
    [
        # Authors may change categories, but not the events of others.
        (CATEGORY, 302, ["Skipped (no permission to change): Swing, Jazz."]),
        (TAG, 403, []),
    ],
    ids=str,
)
def test_permission_to_merge_is_needed_to_undo(kind, status, texts, editor, editor_browser):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing", description="Blue notes")
    kind.event("Concert", other)
    merged = kind.merge(editor_browser, kept, other)
    stored, shown = kind.stored(), len(messages_in(merged))
    editor.groups.set([Group.objects.get(name="author")])

    response = editor_browser.post(undo_url(merged))

    assert (response.status_code, messages_in(response)[shown:]) == (status, texts)
    assert kind.stored() == stored


@BOTH_KINDS
def test_an_old_merge_is_not_undone(kind, editor_browser, time_machine):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing")
    url = undo_url(kind.merge(editor_browser, kept, other))
    stored = kind.stored()
    time_machine.move_to(timezone.now() + timedelta(minutes=61))

    editor_browser.post(url)

    assert kind.stored() == stored


@BOTH_KINDS
def test_a_merge_is_undone_once(kind, editor_browser):
    kept, other = kind.factory(name="Jazz"), kind.factory(name="Swing")
    kind.event("Concert", other)
    response = kind.merge(editor_browser, kept, other)
    undo(editor_browser, response)
    stored = kind.stored()

    again = messages_in(editor_browser.post(undo_url(response)))[-1]
    after_second = kind.stored()
    delete_term(reloaded(other), user=OPERATOR)
    undo(editor_browser, response)

    assert (again, after_second) == ("Could not be undone (changed in the meantime): Swing.", stored)
    assert not kind.model.objects.filter(pk=other.pk).exists()


@BOTH_KINDS
def test_deleting_terms_is_not_undone(kind, editor_browser):
    term = kind.factory(name="Jazz")
    run_action(editor_browser, kind.list, "delete_selected", [term], post="yes")
    request = last_revision(term).history_request_id

    editor_browser.post(f"{kind.list}undo/?request={request}")

    assert not kind.model.objects.exists()


# --- Subcategories


def test_subcategories_are_where_they_were(editor_browser):
    top = CategoryFactory(name="Top")
    songs = CategoryFactory(name="Songs", parent=top, color="#0a7ab8")
    between = CategoryFactory(name="Between", parent=songs)
    kept = CategoryFactory(name="Music", parent=between)
    # Merged together with its parent, and listed before it by its id.
    inner, outer = CategoryFactory(name="Inner"), CategoryFactory(name="Outer", parent=top)
    rename(inner, parent=outer)
    for name, parent in (("Choir", songs), ("Solo", inner), ("Duet", outer), ("Live", kept), ("Art", top)):
        CategoryFactory(name=name, parent=parent)
    stored, before = CATEGORY.stored(), tree()

    response = CATEGORY.merge(editor_browser, kept, songs, inner, outer)
    merged = tree()
    texts = undo(editor_browser, response)

    assert merged == {
        "Top": None, "Between": "Music", "Music": "Top", "Choir": "Music", "Solo": "Music", "Duet": "Music",
        "Live": "Music", "Art": "Top",
    }  # fmt: skip
    assert texts == ["Undone: Outer, Songs, Inner, Music."]
    assert (tree(), CATEGORY.stored()) == (before, stored)
    assert last_revision(inner).parent_id == outer.pk


def test_subcategories_that_were_moved_since_stay(editor_browser):
    kept, other, art = CategoryFactory(name="Music"), CategoryFactory(name="Songs"), CategoryFactory(name="Art")
    choir, _solo = CategoryFactory(name="Choir", parent=other), CategoryFactory(name="Solo", parent=other)
    response = CATEGORY.merge(editor_browser, kept, other)
    rename(choir, parent=art)

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone, except for some values or links that cannot be restored: Songs.",
        "Undone: Music.",
    ]
    assert tree() == {"Music": None, "Songs": None, "Art": None, "Choir": "Art", "Solo": "Songs"}


def test_no_category_gets_below_itself(editor_browser):
    kept, parent = CategoryFactory(name="Music"), CategoryFactory(name="Parent")
    other = CategoryFactory(name="Songs", parent=parent)
    choir = CategoryFactory(name="Choir", parent=other)
    response = CATEGORY.merge(editor_browser, kept, other)
    rename(parent, parent=reloaded(choir))

    texts = undo(editor_browser, response)

    assert texts[0] == "Undone, except for some values or links that cannot be restored: Songs."
    assert tree() == {"Music": None, "Parent": "Choir", "Songs": "Parent", "Choir": "Music"}


def test_parents_that_were_deleted_since_are_lost(editor_browser):
    kept, parent = CategoryFactory(name="Music"), CategoryFactory(name="Parent")
    other = CategoryFactory(name="Songs", parent=parent)
    response = CATEGORY.merge(editor_browser, kept, other)
    delete_term(reloaded(parent), user=OPERATOR)

    texts = undo(editor_browser, response)

    assert texts == [
        "Undone, except for some values or links that cannot be restored: Songs.",
        "Undone: Music.",
    ]
    assert tree() == {"Music": None, "Songs": None}


def test_the_kept_category_has_the_parent_that_its_history_lacks(editor_browser):
    top = CategoryFactory(name="Top")
    parent = CategoryFactory(name="Parent", parent=top)
    kept = CategoryFactory(name="Music", parent=parent)
    # Its subcategories move up, and their histories do not record it.
    delete_term(parent, user=OPERATOR)
    before = tree()

    response = CATEGORY.merge(editor_browser, kept, top)
    merged = tree()
    texts = undo(editor_browser, response)

    assert (before, merged) == ({"Top": None, "Music": "Top"}, {"Music": None})
    assert (texts, tree()) == (["Undone: Top, Music."], before)


# --- Series, and the cost


@BOTH_KINDS
def test_series_have_the_restored_term_again(kind, editor_browser):
    other, kept, third = kind.factory(name="Swing"), kind.factory(name="Jazz"), kind.factory(name="Rock")
    dates = {"start": "2030-05-04 18:00", "end": "2030-05-04 20:00", "rrule": "FREQ=WEEKLY;COUNT=2"}
    series = [SeriesFactory(**dates, **{kind.relation: terms}) for terms in ([third, other], [kept], [third])]

    def templates():
        return [reloaded(row).template["relations"][kind.relation] for row in series]

    before = templates()
    response = kind.merge(editor_browser, kept, other)
    merged = templates()
    undo(editor_browser, response)

    assert before == [[other.pk, third.pk], [kept.pk], [third.pk]]
    assert merged == [[kept.pk, third.pk], [kept.pk], [third.pk]]
    assert templates() == before
    assert [kind.names_of(event) for event in series[0].events.all()] == [["Swing", "Rock"]] * 2


@BOTH_KINDS
@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_undo_raises_the_content_version(kind, editor_browser):
    kept, other = kind.factory(), kind.factory()
    response = kind.merge(editor_browser, kept, other)
    merged = read_version().number

    undo(editor_browser, response)

    assert read_version().number > merged


@BOTH_KINDS
def test_undo_costs_the_same_however_many_events_there_are(kind, editor):
    def count_queries(events):
        browser, kept, other = browser_for(editor), kind.factory(), kind.factory()
        EventFactory.create_batch(events, **{kind.relation: [other]})
        EventFactory.create_batch(events, **{kind.relation: [kept, other]})
        url = undo_url(kind.merge(browser, kept, other))
        with CaptureQueriesContext(connection) as queries:
            browser.post(url)
        assert other.events.count() == 2 * events
        return len(queries)

    counts = [count_queries(1), count_queries(20)]

    assert counts[0] == counts[1] < 70


@BOTH_KINDS
def test_undo_costs_the_same_for_each_term(kind, editor):
    def count_queries(terms):
        browser = browser_for(editor)
        kept, *others = kind.factory.create_batch(1 + terms)
        for other in others:
            kind.event("Concert", other)
        url = undo_url(kind.merge(browser, kept, *others))
        with CaptureQueriesContext(connection) as queries:
            browser.post(url)
        restored = kind.model.objects.filter(pk__in=[term.pk for term in others], event_count=1)
        assert restored.count() == terms
        return len(queries)

    counts = [count_queries(1), count_queries(2), count_queries(6)]

    assert counts[2] - counts[1] == 4 * (counts[1] - counts[0])
