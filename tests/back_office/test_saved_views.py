"""Saved views: filters, search and order of lists that users give a name."""

import re
from html import unescape

import pytest

from calendar_site.accounts.models import User
from calendar_site.saved_views.models import SavedView
from tests.factories import TagFactory, VenueFactory
from tests.support.admin import browser_for, listed_titles, messages_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VENUES, EVENTS = "/admin/venues/venue/", "/admin/events/event/"
LINK = re.compile(r'<a href="\?([^"]*)"( aria-current="page")?>([^<]*)</a></li>')


def save(browser, name, query, model="venues.venue"):
    return browser.post("/admin/saved-views/", {"list": model, "name": name, "query": query})


def links(browser, path):
    """Return the views above the list: their names and queries, and the name of the active one."""
    page = browser.get(path).content.decode()
    navigation = re.search(r'<nav aria-label="Saved views">(.*?)</nav>', page, re.S)
    found = LINK.findall(navigation[1]) if navigation else []
    views = {unescape(name): unescape(query) for query, _current, name in found}
    return views, next((unescape(name) for _query, current, name in found if current), None)


def test_a_view_keeps_filters_search_and_order(editor_browser):
    VenueFactory(title="Old hall", status="draft")
    VenueFactory(title="Old shed")

    saved = save(editor_browser, "Old drafts", "p=3&status=draft&q=old&o=-2&e=1&_popup=1&unknown=1&lacks=")

    assert messages_in(saved) == ["The view “Old drafts” was saved."]
    assert saved["Location"] == f"{VENUES}?o=-2&q=old&status=draft"
    assert listed_titles(editor_browser.get(saved["Location"])) == ["Old hall"]
    expected = {"All": "", "Old drafts": "o=-2&q=old&status=draft"}
    assert links(editor_browser, f"{VENUES}?status=draft&p=1&q=old&o=-2") == (expected, "Old drafts")
    assert links(editor_browser, f"{VENUES}?status=draft") == (expected, None)
    assert links(editor_browser, VENUES) == (expected, "All")
    assert links(editor_browser, EVENTS) == ({}, None)


def test_only_lists_with_filters_offer_to_save_a_view(editor_browser):
    VenueFactory()

    assert b"Save this view" not in editor_browser.get(VENUES).content
    assert b"Save this view" not in editor_browser.get(f"{VENUES}?p=1").content
    assert b"Save this view" not in editor_browser.get(f"{VENUES}?status=draft&_popup=1").content
    assert b"Save this view" in editor_browser.get(f"{VENUES}?status=draft").content


@pytest.mark.parametrize(
    ("model", "query"),
    [
        ("events.event", "featured=yes"),
        ("organizers.organizer", "status=draft"),
        ("media.image", "q=hall"),
        ("taxonomy.category", "q=music"),
        ("taxonomy.tag", "o=2"),
    ],
)
def test_every_list_of_content_has_views(editor_browser, model, query):
    saved = save(editor_browser, "Mine", query, model)

    assert messages_in(saved) == ["The view “Mine” was saved."]
    assert links(editor_browser, saved["Location"]) == ({"All": "", "Mine": query}, "Mine")


def test_views_are_private(editor_browser, author_browser):
    save(editor_browser, "Drafts", "status=draft")
    view = SavedView.objects.get()

    assert links(author_browser, VENUES) == ({}, None)
    for page in ("rename", "delete"):
        assert author_browser.post(f"/admin/saved-views/{view.pk}/{page}/", {"name": "Taken"}).status_code == 404
    assert SavedView.objects.values_list("name", "query").get() == ("Drafts", "status=draft")


def test_strangers_save_nothing(subscriber):
    for browser in (browser_for(None), browser_for(subscriber)):
        assert save(browser, "Mine", "status=draft").status_code == 302
    assert SavedView.objects.count() == 0


def test_lists_that_the_user_may_not_view_are_refused(contributor_browser):
    assert save(contributor_browser, "Mine", "q=x", "custom_fields.customfield").status_code == 403
    assert save(contributor_browser, "Mine", "q=x", "accounts.user").status_code == 404
    assert save(contributor_browser, "Mine", "q=x", "nothing").status_code == 404
    assert SavedView.objects.count() == 0


