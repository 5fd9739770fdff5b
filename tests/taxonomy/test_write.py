"""Creating, updating and deleting categories and tags."""

import pytest

from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, TagFactory
from tests.support.api_client import API, invalid_params
from tests.support.api_writes import changed_values, created_record, error_of, stored_rows, updated_record

CATEGORIES, TAGS = f"{API}/categories", f"{API}/tags"
NOT_TEXT = "Must be a string."
EMPTY = "Must not be empty."

both = pytest.mark.parametrize(("path", "factory"), [(CATEGORIES, CategoryFactory), (TAGS, TagFactory)])


def term_exists(term):
    return {
        "code": "term_exists",
        "message": "A term with this name already exists.",
        "data": {"status": 400, "term_id": term.pk},
    }


# --- Creating -------------------------------------------------------------------------------------


def test_category_with_only_a_name(author_api):
    response = author_api.post(CATEGORIES, {"name": " Jazz & <b>Blues</b> "})

    category = created_record(response)
    pk = category["id"]
    assert category == {
        "id": pk,
        "name": "Jazz & Blues",
        "slug": "jazz-blues",
        "description": "",
        "parent": 0,
        "count": 0,
        "url": "http://testserver/events/category/jazz-blues/",
        "urls": {
            "self": f"http://testserver{CATEGORIES}/{pk}",
            "collection": f"http://testserver{CATEGORIES}",
        },
    }
    assert "X-Ignored-Fields" not in response
    assert author_api.get(f"{CATEGORIES}/{pk}").json() == category


def test_category_with_everything(author_api):
    parent = CategoryFactory()

    category = created_record(
        author_api.post(
            CATEGORIES, {"name": "Jazz", "slug": "All That", "description": "Smoky <i>rooms</i>", "parent": parent.pk}
        )
    )

    assert category == {
        "id": category["id"],
        "name": "Jazz",
        "slug": "all-that",
        "description": "Smoky rooms",
        "parent": parent.pk,
        "count": 0,
        "url": "http://testserver/events/category/all-that/",
        "urls": {
            "self": f"http://testserver{CATEGORIES}/{category['id']}",
            "collection": f"http://testserver{CATEGORIES}",
            "up": f"http://testserver{CATEGORIES}/{parent.pk}",
        },
    }


def test_tag_with_everything(editor_api):
    tag = created_record(editor_api.post(TAGS, {"name": "Été", "slug": "Summer", "description": "Warm"}))

    assert tag == {
        "id": tag["id"],
        "name": "Été",
        "slug": "summer",
        "description": "Warm",
        "count": 0,
        "url": "http://testserver/events/tag/summer/",
        "urls": {"self": f"http://testserver{TAGS}/{tag['id']}", "collection": f"http://testserver{TAGS}"},
    }


@both
def test_name_is_needed(editor_api, path, factory):
    before = stored_rows()

    for body in ({}, {"name": None, "slug": 5}):
        response = editor_api.post(path, body)
        assert error_of(response) == (400, "rest_missing_callback_param")
        assert response.json()["data"]["params"] == ["name"]
    assert stored_rows() == before


WRONG = {
    "name": [("", EMPTY), (" \t", EMPTY), ("<b></b>", EMPTY), (5, NOT_TEXT), (True, NOT_TEXT), (["Jazz"], NOT_TEXT)],
    "slug": [(5, NOT_TEXT), (True, NOT_TEXT), ({}, NOT_TEXT), ("x" * 1001, "Must have at most 1000 characters.")],
    "description": [(5, NOT_TEXT), ([], NOT_TEXT), ("x" * 5001, "Must have at most 5000 characters.")],
}


@both
@pytest.mark.parametrize("name", WRONG)
def test_wrong_value_is_refused_and_nothing_is_changed(editor_api, path, factory, name):
    term = factory()
    before = stored_rows()

    for value, message in WRONG[name]:
        assert invalid_params(editor_api.post(path, {"name": "New", name: value})) == {name: message}
        assert invalid_params(editor_api.put(f"{path}/{term.pk}", {"name": "New", name: value})) == {name: message}
    assert stored_rows() == before


@both
def test_all_faults_are_in_one_answer(editor_api, path, factory):
    response = editor_api.post(path, {"name": "x" * 201, "slug": 5, "description": 5})

    assert invalid_params(response) == {
        "name": "Must have at most 200 characters.",
        "slug": NOT_TEXT,
        "description": NOT_TEXT,
    }


@both
@pytest.mark.parametrize("name", ["Jazz", "JAZZ", " jazz "])
def test_known_name_is_refused_with_the_id_of_the_term(editor_api, path, factory, name):
    term = factory(name="Jazz")
    before = stored_rows()

    response = editor_api.post(path, {"name": name})

    assert (response.status_code, response.json()) == (400, term_exists(term))
    assert stored_rows() == before


