"""Approving and sending back: who may, the effect on the record, and its history."""

import re

import pytest

from calendar_site.accounts.services import create_user
from tests.factories import UserFactory, VenueFactory
from tests.support.admin import browser_for, messages_in, run_action, submit_form
from tests.support.content_kinds import EVENT, FAR_AHEAD, ORGANIZER, STATUSES, VENUE
from tests.support.history import all_revisions, last_revision, recorded_changes
from tests.support.records import statuses_of
from tests.support.review import QUEUE, decide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

DONE, LATE, REFUSED, UNSEEN, SIGN_IN = "done", "not pending", "refused", "not found", "asked to sign in"


# --- Who may decide on what ----------------------------------------------------------------------

# Who, whose records, then one outcome for each of STATUSES.
PERMISSIONS = {
    ("administrator", "other"): [LATE, LATE, LATE, DONE, LATE, LATE],
    ("editor", "own"): [LATE, LATE, LATE, DONE, LATE, LATE],
    ("editor", "other"): [LATE, LATE, LATE, DONE, LATE, LATE],
    ("author", "own"): [LATE, LATE, LATE, DONE, LATE, LATE],
    ("author", "other"): [REFUSED, UNSEEN, UNSEEN, UNSEEN, UNSEEN, UNSEEN],
    ("contributor", "own"): [REFUSED] * 6,
    ("contributor", "other"): [REFUSED, UNSEEN, UNSEEN, UNSEEN, UNSEEN, UNSEEN],
}
# Everybody for events; the three kinds of outcome for the others, which have the same pages.
CASES = [(EVENT, *case) for case in PERMISSIONS] + [
    (kind, *case)
    for kind in (VENUE, ORGANIZER)
    for case in (("editor", "other"), ("author", "other"), ("contributor", "own"))
]


def decision_outcome(response):
    if response.status_code == 403:
        return REFUSED
    assert response.status_code == 302
    if response["Location"].startswith("/admin/login/"):
        return SIGN_IN
    if response["Location"] == "/admin/":
        return UNSEEN
    assert response["Location"] == QUEUE
    return DONE if re.match("Approved|Sent back", messages_in(response)[-1]) else LATE


@pytest.mark.parametrize("decision", ["approve", "send_back"])
@pytest.mark.parametrize(("kind", "role", "whose"), CASES, ids=str)
def test_decision_requires_a_pending_record_and_publish_permission(kind, role, whose, decision):
    user = create_user(role, role)
    rows = kind.of_every_status(user if whose == "own" else UserFactory())
    client, before = browser_for(user), all_revisions()

    responses = {status: decide(client, kind, row, decision, "Why") for status, row in rows.items()}

    assert [decision_outcome(responses[status]) for status in STATUSES] == PERMISSIONS[role, whose]
    is_done = DONE in PERMISSIONS[role, whose]
    after = {"approve": "publish", "send_back": "draft"}[decision] if is_done else "pending"
    assert statuses_of(rows) == {**{status: status for status in STATUSES}, "pending": after}
    assert len(all_revisions()) - len(before) == is_done


@pytest.mark.parametrize(("kind", "role", "whose"), CASES, ids=str)
def test_review_page_requires_a_pending_record_and_publish_permission(kind, role, whose):
    user = create_user(role, role)
    rows = kind.of_every_status(user if whose == "own" else UserFactory())
    client = browser_for(user)

    pages = {status: client.get(kind.page(row, "review")) for status, row in rows.items()}

    assert ["open" if page.status_code == 200 else decision_outcome(page) for page in pages.values()] == [
        "open" if wanted == DONE else wanted for wanted in PERMISSIONS[role, whose]
    ]


@pytest.mark.parametrize(("role", "whose"), [("subscriber", "own"), ("subscriber", "other"), (None, "other")], ids=str)
def test_people_without_access_to_the_admin_are_asked_to_sign_in(kind, role, whose):
    user = create_user(role, role) if role else None
    rows = {"pending": kind.factory(status="pending", author=user if whose == "own" else UserFactory())}
    client, before = browser_for(user), all_revisions()

    responses = [decide(client, kind, rows["pending"], decision, "Why") for decision in ("approve", "send_back")]
    responses.append(client.get(kind.page(rows["pending"], "review")))

    assert [decision_outcome(answer) for answer in responses] == [SIGN_IN] * 3
    assert statuses_of(rows) == {"pending": "pending"}
    assert all_revisions() == before


# --- What becomes of it --------------------------------------------------------------------------


def test_approval_publishes_or_schedules(kind, editor, contributor):
    now = kind.factory(title="Now", status="pending", author=contributor)
    later = kind.factory(title="Later", status="pending", author=contributor, published_at=FAR_AHEAD)
    client = browser_for(editor)

    responses = [decide(client, kind, row, note="Well done") for row in (now, later)]

    assert [messages_in(answer)[-1] for answer in responses] == [
        "Approved and published: Now.",
        "Approved and scheduled for its publish date: Later.",
    ]
    assert [type(row).objects.get(pk=row.pk).status for row in (now, later)] == ["publish", "future"]
    assert recorded_changes(now)[1:] == [("approved", "editor", "admin", ["status"])]
    assert last_revision(now).history_change_reason == "Well done"


