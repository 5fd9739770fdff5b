"""Restoring earlier revisions of a record."""

from decimal import Decimal

import pytest
from django.core.files.storage import default_storage
from django.test import Client

from calendar_site.content.services import delete_linked, save_content, trash_linked
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.services import delete_custom_field, save_custom_field
from calendar_site.media.library import prepare_image, save_image, store_image
from calendar_site.media.models import Image
from events.models import Event
from events.relations import load_relations
from events.services import delete_events, save_event, trash_event
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from taxonomy.services import delete_term, save_term
from tests.factories import (
    OPERATOR,
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    UserFactory,
    VenueFactory,
)
from tests.support.admin import browser_for, messages_in
from tests.support.history import all_revisions, last_revision, recorded_changes
from tests.support.history_pages import differences_in, history_path
from tests.support.image_files import plain_image
from venues.models import Venue

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def restore_revision(client, row, state):
    """The answer to the page that asks, agreed to."""
    path = history_path(row, f"{state.pk}/")
    page = client.get(path)
    assert page.status_code == 200, page
    return client.post(path, {"newest": page.context["newest"]})


def left_out(client, row, state):
    return [tuple(fact) for fact in client.get(history_path(row, f"{state.pk}/")).context["left_out"]]


def test_an_earlier_revision_is_restored(kind, editor):
    row, other = kind.factory(title="Old", description="<p>First</p>"), kind.factory(title="Other")
    state = last_revision(row)
    kind.factory._meta.model.objects.filter(pk=row.pk)
    save = save_event if kind.factory is EventFactory else save_content
    save(row, changes={"title": "New", "description": "<p>Second</p>", "status": "draft", "slug": "new"}, user=OPERATOR)
    client = browser_for(editor)

    shown = client.get(history_path(row, f"{state.pk}/"))
    assert {name for name, *_words in differences_in(shown)} == {"title", "description", "status", "slug"}
    row.refresh_from_db()
    assert row.title == "New"
    response = restore_revision(client, row, state)

    assert response.url == kind.page(row)
    row.refresh_from_db()
    assert (row.title, row.description, row.status, row.slug) == ("Old", "<p>First</p>", "publish", "old")
    assert recorded_changes(row)[-1][:3] == ("restored", "editor", "admin")
    assert len(recorded_changes(row)) == 3
    other.refresh_from_db()
    assert (other.title, len(recorded_changes(other))) == ("Other", 1)


def test_an_event_is_restored_with_all_values(editor):
    CustomFieldFactory(name="stage")
    CustomFieldFactory(name="door", kind="number")
    one, two, three = VenueFactory(), VenueFactory(), VenueFactory()
    organizer, tag, category = OrganizerFactory(), TagFactory(), CategoryFactory()
    ticket = {"name": "Seat", "price": Decimal("12.5"), "currency": "EUR", "sold_out": True}
    event = EventFactory(
        start="2030-05-04 18:00",
        end="2030-05-04 20:00",
        time_zone="Europe/Rome",
        cost="$10 - $30",
        venues=[two, one],
        organizers=[organizer],
        tags=[tag],
        categories=[category],
        tickets=[ticket],
        password="first",
        image=ImageFactory(),
        parent=EventFactory(),
        custom_values={"stage": "Main"},
    )
    state, facts = last_revision(event), load_relations([event])[event.pk]
    columns = {
        name: getattr(event, name) for name in ("start_local", "end_local", "time_zone", "image_id", "parent_id")
    }
    costs = (event.cost, event.cost_symbol, event.cost_position, event.cost_values)
    changes = {
        "venues": [one, three], "organizers": [], "tags": [], "categories": [], "tickets": [], "password": "second",
        "image": None, "parent": None, "custom_values": {"stage": None, "door": 5}, "time_zone": "America/New_York",
        "all_day": True, "cost": "Free",
    }  # fmt: skip
    save_event(event, changes=changes, user=OPERATOR)

    restore_revision(browser_for(editor), event, state)

    event = Event.objects.get(pk=event.pk)
    assert load_relations([event])[event.pk] == facts
    assert {name: getattr(event, name) for name in columns} == columns
    assert (event.cost, event.cost_symbol, event.cost_position, event.cost_values) == costs
    assert (event.all_day, event.custom_values, event.password) == (False, {"stage": "Main"}, "second")
    tag.refresh_from_db()
    # Behind a password, the event is not counted.
    assert tag.event_count == 0


