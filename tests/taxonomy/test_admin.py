"""Categories and tags in the admin."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.accounts.services import create_user
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.admin import (
    browser_for,
    column_texts,
    form_data,
    form_errors,
    listed_titles,
    messages_in,
    run_action,
    submit_form,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

CATEGORIES = "/admin/taxonomy/category/"
TAGS = "/admin/taxonomy/tag/"


# --- Who may do what -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "categories", "tags"),
    [("editor", True, True), ("author", True, False), ("contributor", False, False)],
)
def test_terms_are_written_by_those_who_may(role, categories, tags):
    client = browser_for(create_user("staff", role))

    for path, model, factory, may in (
        (CATEGORIES, Category, CategoryFactory, categories),
        (TAGS, Tag, TagFactory, tags),
    ):
        term = factory(name="Old")
        expected = 302 if may else 403
        assert client.get(f"{path}{term.pk}/change/").status_code == 200
        assert client.post(f"{path}{term.pk}/change/", {"name": "New"}).status_code == expected
        assert client.post(f"{path}add/", {"name": "Another"}).status_code == expected
        assert sorted(row.name for row in model.objects.all()) == (["Another", "New"] if may else ["Old"])
        deleted = client.post(f"{path}{term.pk}/delete/", {"post": "yes"})
        run_action(client, path, "delete_selected", model.objects.filter(name="Another"), post="yes")
        assert (deleted.status_code, model.objects.exists()) == (expected, not may)


@pytest.mark.parametrize("role", [None, "subscriber"])
def test_terms_are_closed_to_those_without_work_there(role):
    client = browser_for(role and create_user("reader", role))
    TagFactory(name="Old")

    for page in (CATEGORIES, TAGS, f"{TAGS}add/", f"{TAGS}1/change/"):
        assert client.get(page)["Location"] == f"/admin/login/?next={page}"
        assert client.post(page, {"name": "New"})["Location"] == f"/admin/login/?next={page}"

    assert [tag.name for tag in Tag.objects.all()] == ["Old"]


# --- Lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 3])
def test_category_list_query_count(editor_browser, django_assert_num_queries, count):
    above = CategoryFactory()
    for _ in range(count):
        EventFactory(categories=[CategoryFactory(parent=above)])

    # session, user, permissions, events that are due, count, page with its parents
    with django_assert_num_queries(7):
        response = editor_browser.get(CATEGORIES)

    assert len(listed_titles(response)) == count + 1


@pytest.mark.parametrize("count", [1, 3])
def test_tag_list_query_count(editor_browser, django_assert_num_queries, count):
    for _ in range(count):
        EventFactory(tags=[TagFactory()])

    # session, user, permissions, events that are due, count, page
    with django_assert_num_queries(7):
        response = editor_browser.get(TAGS)

    assert len(listed_titles(response)) == count


def test_term_lists_are_in_the_order_of_names_and_searched(editor_browser):
    CategoryFactory(name="music"), CategoryFactory(name="Art"), CategoryFactory(name="Élan vital")

    assert listed_titles(editor_browser.get(CATEGORIES)) == ["Art", "music", "Élan vital"]
    assert listed_titles(editor_browser.get(CATEGORIES, {"q": "VITAL elan"})) == ["Élan vital"]


def test_term_lists_lead_to_the_events(editor_browser):
    jazz, _unused = TagFactory(name="Jazz"), TagFactory(name="Unused")
    EventFactory(tags=[jazz]), EventFactory(tags=[jazz], status="draft")

    response = editor_browser.get(TAGS)

    assert f'<a href="/admin/events/event/?published_tag={jazz.pk}">1</a>' in response.content.decode()
    assert column_texts(response, "linked_events") == ["1", "0"]


# --- Forms ---------------------------------------------------------------------------------------


def test_a_category_is_made_below_another(author_browser):
    music = CategoryFactory(name="Music")

    response = submit_form(
        author_browser, f"{CATEGORIES}add/", name=" Late <b>Jazz</b> ", parent=music.pk, description="At night"
    )

    made = Category.objects.get(parent=music)
    assert response["Location"] == CATEGORIES
    assert (made.name, made.slug, made.description) == ("Late Jazz", "late-jazz", "At night")


def test_a_slug_is_kept_and_changed_only_by_hand(editor_browser):
    tag = TagFactory(name="Jazz")
    TagFactory(name="Taken")

    submit_form(editor_browser, f"{TAGS}{tag.pk}/change/", name="Blues", slug="")
    kept = Tag.objects.get(pk=tag.pk).slug
    response = submit_form(editor_browser, f"{TAGS}{tag.pk}/change/", slug="taken")

    assert (kept, Tag.objects.get(pk=tag.pk).slug) == ("jazz", "taken-2")
    assert messages_in(response)[-2] == "The slug taken is already in use. It was saved as taken-2."


def test_a_second_term_of_a_name_is_refused(editor_browser):
    music = CategoryFactory(name="Music")
    CategoryFactory(name="Live", parent=music), TagFactory(name="Jazz")

    category = submit_form(editor_browser, f"{CATEGORIES}add/", name="LIVE", parent=music.pk)
    elsewhere = submit_form(editor_browser, f"{CATEGORIES}add/", name="Live")
    tag = submit_form(editor_browser, f"{TAGS}add/", name="jazz")

    assert form_errors(category) == form_errors(tag) == {"name": ["This name is already in use."]}
    assert elsewhere["Location"] == CATEGORIES
    assert (Category.objects.count(), Tag.objects.count()) == (3, 1)


def test_a_category_is_not_below_itself(editor_browser):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)

    response = submit_form(editor_browser, f"{CATEGORIES}{music.pk}/change/", parent=jazz.pk)

    assert form_errors(response) == {
        "parent": ["A category cannot be nested under itself or one of its subcategories."]
    }
    assert Category.objects.get(pk=music.pk).parent is None


def test_what_is_wrong_with_a_term_is_said_beside_it(editor_browser):
    response = submit_form(editor_browser, f"{TAGS}add/", name="<i></i>", description="x" * 5001)

    assert list(form_errors(response)) == ["description", "name"] or list(form_errors(response)) == [
        "name",
        "description",
    ]
    assert not Tag.objects.exists()


def test_a_page_that_has_grown_old_takes_nothing_back(editor_browser):
    tag = TagFactory(name="Old", description="Old")
    page = f"{TAGS}{tag.pk}/change/"
    old_page = form_data(editor_browser.get(page))

    submit_form(editor_browser, page, name="New")
    editor_browser.post(page, {**old_page, "description": "New"})

    tag.refresh_from_db()
    assert (tag.name, tag.description) == ("New", "New")


# --- Deleting ------------------------------------------------------------------------------------


def test_what_is_below_a_deleted_category_moves_up(author_browser):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    bebop = CategoryFactory(name="Bebop", parent=jazz)
    event = EventFactory(categories=[jazz])
    EventFactory(categories=[jazz], status="draft")
    EventFactory(categories=[music])

    asked = run_action(author_browser, CATEGORIES, "delete_selected", [jazz])
    run_action(author_browser, CATEGORIES, "delete_selected", [jazz], post="yes")

    assert asked.context["deletable_objects"] == [
        ["Jazz (will be removed from 1 event that you can see, and from all others)"]
    ]
    bebop.refresh_from_db()
    assert bebop.parent == music
    assert event.categories.count() == 0
    assert not Category.objects.filter(pk=jazz.pk).exists()


@pytest.mark.parametrize("count", [1, 3])
def test_events_of_all_statuses_are_counted_before_terms_are_deleted_or_merged(editor_browser, count):
    tags = [TagFactory(name=f"Tag {number}") for number in range(1 + count)]
    for status in ("publish", "draft", "trash"):
        EventFactory(tags=tags[:1], status=status)

    merging = run_action(editor_browser, TAGS, "merge", tags)
    with CaptureQueriesContext(connection) as queries:
        asked = run_action(editor_browser, TAGS, "delete_selected", tags)

    assert sorted(asked.context["deletable_objects"][0]) == [
        "Tag 0 (will be removed from 3 events)",
        *(f"Tag {number}" for number in range(1, 1 + count)),
    ]
    assert {row.name: number for row, number, _details in merging.context["rows"]} == {
        "Tag 0": 3,
        **{f"Tag {number}": 0 for number in range(1, 1 + count)},
    }
    counts = [sql for sql in (query["sql"] for query in queries) if "events_event_tags" in sql]
    assert len(counts) == 1


def test_number_of_events_leads_to_the_events_that_it_counts(editor_browser):
    music = CategoryFactory(name="Music")
    jazz = CategoryFactory(name="Jazz", parent=music)
    EventFactory(title="Counted", categories=[music])
    for fields in ({"status": "draft"}, {"password": "x"}, {"hide_from_listings": True}, {"categories": [jazz]}):
        EventFactory(**{"categories": [music], **fields})

    page = editor_browser.get(CATEGORIES).content.decode()
    (path,) = re.findall(rf'href="(/admin/events/event/\?[a-z_]*={music.pk})">1</a>', page)

    assert listed_titles(editor_browser.get(path)) == ["Counted"]
    assert len(listed_titles(editor_browser.get("/admin/events/event/", {"published_category": jazz.pk}))) == 1


def test_a_deleted_tag_leaves_its_events(editor_browser):
    tag = TagFactory(name="Jazz")
    event = EventFactory(tags=[tag, TagFactory(name="Live")])

    editor_browser.post(f"{TAGS}{tag.pk}/delete/", {"post": "yes"})

    assert [term.name for term in event.tags.all()] == ["Live"]
