"""What waits for review: the queue, what has changed, and what the contributor is told."""

import pytest
from django.core.management import call_command

from calendar_site.content.submissions import Submission
from tests.admin import client_of, fill_in
from tests.api import API
from tests.api import client_of as api_client_of
from tests.content.test_admin import KINDS
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
from tests.review.test_review import QUEUE, decide

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENT = KINDS[0]


@pytest.fixture(params=KINDS, ids=str)
def kind(request):
    return request.param


@pytest.fixture(autouse=True)
def day(time_machine):
    time_machine.move_to("2027-03-10 12:00Z", tick=False)


def submitted(client, kind, title="Mine", **fields):
    """A draft of the contributor's that he submits by its form."""
    author = client.author
    row = kind.factory(title=title, status="draft", author=author, **fields)
    fill_in(client, kind.page(row), status="pending")
    return row


@pytest.fixture
def contributing(contributor):
    client = client_of(contributor)
    client.author = contributor
    return client


def waiting(client):
    """The titles in the queue, each with who submitted it, when, and what has changed."""
    response = client.get(QUEUE)
    assert response.status_code == 200
    found = []
    for card in response.context["cards"]:
        submission: Submission = card["submission"]
        since = f"{submission.since:%d %H:%M}"
        news = [(change.label, change.before, change.after) for change in submission.differences]
        found.append((submission.row.title, submission.who, since, news if submission.decided else "new"))
    return found


# --- The queue -----------------------------------------------------------------------------------


def test_what_was_submitted_first_comes_first(editor, contributing, time_machine):
    submitted(contributing, KINDS[1], "Hall")
    time_machine.move_to("2027-03-10 13:00Z", tick=False)
    event = submitted(contributing, EVENT, "Talk")
    submitted(contributing, KINDS[2], "Club")
    time_machine.move_to("2027-03-10 14:00Z", tick=False)
    fill_in(contributing, EVENT.page(event), title="Long talk")
    EventFactory(title="Draft", status="draft")
    EventFactory(title="Public")

    assert waiting(client_of(editor)) == [
        ("Hall", "contributor", "10 12:00", "new"),
        ("Long talk", "contributor", "10 13:00", "new"),
        ("Club", "contributor", "10 13:00", "new"),
    ]


def test_of_what_was_sent_back_the_queue_says_what_has_changed_since(kind, editor, contributing, time_machine):
    row = submitted(contributing, kind, description="<p>Tea.</p>")
    decide(client_of(editor), kind, row, "send_back", "More")
    fill_in(contributing, kind.page(row), description="<p>Tea and cake.</p>")
    assert waiting(client_of(editor)) == []
    time_machine.move_to("2027-03-11 09:00Z", tick=False)

    fill_in(contributing, kind.page(row), status="pending", title="Ours")

    title = "Title" if kind is EVENT else "Name"
    news = [(title, "Mine", "Ours"), ("Description", "Tea.", "Tea and cake.")]
    assert waiting(client_of(editor)) == [("Ours", "contributor", "11 09:00", news)]


def test_of_what_was_public_the_queue_says_what_has_changed_since(editor, contributing):
    hall = VenueFactory(title="Hall")
    event = EventFactory(title="Talk", author=contributing.author)
    fill_in(client_of(editor), EVENT.page(event), status="draft")
    fill_in(contributing, EVENT.page(event), ordered_venues=[hall.pk], status="pending")

    assert waiting(client_of(editor)) == [("Talk", "contributor", "10 12:00", [("Venues", "", "Hall")])]


def test_what_waits_without_any_history_is_new_and_its_authors(editor, contributor):
    event = EventFactory(title="Old", status="pending", author=contributor)
    type(event).history.all().delete()

    assert waiting(client_of(editor)) == [("Old", "contributor", "10 12:00", "new")]
    assert client_of(editor).get(EVENT.page(event, "review")).status_code == 200


def test_the_queue_shows_everybody_their_own_and_editors_all(editor, author, contributor, subscriber):
    for user in (editor, author, contributor):
        for kind in KINDS:
            kind.factory(title=f"{kind} of {user}", status="pending", author=user)

    seen = {user.username: {title for title, *_more in waiting(client_of(user))} for user in (author, contributor)}

    assert seen == {name: {f"{kind} of {name}" for kind in KINDS} for name in ("author", "contributor")}
    assert len(waiting(client_of(editor))) == 9
    assert client_of(subscriber).get(QUEUE).status_code == 302
    assert client_of(None).get(QUEUE).status_code == 302


def test_the_queue_leads_to_the_review_or_to_the_form(author, contributor):
    mine, theirs = (EventFactory(status="pending", author=user) for user in (author, contributor))

    ways = [client_of(user).get(QUEUE).context["cards"][0]["address"] for user in (author, contributor)]

    assert ways == [EVENT.page(mine, "review"), EVENT.page(theirs)]


def test_the_queue_has_pages(editor):
    EventFactory.create_batch(21, status="pending")
    client = client_of(editor)

    pages = [client.get(QUEUE, {"p": number}) for number in ("1", "2", "99", "x")]

    assert [len(page.context["cards"]) for page in pages] == [20, 1, 1, 20]