def test_preview_shows_the_changes_of_a_restore(editor):
    venue, secret = VenueFactory(title="Hall"), VenueFactory(title="Secret", status="draft")
    event = EventFactory(title="Old", venues=[venue], author=editor)
    state = last_revision(event)
    save_event(event, changes={"title": "New", "venues": [secret], "password": "word"}, user=OPERATOR)
    client = browser_for(editor)

    shown = differences_in(client.get(history_path(event, f"{state.pk}/")))
    restore_revision(client, event, state)

    done = differences_in(client.get(history_path(event, "compare/"), {"state": last_revision(event).pk}))
    assert shown == done == [("title", "Title", "New", "Old"), ("venues", "Venues", "Secret", "Hall")]


def test_deleted_links_are_listed_and_not_restored(editor):
    hall, trashed, tag = VenueFactory(title="Hall"), VenueFactory(title="Old hall"), TagFactory(name="Free")
    image, parent = ImageFactory(name="poster.png"), EventFactory(title="Festival")
    event = EventFactory(venues=[trashed, hall], tags=[tag], image=image, parent=parent)
    state = last_revision(event)
    save_event(event, changes={"venues": [], "tags": [], "image": None, "parent": None, "title": "New"}, user=OPERATOR)
    trash_linked(trashed, user=OPERATOR)
    delete_term(tag, user=OPERATOR)
    trash_event(parent, user=OPERATOR)
    delete_events(Event.objects.filter(pk=parent.pk), user=OPERATOR)
    number = image.pk
    image.delete()
    client = browser_for(editor)

    assert left_out(client, event, state) == [
        ("Image", f"#{number} (deleted)"),
        ("Parent event", "Festival (deleted)"),
        ("Tags", "Free (deleted)"),
        ("Venues", "Old hall (in the trash)"),
    ]
    restore_revision(client, event, state)

    event.refresh_from_db()
    assert [row.title for row in event.venues.all()] == ["Hall"]
    assert (event.title == state.title, event.image, event.parent, list(event.tags.all())) == (True, None, None, [])


def test_links_not_visible_to_the_user_are_not_restored(author):
    secret, other = VenueFactory(status="draft"), VenueFactory(status="draft")
    event = EventFactory(author=author, venues=[secret])
    state = last_revision(event)
    save_event(event, changes={"venues": [other], "title": "New"}, user=OPERATOR)
    client = browser_for(author)

    assert left_out(client, event, state) == [("Venues", "1 not visible to you")]
    restore_revision(client, event, state)

    # Nor do they take away one that they are not shown.
    assert load_relations([event])[event.pk]["venues"] == [other.pk]


def test_custom_values_that_are_no_longer_valid_are_not_restored(editor):
    CustomFieldFactory(name="stage", label="Stage", kind="choice", choices="Main\nSide")
    CustomFieldFactory(name="old", label="Old")
    event = EventFactory(custom_values={"stage": "Side", "old": "x"})
    state = last_revision(event)
    save_event(event, changes={"custom_values": {"stage": "Main"}}, user=OPERATOR)
    CustomField.objects.filter(name="stage").update(choices="Main")
    delete_custom_field(CustomField.objects.get(name="old"), user=OPERATOR)
    client = browser_for(editor)

    assert left_out(client, event, state) == [("old", "x"), ("Stage", "Side")]
    restore_revision(client, event, state)

    event.refresh_from_db()
    assert event.custom_values == {"stage": "Main"}


def test_a_contributor_cannot_restore_a_published_status(kind, contributor):
    row = kind.factory(title="Old", author=contributor)
    state = last_revision(row)
    save = save_event if kind.factory is EventFactory else save_content
    save(row, changes={"title": "New", "status": "draft"}, user=OPERATOR)
    client = browser_for(contributor)

    assert left_out(client, row, state) == [("Status", "Published")]
    restore_revision(client, row, state)

    row.refresh_from_db()
    assert (row.title, row.status) == ("Old", "pending")


