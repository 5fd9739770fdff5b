"""The menus of the rows in lists, and the dialogs that edit records in lists."""

import json
import re

import pytest
from django.contrib.auth.models import Permission

from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import CategoryFactory, EventFactory, OrganizerFactory, TagFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for, messages_in
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

VENUES, ORGANIZERS = "/admin/venues/venue/", "/admin/organizers/organizer/"
CATEGORIES, TAGS = "/admin/taxonomy/category/", "/admin/taxonomy/tag/"
EVENTS = "/admin/events/event/"
MENU = re.compile(r'class="row-menu" data-row="(\d+)" data-can="([^"]*)" data-page="([^"]*)"')


def menus(browser, path):
    """Return the entries and the page of the menu of each row, by id."""
    found = MENU.findall(browser.get(path).content.decode())
    return {int(pk): (entries.split(), page) for pk, entries, page in found}


def fields_of(row, **changes):
    newest = type(row).history.filter(id=row.pk).latest("history_id").history_id
    return {"revision": newest, **changes}


def quick_edit(browser, path, row, **changes):
    return browser.post(f"{path}{row.pk}/quick-edit/", fields_of(row, **changes))


# --- Menus


@pytest.mark.parametrize(
    ("factory", "path", "page"), [(VenueFactory, VENUES, "venue"), (OrganizerFactory, ORGANIZERS, "organizer")]
)
def test_rows_of_venues_and_organizers_have_a_menu(author, author_browser, factory, path, page):
    own, others = factory(title="Own", author=author), factory(title="Others")

    assert menus(author_browser, path) == {
        own.pk: (["change", "quick-edit", "trash"], f"/{page}/{own.slug}"),
        others.pk: ([], f"/{page}/{others.slug}"),
    }


@pytest.mark.parametrize(("factory", "path"), [(CategoryFactory, CATEGORIES), (TagFactory, TAGS)])
def test_rows_of_terms_have_a_menu(editor_browser, contributor_browser, factory, path):
    term = factory(name="Jazz")
    page = f"/events/{'category' if path == CATEGORIES else 'tag'}/jazz"

    assert menus(editor_browser, path) == {term.pk: (["change", "quick-edit", "delete"], page)}
    assert menus(contributor_browser, path) == {term.pk: ([], page)}


def test_rows_of_the_trash_can_be_restored_and_deleted(kind, author, author_browser, editor_browser):
    row = kind.factory(title="Gone", status="trash", author=author)

    expected = {row.pk: (["change", "delete", "restore"], "")}
    assert menus(author_browser, f"{kind.list}?status=trash") == expected
    assert menus(editor_browser, f"{kind.list}?status=trash") == expected


def test_users_who_may_not_delete_are_offered_no_trash(contributor, contributor_browser):
    """Contributors may change and delete drafts, but no published events."""
    draft = EventFactory(title="Draft", status="draft", author=contributor)
    published = EventFactory(title="Published", author=contributor)

    assert menus(contributor_browser, EVENTS) == {
        draft.pk: (["change", "quick-edit", "trash", "duplicate"], f"/event/{draft.slug}"),
        published.pk: ([], f"/event/{published.slug}"),
    }


def test_permission_to_change_alone_offers_no_trash():
    """The entry depends on the permission to delete, as the page that it calls does."""
    user = UserFactory(username="changer", role="editor")
    user.groups.clear()
    user.is_staff = True
    user.save()
    names = ("view_venue", "change_venue", "change_others_venue", "publish_venue")
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    row = VenueFactory()

    assert menus(browser_for(user), VENUES) == {row.pk: (["change", "quick-edit"], f"/venue/{row.slug}")}


def test_restoring_from_the_list_returns_to_the_list(editor_browser):
    row = VenueFactory(title="Gone", status="trash")

    response = editor_browser.post(
        f"{VENUES}{row.pk}/restore/?_changelist_filters=status%3Dtrash", {"return_to": "list"}
    )

    assert (response.status_code, response["Location"]) == (302, f"{VENUES}?status=trash")
    assert messages_in(response) == ["Restored as draft: Gone."]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(("factory", "path"), [(VenueFactory, VENUES), (TagFactory, TAGS), (EventFactory, EVENTS)])
def test_menus_need_no_queries(author_browser, django_assert_max_num_queries, factory, path, count):
    for _number in range(count):
        factory()
    author_browser.get(path)

    with django_assert_max_num_queries(13):
        assert len(menus(author_browser, path)) == count


# --- Quick edit


