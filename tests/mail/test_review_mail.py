"""Emails about submissions, to those who may review them, and about decisions, to the author of the record."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail

from calendar_site.accounts.models import User
from calendar_site.mail import tasks
from calendar_site.mail.messages import send
from calendar_site.mail.models import MailPreferences, SubmissionNotice
from calendar_site.mail.tasks import queue_submission_notices
from calendar_site.review.services import get_open_review
from calendar_site.tasks.models import BackgroundTask
from tests.factories import UserFactory
from tests.support.admin import browser_for
from tests.support.content_kinds import EVENT, VENUE
from tests.support.mail import sent_html, sent_mail
from tests.support.records import save_as
from tests.support.review import decide, submit_for_review

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

NOON = datetime(2030, 1, 15, 12, tzinfo=UTC)

SUBMISSION = """1 new submission is waiting for your review.

- {title}
  event, submitted by contributor on 15 Jan 2030, 12:00
  http://127.0.0.1:8000/admin/events/event/{pk}/review/

Open review queue
http://127.0.0.1:8000/admin/review/

-- 
Event calendar
http://127.0.0.1:8000/

Choose which emails you get:
http://127.0.0.1:8000/admin/account/email/
"""
GERMAN_SUBMISSIONS = """2 neue Einreichungen warten auf Ihre Prüfung.

- Lesung
  Veranstaltung, von contributor am 15. Jan. 2030 um 12:00\N{NO-BREAK SPACE}Uhr eingereicht
  http://127.0.0.1:8000/admin/events/event/{event}/review/

- Saal
  Veranstaltungsort, von contributor am 15. Jan. 2030 um 12:00\N{NO-BREAK SPACE}Uhr eingereicht
  http://127.0.0.1:8000/admin/venues/venue/{venue}/review/

Offene Prüfungen anzeigen
http://127.0.0.1:8000/admin/review/

-- 
Event calendar
http://127.0.0.1:8000/

Wählen Sie aus, welche E-Mails Sie bekommen:
http://127.0.0.1:8000/admin/account/email/
"""
DECISION = """editor has sent “Reading” back to you.

Note:

> Please add <b>the address</b>.
> And the price.

Open in the admin
http://127.0.0.1:8000/admin/events/event/{pk}/change/

-- 
Event calendar
http://127.0.0.1:8000/

Choose which emails you get:
http://127.0.0.1:8000/admin/account/email/
"""
FRENCH_DECISION = """editor a approuvé «\N{NARROW NO-BREAK SPACE}Reading\N{NARROW NO-BREAK SPACE}».

Ouvrir dans l’administration
http://127.0.0.1:8000/admin/events/event/{pk}/change/

-- 
Event calendar
http://127.0.0.1:8000/