def test_a_revision_from_the_trash_is_restored_with_the_current_status(editor):
    event = EventFactory(title="Old")
    trash_event(event, user=OPERATOR)
    state = last_revision(event)
    save_event(event, changes={"status": "draft", "title": "New"}, user=OPERATOR)

    restore_revision(browser_for(editor), event, state)

    event.refresh_from_db()
    assert (event.title, event.status) == ("Old", "draft")


def test_another_author_is_restored_only_by_users_who_can_set_one(editor, author):
    other = UserFactory(username="ann")
    event = EventFactory(author=other, title="Old")
    state = last_revision(event)
    save_event(event, changes={"author_id": author.pk, "title": "New"}, user=OPERATOR)

    assert left_out(browser_for(author), event, state) == [("Author", "ann")]
    restore_revision(browser_for(author), event, state)
    event.refresh_from_db()
    assert (event.title, event.author_id) == ("Old", author.pk)
    restore_revision(browser_for(editor), event, state)
    event.refresh_from_db()
    assert event.author_id == other.pk


def test_a_slug_that_is_taken_gets_a_number(editor):
    event = EventFactory(title="Jazz", slug="jazz")
    state = last_revision(event)
    save_event(event, changes={"slug": "other"}, user=OPERATOR)
    EventFactory(slug="jazz")
    client = browser_for(editor)

    assert differences_in(client.get(history_path(event, f"{state.pk}/"))) == [("slug", "Slug", "other", "jazz-2")]
    restore_revision(client, event, state)

    event.refresh_from_db()
    assert event.slug == "jazz-2"


def test_what_others_have_changed_meanwhile_is_shown_first(editor):
    event = EventFactory(title="Old")
    state = last_revision(event)
    save_event(event, changes={"title": "New"}, user=OPERATOR)
    client, path = browser_for(editor), history_path(event, f"{state.pk}/")
    newest = client.get(path).context["newest"]
    save_event(event, changes={"title": "Newest"}, user=OPERATOR)

    for sent in ({"newest": newest}, {"newest": "x"}, {}):
        response = client.post(path, sent)
        assert messages_in(response)[-1] == "Someone changed this record in the meantime. Check again what will change."
        assert differences_in(response) == [("title", "Title", "Newest", "Old")]

    event.refresh_from_db()
    assert event.title == "Newest"


def test_a_revision_that_is_no_longer_valid_is_rejected(editor):
    parent = CategoryFactory(name="Parent")
    child = CategoryFactory(name="Child", parent=parent)
    state = last_revision(child)
    save_term(child, changes={"parent": None}, user=OPERATOR)
    save_term(parent, changes={"parent": child}, user=OPERATOR)
    client = browser_for(editor)

    page = client.get(history_path(child, f"{state.pk}/"))
    assert page.context["errors"] == ["parent: A category cannot be nested under itself or one of its subcategories."]
    response = client.post(history_path(child, f"{state.pk}/"), {"newest": page.context["newest"]})

    assert messages_in(response)[-1] == "parent: A category cannot be nested under itself or one of its subcategories."
    child.refresh_from_db()
    assert child.parent is None


def test_forged_requests_change_nothing(kind, author, contributor, subscriber):
    row = kind.factory(title="Old")
    state = last_revision(row)
    save = save_event if kind.factory is EventFactory else save_content
    save(row, changes={"title": "New"}, user=OPERATOR)
    before = all_revisions()

    for user in (author, contributor, subscriber, None):
        response = browser_for(user).post(history_path(row, f"{state.pk}/"), {"newest": last_revision(row).pk})
        assert response.status_code in (302, 403)

    row.refresh_from_db()
    assert (row.title, all_revisions()) == ("New", before)


def test_a_request_from_another_site_changes_nothing(editor):
    event = EventFactory(title="Old")
    state = last_revision(event)
    save_event(event, changes={"title": "New"}, user=OPERATOR)
    client = Client(enforce_csrf_checks=True)
    client.force_login(editor)

    assert client.post(history_path(event, f"{state.pk}/"), {"newest": last_revision(event).pk}).status_code == 403


