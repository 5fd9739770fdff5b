"""Choosing categories in their tree and typing tags, on the form of an event."""

import re
from html import unescape

import pytest

from calendar_site.accounts.services import create_user
from events.admin import category_input
from events.models import Event
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.admin import browser_for, form_data, form_errors, submit_form
from tests.support.content_kinds import EVENT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

ADD = "/admin/events/event/add/"
NEW = {"title": "New", "start": "2027-03-10T10:00", "end": "2027-03-10T12:00"}
UNKNOWN = "Select a valid choice. {} is not one of the available choices."
NO_ID = "“{}” is not a valid value."
NOT_YOURS = "These tags do not exist, and you do not have permission to create tags: {}."


def category_rows(response):
    """Depth, full text and mark of each category, in their order."""
    rows = re.findall(r'<li data-depth="(\d)">(.*?)</li>', response.content.decode(), re.S)
    return [
        (int(depth), " ".join(unescape(re.sub("<[^>]*>", "", row)).split()), " checked" in row) for depth, row in rows
    ]


def options(response, name):
    """The options of a control, and whether they are chosen."""
    found = re.search(rf'<select name="{name}".*?</select>', response.content.decode(), re.S)[0]
    return [
        (value, unescape(text), bool(chosen))
        for value, chosen, text in re.findall(r'<option value="([^"]*)"( selected)?[^>]*>([^<]*)</option>', found)
    ]


def names_of(rows):
    return [row.name for row in rows.order_by("pk")]


# --- Categories ----------------------------------------------------------------------------------


def test_categories_are_a_tree_in_the_order_of_names(editor_browser):
    music, art = CategoryFactory(name="Music"), CategoryFactory(name="Art & craft")
    jazz, live = CategoryFactory(name="Jazz", parent=music), CategoryFactory(name="Live", parent=art)
    other = CategoryFactory(name="Live", parent=jazz)
    event = EventFactory(categories=[other])

    response = editor_browser.get(EVENT.page(event))

    assert category_rows(response) == [
        (0, "Art & craft", False),
        (1, "Art & craft › Live", False),
        (0, "Music", False),
        (1, "Music › Jazz", False),
        (2, "Music › Jazz › Live", True),
    ]
    assert form_data(response)["categories"] == [str(other.pk)]
    submit_form(editor_browser, EVENT.page(event), categories=[live.pk, jazz.pk])
    assert names_of(event.categories) == ["Jazz", "Live"]
    submit_form(editor_browser, EVENT.page(event), categories=None)
    assert names_of(event.categories) == []


@pytest.mark.parametrize("depth", [1, 3, 12])
def test_the_form_costs_as_many_queries_whatever_the_depth(editor_browser, django_assert_num_queries, depth):
    above = None
    for _ in range(depth):
        above = CategoryFactory(parent=above)
    event = EventFactory(categories=[above])
    # What is asked once for all is asked here.
    editor_browser.get(EVENT.page(event))

    # The tree is one of them.
    with django_assert_num_queries(15):
        response = editor_browser.get(EVENT.page(event))

    assert len(category_rows(response)) == depth


def test_of_long_ways_the_end_is_shown(editor_browser):
    above = None
    for number in range(9):
        above = CategoryFactory(name=f"C{number}", parent=above)

    assert category_rows(editor_browser.get(ADD))[-1] == (6, "… › C2 › C3 › C4 › C5 › C6 › C7 › C8", False)


def test_many_categories_are_searched_for_with_their_paths(editor_browser, monkeypatch):
    monkeypatch.setattr(category_input, "MAX_SHOWN", 2)
    music = CategoryFactory(name="Music")
    jazz, _other = CategoryFactory(name="Jazz", parent=music), CategoryFactory(name="Jazz")
    event = EventFactory(categories=[jazz])

    response = editor_browser.get(EVENT.page(event))
    submit_form(editor_browser, EVENT.page(event), categories=[music.pk])

    assert category_rows(response) == []
    assert options(response, "categories") == [(str(jazz.pk), "Music › Jazz", True)]
    assert names_of(event.categories) == ["Music"]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        *((key, NO_ID.format(key)) for key in ("abc", str(10**30), "-1", "1\0", "new:Jazz")),
        *((key, UNKNOWN.format(key)) for key in ("0", "99999")),
    ],
)
def test_invalid_categories_are_reported_at_the_field(editor_browser, key, text):
    response = submit_form(editor_browser, ADD, **NEW, categories=[key])

    assert form_errors(response) == {"categories": [text]}
    assert not Event.objects.exists()
    assert not Category.objects.exists()


