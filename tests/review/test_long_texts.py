"""What the queue tells of texts that are too long to be compared word by word."""

import pytest

from tests.admin import client_of, fill_in
from tests.content.test_admin import KINDS
from tests.factories import EventFactory
from tests.review.test_review import QUEUE, decide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]


def test_of_a_long_text_the_queue_tells_the_beginning(editor, contributor):
    before, after = (" ".join(f"{letter}{number} and" for number in range(150)) for letter in "ab")
    event, kind = EventFactory(status="pending", author=contributor, description=f"<p>Same {before}</p>"), KINDS[0]
    decide(client_of(editor), kind, event, "send_back", "No")
    fill_in(client_of(contributor), kind.page(event), status="pending", description=f"<p>Same {after}</p>")

    (card,) = client_of(editor).get(QUEUE).context["cards"]

    assert [tuple(news) for news in card["news"]] == [("Description", f"{before[:159]}…", f"{after[:159]}…")]
    assert card["more"] == 0
