"""The common admin of events, venues and organizers: permissions, actions and the trash."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import Permission

from calendar_site.accounts.services import create_user
from tests.factories import UserFactory
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
from tests.support.content_kinds import FAR_AHEAD, STATUSES
from tests.support.records import reloaded, save_as, statuses_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def in_list_order(kind, values):
    """Return what belongs to records in the order of their creation in the order of the list.

    The events have the same dates, and are listed by their ids; other records are listed with the newest one first.
    """
    return list(values) if str(kind) == "event" else list(values)[::-1]


# --- Who may do what -----------------------------------------------------------------------------

SAVED, LOOK, UNSEEN = "saved", "may only look", "not found"
# Whose records, then one outcome for each of STATUSES.
CHANGES = {
    ("editor", "own"): [SAVED] * 6,
    ("editor", "other"): [SAVED] * 6,
    ("author", "own"): [SAVED] * 6,
    ("author", "other"): [LOOK, UNSEEN, UNSEEN, UNSEEN, UNSEEN, UNSEEN],
    ("contributor", "own"): [LOOK, LOOK, SAVED, SAVED, LOOK, SAVED],
    ("contributor", "other"): [LOOK, UNSEEN, UNSEEN, UNSEEN, UNSEEN, UNSEEN],
}


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(("role", "whose"), CHANGES)
def test_changes_follow_the_rights_on_the_very_record(kind, role, whose):
    user = create_user("staff", role)
    rows = kind.of_every_status(user if whose == "own" else UserFactory())
    client = browser_for(user)

    outcomes = [outcome_of_change(client, kind, row) for row in rows.values()]

    assert outcomes == CHANGES[role, whose]
    changed = [outcome == SAVED for outcome in outcomes]
    assert [reloaded(row).title == "changed" for row in rows.values()] == changed
    assert statuses_of(rows) == dict(zip(rows, rows, strict=True))


def outcome_of_change(client, kind, row):
    # A form without anything in it: nobody who is refused hears what is wrong with it.
    forged = client.post(kind.page(row), {})
    if forged.status_code == 403:
        assert client.get(kind.page(row)).status_code == 200
        return LOOK
    if forged.status_code == 302:
        assert forged["Location"] == client.get(kind.page(row))["Location"] == "/admin/"
        return UNSEEN
    assert form_errors(forged)["title"] == ["This field is required."]
    assert client.post(kind.page(row), kind.saved_form(row, title="changed"))["Location"] == kind.list
    return SAVED


# What becomes of an own record of each status, and of one of somebody else's. The trash is a list of its own.
ACTIONS = {
    ("editor", "publish"): (
        "publish future publish publish publish trash",
        "publish future publish publish publish trash",
    ),
    ("editor", "back_to_draft"): ("draft draft draft draft draft trash", "draft draft draft draft draft trash"),
    ("editor", "move_to_trash"): ("trash trash trash trash trash trash", "trash trash trash trash trash trash"),
    ("author", "publish"): (
        "publish future publish publish publish trash",
        "publish future draft pending private trash",
    ),
    ("author", "back_to_draft"): ("draft draft draft draft draft trash", "publish future draft pending private trash"),
    ("author", "move_to_trash"): ("trash trash trash trash trash trash", "publish future draft pending private trash"),
    ("contributor", "submit"): (
        "publish future pending pending private trash",
        "publish future draft pending private trash",
    ),
    ("contributor", "back_to_draft"): (
        "publish future draft draft private trash",
        "publish future draft pending private trash",
    ),
    ("contributor", "move_to_trash"): (
        "publish future trash trash private trash",
        "publish future draft pending private trash",
    ),
}


@pytest.mark.parametrize(("role", "action"), ACTIONS)
def test_actions_follow_the_rights_on_the_very_record(kind, role, action):
    user = create_user("staff", role)
    own, others = kind.of_every_status(user), kind.of_every_status(UserFactory())

    response = run_action(browser_for(user), kind.list, action, [*own.values(), *others.values()])

    assert response["Location"] == kind.list
    assert (list(statuses_of(own).values()), list(statuses_of(others).values())) == tuple(
        now.split() for now in ACTIONS[role, action]
    )


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize("role", ["editor", "author", "contributor"])
def test_the_trash_is_restored_and_emptied_within_the_rights(kind, role):
    user = create_user("staff", role)
    client, trash = browser_for(user), f"{kind.list}?status=trash"
    own = [kind.factory(title=f"own {number}", status="trash", author=user) for number in range(2)]
    others = [kind.factory(title=f"other {number}", status="trash") for number in range(2)]
    elsewhere = kind.factory(title="elsewhere", author=user)

    visible = [*own, *(others if role == "editor" else [])]
    assert listed_titles(client.get(trash)) == in_list_order(kind, map(str, visible))
    run_action(client, trash, "restore", [own[0], others[0], elsewhere])
    run_action(client, trash, "delete_selected", [own[0], own[1], others[0], others[1], elsewhere], post="yes")

    assert statuses_of({str(row): row for row in (*own, *others, elsewhere)}) == {
        "own 0": "draft",
        "own 1": None,
        "other 0": "draft" if role == "editor" else "trash",
        "other 1": None if role == "editor" else "trash",
        "elsewhere": "publish",
    }


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize("role", [None, "subscriber"])
def test_the_admin_is_closed_to_those_without_work_there(kind, role):
    row = kind.factory(title="as it was")
    client = browser_for(role and create_user("reader", role))

    for page in (kind.list, f"{kind.list}add/", kind.page(row), kind.page(row, "delete"), kind.page(row, "history")):
        assert client.get(page)["Location"] == f"/admin/login/?next={page}"
    for page in (kind.page(row), kind.page(row, "trash"), kind.page(row, "restore"), kind.page(row, "delete")):
        assert client.post(page, {"title": "changed", "post": "yes"})["Location"] == f"/admin/login/?next={page}"
    assert run_action(client, kind.list, "move_to_trash", [row])["Location"].startswith("/admin/login/")

    assert (reloaded(row).title, reloaded(row).status) == ("as it was", "publish")


@pytest.mark.usefixtures("unrendered_pages")
def test_a_subscriber_who_is_let_in_finds_nothing(kind, subscriber):
    subscriber.is_staff = True
    subscriber.save()
    row = kind.factory()

    responses = [browser_for(subscriber).get(page) for page in (kind.list, f"{kind.list}add/", kind.page(row))]

    assert [response.status_code for response in responses] == [403, 403, 403]


# --- What is said --------------------------------------------------------------------------------


def test_action_lists_changed_and_skipped_records(kind, author):
    rows = [
        kind.factory(title="A draft", status="draft", author=author),
        kind.factory(title="Another", status="pending", author=author),
        kind.factory(title="Ahead", status="draft", published_at=FAR_AHEAD, author=author),
        kind.factory(title="Out", author=author),
        kind.factory(title="Theirs"),
    ]

    response = run_action(browser_for(author), kind.list, "publish", rows)

    assert messages_in(response) == in_list_order(
        kind,
        [
            f"Published: {', '.join(in_list_order(kind, ['A draft', 'Another']))}.",
            "Scheduled for the publish date: Ahead.",
        ],
    ) + in_list_order(
        kind, ["Skipped (already published or scheduled): Out.", "Skipped (no permission to change): Theirs."]
    )


def test_an_action_on_many_names_the_first(kind, editor):
    rows = [kind.factory(title=f"Number {number}", status="draft") for number in range(7)]

    response = run_action(browser_for(editor), kind.list, "publish", rows)

    first = ", ".join(in_list_order(kind, [str(row) for row in rows])[:5])
    assert messages_in(response) == [f"Published: {first} and 2 more."]


def test_a_contributor_submits_for_review(kind, contributor):
    row = kind.factory(title="Mine", status="draft", author=contributor)
    client = browser_for(contributor)

    choices = client.get(kind.list).context["action_form"].fields["action"].choices
    first, second = run_action(client, kind.list, "submit", [row]), run_action(client, kind.list, "submit", [row])

    assert [str(label) for _name, label in choices][:4] == [
        "Select action",
        "Submit for review",
        "Switch to draft",
        "Move to trash",
    ]
    assert messages_in(first) == ["Submitted for review: Mine."]
    assert messages_in(second)[1:] == ["Skipped (already pending review): Mine."]


def test_action_gives_the_reason_for_a_skipped_record(kind, editor):
    row = kind.factory(title="Broken", status="draft")
    type(row).objects.filter(pk=row.pk).update(website="no address") if hasattr(row, "website") else None

    response = run_action(browser_for(editor), kind.list, "publish", [row])

    assert messages_in(response) == ["Skipped: Broken. Enter a URL that starts with http:// or https://."]
    assert reloaded(row).status == "draft"


# --- One record's trash --------------------------------------------------------------------------


@pytest.mark.usefixtures("unrendered_pages")
def test_a_record_goes_to_the_trash_from_its_form_and_comes_back(kind, author):
    row = kind.factory(title="Mine", author=author)
    client = browser_for(author)

    assert client.get(kind.page(row)).context["can_trash"] is True
    trashed = client.post(kind.page(row, "trash"), {"title": "not saved"})
    assert (trashed["Location"], reloaded(row).status, reloaded(row).title) == (kind.list, "trash", "Mine")
    assert client.get(kind.page(row)).context["can_restore"] is True
    restored = client.post(kind.page(row, "restore"))

    assert (restored["Location"], reloaded(row).status) == (kind.page(row), "publish")
    assert messages_in(trashed) == ["Moved to trash: Mine."]
    assert messages_in(restored)[-1:] == ["Restored: Mine."]


def test_the_trash_of_a_record_is_not_reached_by_looking(kind, editor):
    row = kind.factory()

    responses = [browser_for(editor).get(kind.page(row, page)) for page in ("trash", "restore")]

    assert [response.status_code for response in responses] == [405, 405]
    assert reloaded(row).status == "publish"


@pytest.mark.usefixtures("unrendered_pages")
def test_a_stranger_trashes_and_restores_nothing(kind, author):
    published, trashed = kind.factory(title="Theirs"), kind.factory(status="trash")
    client = browser_for(author)

    assert client.get(kind.page(published)).context["can_trash"] is False
    refused = client.post(kind.page(published, "trash"))
    unseen = client.post(kind.page(trashed, "restore"))

    assert messages_in(refused) == ["Skipped (no permission to delete): Theirs."]
    assert unseen["Location"] == "/admin/"
    assert (reloaded(published).status, reloaded(trashed).status) == ("publish", "trash")


def test_nothing_is_deleted_but_from_the_trash(kind, editor):
    row = kind.factory()
    client = browser_for(editor)

    assert client.post(kind.page(row, "delete"), {"post": "yes"}).status_code == 403
    assert messages_in(run_action(client, kind.list, "delete_selected", [row], post="yes")) == ["No action selected."]
    assert reloaded(row).status == "publish"

    client.post(kind.page(row, "trash"))
    assert str(row) in client.get(kind.page(row, "delete")).content.decode()
    client.post(kind.page(row, "delete"), {"post": "yes"})

    assert not type(row).objects.exists()


@pytest.mark.usefixtures("unrendered_pages")
def test_deleting_for_good_asks_first(kind, editor):
    row = kind.factory(title="Old", status="trash")

    response = run_action(browser_for(editor), f"{kind.list}?status=trash", "delete_selected", [row])

    assert (response.status_code, response.context["deletable_objects"]) == (200, [["Old"]])
    assert reloaded(row).status == "trash"


def test_deleting_leaves_what_is_not_the_users_to_delete(kind):
    user = create_user("staff", "editor")
    user.groups.clear()
    name = type(kind.factory())._meta.model_name
    wanted = [f"{action}_{name}" for action in ("view", "change", "delete", "change_others")]
    user.user_permissions.set(Permission.objects.filter(codename__in=wanted))
    mine, theirs = kind.factory(title="Mine", status="trash", author=user), kind.factory(title="Theirs", status="trash")

    response = run_action(browser_for(user), f"{kind.list}?status=trash", "delete_selected", [mine, theirs], post="yes")

    assert statuses_of({"mine": mine, "theirs": theirs}) == {"mine": None, "theirs": "trash"}
    assert messages_in(response)[0] == "Skipped (no permission to delete): Theirs."


# --- Status and author ---------------------------------------------------------------------------


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize(
    ("role", "choices", "first"),
    [
        ("editor", ["draft", "pending", "publish", "private"], "publish"),
        ("author", ["draft", "pending", "publish", "private"], "publish"),
        ("contributor", ["draft", "pending"], "draft"),
    ],
)
def test_the_statuses_of_a_new_record_are_those_that_the_user_may_give(kind, role, choices, first):
    response = browser_for(create_user("staff", role)).get(f"{kind.list}add/")

    status = response.context["adminform"].form["status"]
    assert [value for value, _label in status.field.choices] == choices
    assert status.initial == first


@pytest.mark.usefixtures("unrendered_pages")
@pytest.mark.parametrize("wanted", ["publish", "future", "private", "trash", "nonsense", ""])
def test_a_contributor_forges_no_status(kind, contributor, wanted):
    row = kind.factory(status="draft", author=contributor)

    response = browser_for(contributor).post(kind.page(row), kind.saved_form(row, status=wanted))

    assert list(form_errors(response)) == ["status"]
    assert reloaded(row).status == "draft"


def test_a_publication_date_ahead_schedules(kind, author):
    row = kind.factory(status="draft", author=author)
    client = browser_for(author)

    submit_form(client, kind.page(row), status="publish", published_at="2090-01-01T12:00")
    assert (reloaded(row).status, reloaded(row).published_at) == ("future", FAR_AHEAD)
    page = client.get(kind.page(row))
    submit_form(client, kind.page(row), published_at="2020-01-01T12:00")

    assert page.context["adminform"].form["status"].initial == "publish"
    assert (reloaded(row).status, reloaded(row).published_at) == ("publish", datetime(2020, 1, 1, 12, tzinfo=UTC))


def test_times_of_publication_are_on_the_clock_of_the_site(kind, settings, editor):
    settings.SITE_TIME_ZONE = "America/Toronto"
    row = kind.factory(published_at=datetime(2026, 7, 1, 16, 30, tzinfo=UTC))
    client = browser_for(editor)

    shown = form_data(client.get(kind.page(row)))["published_at"]
    submit_form(client, kind.page(row), published_at="2026-01-15T08:00")

    assert shown == ["2026-07-01T12:30"]
    assert reloaded(row).published_at == datetime(2026, 1, 15, 13, tzinfo=UTC)


def test_the_author_is_who_made_the_record_and_stays_it(kind, author, editor, contributor):
    browser_for(author).post(f"{kind.list}add/", kind.new_form(status="publish", author=editor.pk))
    row = kind.factory._meta.model.objects.get()
    browser_for(editor).post(kind.page(row), kind.saved_form(row, title="changed", author=contributor.pk))

    assert (reloaded(row).title, reloaded(row).author) == ("changed", author)


def test_an_administrator_gives_a_record_to_somebody_else(kind, administrator, author):
    row = kind.factory()

    response = submit_form(browser_for(administrator), kind.page(row), author=author.pk)

    assert response["Location"] == kind.list
    assert reloaded(row).author == author


def test_a_record_in_the_trash_leaves_it_by_another_status(kind, editor):
    row = kind.factory(title="Back", status="trash")
    client = browser_for(editor)

    kept = submit_form(client, kind.page(row), title="Still there")
    assert (kept["Location"], reloaded(row).status) == (kind.list, "trash")
    submit_form(client, kind.page(row), status="publish")

    assert (reloaded(row).status, reloaded(row).slug) == ("publish", "back")


# --- Titles and slugs ----------------------------------------------------------------------------


def test_a_slug_is_made_once_and_kept(kind, author):
    client = browser_for(author)

    client.post(f"{kind.list}add/", kind.new_form(title="Jazz am See", status="publish"))
    row = kind.factory._meta.model.objects.get()
    assert row.slug == "jazz-am-see"
    client.post(kind.page(row), kind.saved_form(row, title="Blues", slug=""))
    assert (reloaded(row).title, reloaded(row).slug) == ("Blues", "jazz-am-see")
    client.post(kind.page(row), kind.saved_form(row, slug="Blues & more"))

    assert reloaded(row).slug == "blues-more"


def test_slug_in_use_gets_a_number_and_a_message(kind, author):
    kind.factory(slug="blues")

    response = browser_for(author).post(f"{kind.list}add/", kind.new_form(slug="blues", status="publish"))

    assert kind.factory._meta.model.objects.filter(slug="blues-2").exists()
    assert "The slug blues is already in use. It was saved as blues-2." in messages_in(response)


def test_slug_that_the_form_suggested_needs_no_message(kind, author):
    kind.factory(slug="late-blues")

    form = kind.new_form(title="Late blues", slug="late-blues", status="publish")
    response = browser_for(author).post(f"{kind.list}add/", form)

    assert kind.factory._meta.model.objects.filter(slug="late-blues-2").exists()
    assert not [text for text in messages_in(response) if "already in use" in text]


def test_a_description_is_sanitised(kind, author):
    row = kind.factory(author=author)

    forged = kind.saved_form(row, description="<p onclick=x>Hello<script>alert(1)</script></p>")
    browser_for(author).post(kind.page(row), forged)

    assert reloaded(row).description == "<p>Hello</p>"


@pytest.mark.usefixtures("unrendered_pages")
def test_form_reports_all_errors_at_their_fields(kind, author):
    wrong = kind.new_form(title="<b></b>", website="no address", published_at="soon", status="publish")

    response = browser_for(author).post(f"{kind.list}add/", wrong)

    assert form_errors(response) == {
        "title": ["This field cannot be blank."],
        "website": ["Enter a URL that starts with http:// or https://."],
        "published_at": ["Not a valid date. Use a format such as 2027-03-10, 10 March 2027 or tomorrow 9am."],
    }
    assert not kind.factory._meta.model.objects.exists()


# --- Two at once ---------------------------------------------------------------------------------


def test_a_page_that_has_grown_old_takes_nothing_back(kind, editor):
    row = kind.factory(title="Old", description="First line\nSecond line", website="https://example.org/old")
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    save_as(editor, row, title="New", status="draft", description="<p>Rewritten</p>")
    response = client.post(kind.page(row), {**old_page, "website": "https://example.org/new"})

    now = reloaded(row)
    assert response["Location"] == kind.list
    assert (now.title, now.status, now.description) == ("New", "draft", "<p>Rewritten</p>")
    assert now.website == "https://example.org/new"


def test_conflicting_changes_of_a_field_are_reported(kind, editor):
    row = kind.factory(title="Old", website="https://example.org/old")
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    save_as(editor, row, title="Theirs")
    mine = {**old_page, "title": "Mine", "website": "https://example.org/new"}
    asked = client.post(kind.page(row), mine)

    assert form_errors(asked) == {
        "title": ["Someone else has changed this to: Theirs. Save again to replace it with your value."]
    }
    assert (reloaded(row).title, reloaded(row).website) == ("Theirs", "https://example.org/old")
    saved = client.post(kind.page(row), form_data(asked))
    assert saved["Location"] == kind.list
    assert (reloaded(row).title, reloaded(row).website) == ("Mine", "https://example.org/new")


def test_two_who_change_a_field_alike_do_not_clash(kind, editor):
    row = kind.factory(title="Old", description="First line\nSecond line")
    client = browser_for(editor)
    old_page = form_data(client.get(kind.page(row)))

    save_as(editor, row, title="New")
    response = client.post(kind.page(row), {**old_page, "title": "New"})

    assert response["Location"] == kind.list


def test_a_form_without_what_it_showed_is_taken_as_it_is(kind, editor):
    row = kind.factory(title="Old", description="<p>Stays</p>")
    client = browser_for(editor)
    fields = {name: value for name, value in form_data(client.get(kind.page(row))).items() if "initial-" not in name}

    response = client.post(kind.page(row), {**fields, "title": "New"})

    assert response["Location"] == kind.list
    assert (reloaded(row).title, reloaded(row).description) == ("New", "<p>Stays</p>")


# --- Lists ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unrendered_pages")
def test_a_list_shows_what_the_user_may_see(kind, author, editor):
    kind.of_every_status(author)
    theirs = kind.factory(title="theirs, published")
    kind.factory(title="theirs, draft", status="draft")

    def shown(user, status=""):
        return set(listed_titles(browser_for(user).get(kind.list, {"status": status} if status else {})))

    own = set(STATUSES) - {"trash"}
    assert shown(author) == own | {str(theirs)}
    assert shown(editor) == own | {str(theirs), "theirs, draft"}
    assert [shown(author, status) for status in STATUSES] == [
        {"publish", str(theirs)}, {"future"}, {"draft"}, {"pending"}, {"private"}, {"trash"}
    ]  # fmt: skip


@pytest.mark.usefixtures("unrendered_pages")
def test_a_list_is_searched_by_words(kind, editor):
    kind.factory(title="Crème brûlée", description="<p>At <b>noon</b></p>")
    kind.factory(title="Crumble")
    client = browser_for(editor)

    found = [
        listed_titles(client.get(kind.list, {"q": query})) for query in ("CREME brulee", "noon", "crème crumble", "b")
    ]

    assert found == [["Crème brûlée"], ["Crème brûlée"], [], in_list_order(kind, ["Crème brûlée", "Crumble"])]


@pytest.mark.usefixtures("unrendered_pages")
def test_a_list_is_filtered_by_its_author(kind, author):
    mine = kind.factory(author=author)
    kind.factory()

    assert listed_titles(browser_for(author).get(kind.list, {"author": "me"})) == [str(mine)]


@pytest.mark.parametrize(
    "parameters", [{"status": "nonsense"}, {"nonsense": "1"}, {"author__password": "x"}, {"p": "x"}]
)
def test_a_list_answers_nonsense_with_a_list_or_a_refusal(kind, editor, parameters):
    response = browser_for(editor).get(kind.list, parameters)

    assert response.status_code in (200, 302, 400)


def test_status_column_shows_the_date_of_scheduled_records(kind, editor):
    kind.factory(title="Ahead", published_at=FAR_AHEAD)
    due = kind.factory(title="Due", published_at=FAR_AHEAD)
    type(due).objects.filter(pk=due.pk).update(published_at=datetime(2020, 1, 1, tzinfo=UTC))

    response = browser_for(editor).get(kind.list)

    assert column_texts(response, "status_now") == in_list_order(kind, ["Scheduled for 1 Jan 2090, 12:00", "Published"])


def test_a_record_leads_to_its_page(kind, editor):
    row, trashed = kind.factory(title="Straße & See"), kind.factory(status="trash")
    client = browser_for(editor)

    path = client.get(kind.page(row)).context["absolute_url"]

    assert path == f"/{kind}/strasse-see"
    assert client.get(path).status_code == 200
    assert client.get(kind.page(trashed)).context["absolute_url"] is None