@pytest.mark.parametrize(("role", "may"), [("editor", True), ("author", True), ("contributor", False)])
def test_category_is_added_in_place_with_the_permission(role, may):
    shown = browser_for(create_user("staff", role)).get(ADD).content.decode()

    assert ('id="add_id_categories" href="/admin/taxonomy/category/add/?_to_field=id&amp;_popup=1"' in shown) == may


def test_paths_are_shown_wherever_categories_are_searched_for(editor_browser):
    music = CategoryFactory(name="Music")
    jazz, top = CategoryFactory(name="Jazz", parent=music), CategoryFactory(name="Jazz")
    bebop = CategoryFactory(name="Bebop", parent=jazz)
    asked = {"app_label": "taxonomy", "model_name": "category", "field_name": "parent", "term": "jazz"}

    found = editor_browser.get("/admin/autocomplete/", asked).json()
    form = editor_browser.get(f"/admin/taxonomy/category/{bebop.pk}/change/")
    filtered = editor_browser.get("/admin/events/event/", {"category": jazz.pk})

    assert sorted(found["results"], key=lambda row: int(row["id"])) == [
        {"id": str(jazz.pk), "text": "Music › Jazz"},
        {"id": str(top.pk), "text": "Jazz"},
    ]
    assert (str(jazz.pk), "Music › Jazz", True) in options(form, "parent")
    assert (str(jazz.pk), "Music › Jazz", True) in options(filtered, "category")


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_of_a_search_for_categories(editor_browser, django_assert_num_queries, count):
    above = CategoryFactory(name="Music")
    for number in range(count):
        CategoryFactory(name=f"Jazz {number}", parent=above)
    asked = {"app_label": "events", "model_name": "event", "field_name": "categories", "term": "jazz"}

    # session, user, permissions, count, page, paths
    with django_assert_num_queries(6):
        response = editor_browser.get("/admin/autocomplete/", asked)

    assert [row["text"] for row in response.json()["results"]] == [f"Music › Jazz {number}" for number in range(count)]


# --- Tags ----------------------------------------------------------------------------------------


def test_typed_tags_are_found_or_made(editor_browser):
    jazz, late, _other = TagFactory(name="Jazz"), TagFactory(name="Late night"), TagFactory(name="Other")

    response = submit_form(
        editor_browser,
        ADD,
        **NEW,
        tags=[
            str(jazz.pk),
            "new:JAZZ",
            "new: late   NIGHT ",
            "new:late-night",
            "new:1984",
            "new:Rock, hard",
            "new:ROCK, HARD",
        ],
    )

    event = Event.objects.get()
    assert response.status_code == 302
    assert names_of(event.tags) == ["Jazz", "Late night", "1984", "Rock, hard"]
    assert Tag.objects.count() == 5
    assert late.events.get() == event


def test_tags_are_typed_without_scripts_as_well(editor_browser):
    TagFactory(name="Jazz")

    submit_form(editor_browser, ADD, **NEW, **{"tags-typed": "jazz, , Late night,"})

    assert names_of(Event.objects.get().tags) == ["Jazz", "Late night"]
    assert names_of(Tag.objects) == ["Jazz", "Late night"]


def test_new_tags_without_permission_are_reported_and_kept(contributor_browser):
    jazz = TagFactory(name="Jazz")

    response = submit_form(
        contributor_browser, ADD, **NEW, tags=[str(jazz.pk), "new:Blues", "new:<b>Soul</b>", "new:jazz"]
    )
    known = submit_form(contributor_browser, ADD, **NEW, tags=["new:jazz"])

    assert form_errors(response) == {"tags": [NOT_YOURS.format("“Blues”, “Soul”")]}
    assert options(response, "tags") == [
        (str(jazz.pk), "Jazz", True),
        ("new:Blues", "Blues", True),
        ("new:&lt;b&gt;Soul&lt;/b&gt;", "<b>Soul</b>", True),
        ("new:jazz", "jazz", True),
    ]
    assert "data-typed" not in response.content.decode()
    assert known.status_code == 302
    assert names_of(Tag.objects) == ["Jazz"]
    assert names_of(Event.objects.get().tags) == ["Jazz"]


