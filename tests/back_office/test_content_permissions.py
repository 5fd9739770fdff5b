"""Every attempt to write events, venues and organizers in the admin: role by attempt by status.

An attempt succeeds for users who may do the same in the API. For others, nothing changes.
"""

import pytest

from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from tests.factories import UserFactory, VenueFactory
from tests.support.admin import browser_for
from tests.support.admin_attempts.attempt import (
    NO_ROLE,
    PERSONS,
    SIGNED_OUT,
    all_rows,
    create_person,
    has_access,
    mismatches,
    try_attempt,
    try_on_rows,
)
from tests.support.admin_attempts.content import DAY, KINDS, PROTECTED, content_attempts, list_attempts
from tests.support.api_client import api_client_for
from tests.support.records import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_static_files", "unrendered_pages")]

# Only what authors and contributors may write depends on the state of a record and on who wrote it. Others may write
# everything or nothing, for which three states are enough: one that everybody sees, and two in which the remaining
# attempts make sense.
FEW_STATES = (Status.PUBLISH, Status.PENDING, Status.TRASH)


def people(*of_events, also=("contributor",)):
    """The kinds with these people. What differs by the kind alone needs not everybody once more."""
    cases = [(KINDS[0], who) for who in of_events] + [(kind, who) for kind in KINDS[1:] for who in also]
    return pytest.mark.parametrize(("kind", "who"), cases, ids=str)


def states_for(kind, who):
    return [state for state in kind.states if who in ("author", "contributor") or state in FEW_STATES]


def records(kind, user, states=None):
    """A record of each state, of the user's own and of somebody else's."""
    VenueFactory(title="Hall")
    other = UserFactory()
    kind.resource.factory(title="Other", author=other)
    whose = {"own": user, "other": other} if user.is_authenticated else {"other": other}
    return {
        (name, state): kind.make(state, author) for name, author in whose.items() for state in states or kind.states
    }


def browser_of(user):
    return browser_for(user if user.is_authenticated else None)


@people(*PERSONS)
def test_attempts_succeed_where_the_rules_allow_them(kind, who):
    user = create_person(who)
    rows = records(kind, user, states_for(kind, who))
    client, before = browser_of(user), all_rows()

    outcomes = {
        (attempt.name, *case): try_attempt(attempt, client, user, row)
        for case, row in rows.items()
        for attempt in content_attempts(kind)
    }

    assert mismatches(outcomes) == {}
    assert all_rows() == before


@people(*PERSONS)
def test_list_actions_change_what_the_rules_allow(kind, who):
    user = create_person(who)
    rows = records(kind, user, states_for(kind, who))
    client, before, outcomes = browser_of(user), all_rows(), {}

    for attempt in list_attempts(kind):
        outcomes |= try_on_rows(attempt, client, user, rows)

    assert mismatches(outcomes) == {}
    assert all_rows() == before


@people("editor", "author", "contributor", "subscriber", SIGNED_OUT)
def test_rules_are_those_of_the_api(kind, who):
    user = create_person(who)
    rows = records(kind, user)
    client = api_client_for(user if user.is_authenticated else None)
    outcomes = {}

    for case, row in rows.items():
        path, model = kind.resource.item(row), type(row)
        with rolled_back():
            changed = client.patch(path, {kind.title: "Forged"})
        with rolled_back():
            client.patch(path, {"status": "publish"})
            is_public = model.objects.get(pk=row.pk).status in PUBLIC_STATUSES
        with rolled_back():
            deleted = client.delete(path)
        can_edit, is_trash = permissions.can_edit(user, row), row.status == Status.TRASH
        outcomes["change", *case] = (changed.status_code == 200, can_edit)
        if row.status not in PUBLIC_STATUSES:
            outcomes["publish", *case] = (is_public, can_edit and permissions.can_publish(user, model))
        outcomes["trash", *case] = (deleted.status_code == 200, permissions.can_delete(user, row) and not is_trash)
        if not is_trash:
            # What is behind a password is shown to API clients that may not change it by that alone.
            is_shown = permissions.can_read(user, row) and (case[1] != PROTECTED or can_edit)
            outcomes["look", *case] = (client.get(path).status_code == 200, is_shown)

    assert mismatches(outcomes) == {}