def test_saving_under_a_known_name_replaces_the_view(editor_browser):
    save(editor_browser, "Mine", "status=draft")
    save(editor_browser, " Mine ", "status=private")
    save(editor_browser, "Mine", "status=draft", "events.event")

    assert sorted(SavedView.objects.values_list("model_label", "query")) == [
        ("events.event", "status=draft"),
        ("venues.venue", "status=private"),
    ]


def test_a_view_is_renamed_and_deleted(editor_browser):
    save(editor_browser, "Mine", "status=draft")
    view = SavedView.objects.get()

    renamed = editor_browser.post(f"/admin/saved-views/{view.pk}/rename/", {"name": "Drafts & more"})

    assert messages_in(renamed)[-1:] == ["The view is now called “Drafts & more”."]
    assert renamed["Location"] == f"{VENUES}?status=draft"
    assert links(editor_browser, VENUES)[0] == {"All": "", "Drafts & more": "status=draft"}
    deleted = editor_browser.post(f"/admin/saved-views/{view.pk}/delete/")
    assert messages_in(deleted)[-1:] == ["The view “Drafts & more” was deleted."]
    assert links(editor_browser, VENUES) == ({}, None)


@pytest.mark.parametrize(
    ("name", "query", "error"),
    [
        ("", "q=x", "This field cannot be blank."),
        ("<b></b>", "q=x", "This field cannot be blank."),
        ("x" * 61, "q=x", "Ensure this value has at most 60 characters (it has 61)."),
        ("Mine", "", "Filter, search or sort the list first, and then save the view."),
        ("Mine", "p=2&unknown=1", "Filter, search or sort the list first, and then save the view."),
        ("Mine", f"q={'x' * 2000}", "This list has too many filters to save them."),
        ("Mine", f"q={'é' * 400}", "Ensure this value has at most 2000 characters (it has 2402)."),
    ],
)
def test_invalid_views_are_refused(editor_browser, name, query, error):
    assert messages_in(save(editor_browser, name, query)) == [error]
    assert SavedView.objects.count() == 0


def test_names_stay_unique(editor_browser):
    for name in ("One", "Two"):
        save(editor_browser, name, f"q={name}")
    view = SavedView.objects.get(name="Two")

    refused = editor_browser.post(f"/admin/saved-views/{view.pk}/rename/", {"name": "One"})

    assert messages_in(refused)[-1:] == ["You already have a view with this name."]
    assert sorted(SavedView.objects.values_list("name", flat=True)) == ["One", "Two"]


def test_a_user_has_a_limited_number_of_views(editor_browser, author_browser):
    for number in range(21):
        last = save(editor_browser, f"View {number}", f"q={number}")

    assert messages_in(last)[-1:] == ["You already have 20 views of this list. Delete one of them first."]
    assert messages_in(save(editor_browser, "View 3", "q=new"))[-1:] == ["The view “View 3” was saved."]
    assert messages_in(save(author_browser, "View 20", "q=new")) == ["The view “View 20” was saved."]
    assert SavedView.objects.count() == 21


def test_other_methods_and_ids_are_refused(editor_browser):
    save(editor_browser, "Mine", "q=x")
    view = SavedView.objects.get()

    for path in ("/admin/saved-views/", *(f"/admin/saved-views/{view.pk}/{page}/" for page in ("rename", "delete"))):
        assert editor_browser.get(path).status_code == 405
    for wrong in ("0", "x", "9" * 30):
        assert editor_browser.post(f"/admin/saved-views/{wrong}/delete/").status_code == 404


def test_hostile_texts_are_escaped(editor_browser):
    save(editor_browser, 'A "quoted" & <view', 'q="><script>')

    page = editor_browser.get(VENUES).content.decode()

    assert "<script>alert" not in page
    assert 'href="?q=%22%3E%3Cscript%3E"' in page
    assert "A &quot;quoted&quot; &amp;" in page


def test_a_view_goes_with_its_user(editor, editor_browser):
    save(editor_browser, "Mine", "q=x")

    User.objects.filter(pk=editor.pk).delete()

    assert SavedView.objects.count() == 0


@pytest.mark.parametrize("count", [1, 3])
def test_views_take_one_query(editor_browser, django_assert_max_num_queries, count):
    TagFactory()
    for number in range(count):
        save(editor_browser, f"View {number}", f"q={number}", "taxonomy.tag")

    with django_assert_max_num_queries(7):
        assert len(links(editor_browser, "/admin/taxonomy/tag/")[0]) == count + 1
