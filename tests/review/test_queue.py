"""The review queue, the review page of a record, and what authors see of their submissions."""

import re

import pytest
from django.core.management import call_command

from calendar_site.review.models import reviewed_models
from calendar_site.review.queue import Submission
from tests.factories import (
    CategoryFactory,
    CustomFieldFactory,
    EventFactory,
    ImageFactory,
    OrganizerFactory,
    TagFactory,
    TicketFactory,
    VenueFactory,
)
from tests.support.admin import browser_for
from tests.support.api_client import API, api_client_for
from tests.support.content_kinds import CONTENT_KINDS, EVENT, ORGANIZER, VENUE
from tests.support.records import save_as
from tests.support.review import QUEUE, decide, submit_for_review

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("plain_static_files"),
    pytest.mark.time_machine("2027-03-10 12:00Z", tick=False),
]


def queued(client):
    """The titles in the queue, each with who submitted it, when, and what has changed."""
    response = client.get(QUEUE)
    assert response.status_code == 200
    found = []
    for card in response.context["cards"]:
        submission: Submission = card.submission
        review = submission.review
        since = f"{review.submitted_at:%d %H:%M}"
        changes = [(change.label, change.before, change.after) for change in submission.differences]
        changes = changes if submission.previous_revision else "new"
        found.append((submission.row.title, review.submitted_by_name, since, changes))
    return found


# --- The queue -----------------------------------------------------------------------------------


def test_queue_starts_with_the_oldest_submission(editor, contributor, time_machine):
    submit_for_review(contributor, VENUE, "Hall")
    time_machine.move_to("2027-03-10 13:00Z", tick=False)
    event = submit_for_review(contributor, EVENT, "Talk")
    submit_for_review(contributor, ORGANIZER, "Club")
    time_machine.move_to("2027-03-10 14:00Z", tick=False)
    save_as(contributor, event, title="Long talk")
    EventFactory(title="Draft", status="draft")
    EventFactory(title="Public")

    assert queued(browser_for(editor)) == [
        ("Hall", "contributor", "10 12:00", "new"),
        ("Long talk", "contributor", "10 13:00", "new"),
        ("Club", "contributor", "10 13:00", "new"),
    ]


def test_queue_shows_changes_since_a_record_was_sent_back(kind, editor, contributor, time_machine):
    row = submit_for_review(contributor, kind, description="<p>Tea.</p>")
    decide(browser_for(editor), kind, row, "send_back", "More")
    save_as(contributor, row, description="<p>Tea and cake.</p>")
    assert queued(browser_for(editor)) == []
    time_machine.move_to("2027-03-11 09:00Z", tick=False)

    save_as(contributor, row, status="pending", title="Ours")

    title = "Title" if kind is EVENT else "Name"
    news = [(title, "Mine", "Ours"), ("Description", "Tea.", "Tea and cake.")]
    assert queued(browser_for(editor)) == [("Ours", "contributor", "11 09:00", news)]


def test_queue_shows_changes_since_a_record_was_public(editor, contributor):
    hall = VenueFactory(title="Hall")
    event = EventFactory(title="Talk", author=contributor)
    save_as(editor, event, status="draft")
    save_as(contributor, event, venues=[hall], status="pending")

    assert queued(browser_for(editor)) == [("Talk", "contributor", "10 12:00", [("Venues", "", "Hall")])]


def test_record_without_history_is_new_and_submitted_by_its_author(editor, contributor):
    event = EventFactory(title="Old", status="pending", author=contributor)
    type(event).history.all().delete()

    assert queued(browser_for(editor)) == [("Old", "contributor", "10 12:00", "new")]
    assert browser_for(editor).get(EVENT.page(event, "review")).status_code == 200


def test_queue_shows_own_records_to_authors_and_all_to_editors(editor, author, contributor, subscriber):
    for user in (editor, author, contributor):
        for kind in CONTENT_KINDS:
            kind.factory(title=f"{kind} of {user}", status="pending", author=user)

    seen = {user.username: {title for title, *_more in queued(browser_for(user))} for user in (author, contributor)}

    assert seen == {name: {f"{kind} of {name}" for kind in CONTENT_KINDS} for name in ("author", "contributor")}
    assert len(queued(browser_for(editor))) == 9
    assert browser_for(subscriber).get(QUEUE).status_code == 302
    assert browser_for(None).get(QUEUE).status_code == 302


