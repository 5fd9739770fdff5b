"""Drafts of forms: storing them, offering and restoring them, and who may do so."""

import json
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.cache import cache

from calendar_site.accounts.models import User
from calendar_site.core import clock
from calendar_site.form_drafts.models import FormDraft
from calendar_site.form_drafts.services import MAX_DRAFTS
from tests.factories import CategoryFactory, EventFactory, TagFactory, UserFactory, VenueFactory
from tests.support.admin import browser_for, form_data, messages_in, post_form, submit_form
from tests.support.background_tasks import run_daily_tasks
from tests.support.content_kinds import EVENT, VENUE
from tests.support.history import last_revision
from tests.support.records import save_as

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

PATH = "/admin/form-drafts/"
DISCARD = f"{PATH}discard/"
TOKEN, OTHER_TOKEN = "a" * 32, "b" * 32
# The inputs that the draft of a new event changes.
CHANGED = (
    "title", "start", "description", "ordered_venues", "categories", "tags", "tickets-0-name", "tickets-0-price"
)  # fmt: skip


def request_data(user, model="events.event", token=TOKEN, replaced="", **more):
    return {
        "user": str(user.pk),
        "model": model,
        "record": "",
        "revision": "",
        "_form_draft": token,
        "_form_draft_replaced": replaced,
        "fields": [["title", "Jazz night"]],
        **more,
    }


def store(browser, user, **more):
    return browser.post(PATH, json.dumps(request_data(user, **more)), content_type="application/json")


def restore(browser, path, token=TOKEN):
    return browser.get(f"{path}?_form_draft={token}")


def pairs_of(fields):
    lists = {name: [values] if isinstance(values, str) else values for name, values in fields.items()}
    return [[name, value] for name, values in lists.items() for value in values]


def stored():
    drafts = FormDraft.objects.order_by("pk").select_related("user")
    return [(draft.token, draft.user.username, draft.record_id, draft.pairs) for draft in drafts]


@pytest.fixture(autouse=True)
def _no_stored_counts():
    cache.clear()


# --- Storing


def test_draft_of_a_new_event_ends_when_it_becomes_a_series(editor, editor_browser):
    store(editor_browser, editor)
    daily = {"recurrence-frequency": "DAILY", "recurrence-ends": "count", "recurrence-count": "2"}
    times = {"start": "2027-03-16T19:00", "end": "2027-03-16T21:00"}

    submit_form(editor_browser, "/admin/events/event/add/", title="Jazz night", _form_draft=TOKEN, **times, **daily)

    assert stored() == []


def test_draft_is_stored_and_overwritten(editor, editor_browser):
    first = store(editor_browser, editor)
    second = store(editor_browser, editor, fields=[["title", "Jazz"], ["tags", "1"], ["tags", "new:x"], ["_save", ""]])

    assert (first.status_code, second.status_code) == (200, 200)
    assert stored() == [(TOKEN, "editor", None, [("title", "Jazz"), ("tags", "1"), ("tags", "new:x")])]


def test_response_contains_the_time(editor, editor_browser, settings):
    settings.SITE_TIME_ZONE = "Asia/Tokyo"
    response = store(editor_browser, editor)

    local = FormDraft.objects.get().saved_at + timedelta(hours=9)
    assert response.json() == {"time": f"{local:%H:%M}"}


def test_password_of_an_event_is_not_stored(editor, editor_browser):
    store(editor_browser, editor, fields=[["password", "secret"], ["initial-password", "old"], ["title", "x"]])

    assert stored() == [(TOKEN, "editor", None, [("title", "x")])]


def test_draft_replaces_the_one_that_was_restored(editor, editor_browser):
    store(editor_browser, editor)
    store(editor_browser, editor, token=OTHER_TOKEN, replaced=TOKEN)

    assert [token for token, *_ in stored()] == [OTHER_TOKEN]