def test_sending_back_makes_a_draft_with_a_note(kind, editor, contributor):
    row = kind.factory(title="Mine", status="pending", author=contributor)

    answer = decide(browser_for(editor), kind, row, "send_back", "Which door?\r\n\r\nAnd when?")

    assert messages_in(answer)[-1] == "Sent back: Mine."
    assert recorded_changes(row)[1:] == [("sent_back", "editor", "admin", ["status"])]
    assert (last_revision(row).status, last_revision(row).history_change_reason) == (
        "draft",
        "Which door?\n\nAnd when?",
    )


def test_publish_action_approves_pending_records(kind, editor, contributor):
    waiting = kind.factory(title="Waiting", status="pending", author=contributor)
    draft = kind.factory(title="Draft", status="draft", author=contributor)

    answer = run_action(browser_for(editor), kind.list, "publish", [waiting, draft])

    assert [sorted(text.split(": ")[1].rstrip(".").split(", ")) for text in messages_in(answer)] == [
        ["Draft", "Waiting"]
    ]
    assert recorded_changes(waiting)[1:] == [("approved", "editor", "admin", ["status"])]
    assert recorded_changes(draft)[1:] == [("changed", "editor", "admin", ["status"])]


def test_publishing_by_the_form_is_recorded_as_a_change(kind, editor, contributor):
    row = kind.factory(status="pending", author=contributor)

    submit_form(browser_for(editor), kind.page(row), status="publish")

    assert recorded_changes(row)[1:] == [("changed", "editor", "admin", ["status"])]


# --- Notes ---------------------------------------------------------------------------------------


def decision_errors(response):
    assert response.status_code == 200
    return {name: [str(text) for text in texts] for name, texts in response.context["form"].errors.items()}


@pytest.mark.parametrize(
    ("note", "error"),
    [
        ("", "Enter a note that says what is missing or what should change."),
        (" \r\n\t ", "Enter a note that says what is missing or what should change."),
        ("\x07", "Enter a note that says what is missing or what should change."),
        ("x" * 2001, "A note can have at most 2000 characters."),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_invalid_note_is_reported_at_its_field(kind, editor, note, error):
    row = kind.factory(status="pending")

    answer = decide(browser_for(editor), kind, row, "send_back", note)

    assert decision_errors(answer) == {"note": [error]}
    assert answer.context["form"]["note"].value() == note
    assert type(row).objects.get(pk=row.pk).status == "pending"
    assert len(recorded_changes(row)) == 1


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("<b>Bold</b> & <script>alert(1)</script>", "<b>Bold</b> & <script>alert(1)</script>"),
        ("a\x07b\x1b[31mc\x9bd", "ab[31mcd"),
        ("a\r\nb\rc\td\u2028e", "a\nb\nc d\u2028e"),
        ("x" * 1999 + "\r\n" + "y", None),
        ("é" * 1000 + "\r\n" * 500 + "🎭" * 500, "é" * 1000 + "\n" * 500 + "🎭" * 500),
    ],
)
def test_note_is_plain_text(editor, contributor, sent, kept):
    venue = VenueFactory(status="pending", author=contributor)

    answer = decide(browser_for(editor), VENUE, venue, "send_back", sent)

    if kept is None:
        assert decision_errors(answer) == {"note": ["A note can have at most 2000 characters."]}
        return
    assert last_revision(venue).history_change_reason == kept
    page = browser_for(contributor).get(VENUE.page(venue)).content.decode()
    assert "<b>Bold" not in page
    assert "<script>alert" not in page


@pytest.mark.parametrize("more", [{"decision": "publish"}, {"decision": ""}, {"seen": "x"}])
def test_unknown_decision_is_a_bad_request(kind, editor, more):
    row = kind.factory(status="pending")

    response = browser_for(editor).post(kind.page(row, "review"), {"decision": "approve", **more})

    assert response.status_code == 400
    assert len(recorded_changes(row)) == 1


# --- Others at the same time ---------------------------------------------------------------------


@pytest.mark.parametrize("decision", ["approve", "send_back"])
def test_second_decision_is_refused_with_a_message(kind, editor, administrator, decision):
    row = kind.factory(title="Mine", status="pending")
    decide(browser_for(editor), kind, row, "send_back", "No")

    answer = decide(browser_for(administrator), kind, row, decision, "Yes")

    assert answer["Location"] == QUEUE
    assert messages_in(answer)[-1] == "“Mine” is no longer pending review. Its status is now: Draft."
    assert recorded_changes(row)[1:] == [("sent_back", "editor", "admin", ["status"])]


@pytest.mark.parametrize("decision", ["approve", "send_back"])
def test_record_changed_meanwhile_is_shown_again_with_the_note(kind, editor, contributor, decision):
    row = kind.factory(title="Mine", status="pending", author=contributor)
    client = browser_for(editor)
    seen = client.get(kind.page(row, "review")).context["form"]["seen"].value()
    submit_form(browser_for(contributor), kind.page(row), title="Ours")

    again = decide(client, kind, row, decision, "Good", seen=seen)

    assert (
        messages_in(again)[-1] == "The record has changed since you opened this page. You now see the current version."
    )
    assert again.context["row"].title == "Ours"
    assert again.context["form"]["note"].value() == "Good"
    assert len(recorded_changes(row)) == 2

    decide(client, kind, row, decision, "Good", seen=again.context["form"]["seen"].value())

    assert recorded_changes(row)[2:] == [
        ({"approve": "approved"}.get(decision, "sent_back"), "editor", "admin", ["status"])
    ]
