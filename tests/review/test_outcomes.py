"""Outcomes of submissions, as their authors see them: on the start page, below the queue, and on the form."""

import pytest

from tests.factories import EventFactory
from tests.support.admin import browser_for
from tests.support.content_kinds import CONTENT_KINDS, EVENT, VENUE
from tests.support.records import save_as
from tests.support.review import QUEUE, decide, submit_for_review

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("plain_static_files"),
    pytest.mark.time_machine("2027-03-10 12:00Z", tick=False),
]

TITLES = ("Sent back to you", "Recently approved")


def outcome_sections(client):
    """The outcomes on the first page: the URL of the whole list and the rows, by the title of the section."""
    sections = client.get("/admin/").context["sections"]
    return {
        str(section["title"]): (section["list_url"], [tuple(row.values()) for row in section["rows"]])
        for section in sections
        if section["title"] in TITLES
    }


def below_the_queue(client):
    sections = client.get(QUEUE).context["outcomes"]
    return {str(section["title"]): [row["title"] for row in section["rows"]] for section in sections}


def approval_on_form(client, kind, row):
    note = client.get(kind.page(row)).context.get("approved")
    return note and (note.note, note.decided_by_name)


# --- What was approved ---------------------------------------------------------------------------


def test_author_sees_the_note_of_an_approval(kind, editor, contributor, contributor_browser):
    row = submit_for_review(contributor, kind)
    decide(browser_for(editor), kind, row, note="Thanks <b>a lot</b>")

    form = contributor_browser.get(kind.page(row)).content.decode()

    expected = ("Mine", "editor, 10 Mar 2027, 12:00", "Thanks <b>a lot</b>", kind.page(row))
    assert outcome_sections(contributor_browser) == {"Recently approved": ("/admin/review/#approved", [expected])}
    assert below_the_queue(contributor_browser) == {"Recently approved": ["Mine"]}
    assert approval_on_form(contributor_browser, kind, row) == ("Thanks <b>a lot</b>", "editor")
    assert "Thanks &lt;b&gt;a lot&lt;/b&gt;" in form
    assert "Approved by editor on 10 Mar 2027, 12:00" in form
    assert contributor_browser.get(kind.page(row, "history")).status_code == 403


def test_author_sees_an_approval_without_a_note(editor, contributor, contributor_browser):
    row = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, row)

    form = contributor_browser.get(EVENT.page(row)).content.decode()

    assert approval_on_form(contributor_browser, EVENT, row) == ("", "editor")
    assert "Approved by editor" in form
    assert "<blockquote>" not in form


def test_other_users_do_not_see_an_approval(kind, editor, author, contributor):
    row = submit_for_review(contributor, kind)
    decide(browser_for(editor), kind, row, note="Unheard of")

    for other_user in (author, editor):
        assert approval_on_form(browser_for(other_user), kind, row) is None
        assert outcome_sections(browser_for(other_user)) == {}
        assert below_the_queue(browser_for(other_user)) == {}


def test_approval_is_listed_for_two_weeks_and_stays_on_the_form(editor, contributor, time_machine):
    row = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, row, note="Good")
    time_machine.move_to("2027-03-24 11:59Z", tick=False)
    # Sessions have ended by then.
    later = browser_for(contributor)
    assert list(outcome_sections(later)) == ["Recently approved"]
    time_machine.move_to("2027-03-24 12:00Z", tick=False)

    assert outcome_sections(later) == {}
    assert approval_on_form(later, EVENT, row) == ("Good", "editor")


def test_publishing_without_review_is_not_listed_as_approval(editor, contributor, contributor_browser):
    own = EventFactory(title="Own", status="pending", author=editor)
    decide(browser_for(editor), EVENT, own)
    plain = EventFactory(title="Plain", author=contributor)
    row = submit_for_review(contributor, EVENT, "Sent back")
    decide(browser_for(editor), EVENT, row, "send_back", "No")
    save_as(editor, row, status="publish")

    assert outcome_sections(browser_for(editor)) == {}
    assert outcome_sections(contributor_browser) == {}
    assert [approval_on_form(contributor_browser, EVENT, event) for event in (plain, row)] == [None, None]


def test_last_approval_is_listed_while_the_record_is_published(editor, contributor, contributor_browser):
    row = submit_for_review(contributor, EVENT)
    decide(browser_for(editor), EVENT, row, note="First")
    save_as(editor, row, status="draft")
    assert outcome_sections(contributor_browser) == {}

    save_as(contributor, row, status="pending")
    decide(browser_for(editor), EVENT, row, note="Second")

    assert [expected[2] for expected in outcome_sections(contributor_browser)["Recently approved"][1]] == ["Second"]


# --- What was sent back --------------------------------------------------------------------------


def test_records_sent_back_are_listed_below_the_queue(editor, contributor, contributor_browser, time_machine):
    event, hall = (
        submit_for_review(contributor, EVENT, "Talk"),
        submit_for_review(contributor, VENUE, "Hall"),
    )
    EventFactory(title="A draft", status="draft", author=contributor)
    decide(browser_for(editor), EVENT, event, "send_back", "Where?")
    time_machine.shift(60)
    decide(browser_for(editor), VENUE, hall, "send_back", "Which?")

    expected = [
        ("Hall", "editor, 10 Mar 2027, 12:01", "Which?", VENUE.page(hall)),
        ("Talk", "editor, 10 Mar 2027, 12:00", "Where?", EVENT.page(event)),
    ]
    assert outcome_sections(contributor_browser) == {"Sent back to you": ("/admin/review/#sent-back", expected)}
    assert below_the_queue(contributor_browser) == {"Sent back to you": ["Hall", "Talk"]}
    assert '<section id="sent-back"' in contributor_browser.get(QUEUE).content.decode()
    assert below_the_queue(browser_for(editor)) == {}


@pytest.mark.parametrize("count", [1, 3])
def test_outcome_sections_query_count(editor, contributor, contributor_browser, django_assert_num_queries, count):
    for kind in CONTENT_KINDS:
        for number in range(count):
            decide(browser_for(editor), kind, submit_for_review(contributor, kind, f"{kind} {number}"), note="Good")
            decide(
                browser_for(editor),
                kind,
                submit_for_review(contributor, kind, f"{kind} {number}b"),
                "send_back",
                "No",
            )

    # session, user, permissions; how many wait; groups and reviews of what was sent back, and of what was approved
    with django_assert_num_queries(8):
        found = below_the_queue(contributor_browser)

    assert {title: len(rows) for title, rows in found.items()} == dict.fromkeys(TITLES, 3 * count)
