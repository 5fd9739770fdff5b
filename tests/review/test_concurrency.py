"""Two editors who review the same record at the same time."""

import pytest

from calendar_site.accounts.services import create_user
from calendar_site.review.services import NotPending, approve, send_back
from events.services import event_services
from tests.factories import EventFactory
from tests.support.concurrency import call_at_once
from tests.support.history import recorded_changes

# Threads see only what is committed; the roles that the migrations made are put back for the next test.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def test_only_the_first_of_two_concurrent_decisions_counts():
    one, two = create_user("one", "editor"), create_user("two", "editor")
    event = EventFactory(status="pending")

    def decided(decide):
        try:
            return decide().status
        except NotPending:
            return "late"

    outcomes = call_at_once(
        lambda: decided(lambda: approve(event, services=event_services, user=one)),
        lambda: decided(lambda: send_back(event, services=event_services, user=two, note="No")),
    )

    event.refresh_from_db()
    assert sorted(outcomes) == sorted([event.status, "late"])
    kind, who = {"publish": ("approved", "one"), "draft": ("sent_back", "two")}[event.status]
    assert recorded_changes(event)[1:] == [(kind, who, "command", ["status"])]
