"""The common admin of venues and organizers."""

import pytest

from tests.factories import EventFactory, ImageFactory
from tests.support.admin import browser_for, listed_titles
from tests.support.content_kinds import ORGANIZER, VENUE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files")]

EVENTS = "/admin/events/event/"


@pytest.fixture(params=[VENUE, ORGANIZER], ids=str)
def linked_kind(request):
    return request.param


def test_records_without_a_picture_are_found(linked_kind, editor):
    factory, path = linked_kind.factory, linked_kind.list
    factory(title="With", image=ImageFactory())
    factory(title="Without")
    browser = browser_for(editor)

    assert listed_titles(browser.get(path, {"lacks": "image"})) == ["Without"]
    assert sorted(listed_titles(browser.get(path, {"lacks": "x"}))) == ["With", "Without"]


def test_lists_do_not_tell_what_an_event_behind_a_password_links_to(linked_kind, author, editor):
    name, factory, path = linked_kind
    secret, own, open_to_all, empty = (factory(title=title) for title in ("Secret", "Own", "Open", "Empty"))
    EventFactory(title="Protected", password="x", **{f"{name}s": [secret, open_to_all]})
    EventFactory(title="Mine", password="x", author=author, **{f"{name}s": [own]})
    EventFactory(title="Free", **{f"{name}s": [open_to_all]})

    def seen_by(user):
        browser = browser_for(user)
        rows = browser.get(path).context["cl"].result_list
        return (
            {row.title: row.event_count for row in rows},
            {row.title: listed_titles(browser.get(EVENTS, {name: row.pk})) for row in rows},
            listed_titles(browser.get(path, {"events": "with"})),
            listed_titles(browser.get(path, {"events": "without"})),
        )

    assert seen_by(author) == (
        {"Empty": 0, "Open": 1, "Own": 1, "Secret": 0},
        {"Empty": [], "Open": ["Free"], "Own": ["Mine"], "Secret": []},
        ["Open", "Own"],
        [empty.title, "Secret"],
    )
    assert seen_by(editor) == (
        {"Empty": 0, "Open": 2, "Own": 1, "Secret": 1},
        {"Empty": [], "Open": ["Protected", "Free"], "Own": ["Mine"], "Secret": ["Protected"]},
        ["Open", "Own", "Secret"],
        [empty.title],
    )