def test_oldest_drafts_of_a_user_are_deleted(editor, editor_browser):
    other = UserFactory(username="other", role="editor")
    store(browser_for(other), other)
    for number in range(MAX_DRAFTS + 2):
        store(editor_browser, editor, token=f"{number:032x}")

    tokens = FormDraft.objects.filter(user=editor).order_by("pk").values_list("token", flat=True)
    assert list(tokens) == [f"{number:032x}" for number in range(2, MAX_DRAFTS + 2)]
    assert FormDraft.objects.filter(user=other).count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"token": "x"},
        {"token": None},
        {"token": "A" * 32},
        {"fields": None},
        {"fields": [["title"]]},
        {"fields": [["title", 1]]},
        {"fields": [["title", "\0"]]},
        {"fields": [["title", "\ud800"]]},
        {"fields": [["title", "x"]] * 3001},
        {"record": "x"},
        {"record": "9" * 30},
        {"record": True},
        {"revision": [1]},
    ],
)
def test_invalid_request_is_refused(editor, editor_browser, change):
    response = store(editor_browser, editor, **change)

    assert (response.status_code, list(response.json())) == (400, ["error"])
    assert stored() == []


@pytest.mark.parametrize("body", ["", "{", "[]", "[" * 100_000, "1" * 5000, b"\xff"])
def test_request_without_an_object_is_refused(editor_browser, body):
    response = editor_browser.post(PATH, body, content_type="application/json")

    assert response.status_code == 400
    assert stored() == []


def test_large_form_is_refused(editor, editor_browser):
    response = store(editor_browser, editor, fields=[["description", "x" * 1_000_000]])

    assert (response.status_code, response.json()) == (413, {"error": "The form is too large to be stored."})
    assert stored() == []


@pytest.mark.parametrize(
    ("model", "status"),
    [("events.event", 200), ("venues.venue", 200), ("taxonomy.tag", 200), ("events.nothing", 404), ("x", 404),
     ("", 404), ("accounts.user", 404), ("events.eventvenue", 404), ("sessions.session", 404)],
)  # fmt: skip
def test_only_forms_with_drafts_have_them(editor, editor_browser, model, status):
    assert store(editor_browser, editor, model=model).status_code == status
    assert len(stored()) == (1 if status == 200 else 0)


def test_rate_is_limited(editor, editor_browser):
    statuses = [store(editor_browser, editor).status_code for _number in range(121)]

    assert statuses == [200] * 120 + [429]


def test_get_returns_the_user_and_a_token(editor, editor_browser):
    answer = editor_browser.get(PATH).json()

    assert (list(answer), answer["user"], len(answer["csrf_token"])) == (["user", "csrf_token"], editor.pk, 64)


@pytest.mark.parametrize("path", [PATH, DISCARD])
def test_other_methods_are_refused(editor_browser, path):
    assert editor_browser.put(path).status_code == 405


# --- Who may store and see a draft


def test_strangers_store_nothing(editor):
    event = EventFactory(author=editor, status="draft")
    statuses = {}
    for role in ("contributor", "author"):
        user = UserFactory(username=role, role=role)
        statuses[role] = store(browser_for(user), user, record=str(event.pk)).status_code
    anonymous = store(browser_for(None), editor)
    subscriber = UserFactory(username="subscriber", role="subscriber")
    statuses["subscriber"] = store(browser_for(subscriber), subscriber).status_code

    # Others do not find drafts; the sign-in page comes first for anonymous users.
    assert statuses == {"contributor": 404, "author": 404, "subscriber": 302}
    assert anonymous.status_code == 302
    assert stored() == []


def test_author_stores_no_draft_of_a_published_event_of_others(editor):
    event = EventFactory(author=editor)
    author = UserFactory(username="author", role="author")

    assert store(browser_for(author), author, record=str(event.pk)).status_code == 403
    assert stored() == []


def test_window_of_a_previous_user_stores_nothing(editor):
    other = UserFactory(username="other", role="editor")

    response = store(browser_for(other), editor)

    assert (response.status_code, response.json()) == (409, {"error": "Another user has signed in."})
    assert stored() == []


