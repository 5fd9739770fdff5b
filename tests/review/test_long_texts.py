"""Texts in the queue that are too long for a comparison word by word."""

import pytest

from tests.factories import EventFactory
from tests.support.admin import browser_for, submit_form
from tests.support.content_kinds import EVENT
from tests.support.review import QUEUE, decide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def test_queue_shows_the_beginning_of_a_long_text(editor, contributor):
    before, after = (" ".join(f"{letter}{number} and" for number in range(150)) for letter in "ab")
    event, kind = EventFactory(status="pending", author=contributor, description=f"<p>Same {before}</p>"), EVENT
    decide(browser_for(editor), kind, event, "send_back", "No")
    submit_form(browser_for(contributor), kind.page(event), status="pending", description=f"<p>Same {after}</p>")

    (card,) = browser_for(editor).get(QUEUE).context["cards"]

    assert [tuple(change) for change in card.changes] == [("Description", f"{before[:159]}…", f"{after[:159]}…")]
    assert card.more_changes == 0