@both
def test_known_name_with_another_slug_is_another_term(editor_api, path, factory):
    term = factory(name="Jazz")

    other = editor_api.post(path, {"name": "Jazz", "slug": "modern"})
    same = editor_api.post(path, {"name": "Jazz", "slug": "jazz"})

    assert (created_record(other)["name"], other.json()["slug"]) == ("Jazz", "modern")
    assert same.json() == term_exists(term)


def test_names_of_categories_are_compared_below_one_parent(author_api):
    music, dance = CategoryFactory(name="Music"), CategoryFactory(name="Dance")
    folk = CategoryFactory(name="Folk", parent=music)

    elsewhere = author_api.post(CATEGORIES, {"name": "Folk", "parent": dance.pk})
    at_the_top = author_api.post(CATEGORIES, {"name": "Folk"})
    there = author_api.post(CATEGORIES, {"name": "folk", "parent": music.pk})

    assert (created_record(elsewhere)["slug"], created_record(at_the_top)["slug"]) == ("folk-2", "folk-3")
    assert there.json() == term_exists(folk)


# --- Slugs ----------------------------------------------------------------------------------------


@both
def test_slug_is_cleaned_and_numbered_when_taken(editor_api, path, factory):
    factory(name="Jazz")

    slugs = [
        created_record(editor_api.post(path, {"name": f"Name {number}", "slug": slug}))["slug"]
        for number, slug in enumerate(["jazz", "JAZZ!", "Été / Sommer", "音楽", "", "???", "x" * 300])
    ]

    assert slugs == ["jazz-2", "jazz-3", "ete-sommer", "音楽", "name-4", "name-5", "x" * 200]


@both
def test_slug_of_another_term_gets_a_number_on_update(editor_api, path, factory):
    factory(name="Jazz")
    term = factory(name="Blues")

    taken = updated_record(editor_api.post(f"{path}/{term.pk}", {"slug": "jazz"}))
    own = updated_record(editor_api.post(f"{path}/{term.pk}", {"slug": "jazz-2"}))

    assert (taken["slug"], own["slug"]) == ("jazz-2", "jazz-2")


@both
@pytest.mark.parametrize("nothing", ["", None, "  "], ids=repr)
def test_slug_is_kept_when_it_is_emptied_or_the_name_changes(editor_api, path, factory, nothing):
    term = factory(name="Jazz")

    after = updated_record(editor_api.post(f"{path}/{term.pk}", {"name": "Blues", "slug": nothing}))

    assert (after["name"], after["slug"]) == ("Blues", "jazz")


def test_category_and_tag_may_share_a_slug(editor_api):
    category = created_record(editor_api.post(CATEGORIES, {"name": "Jazz"}))
    tag = created_record(editor_api.post(TAGS, {"name": "Jazz"}))

    assert category["slug"] == tag["slug"] == "jazz"


# --- Updating -------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_update_changes_what_was_sent_and_nothing_else(editor_api, path, factory, method):
    term = factory(name="Jazz", description="Smoky")
    before = editor_api.get(f"{path}/{term.pk}").json()

    after = updated_record(getattr(editor_api, method)(f"{path}/{term.pk}", {"name": "Blues"}))
    unchanged = updated_record(getattr(editor_api, method)(f"{path}/{term.pk}", {}))

    assert changed_values(before, after) == {"name": "Blues"}
    assert unchanged == after == editor_api.get(f"{path}/{term.pk}").json()


@both
@pytest.mark.parametrize("nothing", ["", None], ids=repr)
def test_description_is_emptied(editor_api, path, factory, nothing):
    term = factory(description="Smoky")

    assert updated_record(editor_api.post(f"{path}/{term.pk}", {"description": nothing}))["description"] == ""


@both
def test_null_leaves_the_name_alone(editor_api, path, factory):
    term = factory(name="Jazz")

    assert updated_record(editor_api.post(f"{path}/{term.pk}", {"name": None}))["name"] == "Jazz"


@both
def test_name_may_repeat_by_update(editor_api, path, factory):
    factory(name="Jazz")
    term = factory(name="Blues")

    assert updated_record(editor_api.post(f"{path}/{term.pk}", {"name": "Jazz"}))["slug"] == "blues"


@both
@pytest.mark.parametrize("method", ["post", "put", "patch"])
def test_term_sent_back_unchanged_changes_nothing(editor_api, path, factory, method):
    parent = {"parent": CategoryFactory()} if factory is CategoryFactory else {}
    term = factory(name="A < B & C", description="x > y", **parent)
    field = "categories" if factory is CategoryFactory else "tags"
    EventFactory(**{field: [term]})
    answer = editor_api.get(f"{path}/{term.pk}").json()
    before = stored_rows()

    response = getattr(editor_api, method)(f"{path}/{term.pk}", answer)

    assert updated_record(response) == answer
    assert answer["count"] == 1
    assert "X-Ignored-Fields" not in response
    assert stored_rows() == before


