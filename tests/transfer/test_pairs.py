"""Events that two sources may have in common: the queue of pairs, merging a pair, and undoing it."""

import pytest

from calendar_site.core.choices import Status
from calendar_site.transfer.models import EventPair, PairState, SourceRecord
from events.models import Event
from events.services import save_event
from tests.factories import EventFactory
from tests.support.html_page import parse_page
from tests.support.imports import ics_calendar, make_source, report_lines, run_import, vevent

pytestmark = [pytest.mark.django_db, pytest.mark.time_machine("2030-05-04 12:00Z", tick=False)]

PAGE = "/admin/transfer/source/duplicates/"
DAY = "20300510"


@pytest.fixture
def import_from(editor, tmp_path):
    """Return a function that imports a calendar from a source of this name."""
    sources = {}

    def run(name, *components):
        source = sources.setdefault(name, make_source(editor, name=name))
        return run_import(source, tmp_path, ics_calendar(*components))

    return run


def pairs():
    titles = dict(Event.objects.values_list("pk", "title"))
    return [(titles[pair.kept_id], titles[pair.other_id], pair.state) for pair in EventPair.objects.order_by("pk")]


@pytest.fixture
def choir_pair(import_from):
    import_from("Library", vevent("Choir concert", f"{DAY}T190000Z", uid="a"))
    import_from(
        "Town hall", vevent("Choir concert in the park", f"{DAY}T193000Z", uid="b", DESCRIPTION="Bring a chair")
    )
    return EventPair.objects.get()


@pytest.mark.parametrize(
    ("first", "second", "is_pair"),
    [
        (("Choir concert", f"{DAY}T190000Z"), ("CHOIR  concert", f"{DAY}T203000Z"), True),
        (("Choir concert", f"{DAY}T190000Z"), ("Choir concert in the park", f"{DAY}T190000Z"), True),
        # Less than twelve characters, more than three quarters, another day, another beginning.
        (("Choir", f"{DAY}T190000Z"), ("Choir concert in the park", f"{DAY}T190000Z"), False),
        (("Choir concert", f"{DAY}T190000Z"), ("Choir concerts", f"{DAY}T190000Z"), False),
        (("Choir concert", f"{DAY}T190000Z"), ("Choir concert", "20300511T190000Z"), False),
        (("Choir concert", f"{DAY}T190000Z"), ("Concert of the choir", f"{DAY}T190000Z"), False),
    ],
)
def test_events_of_a_day_with_similar_titles_are_a_pair(import_from, first, second, is_pair):
    import_from("Library", vevent(*first, uid="a"))
    import_from("Town hall", vevent(*second, uid="b"))

    assert pairs() == ([(first[0], " ".join(second[0].split()), "open")] if is_pair else [])


def test_events_of_one_source_are_no_pair(import_from):
    import_from(
        "Library", vevent("Story time", f"{DAY}T090000Z", uid="a"), vevent("Story time", f"{DAY}T100000Z", uid="b")
    )

    assert pairs() == []


def test_event_that_was_entered_here_is_the_one_that_stays(import_from, editor):
    EventFactory(title="Choir concert", start="2030-05-10 18:00", end="2030-05-10 20:00")

    import_from("Library", vevent("Choir concert", f"{DAY}T190000Z", uid="a"))
    import_from("Library", vevent("Choir concert", f"{DAY}T190000Z", uid="a"))

    assert pairs() == [("Choir concert", "Choir concert", "open")]
    assert EventPair.objects.get().kept_id < EventPair.objects.get().other_id