def full_event(author):
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
        event = full_event(contributor)
        decide(client_of(editor), EVENT, event, "send_back", "No")
        fill_in(client_of(contributor), EVENT.page(event), status="pending", title="Other", ordered_venues=[])
        VenueFactory(status="pending", author=contributor)
        OrganizerFactory(status="pending", author=contributor)
    client = client_of(editor)

    # session, user, two of permissions; count, page; of each kind its rows, their states by number and in full; venues
    # and organizers of the events, links, titles of venues, passwords; what was sent back, and what approved
    with django_assert_num_queries(24):
        response = client.get(QUEUE)

    assert len(response.context["cards"]) == 3 * count


@pytest.mark.parametrize("count", [1, 3])
def test_review_query_count(editor, contributor, django_assert_num_queries, count):
    event = full_event(contributor)
    for _number in range(count):
        decide(client_of(editor), EVENT, event, "send_back", "No")
        fill_in(client_of(contributor), EVENT.page(event), status="pending", ordered_venues=[VenueFactory().pk])
    client = client_of(editor)

    # session, user, two of permissions; event, its venues and organizers; state, links; states by number and in full,
    # what has changed: venues, passwords; all there is: of each link the titles, custom fields; notes
    with django_assert_num_queries(23):
        response = client.get(EVENT.page(event, "review"))

    assert len(response.context["notes"]) == count


# --- The page of a record ------------------------------------------------------------------------


def test_a_review_shows_all_that_a_new_record_says(editor, contributing):
    row = submitted(contributing, KINDS[1], "Hall", description="<p>Old & <b>big</b></p>", city="Ghent")

    context = client_of(editor).get(KINDS[1].page(row, "review")).context

    assert [(fact.label, fact.before, fact.after) for fact in context["facts"]] == [
        ("Name", "", "Hall"),
        ("Slug", "", "hall"),
        ("Publication date", "", "10 Mar 2027, 12:00"),
        ("Description", "", "Old & **big**"),
        ("City", "", "Ghent"),
        ("Show a map", "", "yes"),
        ("Show a link to a map", "", "yes"),
    ]
    assert context["submission"].decided is None
    assert context["notes"] == []


def test_a_review_shows_earlier_notes_and_the_way_to_the_preview(editor, contributing):
    event = submitted(contributing, EVENT)
    for note in ("First", "Second"):
        decide(client_of(editor), EVENT, event, "send_back", note)
        fill_in(contributing, EVENT.page(event), status="pending")

    page = client_of(editor).get(EVENT.page(event, "review"))

    assert [(note.note, note.who, note.is_sent_back) for note in page.context["notes"]] == [
        ("Second", "editor", True),
        ("First", "editor", True),
    ]
    assert client_of(None).get(page.context["preview_address"]).status_code == 200


def test_a_protected_event_is_reviewed_as_others_are(editor, contributing):
    event = submitted(contributing, EVENT, password="secret")
    decide(client_of(editor), EVENT, event, "send_back", "No")
    fill_in(contributing, EVENT.page(event), status="pending", password="other")
    client = client_of(editor)

    page = client.get(EVENT.page(event, "review"))
    decide(client, EVENT, event)

    assert [change.label for change in page.context["submission"].differences] == ["Password"]
    assert "secret" not in page.content.decode()
    event.refresh_from_db()
    assert (event.status, event.password) == ("publish", "other")


# --- What the contributor is told ----------------------------------------------------------------


def notice(client, kind, row):
    context = client.get(kind.page(row)).context
    note = context.get("sent_back")
    return note and (note.note, note.who), bool(context.get("is_waiting")), context.get("review_address")


def boxes(client):
    sections = client.get("/admin/").context["sections"]
    return {
        str(section["title"]): [(row["title"], row.get("note"), row["address"]) for row in section["rows"]]
        for section in sections
        if section["title"] in ("Sent back to you", "Waiting for review")
    }


def test_the_contributor_is_told_why_until_he_submits_again(kind, editor, contributing):
    row = submitted(contributing, kind)
    assert notice(contributing, kind, row) == (None, True, None)
    assert notice(client_of(editor), kind, row) == (None, True, kind.page(row, "review"))
    assert boxes(contributing) == {"Waiting for review": [("Mine", None, kind.page(row))]}

    decide(client_of(editor), kind, row, "send_back", "Say <b>where</b>")
    fill_in(contributing, kind.page(row), description="<p>Here</p>")

    assert notice(contributing, kind, row) == (("Say <b>where</b>", "editor"), False, None)
    assert notice(client_of(editor), kind, row) == (("Say <b>where</b>", "editor"), False, None)
    assert boxes(contributing) == {"Sent back to you": [("Mine", "Say <b>where</b>", kind.page(row))]}
    assert boxes(client_of(editor)) == {}
    assert "Say &lt;b&gt;where&lt;/b&gt;" in contributing.get(kind.page(row)).content.decode()
    assert "Say &lt;b&gt;where&lt;/b&gt;" in contributing.get("/admin/").content.decode()

    fill_in(contributing, kind.page(row), status="pending")

    assert notice(contributing, kind, row) == (None, True, None)
    assert boxes(contributing) == {"Waiting for review": [("Mine", None, kind.page(row))]}
    assert boxes(client_of(editor)) == {"Waiting for review": [("Mine", None, kind.page(row, "review"))]}