@both
def test_computed_and_unknown_arguments_are_passed_over(editor_api, path, factory):
    other = factory()

    made = editor_api.post(path, {"name": "Jazz", "count": 7, "id": other.pk, "url": "x", "urls": {}, "titel": "x"})
    after = editor_api.post(f"{path}/{made.json()['id']}?colour=red", {"id": other.pk, "name": "Blues"})

    assert (created_record(made)["count"], made["X-Ignored-Fields"]) == (0, "titel")
    assert (updated_record(after)["id"], after["X-Ignored-Fields"]) == (made.json()["id"], "colour")


# --- Hierarchy ------------------------------------------------------------------------------------


def test_category_moves_below_another_and_back_to_the_top(author_api):
    parent, category = CategoryFactory(), CategoryFactory()
    path = f"{CATEGORIES}/{category.pk}"

    below = updated_record(author_api.post(path, {"parent": str(parent.pk)}))
    kept = updated_record(author_api.post(path, {"name": "New"}))
    tops = []
    for nothing in (0, "0", "", None, False):
        Category.objects.filter(pk=category.pk).update(parent=parent)
        tops.append(updated_record(author_api.post(path, {"parent": nothing}))["parent"])

    assert (below["parent"], kept["parent"], tops) == (parent.pk, parent.pk, [0] * 5)


def test_what_is_no_category_is_no_parent(author_api):
    category, tag = CategoryFactory(), TagFactory(id=77)
    before = stored_rows()

    for value in ("music", -1, "-1", True, 1.5, [category.pk], {"id": category.pk}, 999_999, tag.pk, 2**63):
        assert list(invalid_params(author_api.post(CATEGORIES, {"name": "New", "parent": value}))) == ["parent"]
        assert list(invalid_params(author_api.post(f"{CATEGORIES}/{category.pk}", {"parent": value}))) == ["parent"]
    assert stored_rows() == before


def test_categories_are_not_below_themselves(author_api):
    top = CategoryFactory()
    middle = CategoryFactory(parent=top)
    bottom = CategoryFactory(parent=middle)
    before = stored_rows()

    for parent in (top, middle, bottom):
        response = author_api.post(f"{CATEGORIES}/{top.pk}", {"parent": parent.pk})
        assert invalid_params(response) == {
            "parent": "A category cannot be nested under itself or one of its subcategories."
        }
    assert stored_rows() == before


@pytest.mark.parametrize("method", ["post", "put"])
def test_tags_have_no_parent(editor_api, method):
    tag, other = TagFactory(), TagFactory()
    before = stored_rows()

    for response in (
        editor_api.post(TAGS, {"name": "New", "parent": other.pk}),
        getattr(editor_api, method)(f"{TAGS}/{tag.pk}", {"parent": other.pk}),
    ):
        assert response.status_code == 400
        assert response.json() == {
            "code": "rest_taxonomy_not_hierarchical",
            "message": "Tags cannot have a parent, because they are not hierarchical.",
            "data": {"status": 400},
        }
    assert stored_rows() == before


# --- Deleting -------------------------------------------------------------------------------------


@both
def test_deleted_term_is_answered_as_it_was_and_gone(editor_api, path, factory):
    field = "categories" if factory is CategoryFactory else "tags"
    term, other = factory(), factory()
    event = EventFactory(**{field: [term, other]})
    before = editor_api.get(f"{path}/{term.pk}").json()

    answer = updated_record(editor_api.delete(f"{path}/{term.pk}"))

    assert answer == before
    assert answer["count"] == 1
    assert editor_api.get(f"{path}/{term.pk}").status_code == 404
    assert editor_api.delete(f"{path}/{term.pk}").status_code == 404
    assert [row["id"] for row in editor_api.get(f"{API}/events/{event.pk}").json()[field]] == [other.pk]


def test_children_of_a_deleted_category_go_to_its_parent(author_api):
    top = CategoryFactory()
    middle = CategoryFactory(parent=top)
    first, second = CategoryFactory(parent=middle), CategoryFactory(parent=middle)

    updated_record(author_api.delete(f"{CATEGORIES}/{middle.pk}"))
    below_top = [author_api.get(f"{CATEGORIES}/{row.pk}").json()["parent"] for row in (first, second)]
    updated_record(author_api.delete(f"{CATEGORIES}/{top.pk}"))
    at_the_top = [author_api.get(f"{CATEGORIES}/{row.pk}").json()["parent"] for row in (first, second)]

    assert (below_top, at_the_top) == ([top.pk] * 2, [0, 0])


@both
def test_name_and_slug_of_a_deleted_term_are_free(editor_api, path, factory):
    term = factory(name="Jazz")
    updated_record(editor_api.delete(f"{path}/{term.pk}"))

    again = created_record(editor_api.post(path, {"name": "Jazz"}))

    assert again["slug"] == "jazz"
    assert Category.objects.count() + Tag.objects.count() == 1