def test_queue_links_to_the_review_page_or_to_the_form(author, contributor):
    mine, theirs = (EventFactory(status="pending", author=user) for user in (author, contributor))

    ways = [browser_for(user).get(QUEUE).context["cards"][0].url for user in (author, contributor)]

    assert ways == [EVENT.page(mine, "review"), EVENT.page(theirs)]


def test_queue_is_paginated(editor):
    EventFactory.create_batch(21, status="pending")
    client = browser_for(editor)

    pages = [client.get(QUEUE, {"p": number}) for number in ("1", "2", "99", "x")]

    assert [len(page.context["cards"]) for page in pages] == [20, 1, 1, 20]


def event_with_everything(author):
    event = EventFactory(
        status="pending",
        author=author,
        venues=[VenueFactory()],
        organizers=[OrganizerFactory()],
        categories=[CategoryFactory()],
        tags=[TagFactory()],
        image=ImageFactory(),
        parent=EventFactory(),
        password="secret",
        custom_values={"note": "x"},
    )
    TicketFactory(event=event)
    return event


@pytest.mark.parametrize("count", [1, 3])
def test_queue_query_count(editor, contributor, django_assert_num_queries, count):
    CustomFieldFactory(name="note", label="Note")
    for _number in range(count):
        event = event_with_everything(contributor)
        decide(browser_for(editor), EVENT, event, "send_back", "No")
        save_as(contributor, event, status="pending", title="Other", venues=[])
        VenueFactory(status="pending", author=contributor)
        OrganizerFactory(status="pending", author=contributor)
    client = browser_for(editor)

    # session, user, permissions; count, page, reviews; of each kind its rows and their last decisions; venues and
    # organizers of the events, links, titles of venues, passwords; what was sent back, what approved, reported mistakes
    with django_assert_num_queries(22):
        response = client.get(QUEUE)

    assert len(response.context["cards"]) == 3 * count


@pytest.mark.parametrize("count", [1, 3])
def test_review_page_query_count(editor, contributor, django_assert_num_queries, count):
    event = event_with_everything(contributor)
    for _number in range(count):
        decide(browser_for(editor), EVENT, event, "send_back", "No")
        save_as(contributor, event, status="pending", venues=[VenueFactory()])
    client = browser_for(editor)

    # session, user, permissions; event, its venues and organizers; revision, links; open review, last decision,
    # what has changed: venues, passwords; all there is: of each link the titles, custom fields; notes
    with django_assert_num_queries(22):
        response = client.get(EVENT.page(event, "review"))

    assert len(response.context["notes"]) == count


# --- The page of a record ------------------------------------------------------------------------


def test_review_page_shows_all_fields_of_a_new_record(editor, contributor):
    row = submit_for_review(contributor, VENUE, "Hall", description="<p>Old & <b>big</b></p>", city="Ghent")

    context = browser_for(editor).get(VENUE.page(row, "review")).context

    assert [(field.label, field.before, field.after) for field in context["fields"]] == [
        ("Name", "", "Hall"),
        ("Slug", "", "hall"),
        ("Publish date", "", "10 Mar 2027, 12:00"),
        ("Description", "", "Old & **big**"),
        ("City", "", "Ghent"),
        ("Show map", "", "Yes"),
        ("Show map link", "", "Yes"),
    ]
    assert context["submission"].previous_revision is None
    assert context["notes"] == []


def test_review_page_shows_earlier_notes_and_a_preview_link(editor, contributor):
    event = submit_for_review(contributor, EVENT)
    for note in ("First", "Second"):
        decide(browser_for(editor), EVENT, event, "send_back", note)
        save_as(contributor, event, status="pending")

    page = browser_for(editor).get(EVENT.page(event, "review"))

    assert [(note.note, note.decided_by_name, note.is_sent_back) for note in page.context["notes"]] == [
        ("Second", "editor", True),
        ("First", "editor", True),
    ]
    assert browser_for(None).get(page.context["preview_url"]).status_code == 200