def test_merging_keeps_the_first_event_with_both_sources(choir_pair, editor_browser, import_from):
    page = parse_page(editor_browser.get(PAGE)).text
    assert "Choir concert in the park" in page
    assert "Library" in page

    said = parse_page(editor_browser.post(PAGE, {"action": "merge", "pair": choir_pair.pk}, follow=True)).text

    assert "The events are merged." in said
    kept, other = Event.objects.order_by("pk")
    assert (kept.title, kept.description.strip(), other.status) == (
        "Choir concert", "<p>Bring a chair</p>", Status.TRASH,
    )  # fmt: skip
    assert set(SourceRecord.objects.filter(kind="event").values_list("key", "record_id")) == {
        ("a", kept.pk), ("b", kept.pk),
    }  # fmt: skip
    # What the second source says about the fields of the first is reported, and not written.
    run = import_from(
        "Town hall", vevent("Choir concert at the lake", f"{DAY}T193000Z", uid="b", DESCRIPTION="Bring a boat")
    )
    kept.refresh_from_db()
    assert (kept.title, kept.description.strip()) == ("Choir concert", "<p>Bring a boat</p>")
    assert ("kept", "Choir concert at the lake", "title") in report_lines(run, "kept")
    assert Event.objects.count() == 2


def test_merging_is_undone(choir_pair, editor_browser):
    editor_browser.post(PAGE, {"action": "merge", "pair": choir_pair.pk})

    said = parse_page(editor_browser.post(PAGE, {"action": "undo", "pair": choir_pair.pk}, follow=True)).text

    assert "They are two events again." in said
    kept, other = Event.objects.order_by("pk")
    assert (kept.description, other.status, other.description.strip()) == ("", "publish", "<p>Bring a chair</p>")
    links = SourceRecord.objects.filter(kind="event").order_by("key")
    assert list(links.values_list("key", "record_id")) == [("a", kept.pk), ("b", other.pk)]
    assert pairs() == [("Choir concert", "Choir concert in the park", "open")]


def test_undoing_keeps_what_was_edited_since(choir_pair, editor_browser, editor):
    editor_browser.post(PAGE, {"action": "merge", "pair": choir_pair.pk})
    save_event(Event.objects.get(pk=choir_pair.kept_id), changes={"description": "<p>Ours</p>"}, user=editor)

    editor_browser.post(PAGE, {"action": "undo", "pair": choir_pair.pk})

    assert Event.objects.get(pk=choir_pair.kept_id).description == "<p>Ours</p>"


def test_different_events_are_not_offered_again(choir_pair, editor_browser, import_from):
    editor_browser.post(PAGE, {"action": "different", "pair": choir_pair.pk})
    import_from("Town hall", vevent("Choir concert in the park", f"{DAY}T193000Z", uid="b"))

    assert [state for _first, _second, state in pairs()] == [PairState.DIFFERENT]
    assert "There is nothing to decide." in parse_page(editor_browser.get(PAGE)).text


@pytest.mark.parametrize(
    "values", [{}, {"action": "merge"}, {"action": "merge", "pair": "9" * 30}, {"action": "undo", "pair": "{pk}"}]
)
def test_impossible_decision_changes_nothing(choir_pair, editor_browser, values):
    values = {name: value.replace("{pk}", str(choir_pair.pk)) for name, value in values.items()}

    said = parse_page(editor_browser.post(PAGE, values, follow=True)).text

    assert "This is not possible any more." in said
    assert pairs()[0][2] == "open"


def test_pair_with_a_trashed_event_is_not_merged(choir_pair, editor_browser, editor):
    save_event(Event.objects.get(pk=choir_pair.other_id), changes={"status": "trash"}, user=editor)

    said = parse_page(editor_browser.post(PAGE, {"action": "merge", "pair": choir_pair.pk}, follow=True)).text

    assert "One of the events does not exist any more, or is in the trash." in said


@pytest.mark.parametrize("role", ["author", "contributor"])
def test_others_neither_see_nor_merge_pairs(request, choir_pair, role):
    browser = request.getfixturevalue(f"{role}_browser")

    assert browser.get(PAGE).status_code == 403
    assert browser.post(PAGE, {"action": "merge", "pair": choir_pair.pk}).status_code == 403
    assert pairs()[0][2] == "open"


def test_queries_of_the_page(import_from, editor_browser, django_assert_max_num_queries):
    for number in range(1, 4):
        import_from("Library", vevent(f"Choir concert {number}", f"203005{number:02}T190000Z", uid=f"a{number}"))
        import_from("Town hall", vevent(f"Choir concert {number}", f"203005{number:02}T193000Z", uid=f"b{number}"))

    with django_assert_max_num_queries(22):
        assert len(parse_page(editor_browser.get(PAGE)).all("tr")) == 4