def test_draft_of_another_user_is_neither_offered_nor_restored_nor_changed(editor, editor_browser):
    event = EventFactory(title="Saved")
    store(editor_browser, editor, record=str(event.pk))
    other = UserFactory(username="other", role="administrator")
    browser = browser_for(other)

    page = browser.get(EVENT.page(event))
    restored = restore(browser, EVENT.page(event))
    browser.post(DISCARD, {"_form_draft": TOKEN})
    store(browser, other, record=str(event.pk), token=TOKEN)
    store(browser, other, token=OTHER_TOKEN, replaced=TOKEN)

    assert page.context["offered_drafts"] == []
    assert form_data(restored)["title"] == ["Saved"]
    assert messages_in(restored) == ["These changes are no longer stored."]
    assert [draft.pairs for draft in FormDraft.objects.filter(user=editor)] == [[("title", "Jazz night")]]


def test_viewers_are_offered_no_drafts(editor):
    author = UserFactory(username="author", role="author")
    page = browser_for(author).get(EVENT.page(EventFactory(author=editor)))

    assert "opened_form" not in page.context
    assert 'name="_form_draft"' not in page.content.decode()


def test_popups_have_no_drafts(editor, editor_browser):
    store(editor_browser, editor)

    assert "offered_drafts" not in editor_browser.get(f"{EVENT.list}add/?_popup=1").context


# --- Offering and restoring


def offered(response):
    return [(draft.token, draft.title, draft.changed_by) for draft in response.context["offered_drafts"]]


def test_drafts_are_offered_for_their_form_only(editor, editor_browser):
    event, other_event, venue = EventFactory(), EventFactory(), VenueFactory()
    store(editor_browser, editor)
    store(editor_browser, editor, token=OTHER_TOKEN, record=str(event.pk), fields=[["title", "Changed"]])

    pages = [f"{EVENT.list}add/", EVENT.page(event), EVENT.page(other_event), f"{VENUE.list}add/", VENUE.page(venue)]

    assert [offered(editor_browser.get(page)) for page in pages] == [
        [(TOKEN, "Jazz night", "")],
        [(OTHER_TOKEN, "Changed", "")],
        [],
        [],
        [],
    ]


def test_notice_names_the_other_users_who_have_saved_since(editor, editor_browser, author):
    event = EventFactory(author=author)
    save_as(editor, event, title="One")
    first = last_revision(event).history_id
    store(editor_browser, editor, record=str(event.pk), revision=str(first))
    save_as(editor, event, title="Two")
    assert offered(editor_browser.get(EVENT.page(event))) == [(TOKEN, "Jazz night", "")]

    save_as(author, event, title="Three")

    assert offered(editor_browser.get(EVENT.page(event))) == [(TOKEN, "Jazz night", "author")]


def test_newest_draft_is_offered_first(editor, editor_browser):
    store(editor_browser, editor)
    store(editor_browser, editor, token=OTHER_TOKEN)

    page = editor_browser.get(f"{EVENT.list}add/")

    assert [token for token, *_ in offered(page)] == [OTHER_TOKEN, TOKEN]


def test_number_of_queries_does_not_depend_on_the_number_of_drafts(
    editor, editor_browser, django_assert_num_queries, django_assert_max_num_queries
):
    path = f"{EVENT.list}add/"
    editor_browser.get(path)
    store(editor_browser, editor)
    with django_assert_max_num_queries(100) as one:
        editor_browser.get(path)
    count = len(one)
    store(editor_browser, editor, token=OTHER_TOKEN)
    store(editor_browser, editor, token="c" * 32)

    with django_assert_num_queries(count):
        editor_browser.get(path)