def test_protected_event_is_reviewed_without_showing_its_password(editor, contributor):
    event = submit_for_review(contributor, EVENT, password="secret")
    decide(browser_for(editor), EVENT, event, "send_back", "No")
    save_as(contributor, event, status="pending", password="other")
    client = browser_for(editor)

    page = client.get(EVENT.page(event, "review"))
    decide(client, EVENT, event)

    assert [change.label for change in page.context["submission"].differences] == ["Password"]
    assert "secret" not in page.content.decode()
    event.refresh_from_db()
    assert (event.status, event.password) == ("publish", "other")


# --- What the contributor sees ------------------------------------------------------------------


def notice(client, kind, row):
    context = client.get(kind.page(row)).context
    note = context.get("sent_back")
    return note and (note.note, note.decided_by_name), bool(context.get("is_pending")), context.get("review_url")


def review_sections(client):
    sections = client.get("/admin/").context["sections"]
    return {
        str(section["title"]): [(row["title"], row.get("note"), row["url"]) for row in section["rows"]]
        for section in sections
        if section["title"] in ("Sent back to you", "Review queue")
    }


def test_author_sees_the_note_until_the_next_submission(kind, editor, contributor, contributor_browser):
    row = submit_for_review(contributor, kind)
    assert notice(contributor_browser, kind, row) == (None, True, None)
    assert notice(browser_for(editor), kind, row) == (None, True, kind.page(row, "review"))
    assert review_sections(contributor_browser) == {"Review queue": [("Mine", None, kind.page(row))]}

    decide(browser_for(editor), kind, row, "send_back", "Say <b>where</b>")
    save_as(contributor, row, description="<p>Here</p>")

    assert notice(contributor_browser, kind, row) == (("Say <b>where</b>", "editor"), False, None)
    assert notice(browser_for(editor), kind, row) == (("Say <b>where</b>", "editor"), False, None)
    assert review_sections(contributor_browser) == {"Sent back to you": [("Mine", "Say <b>where</b>", kind.page(row))]}
    assert review_sections(browser_for(editor)) == {}
    assert "Say &lt;b&gt;where&lt;/b&gt;" in contributor_browser.get(kind.page(row)).content.decode()
    assert "Say &lt;b&gt;where&lt;/b&gt;" in contributor_browser.get("/admin/").content.decode()

    save_as(contributor, row, status="pending")

    assert notice(contributor_browser, kind, row) == (None, True, None)
    assert review_sections(contributor_browser) == {"Review queue": [("Mine", None, kind.page(row))]}
    assert review_sections(browser_for(editor)) == {"Review queue": [("Mine", None, kind.page(row, "review"))]}


def test_draft_restored_from_the_trash_is_still_sent_back(editor, contributor, contributor_browser):
    event = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, event, "send_back", "No")
    contributor_browser.post(EVENT.page(event, "trash"))
    contributor_browser.post(EVENT.page(event, "restore"))

    assert notice(contributor_browser, EVENT, event) == (("No", "editor"), False, None)
    assert len(review_sections(contributor_browser)["Sent back to you"]) == 1


def test_draft_published_meanwhile_is_not_sent_back(editor, contributor, contributor_browser):
    event = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, event, "send_back", "No")
    save_as(editor, event, status="publish")
    save_as(editor, event, status="draft")

    assert notice(contributor_browser, EVENT, event) == (None, False, None)
    assert review_sections(contributor_browser) == {}


def prune_all_history(time_machine):
    """A year later, drop all revisions but the newest of each record."""
    time_machine.move_to("2028-03-10 12:00Z", tick=False)
    call_command("prune_history", days=1)
    assert all(model.history.count() == model.objects.count() for model in reviewed_models())


def test_pruning_leaves_closed_reviews_as_they_were(kind, editor, contributor, time_machine):
    row = submit_for_review(contributor, kind)
    decide(browser_for(editor), kind, row, "send_back", "No")
    save_as(contributor, row, status="pending")
    decide(browser_for(editor), kind, row, note="Yes")
    save_as(editor, row, status="draft")

    prune_all_history(time_machine)

    client = browser_for(contributor)
    assert notice(client, kind, row) == (None, False, None)
    assert review_sections(client) == {}


