"""Series that are submitted for review: one entry in the queue, and one decision on all events."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from calendar_site.mail.tasks import COLLECTION_TIME, DECISION_TIME
from calendar_site.review.models import Review
from events.models import Event, Series
from tests.factories import SeriesFactory
from tests.support.admin import browser_for, messages_in
from tests.support.background_tasks import run_worker
from tests.support.content_kinds import EVENT
from tests.support.mail import sent_mail
from tests.support.records import save_as
from tests.support.review import QUEUE, decide, submit_for_review

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


@pytest.fixture(autouse=True)
def _today(time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)


def submit_series(user, title="Choir", count=4):
    """A series that the user submits for review, with its events."""
    return SeriesFactory(
        title=title,
        start="2027-03-16 19:00",
        end="2027-03-16 21:00",
        time_zone="Europe/Rome",
        rrule=f"FREQ=WEEKLY;COUNT={count};BYDAY=TU",
        status="pending",
        author=user,
    )


def events_of(series):
    return list(Event.objects.filter(series=series).order_by("series_occurrence"))


def statuses(series):
    return [Series.objects.get(pk=series.pk).status, *(event.status for event in events_of(series))]


def queued(client):
    """The titles in the queue, each with the number of further events."""
    return [(card.submission.row.title, card.entry.others) for card in client.get(QUEUE).context["cards"]]


def decide_on_all(client, event, decision="approve", note="", **fields):
    return decide(client, EVENT, event, decision, **{**opened_form(client, event), "note": note, **fields})


def opened_form(client, event):
    """The values of the form on the review page, as a browser sends them."""
    return client.get(EVENT.page(event, "review")).context["form"].initial | {"whole_group": "on"}


def outcomes(series):
    reviews = Review.objects.filter(record_id__in=Event.objects.filter(series=series).values("pk")).order_by("pk")
    return [(review.outcome, review.decided_by_name, review.note) for review in reviews]


# --- The queue -----------------------------------------------------------------------------------


def test_series_is_one_entry_of_the_queue(editor, contributor):
    submit_for_review(contributor, EVENT, "Talk")
    choir = submit_series(contributor)
    submit_series(editor, "Walk", 2)
    # A series that is not pending itself: its events are reviewed one by one.
    for event in events_of(SeriesFactory(title="Draft", status="draft", author=contributor)):
        save_as(contributor, event, status="pending")

    assert queued(browser_for(editor)) == [("Talk", 0), ("Choir", 3), ("Walk", 1), ("Draft", 0), ("Draft", 0)]
    assert queued(browser_for(contributor)) == [("Talk", 0), ("Choir", 3), ("Draft", 0), ("Draft", 0)]
    save_as(editor, events_of(choir)[0], status="publish")
    assert queued(browser_for(editor))[1] == ("Choir", 2)


def test_queue_takes_the_same_queries_for_many_series(editor, contributor):
    submit_series(contributor, count=2)
    client = browser_for(editor)
    client.get(QUEUE)
    with CaptureQueriesContext(connection) as few:
        client.get(QUEUE)
    for number in range(3):
        submit_series(contributor, f"Walk {number}", 5)

    with CaptureQueriesContext(connection) as many:
        assert len(client.get(QUEUE).context["cards"]) == 4

    assert len(many) == len(few)


def test_start_page_lists_a_series_once(editor, contributor):
    submit_series(contributor)

    sections = browser_for(editor).get("/admin/").context["sections"]

    (waiting,) = [section for section in sections if section["title"] == "Review queue"]
    assert [row["title"] for row in waiting["rows"]] == ["Choir"]


@pytest.mark.parametrize(("decision", "title"), [("approve", "Recently approved"), ("send_back", "Sent back to you")])
def test_author_sees_one_outcome_of_a_series(editor, contributor, decision, title):
    series, alone = submit_series(contributor), submit_for_review(contributor, EVENT, "Talk")
    decide(browser_for(editor), EVENT, events_of(series)[1], decision, "First this one")
    decide_on_all(browser_for(editor), events_of(series)[0], decision, "Fine")
    decide(browser_for(editor), EVENT, alone, decision, "Fine")

    sections = browser_for(contributor).get("/admin/").context["sections"]

    (section,) = [section for section in sections if section["title"] == title]
    found = {(row["title"], row["detail"], row["note"]) for row in section["rows"]}
    assert len(section["rows"]) == 3
    assert found == {
        ("Choir", "editor, 10 Mar 2027, 12:00, and 2 more events of the series", "Fine"),
        ("Choir", "editor, 10 Mar 2027, 12:00", "First this one"),
        ("Talk", "editor, 10 Mar 2027, 12:00", "Fine"),
    }


# --- Decisions -----------------------------------------------------------------------------------


def test_approval_of_a_series_publishes_all_pending_events(editor, contributor):
    series = submit_series(contributor)
    other = submit_series(contributor, "Walk", 2)
    first, second, *_others = events_of(series)
    save_as(editor, second, status="draft")

    client = browser_for(editor)
    response = decide_on_all(client, first, note="Lovely")

    assert statuses(series) == ["publish", "publish", "draft", "publish", "publish"]
    assert statuses(other) == ["pending"] * 3
    assert outcomes(series) == [
        ("approved", "editor", "Lovely"),
        ("withdrawn", "editor", ""),
        ("approved", "editor", "Lovely"),
        ("approved", "editor", "Lovely"),
    ]
    assert response.url == QUEUE
    assert messages_in(client.get(QUEUE)) == ["Approved: Choir, 3 events of the series."]
    assert queued(client) == [("Walk", 1)]
    assert first.history.latest("history_id").history_kind == "approved"


def test_series_is_sent_back_with_a_note_and_submitted_again(editor, contributor):
    series = submit_series(contributor)
    client, first = browser_for(editor), events_of(series)[0]

    refused = decide_on_all(client, first, "send_back")
    assert refused.context["form"].errors.keys() == {"note"}
    assert statuses(series) == ["pending"] * 5
    decide_on_all(client, first, "send_back", "Which hall?")

    assert statuses(series) == ["draft"] * 5
    assert outcomes(series) == [("sent_back", "editor", "Which hall?")] * 4


def test_decision_on_one_event_leaves_the_others(editor, contributor):
    series = submit_series(contributor)

    decide(browser_for(editor), EVENT, events_of(series)[0])

    assert statuses(series) == ["pending", "publish", "pending", "pending", "pending"]


def test_last_pending_event_is_decided_on_alone(editor, contributor):
    event = events_of(submit_series(contributor, count=1))[0]

    form = browser_for(editor).get(EVENT.page(event, "review")).context["form"]

    assert "whole_group" not in form.fields


def test_series_whose_event_changed_meanwhile_is_not_decided_on(editor, contributor):
    series = submit_series(contributor)
    first, *_others, last = events_of(series)
    client = browser_for(editor)
    opened = opened_form(client, first)
    save_as(contributor, last, title="Choir, and dance")

    response = decide(client, EVENT, first, **{**opened, "note": "Fine"})

    assert messages_in(response) == [
        "An event of the series has changed since you opened this page. You now see the current version."
    ]
    assert statuses(series) == ["pending"] * 5
    assert response.context["form"].initial["note"] == "Fine"


def test_decision_on_a_series_is_not_narrowed_to_one_event(editor, contributor):
    series = submit_series(contributor, count=2)
    first, second = events_of(series)
    client = browser_for(editor)
    opened = opened_form(client, first)
    decide(client, EVENT, second)

    response = decide(client, EVENT, first, **{**opened, "note": "Fine"})

    assert messages_in(response)[-1] == "The series has changed since you opened this page. Decide on this event alone."
    assert statuses(series) == ["pending", "pending", "publish"]


def test_only_reviewers_of_all_events_decide_on_a_series(editor, contributor):
    series = submit_series(contributor)
    first = events_of(series)[0]

    response = decide(browser_for(contributor), EVENT, first, whole_group="on")

    assert response.status_code == 403
    assert statuses(series) == ["pending"] * 5


def test_second_reviewer_learns_that_the_series_is_no_longer_pending(editor, contributor):
    series = submit_series(contributor)
    first, second, *_others = events_of(series)
    client = browser_for(editor)
    opened = opened_form(client, second)
    decide_on_all(client, first)

    response = decide(client, EVENT, second, "send_back", **{**opened, "note": "Late"})

    assert messages_in(response)[-1] == "“Choir” is no longer pending review. Its status is now: Published."
    assert statuses(series) == ["publish"] * 5


def test_background_task_decides_on_the_last_events_of_a_long_series(editor, contributor, monkeypatch):
    series = submit_series(contributor)
    monkeypatch.setattr("events.series.propagation.MAX_CHANGED_AT_ONCE", 8)

    decide_on_all(browser_for(editor), events_of(series)[0], note="Lovely")
    assert statuses(series) == ["publish", "publish", "publish", "pending", "pending"]
    run_worker()

    assert statuses(series) == ["publish"] * 5
    assert outcomes(series) == [("approved", "editor", "Lovely")] * 4


# --- Emails --------------------------------------------------------------------------------------


def test_reviewers_get_one_line_for_a_series(editor, contributor, time_machine):
    editor.email = "editor@example.org"
    editor.save()
    submit_series(contributor)
    submit_for_review(contributor, EVENT, "Talk")
    sent_mail()
    time_machine.shift(COLLECTION_TIME)

    (message,) = sent_mail()

    assert message.subject == "2 submissions for review"
    details = [line.strip() for line in message.text.splitlines() if "submitted by" in line]
    submitted = "event, submitted by contributor on 10 Mar 2027, 12:00"
    assert details == [f"{submitted}, and 3 more events of the series", submitted]


def test_each_author_gets_one_email_about_a_series(editor, author, contributor, time_machine):
    for user in (author, contributor):
        user.email = f"{user}@example.org"
        user.save()
    series = submit_series(contributor, count=5)
    Event.objects.filter(pk=events_of(series)[2].pk).update(author=author)
    sent_mail()

    decide_on_all(browser_for(editor), events_of(series)[0], note="Lovely")
    assert sent_mail() == []
    time_machine.shift(DECISION_TIME)
    (of_other, message) = sent_mail()
    assert (of_other.to, of_other.subject) == (["author@example.org"], "Approved: Choir")
    assert "more" not in of_other.text
    save_as(contributor, submit_for_review(contributor, EVENT, "Talk"), title="Talks")
    decide(browser_for(editor), EVENT, Event.objects.get(title="Talks"))
    (other,) = sent_mail()

    assert message.subject == "Approved: Choir"
    assert "The decision applies to 3 more events of the series." in message.text
    assert other.subject == "Approved: Talks"
    assert "series" not in other.text


def test_decisions_on_single_events_of_a_series_are_in_one_email(editor, contributor, time_machine):
    contributor.email = "contributor@example.org"
    contributor.save()
    *events, unlike, late = events_of(submit_series(contributor, count=5))
    sent_mail()

    # In the order of a list that begins with the last one, and for longer in total than decisions wait for others.
    for event in reversed(events):
        decide(browser_for(editor), EVENT, event, note="Lovely")
        assert sent_mail() == []
        time_machine.shift(DECISION_TIME - timedelta(seconds=1))
    decide(browser_for(editor), EVENT, unlike, "send_back", "When?")
    time_machine.shift(DECISION_TIME)
    approval, refusal = sent_mail()
    decide(browser_for(editor), EVENT, late, note="Lovely")
    time_machine.shift(DECISION_TIME)
    (last,) = sent_mail()

    assert (approval.subject, refusal.subject, last.subject) == (
        "Approved: Choir",
        "Sent back: Choir",
        "Approved: Choir",
    )
    assert f"The decision applies to {len(events) - 1} more events of the series." in approval.text
    assert "more event" not in refusal.text
    assert "more event" not in last.text