def test_out_of_the_trash_a_draft_is_still_one_that_was_sent_back(editor, contributing):
    event = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, event, "send_back", "No")
    contributing.post(EVENT.page(event, "trash"))
    contributing.post(EVENT.page(event, "restore"))

    assert notice(contributing, EVENT, event) == (("No", "editor"), False, None)
    assert len(boxes(contributing)["Sent back to you"]) == 1


def test_what_was_published_meanwhile_was_not_sent_back(editor, contributing):
    event = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, event, "send_back", "No")
    fill_in(client_of(editor), EVENT.page(event), status="publish")
    fill_in(client_of(editor), EVENT.page(event), status="draft")

    assert notice(contributing, EVENT, event) == (None, False, None)
    assert boxes(contributing) == {}


def pruned(time_machine):
    """A year later, when all history is old and what is needless of it is dropped."""
    time_machine.move_to("2028-03-10 12:00Z", tick=False)
    call_command("prune_history", days=1)


def test_without_old_history_what_was_settled_stays_settled(kind, editor, contributing, time_machine):
    row = submitted(contributing, kind)
    decide(client_of(editor), kind, row, "send_back", "No")
    fill_in(contributing, kind.page(row), status="pending")
    decide(client_of(editor), kind, row)
    fill_in(client_of(editor), kind.page(row), status="draft")

    pruned(time_machine)

    client = client_of(contributing.author)
    assert notice(client, kind, row) == (None, False, None)
    assert boxes(client) == {}
    states = type(row).history.filter(id=row.pk).order_by("history_id")
    assert [(state.history_kind, state.status) for state in states] == [
        ("sent_back", "draft"),
        ("approved", "publish"),
        ("changed", "draft"),
    ]


def test_without_old_history_what_waits_is_told_of_as_before(kind, editor, contributing, time_machine):
    row = submitted(contributing, kind)
    decide(client_of(editor), kind, row, "send_back", "No")
    fill_in(contributing, kind.page(row), description="<p>Tea</p>")
    time_machine.move_to("2027-03-11 09:00Z", tick=False)
    fill_in(contributing, kind.page(row), status="pending")
    time_machine.move_to("2027-03-11 10:00Z", tick=False)
    for title in ("Ours", "Theirs"):
        fill_in(client_of(editor), kind.page(row), title=title)
    new = submitted(contributing, EVENT, "New")
    client, label = client_of(editor), "Title" if kind is EVENT else "Name"
    news = [(label, "Mine", "Theirs"), ("Description", "", "Tea")]
    told = [("Theirs", "contributor", "11 09:00", news), ("New", "contributor", "11 10:00", "new")]
    assert waiting(client) == told

    pruned(time_machine)

    assert waiting(client_of(editor)) == told
    assert type(row).history.filter(id=row.pk).count() == 3
    assert type(new).history.filter(id=new.pk).count() == 1


def test_of_many_notes_the_last_ones_are_told(editor, contributing):
    event = submitted(contributing, EVENT)
    for number in range(12):
        decide(client_of(editor), EVENT, event, "send_back", str(number))
        fill_in(contributing, EVENT.page(event), status="pending")

    notes = client_of(editor).get(EVENT.page(event, "review")).context["notes"]

    assert [note.note for note in notes] == [str(number) for number in range(11, 1, -1)]


def test_the_note_is_only_for_those_who_may_change_the_record(editor, author, contributing, subscriber):
    event = submitted(contributing, EVENT)
    decide(client_of(editor), EVENT, event, "send_back", "Unheard of")
    by_api = api_client_of(editor)
    seen = by_api.get(f"{API}/events/{event.pk}").content
    fill_in(contributing, EVENT.page(event), status="pending")
    decide(client_of(editor), EVENT, event, note="Unheard of too")

    pages = [
        seen,
        by_api.get(f"{API}/events/{event.pk}").content,
        client_of(author).get(EVENT.page(event)).content,
        client_of(author).get("/admin/").content,
        client_of(None).get(f"/event/{event.slug}/").content,
    ]

    assert [b"Unheard" in page for page in pages] == [False] * 5
    assert b"Mine" in pages[-1]


def test_what_a_program_submits_waits_and_what_it_publishes_does_not(as_contributor, as_editor, editor):
    made = as_contributor.post(f"{API}/events", {"title": "Talk", "start_date": "2030-01-01", "end_date": "2030-01-01"})
    pk = made.json()["id"]
    as_contributor.post(f"{API}/events/{pk}", {"status": "publish"})
    assert [title for title, *_more in waiting(client_of(editor))] == ["Talk"]

    as_editor.post(f"{API}/events/{pk}", {"status": "publish"})

    assert waiting(client_of(editor)) == []