def test_pruning_leaves_the_note_on_a_draft(kind, editor, contributor, time_machine):
    row = submit_for_review(contributor, kind)
    decide(browser_for(editor), kind, row, "send_back", "No")
    save_as(contributor, row, title="Better")

    prune_all_history(time_machine)

    client = browser_for(contributor)
    assert notice(client, kind, row) == (("No", "editor"), False, None)
    assert review_sections(client) == {"Sent back to you": [("Better", "No", kind.page(row))]}


def test_pruning_leaves_the_queue_as_it_was(kind, editor, contributor, time_machine):
    row = submit_for_review(contributor, kind)
    decide(browser_for(editor), kind, row, "send_back", "No")
    save_as(contributor, row, description="<p>Tea</p>")
    time_machine.move_to("2027-03-11 09:00Z", tick=False)
    save_as(contributor, row, status="pending")
    time_machine.move_to("2027-03-11 10:00Z", tick=False)
    for title in ("Ours", "Theirs"):
        save_as(editor, row, title=title)
    submit_for_review(contributor, EVENT, "New")
    label = "Title" if kind is EVENT else "Name"
    changes = [(label, "Mine", "Theirs"), ("Description", "", "Tea")]
    expected = [("Theirs", "contributor", "11 09:00", changes), ("New", "contributor", "11 10:00", "new")]
    assert queued(browser_for(editor)) == expected
    page = review_page(browser_for(editor), kind, row)

    prune_all_history(time_machine)

    assert queued(browser_for(editor)) == expected
    assert review_page(browser_for(editor), kind, row) == page


def test_pruning_leaves_the_last_public_revision(kind, editor, contributor, time_machine):
    row = kind.factory(title="Public", author=contributor)
    save_as(editor, row, status="draft", title="Draft")
    prune_all_history(time_machine)

    save_as(contributor, row, status="pending", title="Better")

    label = "Title" if kind is EVENT else "Name"
    assert queued(browser_for(editor)) == [("Better", "contributor", "10 12:00", [(label, "Public", "Better")])]
    assert (
        "Changes since the published version of 10 Mar 2027, 12:00" in browser_for(editor).get(QUEUE).content.decode()
    )


def review_page(client, kind, row):
    """What the review page says about the submission, without what belongs to the session."""
    return re.findall(r"<section.*?</section>", client.get(kind.page(row, "review")).content.decode(), re.S)


def test_review_page_shows_the_last_ten_notes(editor, contributor):
    event = submit_for_review(contributor, EVENT)
    for number in range(12):
        decide(browser_for(editor), EVENT, event, "send_back", str(number))
        save_as(contributor, event, status="pending")

    notes = browser_for(editor).get(EVENT.page(event, "review")).context["notes"]

    assert [note.note for note in notes] == [str(number) for number in range(11, 1, -1)]


def test_note_is_shown_only_to_users_who_may_change_the_record(editor, author, contributor, subscriber):
    event = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, event, "send_back", "Unheard of")
    by_api = api_client_for(editor)
    seen = by_api.get(f"{API}/events/{event.pk}").content
    save_as(contributor, event, status="pending")
    decide(browser_for(editor), EVENT, event, note="Unheard of too")

    pages = [
        seen,
        by_api.get(f"{API}/events/{event.pk}").content,
        browser_for(author).get(EVENT.page(event)).content,
        browser_for(author).get("/admin/").content,
        browser_for(None).get(f"/event/{event.slug}/").content,
    ]

    assert [b"Unheard" in page for page in pages] == [False] * 5
    assert b"Mine" in pages[-1]


def test_api_submission_joins_the_queue_until_it_is_published(contributor_api, editor_api, editor):
    made = contributor_api.post(
        f"{API}/events", {"title": "Talk", "start_date": "2030-01-01", "end_date": "2030-01-01"}
    )
    pk = made.json()["id"]
    contributor_api.post(f"{API}/events/{pk}", {"status": "publish"})
    assert [title for title, *_more in queued(browser_for(editor))] == ["Talk"]

    editor_api.post(f"{API}/events/{pk}", {"status": "publish"})

    assert queued(browser_for(editor)) == []
