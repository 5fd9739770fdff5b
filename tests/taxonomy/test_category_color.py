"""The colors of categories: the field of the form, the history, and what shows them."""

import re

import pytest

from events.models import Event
from taxonomy.admin.colors import PALETTE, chroma_and_hue, term_style
from taxonomy.models import Category
from tests.factories import CategoryFactory, EventFactory
from tests.support.admin import form_errors, submit_form

pytestmark = pytest.mark.django_db

CATEGORIES = "/admin/taxonomy/category/"


def form_path(category):
    return f"{CATEGORIES}{category.pk}/change/"


@pytest.mark.parametrize(
    ("choice", "custom", "color"),
    [
        ("#0a7ab8", "#000000", "#0a7ab8"),
        ("custom", "#ABCDEF", "#abcdef"),
        ("", "#abcdef", ""),
    ],
)
def test_color_of_the_palette_or_any_other_is_saved(editor_browser, choice, custom, color):
    category = CategoryFactory(name="Jazz", color="#112233")

    saved = submit_form(editor_browser, form_path(category), color=choice, color_custom=custom)

    assert saved.status_code == 302
    assert Category.objects.get().color == color
    assert Category.history.latest("history_id").color == color


@pytest.mark.parametrize(
    ("choice", "custom"),
    [("red", ""), ("custom", None), ("custom", "red"), ("custom", "#12345"), ("custom", "#12345g")],
)
def test_invalid_colors_are_refused(editor_browser, choice, custom):
    category = CategoryFactory(name="Jazz", color="#112233")

    response = submit_form(editor_browser, form_path(category), color=choice, color_custom=custom)

    assert response.status_code == 200
    assert form_errors(response)
    assert Category.objects.get().color == "#112233"


@pytest.mark.parametrize(
    ("color", "chosen", "custom"),
    [("", "", "#0a7ab8"), ("#c62f3a", "#c62f3a", "#c62f3a"), ("#112233", "custom", "#112233")],
)
def test_form_shows_the_color(editor_browser, color, chosen, custom):
    category = CategoryFactory(name="Jazz", color=color)

    page = editor_browser.get(form_path(category)).content.decode()

    assert re.findall(r'name="color" value="([^"]*)"[^>]* checked', page) == [chosen]
    assert f'name="color_custom" value="{custom}"' in page


def test_the_same_color_is_no_change(editor_browser):
    category = CategoryFactory(name="Jazz", color="#112233")
    revisions = Category.history.count()

    submit_form(editor_browser, form_path(category), color="custom", color_custom="#112233")

    assert (Category.objects.get().color, Category.history.count()) == ("#112233", revisions)


def test_an_earlier_color_can_be_restored(editor_browser):
    category = CategoryFactory(name="Jazz", color="#112233")
    first = Category.history.get().pk
    submit_form(editor_browser, form_path(category), color="", color_custom="#000000")
    assert Category.objects.get().color == ""

    newest = Category.history.latest("history_id").pk
    editor_browser.post(f"{CATEGORIES}{category.pk}/history/{first}/", {"newest": newest})

    assert Category.objects.get().color == "#112233"


def test_lists_and_calendar_show_the_color(editor_browser):
    jazz = CategoryFactory(name="Jazz", color="#0a7ab8")
    rock = CategoryFactory(name="Rock")
    for category in (jazz, rock):
        EventFactory(start="2027-03-10 20:00", end="2027-03-10 22:00", categories=[category])

    pages = [
        editor_browser.get("/admin/events/event/").content.decode(),
        editor_browser.get("/admin/events/event/calendar/?view=week&day=2027-03-10").content.decode(),
        editor_browser.get(CATEGORIES).content.decode(),
    ]

    for page in pages:
        assert page.count("--color: #0a7ab8") >= 1
        assert f"hue-{rock.pk % 8}" in page
    assert Event.objects.count() == 2


def test_a_category_without_a_color_has_the_one_of_the_nearest_category_above(editor_browser):
    music = CategoryFactory(name="Music", color="#0a7ab8")
    jazz = CategoryFactory(name="Jazz", parent=music)
    bebop = CategoryFactory(name="Bebop", parent=jazz)
    swing = CategoryFactory(name="Swing", parent=jazz, color="#112233")
    art = CategoryFactory(name="Art", parent=CategoryFactory(name="Culture"))
    for category in (bebop, swing, art):
        EventFactory(title=category.name, start="2027-03-10 20:00", end="2027-03-10 22:00", categories=[category])

    shown = editor_browser.get("/admin/events/event/calendar/?day=2027-03-10").context["categories"]
    names = editor_browser.get(CATEGORIES).content.decode()

    styles = {name: color.style.rpartition("--color: ")[2] or color.css_class for name, color in shown}
    assert styles == {"Art": f"hue-{art.pk % 8}", "Bebop": "#0a7ab8", "Swing": "#112233"}
    assert re.findall(r'class="term[^>]*>([^<]+)<', names).count("Blue") == 3


def test_events_without_a_category_are_gray():
    assert term_style(None) == ("hue-none", "")


@pytest.mark.parametrize("color", ["#000000", "#ffffff", "#808080"])
def test_tints_of_grays_have_no_color(color):
    assert chroma_and_hue(color)[0] < 0.001


@pytest.mark.parametrize(
    ("color", "chroma", "hue"), [("#ff0000", 0.258, 29), ("#00ff00", 0.295, 142), ("#0000ff", 0.313, 264)]
)
def test_hues_are_those_of_oklch(color, chroma, hue):
    found = chroma_and_hue(color)

    assert (round(found[0], 3), round(found[1])) == (chroma, hue)


def test_palette_has_valid_colors():
    for color in PALETTE:
        Category(name="x", slug="x", color=color).clean_fields()


def test_api_ignores_the_color(editor_api):
    response = editor_api.post("/cal/events/v1/categories", {"name": "Jazz", "color": "#112233"}, format="json")

    assert (response.status_code, response["X-Ignored-Fields"]) == (201, "color")
    assert Category.objects.get().color == ""