def test_draft_of_a_new_event_is_restored(editor, editor_browser):
    venue, category, tag = VenueFactory(title="Town hall"), CategoryFactory(name="Music"), TagFactory(name="Jazz")
    path = f"{EVENT.list}add/"
    fields = form_data(editor_browser.get(path))
    fields |= {
        "title": "",
        "start": "2030-05-04T20:00",
        "description": "<p>Half a sent",
        "ordered_venues": [str(venue.pk)],
        "categories": [str(category.pk)],
        "tags": [str(tag.pk), "new:live music"],
        "tickets-TOTAL_FORMS": "1",
        "tickets-0-name": "Standard",
        "tickets-0-price": "abc",
    }
    store(editor_browser, editor, fields=pairs_of(fields))

    page = restore(editor_browser, path)
    shown = form_data(page)

    changed = {name: values for name, values in shown.items() if name in CHANGED}
    assert changed == {
        "title": [""],
        "start": ["2030-05-04T20:00"],
        "description": ["<p>Half a sent"],
        "ordered_venues": [str(venue.pk)],
        "categories": [str(category.pk)],
        "tags": [str(tag.pk), "new:live music"],
        "tickets-0-name": ["Standard"],
        "tickets-0-price": ["abc"],
    }
    assert (shown["_form_draft_replaced"], page.context["opened_form"].is_unsaved) == ([TOKEN], True)
    # What is not complete yet is no error.
    assert page.context["error_links"] == []
    assert "errornote" not in page.content.decode()
    assert ">Town hall" in page.content.decode()


def test_restoring_changes_nothing(editor, editor_browser):
    event = EventFactory(title="Saved")
    store(editor_browser, editor, record=str(event.pk), fields=[["title", "Changed"]])

    restore(editor_browser, EVENT.page(event))

    event.refresh_from_db()
    assert event.title == "Saved"
    assert len(stored()) == 1


def test_restored_form_is_saved_and_its_drafts_are_deleted(editor, editor_browser):
    event = EventFactory(title="Saved", password="open")
    path = EVENT.page(event)
    fields = {**form_data(editor_browser.get(path)), "title": ["Changed"]}
    store(editor_browser, editor, record=str(event.pk), fields=pairs_of(fields))
    store(editor_browser, editor, token="c" * 32)

    shown = form_data(restore(editor_browser, path))
    store(editor_browser, editor, record=str(event.pk), token=shown["_form_draft"][0], replaced=TOKEN)
    response = post_form(editor_browser, path, shown)

    assert response.status_code == 302
    event.refresh_from_db()
    assert (event.title, event.password) == ("Changed", "open")
    assert [token for token, *_ in stored()] == ["c" * 32]


def test_first_tag_of_an_event_is_restored_and_saved(editor, editor_browser):
    event, tag = EventFactory(title="Saved"), TagFactory(name="Jazz")
    path = EVENT.page(event)
    fields = {**form_data(editor_browser.get(path)), "tags": [str(tag.pk)]}
    store(editor_browser, editor, record=str(event.pk), fields=pairs_of(fields))

    response = post_form(editor_browser, path, form_data(restore(editor_browser, path)))

    assert response.status_code == 302
    assert list(event.tags.all()) == [tag]


def test_inputs_of_drafts_press_no_button(editor_browser):
    event = EventFactory(status="draft")
    path = EVENT.page(event)

    post_form(editor_browser, path, form_data(editor_browser.get(path)), status="private", _save="1")

    event.refresh_from_db()
    assert event.status == "private"


def test_draft_stays_if_the_form_has_errors(editor, editor_browser):
    path = f"{EVENT.list}add/"
    shown = form_data(editor_browser.get(path))
    store(editor_browser, editor, token=shown["_form_draft"][0])

    page = post_form(editor_browser, path, shown, title="", start="x")

    assert page.status_code == 200
    assert len(stored()) == 1
    # The page with the errors goes on with the same draft.
    assert (form_data(page)["_form_draft"], page.context["opened_form"].is_unsaved) == (shown["_form_draft"], True)