@people("author", "contributor", NO_ROLE, SIGNED_OUT)
def test_pages_are_shown_to_whom_the_rules_show_the_record(kind, who):
    user = create_person(who)
    rows = records(kind, user, states_for(kind, who))
    client, outcomes = browser_of(user), {}
    may_look, before = (
        has_access(user) and permissions.has_model_permission(user, "view", type(next(iter(rows.values())))),
        all_rows(),
    )

    for case, row in rows.items():
        oldest = type(row).history.filter(id=row.pk).earliest("history_id").history_id
        can_edit = has_access(user) and permissions.can_edit(user, row)
        pages = {
            "change": may_look and permissions.can_read(user, row),
            "history": can_edit,
            f"history/compare/?state={oldest}": can_edit,
            f"history/{oldest}": can_edit,
        }
        for page, should in pages.items():
            path = kind.url(row, page) if "?" not in page else kind.url(row, page)[:-1]
            outcomes[page, *case] = (client.get(path).status_code == 200, should)

    assert mismatches(outcomes) == {}
    assert all_rows() == before


@people("editor", "author", "contributor", NO_ROLE)
def test_lists_hold_what_the_rules_show(kind, who):
    user = create_person(who)
    rows = records(kind, user)
    client = browser_of(user)
    readable = {
        row.pk: row.status == Status.TRASH
        for row in rows.values()
        if has_access(user) and permissions.can_read(user, row)
    }

    def shown(path):
        response = client.get(path)
        return {row.pk for row in response.context["cl"].result_list} if response.status_code == 200 else set()

    def chosen(field):
        path = f"/admin/autocomplete/?app_label=events&model_name=event&field_name={field}&term="
        response = client.get(path)
        return {int(row["id"]) for row in response.json()["results"]} if response.status_code == 200 else set()

    known = {row.pk for row in rows.values()}
    may_look = has_access(user) and permissions.has_model_permission(user, "view", type(next(iter(rows.values()))))
    here = {pk for pk, is_trash in readable.items() if not is_trash and may_look}
    assert shown(f"{kind.list}?all=") & known == here
    assert shown(f"{kind.list}?status=trash") & known == {pk for pk, is_trash in readable.items() if is_trash}
    assert chosen({"event": "parent", "venue": "venues", "organizer": "organizers"}[kind.name]) & known == here
    if kind.name == "event":
        response = client.get(f"{kind.list}calendar/?view=list&day={DAY}")
        cards = [card for day in response.context["days"] for card in day.cards] if may_look else []
        assert (response.status_code == 200, {card.event.pk for card in cards}) == (may_look, here)
        lines = client.post(kind.list, {"action": "export", "_selected_action": sorted(known)})
        text = b"".join(lines.streaming_content).decode() if lines.streaming else ""
        assert {int(line.split(",")[0]) for line in text.splitlines()[1:]} == here


@people("author", "contributor", NO_ROLE, SIGNED_OUT)
@pytest.mark.parametrize("popup", ["", "?_popup=1"])
def test_records_are_added_by_whom_the_rules_let_add_them(kind, who, popup):
    user = create_person(who)
    model = kind.resource.factory._meta.get_model_class()
    browser, api = browser_of(user), api_client_for(user if user.is_authenticated else None)
    may_add, may_publish = permissions.can_create(user, model), permissions.can_publish(user, model)
    before, outcomes = all_rows(), {}

    for status in ("draft", "publish"):
        fields = {**kind.form, "title": "Forged", "status": status, "author": user.pk or ""}
        with rolled_back():
            browser.post(f"{kind.list}add/{popup}", fields)
            made = model.objects.filter(title="Forged").values_list("author", flat=True)
            should = has_access(user) and may_add and (status == "draft" or may_publish)
            outcomes["form", status] = (list(made), [user.pk] if should else [])
    with rolled_back():
        response = api.post(kind.resource.path, {kind.title: "Forged", "start_date": DAY, "end_date": DAY})
        outcomes["api"] = (response.status_code == 201, may_add)

    assert mismatches(outcomes) == {}
    assert all_rows() == before
