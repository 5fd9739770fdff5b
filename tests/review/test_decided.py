"""What people are told of the decisions on their own records: on the first page, below the queue, and on the form."""

import pytest

from tests.admin import client_of, fill_in
from tests.content.test_admin import KINDS
from tests.factories import EventFactory
from tests.review.test_queue import submitted
from tests.review.test_review import QUEUE, decide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENT, VENUE = KINDS[0], KINDS[1]
TITLES = ("Sent back to you", "Approved lately")


@pytest.fixture(params=KINDS, ids=str)
def kind(request):
    return request.param


@pytest.fixture(autouse=True)
def day(time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)


@pytest.fixture
def contributing(contributor):
    client = client_of(contributor)
    client.author = contributor
    return client


def boxes(client):
    """What was decided, as the first page tells it, with the way to all of it."""
    sections = client.get("/admin/").context["sections"]
    return {
        str(section["title"]): (section["address"], [tuple(row.values()) for row in section["rows"]])
        for section in sections
        if section["title"] in TITLES
    }


def below_the_queue(client):
    sections = client.get(QUEUE).context["decided"]
    return {str(section["title"]): [row["title"] for row in section["rows"]] for section in sections}


def told_on_form(client, kind, row):
    note = client.get(kind.page(row)).context.get("approved")
    return note and (note.note, note.who)


# --- What was approved ---------------------------------------------------------------------------


def test_the_author_reads_what_was_said_to_what_is_approved(kind, editor, contributing):
    row = submitted(contributing, kind)
    decide(client_of(editor), kind, row, note="Thanks <b>a lot</b>")

    form = contributing.get(kind.page(row)).content.decode()

    told = ("Mine", "editor, 10 Mar 2027, 12:00", "Thanks <b>a lot</b>", kind.page(row))
    assert boxes(contributing) == {"Approved lately": ("/admin/review/#approved", [told])}
    assert below_the_queue(contributing) == {"Approved lately": ["Mine"]}
    assert told_on_form(contributing, kind, row) == ("Thanks <b>a lot</b>", "editor")
    assert "Thanks &lt;b&gt;a lot&lt;/b&gt;" in form
    assert "Approved by editor, 10 Mar 2027, 12:00" in form
    assert contributing.get(kind.page(row, "history")).status_code == 403


def test_an_approval_without_a_note_is_told_too(editor, contributing):
    row = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, row)

    form = contributing.get(EVENT.page(row)).content.decode()

    assert told_on_form(contributing, EVENT, row) == ("", "editor")
    assert "Approved by editor" in form
    assert "<blockquote>" not in form


def test_others_do_not_read_what_was_said(kind, editor, author, contributing):
    row = submitted(contributing, kind)
    decide(client_of(editor), kind, row, note="Unheard of")

    for stranger in (author, editor):
        assert told_on_form(client_of(stranger), kind, row) is None
        assert boxes(client_of(stranger)) == {}
        assert below_the_queue(client_of(stranger)) == {}


def test_two_weeks_later_the_form_alone_tells_of_an_approval(editor, contributing, time_machine):
    row = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, row, note="Good")
    time_machine.move_to("2027-03-24 11:59Z", tick=False)
    # Sessions have ended by then.
    later = client_of(contributing.author)
    assert list(boxes(later)) == ["Approved lately"]
    time_machine.move_to("2027-03-24 12:00Z", tick=False)

    assert boxes(later) == {}
    assert told_on_form(later, EVENT, row) == ("Good", "editor")


def test_what_was_published_without_review_was_not_approved(editor, contributing):
    own = EventFactory(title="Own", status="pending", author=editor)
    decide(client_of(editor), EVENT, own)
    plain = EventFactory(title="Plain", author=contributing.author)
    row = submitted(contributing, EVENT, "Sent back")
    decide(client_of(editor), EVENT, row, "send_back", "No")
    fill_in(client_of(editor), EVENT.page(row), status="publish")

    assert boxes(client_of(editor)) == {}
    assert boxes(contributing) == {}
    assert [told_on_form(contributing, EVENT, event) for event in (plain, row)] == [None, None]


def test_of_approvals_the_last_counts_and_only_while_it_holds(editor, contributing):
    row = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, row, note="First")
    fill_in(client_of(editor), EVENT.page(row), status="draft")
    assert boxes(contributing) == {}

    fill_in(contributing, EVENT.page(row), status="pending")
    decide(client_of(editor), EVENT, row, note="Second")

    assert [told[2] for told in boxes(contributing)["Approved lately"][1]] == ["Second"]


# --- What was sent back --------------------------------------------------------------------------


def test_what_was_sent_back_is_all_found_below_the_queue(editor, contributing, time_machine):
    event, hall = submitted(contributing, EVENT, "Talk"), submitted(contributing, VENUE, "Hall")
    EventFactory(title="A draft", status="draft", author=contributing.author)
    decide(client_of(editor), EVENT, event, "send_back", "Where?")
    time_machine.shift(60)
    decide(client_of(editor), VENUE, hall, "send_back", "Which?")

    told = [
        ("Hall", "editor, 10 Mar 2027, 12:01", "Which?", VENUE.page(hall)),
        ("Talk", "editor, 10 Mar 2027, 12:00", "Where?", EVENT.page(event)),
    ]
    assert boxes(contributing) == {"Sent back to you": ("/admin/review/#sent-back", told)}
    assert below_the_queue(contributing) == {"Sent back to you": ["Hall", "Talk"]}
    assert '<section id="sent-back"' in contributing.get(QUEUE).content.decode()
    assert below_the_queue(client_of(editor)) == {}


@pytest.mark.parametrize("count", [1, 3])
def test_decided_sections_cost_two_queries(editor, contributing, django_assert_num_queries, count):
    for kind in KINDS:
        for number in range(count):
            decide(client_of(editor), kind, submitted(contributing, kind, f"{kind} {number}"), note="Good")
            decide(client_of(editor), kind, submitted(contributing, kind, f"{kind} {number}b"), "send_back", "No")

    # session, user, two of permissions; how many wait; what was sent back, what was approved
    with django_assert_num_queries(7):
        found = below_the_queue(contributing)

    assert {title: len(rows) for title, rows in found.items()} == dict.fromkeys(TITLES, 3 * count)
