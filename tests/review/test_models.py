"""When reviews are opened and closed, whichever channel changes the status of a record."""

import pytest
from django.db import IntegrityError, transaction

from calendar_site.content.services import delete_linked
from calendar_site.review.choices import ReviewOutcome
from calendar_site.review.models import Review
from events.models import Event
from events.services import delete_events
from tests.factories import EventFactory, OrganizerFactory, VenueFactory
from tests.support.admin import browser_for, run_action, submit_form
from tests.support.api_client import API, api_client_for
from tests.support.review import decide
from venues.models import Venue

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("plain_static_files"),
    pytest.mark.time_machine("2027-03-10 12:00Z", tick=False),
]


def reviews_of(row):
    """The reviews of a record in their order: outcome, who submitted it, who decided, note."""
    return [
        (review.outcome, review.submitted_by_name, review.decided_by_name, review.note)
        for review in Review.objects.for_record(row).order_by("pk")
    ]


def api_url(kind, row):
    return f"{API}/{kind.name}s/{row.pk}"


# --- Opened --------------------------------------------------------------------------------------


def test_form_opens_a_review(kind, contributor):
    client = browser_for(contributor)

    submit_form(client, f"{kind.list}add/", **kind.new_form(title="Added", status="pending"))
    added = kind.factory._meta.model.objects.get()
    draft = kind.factory(status="draft", author=contributor)
    submit_form(client, kind.page(draft), status="pending")
    submit_form(client, kind.page(draft), title="Changed while it is pending")

    assert reviews_of(added) == [("open", "contributor", "", "")]
    assert reviews_of(draft) == [("open", "contributor", "", "")]
    review = Review.objects.for_record(draft).get()
    assert (review.model, review.record_id) == (type(draft), draft.pk)
    assert (review.submitted_by_id, f"{review.submitted_at:%d %H:%M}") == (contributor.pk, "10 12:00")
    assert (review.decided_by_id, review.decided_at, review.revision) == (None, None, None)


def test_list_action_opens_a_review(kind, contributor):
    row = kind.factory(status="draft", author=contributor)

    run_action(browser_for(contributor), kind.list, "submit", [row])

    assert reviews_of(row) == [("open", "contributor", "", "")]


def test_api_opens_a_review(kind, contributor, contributor_api):
    row = kind.factory(status="draft", author=contributor)

    response = contributor_api.post(api_url(kind, row), {"status": "publish"})

    assert response.json()["status"] == "pending"
    assert reviews_of(row) == [("open", "contributor", "", "")]


def test_new_record_that_the_api_creates_opens_a_review(contributor_api):
    response = contributor_api.post(f"{API}/venues", {"venue": "Hall", "status": "publish"})

    assert reviews_of(Venue.objects.get(pk=response.json()["id"])) == [("open", "contributor", "", "")]


def test_command_submits_in_the_name_of_the_author(kind, contributor):
    row = kind.factory(status="pending", author=contributor)

    assert reviews_of(row) == [("open", "contributor", "", "")]
    assert Review.objects.for_record(row).get().submitted_by_id == contributor.pk


def test_other_statuses_open_no_review(kind, editor):
    for row in kind.of_every_status(editor).values():
        assert bool(reviews_of(row)) == (row.status == "pending")


def test_record_has_one_open_review_at_most(contributor):
    venue = VenueFactory(status="pending", author=contributor)
    review = Review.objects.get()
    review.pk = None

    with pytest.raises(IntegrityError), transaction.atomic():
        review.save(force_insert=True)

    assert len(reviews_of(venue)) == 1


# --- Closed --------------------------------------------------------------------------------------


@pytest.fixture
def pending(kind, contributor):
    return kind.factory(status="pending", author=contributor)


def test_approval_closes_a_review(kind, pending, editor):
    decide(browser_for(editor), kind, pending, note="Good")

    assert reviews_of(pending) == [("approved", "contributor", "editor", "Good")]
    review = Review.objects.get()
    assert (review.decided_by_id, f"{review.decided_at:%d %H:%M}") == (editor.pk, "10 12:00")


def test_sending_back_closes_a_review_with_the_revision_sent_back(kind, pending, editor):
    decide(browser_for(editor), kind, pending, "send_back", "More")

    assert reviews_of(pending) == [("sent_back", "contributor", "editor", "More")]
    revision = Review.objects.get().revision
    assert (revision.instance_type, revision.id, revision.title) == (type(pending), pending.pk, pending.title)
    assert revision.history_id == type(pending).history.latest("history_id").history_id