Choisissez les e-mails que vous recevez\N{NARROW NO-BREAK SPACE}:
http://127.0.0.1:8000/admin/account/email/
"""


@pytest.fixture(autouse=True)
def _noon(time_machine):
    time_machine.move_to(NOON, tick=False)


@pytest.fixture
def sent_later(time_machine):
    """Run the tasks that are due now, and then move to the time when collected submissions are sent."""

    def move(delta=timedelta(minutes=3)):
        sent = sent_mail()
        time_machine.move_to(NOON + delta, tick=False)
        return sent + sent_mail()

    return move


def with_email(user):
    user.email = f"{user.username}@example.org"
    user.save()
    return user


@pytest.fixture
def reviewer(editor):
    return with_email(editor)


@pytest.fixture
def submitter(contributor):
    return with_email(contributor)


# --- Submissions -----------------------------------------------------------------------------------


def test_reviewer_gets_an_email_about_a_submission(reviewer, submitter, sent_later):
    event = submit_for_review(submitter, EVENT, "Reading")

    assert mail.outbox == []
    assert sent_later() == [
        (["editor@example.org"], "Submitted for review: Reading", SUBMISSION.format(title="Reading", pk=event.pk))
    ]
    assert not SubmissionNotice.objects.exists()


def test_submissions_within_two_minutes_are_in_one_email(reviewer, submitter, sent_later):
    MailPreferences.objects.create(user=reviewer, language="de")
    event, venue = submit_for_review(submitter, EVENT, "Lesung"), submit_for_review(submitter, VENUE, "Saal")

    text = GERMAN_SUBMISSIONS.format(event=event.pk, venue=venue.pk)
    assert sent_later() == [(["editor@example.org"], "2 Einreichungen zur Prüfung", text)]


def test_submission_while_an_email_is_being_sent_is_in_the_next_one(reviewer, submitter, time_machine, monkeypatch):
    """It may be the next morning before anything else is sent."""

    def send_slowly(message, user):
        send(message, user)
        if message.subject.endswith("First"):
            queue_submission_notices.func(get_open_review(submit_for_review(submitter, EVENT, "Second")).pk)

    monkeypatch.setattr(tasks, "send", send_slowly)
    submit_for_review(submitter, EVENT, "First")
    sent_mail()

    subjects = []
    for minutes in (3, 4, 6):
        time_machine.move_to(NOON + timedelta(minutes=minutes), tick=False)
        subjects.append([message.subject for message in sent_mail()])
    assert subjects == [["Submitted for review: First"], [], ["Submitted for review: Second"]]
    assert not SubmissionNotice.objects.exists()


def test_email_can_be_turned_off_by_its_header(reviewer, submitter, time_machine):
    submit_for_review(submitter, EVENT, "Reading")
    sent_html()
    time_machine.move_to(NOON + timedelta(minutes=3), tick=False)
    sent_html()

    (message,) = mail.outbox
    assert message.extra_headers == {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": "<http://127.0.0.1:8000/admin/account/email/>",
    }


def test_titles_are_escaped_and_on_one_line_of_the_header(reviewer, submitter, time_machine):
    submit_for_review(submitter, EVENT, "Fish & Chips “now”")
    sent_html()
    time_machine.move_to(NOON + timedelta(minutes=3), tick=False)
    sent_html()

    (message,) = mail.outbox
    assert message.subject == "Submitted for review: Fish & Chips “now”"
    assert "Fish &amp; Chips “now”" in message.alternatives[0].content
    assert "Fish & Chips “now”" in message.body


def test_only_users_who_may_review_get_emails(reviewer, submitter, author, administrator, subscriber, sent_later):
    for user in (author, administrator, subscriber):
        with_email(user)
    other = with_email(UserFactory(username="other", role="contributor"))
    inactive = with_email(UserFactory(username="inactive", role="editor"))
    User.objects.filter(pk=inactive.pk).update(is_active=False)
    UserFactory(username="no-address", role="editor")
    with_email(UserFactory(username="api-client", role="editor", is_staff=False))

    submit_for_review(submitter, EVENT)

    assert other.is_active
    assert sorted(message.to for message in sent_later()) == [["administrator@example.org"], ["editor@example.org"]]


def test_reviewers_get_no_emails_about_their_own_submissions(reviewer, sent_later):
    submit_for_review(reviewer, EVENT)

    assert sent_later() == []


@pytest.mark.parametrize("change", ["decided", "no reviewer", "inactive", "never"])
def test_rules_are_checked_again_before_the_email_is_sent(reviewer, submitter, time_machine, change):
    event = submit_for_review(submitter, EVENT, "Reading")
    assert sent_mail() == []
    assert SubmissionNotice.objects.count() == 1

    if change == "decided":
        save_as(reviewer, event, status="draft")
    elif change == "no reviewer":
        reviewer.groups.clear()
    elif change == "inactive":
        User.objects.filter(pk=reviewer.pk).update(is_active=False)
    else:
        MailPreferences.objects.create(user=reviewer, submissions="never")

    time_machine.move_to(NOON + timedelta(minutes=3), tick=False)
    assert [message for message in sent_mail() if message.to == [reviewer.email]] == []
    assert not SubmissionNotice.objects.exists()


def test_daily_email_lists_the_submissions_of_a_day(reviewer, submitter, sent_later):
    MailPreferences.objects.create(user=reviewer, submissions="daily")
    submit_for_review(submitter, EVENT, "Reading")
    submit_for_review(submitter, VENUE, "Hall")

    assert sent_later(timedelta(hours=18, minutes=59)) == []
    sent = sent_later(timedelta(hours=19, minutes=1))
    assert [(message.to, message.subject) for message in sent] == [(["editor@example.org"], "2 submissions for review")]
    assert sent_later(timedelta(hours=43, minutes=2)) == []


@pytest.mark.parametrize("change", ["preference", "default of the site"])
def test_emails_are_sent_at_once_after_a_change_from_daily(reviewer, submitter, settings, sent_later, change):
    settings.SUBMISSION_EMAILS = "daily"
    submit_for_review(submitter, EVENT, "Reading")
    assert sent_mail() == []

    if change == "preference":
        MailPreferences.objects.create(user=reviewer, submissions="at_once")
    else:
        settings.SUBMISSION_EMAILS = "at_once"
    submit_for_review(submitter, VENUE, "Hall")
    submit_for_review(submitter, VENUE, "Barn")

    sent = sent_later()
    assert [(message.to, message.subject) for message in sent] == [(["editor@example.org"], "3 submissions for review")]
    assert sent_later(timedelta(hours=19, minutes=1)) == []


def test_waiting_email_to_another_reviewer_does_not_replace_an_email(reviewer, submitter, sent_later):
    other = with_email(UserFactory(username="other", role="editor"))
    MailPreferences.objects.create(user=reviewer, submissions="daily")
    submit_for_review(submitter, EVENT, "Reading")
    assert sent_mail() == []

    MailPreferences.objects.update(submissions="at_once")
    submit_for_review(submitter, VENUE, "Hall")

    sent = [(message.to, message.subject) for message in sent_later()]
    assert sent == [([reviewer.email], "2 submissions for review"), ([other.email], "2 submissions for review")]


@pytest.mark.parametrize(
    ("default", "choice", "count"), [("never", "", 0), ("never", "at_once", 1), ("at_once", "", 1)]
)
def test_preference_overrides_the_default_of_the_site(
    reviewer, submitter, settings, sent_later, default, choice, count
):
    settings.SUBMISSION_EMAILS = default
    MailPreferences.objects.create(user=reviewer, submissions=choice)

    submit_for_review(submitter, EVENT)

    assert len(sent_later()) == count


# --- Decisions -------------------------------------------------------------------------------------


def test_author_gets_an_email_with_the_note(reviewer, submitter, sent_later):
    event = submit_for_review(submitter, EVENT, "Reading")
    note = "Please add <b>the address</b>.\r\nAnd the price."

    decide(browser_for(reviewer), EVENT, event, "send_back", note)

    assert sent_later() == [(["contributor@example.org"], "Sent back: Reading", DECISION.format(pk=event.pk))]


def test_author_gets_an_email_about_an_approval(reviewer, submitter, sent_later):
    MailPreferences.objects.create(user=submitter, sign_in_language="fr")
    event = submit_for_review(submitter, EVENT, "Reading")

    decide(browser_for(reviewer), EVENT, event)

    expected = FRENCH_DECISION.format(pk=event.pk)
    assert sent_later() == [(["contributor@example.org"], "Approuvé\N{NARROW NO-BREAK SPACE}: Reading", expected)]


@pytest.mark.parametrize(
    ("status", "subjects"), [("publish", ["Published: Mine"]), ("trash", ["Moved to trash: Mine"]), ("draft", [])]
)
def test_author_gets_an_email_about_other_outcomes(reviewer, submitter, sent_later, status, subjects):
    event = submit_for_review(submitter, EVENT)

    save_as(reviewer, event, status=status)

    assert [message.subject for message in sent_later() if message.to == [submitter.email]] == subjects


def test_author_who_withdraws_or_wants_no_emails_gets_none(reviewer, submitter, sent_later):
    withdrawn, unwanted = submit_for_review(submitter, EVENT), submit_for_review(submitter, EVENT)
    MailPreferences.objects.create(user=submitter, wants_decisions=False)

    save_as(submitter, withdrawn, status="draft")
    decide(browser_for(reviewer), EVENT, unwanted)

    assert sent_later() == []


def test_author_who_lost_access_gets_no_email(reviewer, submitter, sent_later):
    event = submit_for_review(submitter, EVENT)
    decide(browser_for(reviewer), EVENT, event, "send_back", "Not yet.")
    submitter.groups.clear()

    assert sent_later() == []


def test_nothing_is_queued_without_email(reviewer, submitter, settings):
    settings.MAIL_ENABLED = False

    event = submit_for_review(submitter, EVENT)
    decide(browser_for(reviewer), EVENT, event)

    assert not BackgroundTask.objects.filter(task_path__startswith="calendar_site.mail.").exists()