def test_no_tag_is_made_where_another_field_is_refused(editor_browser):
    response = submit_form(editor_browser, ADD, **{**NEW, "end": "2027-03-09T10:00"}, tags=["new:Blues"])

    assert list(form_errors(response)) == ["end"]
    assert options(response, "tags") == [("new:Blues", "Blues", True)]
    assert form_data(response)["tags"] == ["new:Blues"]
    assert not Tag.objects.exists()


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("abc", NO_ID.format("abc")),
        (str(10**30), NO_ID.format(10**30)),
        ("99999", UNKNOWN.format("99999")),
        ("1\0", NO_ID.format("1\0")),
        ("new:<i></i>", "“<i></i>”: Must not be empty."),
        ("new:" + "x" * 201, f"“{'x' * 59}…”: Must have at most 200 characters."),
        ("new:" + "x" * 100_000, f"“{'x' * 59}…”: Must have at most 200 characters."),
    ],
)
def test_invalid_tags_are_reported_at_the_field(editor_browser, key, text):
    response = submit_form(editor_browser, ADD, **NEW, tags=[key])

    assert form_errors(response) == {"tags": [text]}
    assert not Event.objects.exists()
    assert not Tag.objects.exists()


def test_control_characters_do_not_become_a_part_of_a_name(editor_browser):
    submit_form(editor_browser, ADD, **NEW, tags=["new:Ja\0zz\x07", "new: \n "])

    assert names_of(Tag.objects) == ["Jazz"]


def test_too_many_typed_tags_are_refused(editor_browser):
    response = submit_form(editor_browser, ADD, **NEW, tags=[f"new:Tag {number}" for number in range(101)])
    many = editor_browser.post(ADD, {**NEW, "tags": [f"new:Tag {number}" for number in range(10_000)]})

    assert form_errors(response) == {"tags": ["At most 100 items are allowed."]}
    assert many.status_code == 400
    assert not Tag.objects.exists()


def test_an_event_that_was_not_touched_keeps_its_terms(editor_browser):
    event = EventFactory(categories=[CategoryFactory(name="Music")], tags=[TagFactory(name="1984")])
    old_page = form_data(editor_browser.get(EVENT.page(event)))

    submit_form(editor_browser, EVENT.page(event), tags=["new:Blues"], categories=[CategoryFactory(name="Art").pk])
    editor_browser.post(EVENT.page(event), {**old_page, "title": "Another"})

    event.refresh_from_db()
    assert (event.title, names_of(event.tags), names_of(event.categories)) == ("Another", ["Blues"], ["Art"])


def test_new_tags_stay_with_somebody_elses_change_of_the_same_field(editor_browser):
    event = EventFactory(tags=[TagFactory(name="Jazz")])
    old_page = form_data(editor_browser.get(EVENT.page(event)))

    submit_form(editor_browser, EVENT.page(event), tags=["new:Blues"])
    response = editor_browser.post(EVENT.page(event), {**old_page, "tags": ["new:Soul"]})

    assert form_errors(response) == {
        "tags": ["Someone else has changed this to: Blues. Save again to replace it with your value."]
    }
    again = editor_browser.post(EVENT.page(event), form_data(response))
    assert again.status_code == 302
    assert names_of(event.tags) == ["Soul"]


def test_conflict_names_the_category_with_its_path(editor_browser):
    music, art = CategoryFactory(name="Music"), CategoryFactory(name="Art")
    jazz = CategoryFactory(name="Jazz", parent=music)
    event = EventFactory()
    old_page = form_data(editor_browser.get(EVENT.page(event)))

    submit_form(editor_browser, EVENT.page(event), categories=[jazz.pk])
    response = editor_browser.post(EVENT.page(event), {**old_page, "categories": [str(art.pk)]})

    assert form_errors(response) == {
        "categories": ["Someone else has changed this to: Music › Jazz. Save again to replace it with your value."]
    }
    assert names_of(event.categories) == ["Jazz"]