def test_changes_of_others_are_announced_and_not_overwritten(editor, editor_browser):
    event = EventFactory(title="Saved", website="https://example.org/")
    path = EVENT.page(event)
    fields = form_data(editor_browser.get(path))
    revision = event.history.order_by("-history_id").first().history_id
    drafted = pairs_of({**fields, "title": "Mine", "excerpt": "<p>My text</p>"})
    store(editor_browser, editor, record=str(event.pk), revision=str(revision), fields=drafted)
    other = UserFactory(username="colleague", role="editor")
    post_form(browser_for(other), path, fields, title="Theirs", website="https://example.com/")

    page = editor_browser.get(path)
    refused = post_form(editor_browser, path, form_data(restore(editor_browser, path)))

    assert offered(page) == [(TOKEN, "Mine", "colleague")]
    assert "colleague" in page.content.decode()
    assert refused.context["adminform"].form.errors == {
        "title": ["Someone else has changed this to: Theirs. Save again to replace it with your value."]
    }
    saved = post_form(editor_browser, path, form_data(refused))
    event.refresh_from_db()
    assert saved.status_code == 302
    # Fields that were not changed in the draft keep the value of the others.
    assert (event.title, event.excerpt, event.website) == ("Mine", "<p>My text</p>", "https://example.com/")


def test_deleted_draft_is_not_restored(editor, editor_browser):
    event = EventFactory(title="Saved")

    page = restore(editor_browser, EVENT.page(event), "f" * 32)

    assert form_data(page)["title"] == ["Saved"]
    assert messages_in(page) == ["These changes are no longer stored."]


@pytest.mark.parametrize("token", ["", "x", "%00", "f" * 5000])
def test_invalid_token_restores_nothing(editor_browser, token):
    assert restore(editor_browser, f"{EVENT.list}add/", token).status_code == 200


def test_hostile_text_is_escaped(editor, editor_browser):
    hostile = "<script>alert(1)</script>"
    store(editor_browser, editor, fields=[["title", hostile], ["description", hostile], ["tags", f"new:{hostile}"]])

    for page in (editor_browser.get(f"{EVENT.list}add/"), restore(editor_browser, f"{EVENT.list}add/")):
        assert hostile not in page.content.decode()


# --- Discarding and deleting


def test_draft_is_discarded(editor, editor_browser):
    event = EventFactory()
    store(editor_browser, editor, record=str(event.pk))
    store(editor_browser, editor, token=OTHER_TOKEN)

    response = editor_browser.post(DISCARD, {"_form_draft": TOKEN, "model": "events.event", "record": str(event.pk)})

    assert (response.status_code, response["Location"]) == (302, EVENT.page(event))
    assert [token for token, *_ in stored()] == [OTHER_TOKEN]


@pytest.mark.parametrize(
    ("data", "location"),
    [
        ({"model": "events.event"}, f"{EVENT.list}add/"),
        ({"model": "events.event", "record": "x"}, f"{EVENT.list}add/"),
        ({"model": "//example.org"}, "/admin/"),
        ({"model": "sessions.session"}, "/admin/"),
        ({}, "/admin/"),
    ],
)
def test_discarding_returns_to_the_form(editor_browser, data, location):
    assert editor_browser.post(DISCARD, {"_form_draft": TOKEN, **data})["Location"] == location


def test_old_drafts_are_deleted_daily(editor, editor_browser):
    store(editor_browser, editor)
    store(editor_browser, editor, token=OTHER_TOKEN)
    limit = clock.now() - timedelta(days=settings.FORM_DRAFT_DAYS)
    FormDraft.objects.filter(token=TOKEN).update(saved_at=limit - timedelta(minutes=1))
    FormDraft.objects.filter(token=OTHER_TOKEN).update(saved_at=limit + timedelta(minutes=30))

    run_daily_tasks()

    assert [token for token, *_ in stored()] == [OTHER_TOKEN]


def test_drafts_are_deleted_with_their_user(editor, editor_browser):
    store(editor_browser, editor)
    administrator = UserFactory(username="root", role="administrator")

    page = browser_for(administrator).get(f"/admin/accounts/user/{editor.pk}/delete/")
    browser_for(administrator).post(f"/admin/accounts/user/{editor.pk}/delete/", {"post": "yes"})

    assert "Jazz night" not in page.content.decode()
    assert not User.objects.filter(pk=editor.pk).exists()
    assert stored() == []