def test_a_venue_changes_its_name_city_and_status(editor_browser):
    row = VenueFactory(title="Hall", city="Leeds")
    page = editor_browser.get(f"{VENUES}{row.pk}/quick-edit/").content.decode()

    response = quick_edit(editor_browser, VENUES, row, title="Great hall", city="York", status="draft")

    assert re.findall(r"<label[^>]*>([^<]*)</label>", page) == ["Name", "City", "Status"]
    answer = json.loads(response.content)
    assert answer["message"] == "Changed: Great hall."
    row.refresh_from_db()
    assert (row.title, row.city, row.status) == ("Great hall", "York", "draft")
    assert messages_in(editor_browser.post(answer["undo"])) == ["Undone: Great hall."]
    assert Venue.objects.values_list("title", "city", "status").get() == ("Hall", "Leeds", "publish")


def test_an_organizer_changes_its_name_and_status(editor_browser):
    row = OrganizerFactory(title="Choir", email="choir@example.org")

    quick_edit(editor_browser, ORGANIZERS, row, title="Big choir", status="private")

    values = Organizer.objects.values_list("title", "status", "email").get()
    assert values == ("Big choir", "private", "choir@example.org")


@pytest.mark.parametrize(
    ("factory", "model", "path"), [(CategoryFactory, Category, CATEGORIES), (TagFactory, Tag, TAGS)]
)
def test_a_term_changes_its_name(editor_browser, factory, model, path):
    term = factory(name="Jaz", description="Improvised")

    response = quick_edit(editor_browser, path, term, name="Jazz")

    assert json.loads(response.content) == {"message": "Changed: Jazz.", "undo": ""}
    assert model.objects.values_list("name", "slug", "description").get() == ("Jazz", "jaz", "Improvised")


@pytest.mark.parametrize(
    ("path", "factory", "changes"),
    [
        (VENUES, VenueFactory, {"title": "", "city": "", "status": "publish"}),
        (VENUES, VenueFactory, {"title": "Hall", "city": "x" * 1000, "status": "publish"}),
        (VENUES, VenueFactory, {"title": "Hall", "city": "", "status": "trash"}),
        (ORGANIZERS, OrganizerFactory, {"title": "x" * 5000, "status": "publish"}),
        (TAGS, TagFactory, {"name": " "}),
        (TAGS, TagFactory, {"name": "\0"}),
        (TAGS, TagFactory, {"name": "Jazz", "revision": "x"}),
    ],
)
def test_invalid_values_are_refused(editor_browser, path, factory, changes):
    row = factory()

    response = quick_edit(editor_browser, path, row, **changes)

    assert response.status_code == 400
    assert "errorlist" in response.content.decode()
    assert type(row).history.filter(id=row.pk).count() == 1


def test_a_form_that_is_sent_twice_is_no_conflict(editor_browser):
    row = TagFactory(name="Jaz")
    sent = fields_of(row, name="Jazz")

    first, second = (editor_browser.post(f"{TAGS}{row.pk}/quick-edit/", sent) for _number in range(2))

    assert [json.loads(response.content)["message"] for response in (first, second)] == ["Changed: Jazz."] * 2
    assert Tag.history.filter(id=row.pk).count() == 2


def test_changes_of_others_are_not_overwritten(editor_browser):
    row = TagFactory(name="Jaz")
    sent = fields_of(row, name="Mine")
    quick_edit(editor_browser, TAGS, row, name="Theirs")

    response = editor_browser.post(f"{TAGS}{row.pk}/quick-edit/", sent)

    assert response.status_code == 400
    assert Tag.objects.get().name == "Theirs"


def test_strangers_are_refused(author_browser, subscriber):
    row, tag = VenueFactory(title="Hall"), TagFactory(name="Jazz")

    assert author_browser.get(f"{VENUES}{row.pk}/quick-edit/").status_code == 403
    assert quick_edit(author_browser, VENUES, row, title="Mine", city="", status="publish").status_code == 403
    assert quick_edit(author_browser, TAGS, tag, name="Mine").status_code == 403
    assert quick_edit(browser_for(subscriber), TAGS, tag, name="Mine").status_code == 302
    assert quick_edit(browser_for(None), VENUES, row, title="Mine").status_code == 302
    assert (Venue.objects.get().title, Tag.objects.get().name) == ("Hall", "Jazz")


def test_other_methods_and_ids_are_refused(editor_browser):
    tag = TagFactory()

    assert editor_browser.put(f"{TAGS}{tag.pk}/quick-edit/").status_code == 405
    assert editor_browser.get(f"{TAGS}999/quick-edit/").status_code == 404
    assert editor_browser.get(f"{TAGS}x/quick-edit/").status_code == 404