def test_the_current_revision_cannot_be_restored(editor):
    event = EventFactory(title="Old")

    response = browser_for(editor).get(history_path(event, f"{last_revision(event).pk}/"))

    assert differences_in(response) == []
    assert "Nothing would change" in response.content.decode()


def test_terms_are_restored(editor):
    tag, music = TagFactory(name="Free"), CategoryFactory(name="Music")
    category = CategoryFactory(name="Jazz", parent=music)
    states = last_revision(tag), last_revision(category)
    save_term(tag, changes={"name": "Gratis"}, user=OPERATOR)
    save_term(category, changes={"name": "Blues", "parent": None}, user=OPERATOR)
    client = browser_for(editor)

    restore_revision(client, tag, states[0])
    restore_revision(client, category, states[1])

    assert (Tag.objects.get().name, Category.objects.get(pk=category.pk).parent) == ("Free", music)
    assert recorded_changes(tag)[-1] == ("restored", "editor", "admin", ["name"])


def test_texts_of_an_image_are_restored(editor):
    image = store_image(prepare_image(plain_image(), "hall.png"), user=editor)
    save_image(image, changes={"alt": "A hall", "focus_x": 0.9}, user=editor)
    state = last_revision(image)
    save_image(image, changes={"alt": "Wrong", "focus_x": 0.1, "credit": "Ann"}, user=editor)

    restore_revision(browser_for(editor), image, state)

    image = Image.objects.get()
    assert (image.alt, image.focus_x, image.credit) == ("A hall", 0.9, "")
    assert recorded_changes(image)[-1] == ("restored", "editor", "admin", ["alt", "credit", "focus_x"])


def test_the_focal_point_of_an_image_without_its_file_is_not_restored(editor):
    image = store_image(prepare_image(plain_image(), "hall.png"), user=editor)
    state = last_revision(image)
    save_image(image, changes={"alt": "A hall", "focus_y": 0.9}, user=editor)
    default_storage.delete(image.file.name)
    client, fault = browser_for(editor), "focus_y: The original file is missing, so the image cannot be cropped again."

    page = client.get(history_path(image, f"{state.pk}/"))
    response = client.post(history_path(image, f"{state.pk}/"), {"newest": page.context["newest"]})

    assert page.context["errors"] == [fault]
    assert messages_in(response)[-1] == fault
    image = Image.objects.get()
    assert (image.alt, image.focus_y, len(recorded_changes(image))) == ("A hall", 0.9, 2)


def test_a_custom_field_is_restored(administrator):
    field = CustomFieldFactory(name="stage", label="Stage")
    save_custom_field(field, changes={"label": "Which stage"}, user=OPERATOR)
    state = last_revision(field)
    save_custom_field(field, changes={"label": "Wrong", "position": 4}, user=OPERATOR)

    restore_revision(browser_for(administrator), field, state)

    field.refresh_from_db()
    assert (field.label, field.position) == ("Which stage", 0)


def test_a_deleted_record_is_restored_as_a_new_draft(kind, editor):
    author = UserFactory(username="ann")
    row = kind.factory(title="Gone", status="trash", author=author)
    client = browser_for(editor)
    client.post(kind.page(row, "delete"), {"post": "yes"})

    response = restore_revision(client, row, last_revision(row))

    again = type(row).objects.get()
    assert (again.title, again.status, again.author, again.slug) == ("Gone", "draft", author, "gone")
    assert response.url == kind.page(again)
    assert recorded_changes(again) == [("restored", "editor", "admin", [])]


def test_a_deleted_event_is_restored_with_its_links_and_without_its_password(author):
    venue, tag = VenueFactory(), TagFactory()
    event = EventFactory(author=author, venues=[venue], tags=[tag], password="secret", status="trash")
    delete_events(Event.objects.all(), user=author)
    client = browser_for(author)

    asked = client.get(history_path(event, f"{last_revision(event).pk}/"))
    restore_revision(client, event, last_revision(event))

    again = Event.objects.get()
    assert asked.context["left_out"] == [("Password", "(set)")]
    assert (list(again.venues.all()), list(again.tags.all()), again.password) == ([venue], [tag], "")
    assert (again.author, again.status) == (author, "draft")