def test_publish_action_closes_a_review_as_approved(kind, pending, editor):
    run_action(browser_for(editor), kind.list, "publish", [pending])

    assert reviews_of(pending) == [("approved", "contributor", "editor", "")]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [("publish", "published"), ("private", "published"), ("draft", "withdrawn")],
)
def test_form_closes_a_review(kind, pending, editor, status, outcome):
    submit_form(browser_for(editor), kind.page(pending), status=status)

    assert reviews_of(pending) == [(outcome, "contributor", "editor", "")]


@pytest.mark.parametrize(("status", "outcome"), [("publish", "published"), ("draft", "withdrawn")])
def test_api_closes_a_review(kind, pending, editor, status, outcome):
    response = api_client_for(editor).post(api_url(kind, pending), {"status": status})

    assert response.json()["status"] == status
    assert reviews_of(pending) == [(outcome, "contributor", "editor", "")]


def test_trash_closes_a_review(kind, contributor):
    by_form, by_api = kind.factory.create_batch(2, status="pending", author=contributor)

    browser_for(contributor).post(kind.page(by_form, "trash"))
    api_client_for(contributor).delete(api_url(kind, by_api))

    assert reviews_of(by_form) == reviews_of(by_api) == [("trashed", "contributor", "contributor", "")]


def test_deleted_records_lose_their_reviews(editor, contributor):
    for factory in (EventFactory, VenueFactory, OrganizerFactory):
        for row in factory.create_batch(3, status="pending", author=contributor):
            browser_for(editor).post(f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/trash/")
    kept = Venue.objects.first()

    delete_events(Event.objects.all(), user=None)
    delete_linked(Venue.objects.exclude(pk=kept.pk), user=None)

    left = {(review.model_label, review.record_id) for review in Review.objects.all()}
    assert {label for label, _pk in left} == {"venues.venue", "organizers.organizer"}
    assert [pk for label, pk in left if label == "venues.venue"] == [kept.pk]


def test_record_published_past_the_services_is_submitted_again(kind, contributor, editor):
    row = kind.factory(status="pending", author=contributor)
    type(row).objects.filter(pk=row.pk).update(status="publish")

    api = api_client_for(editor)
    responses = [api.post(api_url(kind, row), {"status": status}) for status in ("pending", "publish")]

    assert [answer.status_code for answer in responses] == [200, 200]
    assert [review for review in reviews_of(row) if review[0] != "unpublished"] == [
        ("published", "editor", "editor", "")
    ]


def test_record_that_became_pending_past_the_services_is_decided_on_like_others(kind, editor, contributor):
    row = kind.factory(status="draft", author=contributor)
    type(row).objects.update(status="pending")

    page = browser_for(editor).get(kind.page(row, "review"))
    decide(browser_for(editor), kind, row, "send_back", "More")

    assert page.context["submission"].review.submitted_by_name == "contributor"
    assert reviews_of(row) == [("sent_back", "contributor", "editor", "More")]


# --- Records that were public --------------------------------------------------------------------


@pytest.mark.parametrize("status", ["draft", "pending"])
def test_last_public_revision_is_kept_when_a_record_is_taken_back(kind, editor, status):
    row = kind.factory(title="First", author=editor)
    client = browser_for(editor)
    submit_form(client, kind.page(row), title="Last")

    submit_form(client, kind.page(row), status=status, title="Draft")

    unpublished, *submitted = Review.objects.for_record(row).order_by("pk")
    assert (unpublished.outcome, unpublished.submitted_at) == (ReviewOutcome.UNPUBLISHED, None)
    assert (unpublished.decided_by_name, unpublished.revision.title) == ("editor", "Last")
    assert [review.outcome for review in submitted] == ["open"] * (status == "pending")


def test_no_revision_is_kept_of_a_record_that_stays_published(kind, editor):
    row = kind.factory(author=editor)
    client = browser_for(editor)

    for changes in ({"title": "Other"}, {"status": "private"}, {"status": "publish"}):
        submit_form(client, kind.page(row), **changes)

    assert not Review.objects.exists()


def test_copy_of_a_revision_equals_the_revision(editor):
    event = EventFactory(
        author=editor, venues=[VenueFactory()], cost="$10", password="secret", custom_values={"note": ["a", 1.5]}
    )
    revision = Event.history.get()

    copy = Review(revision=revision).revision

    assert type(copy) is type(revision)
    assert copy.history_id == revision.history_id
    for field in revision._meta.concrete_fields:
        assert getattr(copy, field.attname) == getattr(revision, field.attname), field.name
    assert copy.history_extra["password"] is True
    assert event.venues.get().pk in copy.history_extra["venues"]
