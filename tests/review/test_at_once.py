"""Two editors who decide on the same record at the same moment."""

import pytest

from calendar_site.accounts.services import create_user
from calendar_site.content.review import NotWaiting, approve, send_back
from events.services import save_event
from tests.api_tests.test_concurrency import at_once
from tests.factories import EventFactory
from tests.recorded import told

# Threads see only what is committed; the roles that the migrations made are put back for the next test.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def test_only_the_first_of_two_decisions_counts():
    one, two = create_user("one", "editor"), create_user("two", "editor")
    event = EventFactory(status="pending")

    def decided(decide):
        try:
            return decide().status
        except NotWaiting:
            return "late"

    outcomes = at_once(
        lambda: decided(lambda: approve(event, one, save_event)),
        lambda: decided(lambda: send_back(event, two, save_event, "No")),
    )

    event.refresh_from_db()
    assert sorted(outcomes) == sorted([event.status, "late"])
    kind, who = {"publish": ("approved", "one"), "draft": ("sent_back", "two")}[event.status]
    assert told(event)[1:] == [(kind, who, "command", ["status"])]