def test_a_deleted_term_is_restored_unless_its_name_is_in_use(editor):
    tag = TagFactory(name="Free")
    delete_term(Tag.objects.get(), user=OPERATOR)
    client = browser_for(editor)
    other = TagFactory(name="free")

    page = client.get(history_path(tag, f"{last_revision(tag).pk}/"))
    assert page.context["errors"] == ["name: This name is already in use."]
    Tag.objects.filter(pk=other.pk).delete()
    restore_revision(client, tag, last_revision(tag))

    assert Tag.objects.get().name == "Free"


def test_a_deleted_term_is_not_restored_if_its_name_was_taken_meanwhile(editor):
    tag, category = TagFactory(name="Free"), CategoryFactory(name="Jazz")
    delete_term(Tag.objects.get(), user=OPERATOR)
    delete_term(Category.objects.get(), user=OPERATOR)
    client = browser_for(editor)
    pages = [(row, client.get(history_path(row, f"{last_revision(row).pk}/"))) for row in (tag, category)]
    TagFactory(name="free")
    CategoryFactory(name="jazz")

    for row, page in pages:
        response = client.post(history_path(row, f"{last_revision(row).pk}/"), {"newest": page.context["newest"]})
        assert messages_in(response)[-1] == "name: This name is already in use."

    assert [Tag.objects.get().name, Category.objects.get().name] == ["free", "jazz"]
    assert (recorded_changes(tag)[-1][0], recorded_changes(category)[-1][0]) == ("deleted", "deleted")


@pytest.mark.parametrize("what", ["event", "venue", "tag"])
def test_of_two_restores_of_the_same_record_only_the_first_succeeds(editor, administrator, what):
    if what == "tag":
        row = TagFactory(name="Gone")
        state = last_revision(row)
        delete_term(Tag.objects.get(), user=OPERATOR)
    else:
        row = (EventFactory if what == "event" else VenueFactory)(title="Gone", status="trash")
        state = last_revision(row)
        delete = delete_events if what == "event" else delete_linked
        delete(type(row).objects.all(), user=OPERATOR)
    path = history_path(row, f"{state.pk}/")
    clients = browser_for(editor), browser_for(administrator)
    newest = [client.get(path).context["newest"] for client in clients]

    first, second = (client.post(path, {"newest": seen}) for client, seen in zip(clients, newest, strict=True))

    assert messages_in(first)[-1] == "“Gone” has been restored."
    assert messages_in(second)[-1] == "Someone changed this record in the meantime. Check again what will change."
    assert type(row).objects.count() == 1
    assert recorded_changes(row)[-2:] == [("deleted", "", "command", []), ("restored", "editor", "admin", [])]


def test_deleted_images_and_fields_cannot_be_restored(administrator):
    image = store_image(prepare_image(plain_image(), "hall.png"), user=administrator)
    field = CustomFieldFactory(name="stage")
    client = browser_for(administrator)
    for row in (image, field):
        client.post(f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/delete/", {"post": "yes"})

    for row in (image, field):
        assert client.get(history_path(row)).status_code == 200
        assert (
            client.post(history_path(row, f"{last_revision(row).pk}/"), {"newest": last_revision(row).pk}).status_code
            == 403
        )


@pytest.mark.parametrize("count", [1, 3])
def test_restore_query_count(editor, count, django_assert_max_num_queries):
    client = browser_for(editor)
    event = EventFactory(venues=VenueFactory.create_batch(count), organizers=OrganizerFactory.create_batch(count))
    state = last_revision(event)
    save_event(event, changes={"venues": [], "organizers": [], "title": "New"}, user=OPERATOR)
    assert (Venue.objects.count(), Organizer.objects.count()) == (count, count)

    with django_assert_max_num_queries(30):
        response = client.get(history_path(event, f"{state.pk}/"))

    assert len(differences_in(response)) == 3
