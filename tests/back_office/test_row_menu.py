"""The menus of the rows in lists, and the dialogs that edit records in lists."""

import json
import re

import pytest
from django.contrib.auth.models import Permission

from calendar_site.media.library import save_image
from calendar_site.media.models import Image
from calendar_site.review.models import Review
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from tests.factories import (
    CategoryFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, messages_in
from tests.support.content_kinds import VENUE
from tests.support.history import recorded_changes
from tests.support.mail import sent_mail
from tests.support.review import submit_for_review
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

IMAGES = "/admin/media/image/"
VENUES, ORGANIZERS = "/admin/venues/venue/", "/admin/organizers/organizer/"
CATEGORIES, TAGS = "/admin/taxonomy/category/", "/admin/taxonomy/tag/"
EVENTS = "/admin/events/event/"
MENU = re.compile(r'class="row-menu" data-row="(\d+)" data-can="([^"]*)" data-page="([^"]*)"')


def menus(browser, path):
    """Return the entries and the page of the menu of each row, by id."""
    found = MENU.findall(browser.get(path).content.decode())
    return {int(pk): (entries.split(), page) for pk, entries, page in found}


def fields_of(row, **changes):
    newest = type(row).history.filter(id=row.pk).order_by("history_id").last()
    return {"revision": newest.history_id if newest else 0, **changes}


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


def test_rows_of_images_have_a_menu(author, author_browser):
    """But for those of others, which have no page either."""
    own, _others = ImageFactory(author=author), ImageFactory()

    assert menus(author_browser, IMAGES) == {own.pk: (["change", "quick-edit", "delete"], "")}


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

    response = editor_browser.post(f"{VENUES}{row.pk}/restore/?_changelist_filters=status%3Dtrash", {"back": "list"})

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

    answer = json.loads(response.content)
    assert answer["message"] == "Changed: Jazz."
    assert model.objects.values_list("name", "slug", "description").get() == ("Jazz", "jaz", "Improvised")
    undone = editor_browser.post(answer["undo"], headers={"referer": f"http://testserver{path}?q=ja"})
    assert (messages_in(undone), undone["Location"]) == (["Undone: Jazz."], f"http://testserver{path}?q=ja")
    assert model.objects.values_list("name", "slug", "description").get() == ("Jaz", "jaz", "Improvised")


def test_an_image_changes_its_texts(editor_browser):
    image = ImageFactory()
    save_image(image, changes={"name": "Hall", "alt": "A hall"}, user=image.author)
    page = editor_browser.get(f"{IMAGES}{image.pk}/quick-edit/").content.decode()

    response = quick_edit(editor_browser, IMAGES, image, name="Great hall", alt="A great hall", credit="Ann")

    assert re.findall(r"<label[^>]*>([^<]*)</label>", page) == ["Name", "Alternative text", "Credit"]
    answer = json.loads(response.content)
    assert answer["message"] == "Changed: Great hall."
    assert Image.objects.values_list("name", "alt", "credit").get() == ("Great hall", "A great hall", "Ann")
    assert messages_in(editor_browser.post(answer["undo"])) == ["Undone: Great hall."]
    assert Image.objects.values_list("name", "alt", "credit").get() == ("Hall", "A hall", "")


def test_an_image_keeps_the_rules_of_its_form(editor_browser):
    image = ImageFactory(decorative=True, alt="")

    response = quick_edit(editor_browser, IMAGES, image, name="", alt="A hall", credit="")

    assert response.status_code == 400
    assert "A decorative image has no alternative text." in response.content.decode()
    assert Image.objects.get().alt == ""


def test_undo_of_a_term_is_refused(editor_browser, author_browser):
    """After a change in the meantime, for other users, and for users who may not change the term."""
    tag = TagFactory(name="Jaz")
    undo = json.loads(quick_edit(editor_browser, TAGS, tag, name="Jazz").content)["undo"]

    assert author_browser.post(undo).status_code == 403
    assert messages_in(browser_for(UserFactory(role="editor")).post(undo)) == []
    assert editor_browser.get(undo).status_code == 405
    quick_edit(editor_browser, TAGS, tag, name="Jazz music")
    assert messages_in(editor_browser.post(undo)) == ["Could not be undone (changed in the meantime): Jazz music."]
    assert Tag.objects.get().name == "Jazz music"


def test_a_new_term_is_not_undone(editor_browser):
    editor_browser.post(f"{TAGS}add/", {"name": "Jazz", "slug": "", "description": ""})
    request_id = Tag.history.get().history_request_id

    response = editor_browser.post(f"{TAGS}undo/?request={request_id}")

    assert messages_in(response)[1:] == ["Could not be undone (the earlier state is unknown): Jazz."]
    assert Tag.objects.get().name == "Jazz"


# --- Publishing a pending record


def test_publishing_a_submission_approves_it(kind, contributor, editor_browser):
    contributor.email = "contributor@example.org"
    contributor.save()
    row = submit_for_review(contributor, kind, "Hall")
    fields = editor_browser.get(f"{kind.list}{row.pk}/quick-edit/").context["form"].initial

    changes = {**fields, "title": "Great hall", "status": "publish"}
    response = editor_browser.post(f"{kind.list}{row.pk}/quick-edit/", changes)

    answer = json.loads(response.content)
    assert answer["message"] == "Changed: Great hall."
    row.refresh_from_db()
    assert (row.title, row.status) == ("Great hall", "publish")
    assert [change[0] for change in recorded_changes(row)][-2:] == ["changed", "approved"]
    assert Review.objects.for_record(row).get().outcome == "approved"
    assert [(message.to, message.subject) for message in sent_mail()] == [
        (["contributor@example.org"], "Approved: Great hall")
    ]
    assert messages_in(editor_browser.post(answer["undo"])) == ["Undone: Great hall."]
    row.refresh_from_db()
    assert (row.title, row.status) == ("Hall", "pending")


def test_an_author_publishes_an_own_submission(author, author_browser):
    row = submit_for_review(author, VENUE, "Hall")

    quick_edit(author_browser, VENUES, row, title="Hall", city="", status="publish")

    row.refresh_from_db()
    assert (row.status, Review.objects.for_record(row).get().outcome) == ("publish", "approved")


def test_publishing_a_draft_is_no_approval(editor_browser):
    row = VenueFactory(title="Hall", status="draft")

    quick_edit(editor_browser, VENUES, row, title="Hall", city="", status="publish")

    assert recorded_changes(row)[-1] == ("changed", "editor", "admin", ["status"])
    assert not Review.objects.exists()


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
    row, tag, image = VenueFactory(title="Hall"), TagFactory(name="Jazz"), ImageFactory(name="Hall")

    assert quick_edit(author_browser, IMAGES, image, name="Mine", alt="", credit="").status_code == 403
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
