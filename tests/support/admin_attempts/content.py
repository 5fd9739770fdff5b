"""Attempts to write events, venues and organizers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from calendar_site.content.merge import can_merge
from calendar_site.content.services import save_content
from calendar_site.core import permissions
from calendar_site.core.choices import PUBLIC_STATUSES, Status
from events.services import save_event
from tests.factories import OPERATOR, VenueFactory
from tests.support.admin_attempts.attempt import Attempt
from tests.support.resources import EVENTS, ORGANIZERS, VENUES, Resource

AHEAD = datetime(2090, 1, 1, 12, tzinfo=UTC)
PROTECTED = "protected"
STATES = (*Status.values, PROTECTED)
DAY = "2030-05-04"
TIMES = {"start": f"{DAY}T18:00", "end": f"{DAY}T20:00"}
NO_TICKETS = {"tickets-TOTAL_FORMS": "0", "tickets-INITIAL_FORMS": "0"}


class AdminKind(NamedTuple):
    app: str
    name: str
    resource: Resource
    # How the API calls the title.
    title: str
    form: dict[str, Any]

    def __str__(self) -> str:
        return self.name

    @property
    def list(self) -> str:
        return f"/admin/{self.app}/{self.name}/"

    def url(self, row: Any, page: str) -> str:
        return f"{self.list}{row.pk}/{page}/"

    def url_name(self, page: str) -> str:
        return f"{self.app}_{self.name}_{page}"

    @property
    def states(self) -> tuple[str, ...]:
        # Passwords are for events; what venues show of each status, organizers show alike.
        return {"event": STATES, "venue": STATES[:-1], "organizer": ("draft", "publish", "trash")}[self.name]

    def make(self, state: str, author: Any) -> Any:
        """Create a record and change it once."""
        status = Status.PUBLISH if state == PROTECTED else state
        fields: dict[str, Any] = {"status": status, "author": author}
        if status == Status.FUTURE:
            fields["published_at"] = AHEAD
        if self.name == "event":
            fields |= {"start": f"{DAY} 10:00", "end": f"{DAY} 12:00", "password": "x" if state == PROTECTED else ""}
        row = self.resource.factory(title="Before", **fields)
        save = save_event if self.name == "event" else save_content
        return save(type(row).objects.get(pk=row.pk), changes={"title": "Now"}, user=OPERATOR)

    def form_data(self, row: Any, **changes: Any) -> dict[str, Any]:
        """Return the data that the form of the record would send."""
        status = Status.PUBLISH if row.status == Status.FUTURE else row.status
        return {**self.form, "title": "Forged", "status": status, "author": row.author_id, **changes}


KINDS = (
    AdminKind("events", "event", EVENTS, "title", {**TIMES, **NO_TICKETS}),
    AdminKind("venues", "venue", VENUES, "venue", {}),
    AdminKind("organizers", "organizer", ORGANIZERS, "organizer", {}),
)


def can_edit_here(user: Any, row: Any) -> bool:
    """Return whether the user may change a record that is not in the trash."""
    return permissions.can_edit(user, row) and row.status != Status.TRASH


def can_publish(user: Any, row: Any) -> bool:
    return permissions.can_edit(user, row) and permissions.can_publish(user, type(row))


def can_trash(user: Any, row: Any) -> bool:
    return permissions.can_delete(user, row) and row.status != Status.TRASH


def can_restore(user: Any, row: Any) -> bool:
    return permissions.can_edit(user, row) and row.status == Status.TRASH


def can_delete_for_good(user: Any, row: Any) -> bool:
    return permissions.can_delete(user, row) and row.status == Status.TRASH


def list_action(kind: AdminKind, action: str, trash: bool = False, **more: Any) -> Any:
    """Return a request that runs an action of the list on rows."""

    def attempt(client: Any, rows: list[Any]) -> Any:
        url = f"{kind.list}?status=trash" if trash else kind.list
        return client.post(url, {"action": action, "_selected_action": [row.pk for row in rows], **more})

    return attempt


def merge(kind: AdminKind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        other = kind.resource.factory._meta.get_model_class().objects.filter(title="Other").get()
        chosen = {"action": "merge", "_selected_action": [row.pk, other.pk], "kept": row.pk}
        return client.post(kind.list, chosen)

    return attempt


def send_restore(kind: AdminKind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        newest, oldest = (
            type(row).history.filter(id=row.pk).order_by("-history_id").values_list("history_id", flat=True)
        )
        return client.post(kind.url(row, f"history/{oldest}"), {"newest": newest})

    return attempt


def send_quick_edit(kind: AdminKind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        newest = type(row).history.filter(id=row.pk).latest("history_id").history_id
        times = {"start": f"{DAY}T10:00", "end": f"{DAY}T12:00"}
        return client.post(
            kind.url(row, "quick-edit"), {"title": "Forged", "status": "draft", "revision": newest, **times}
        )

    return attempt


def send_decision(kind: AdminKind, decision: str) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        return client.post(kind.url(row, "review"), {"decision": decision, "note": "Forged"})

    return attempt


def undo_last_change(kind: AdminKind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        request = type(row).history.filter(id=row.pk).latest("history_id").history_request_id or "0" * 32
        return client.post(f"{kind.list}undo/?request={request}")

    return attempt


def can_review(user: Any, row: Any) -> bool:
    return permissions.can_review(user, row) and row.status == Status.PENDING


def content_attempts(kind: AdminKind) -> list[Attempt]:
    """Return all that writes one record of the kind."""
    model = kind.resource.factory._meta.get_model_class()
    here = kind.url_name("changelist")

    def post(page: str, **sent: Any) -> Any:
        return lambda client, row: client.post(kind.url(row, page), sent)

    attempts = [
        Attempt(
            kind.url_name("change"),
            "change",
            lambda c, r: c.post(kind.url(r, "change"), kind.form_data(r)),
            permissions.can_edit,
        ),
        Attempt(
            kind.url_name("change"),
            "change and publish",
            lambda c, r: c.post(kind.url(r, "change"), kind.form_data(r, status="publish")),
            can_publish,
        ),
        Attempt(kind.url_name("trash"), "trash", post("trash"), can_trash),
        Attempt(kind.url_name("restore"), "restore", post("restore"), can_restore),
        Attempt(kind.url_name("delete"), "delete", post("delete", post="yes"), can_delete_for_good),
        Attempt(kind.url_name("restore_revision"), "bring back", send_restore(kind), permissions.can_edit),
        Attempt(kind.url_name("quick_edit"), "quick edit", send_quick_edit(kind), can_edit_here),
        Attempt(kind.url_name("review"), "approve", send_decision(kind, "approve"), can_review),
        Attempt(kind.url_name("review"), "send back", send_decision(kind, "send_back"), can_review),
        # The users have changed nothing themselves.
        Attempt(kind.url_name("undo"), "undo", undo_last_change(kind), never),
    ]
    if kind.name != "event":
        return [
            *attempts,
            Attempt(here, "action: merge", merge(kind), lambda u, r: can_merge(u, r) and r.status != "trash"),
        ]
    return [
        *attempts,
        Attempt("events_event_move", "move", post("move", **{"from": DAY, "to": "2030-05-05"}), can_edit_here),
        *(
            Attempt("events_event_flag", f"flag {name}", post(f"flag/{name}", value="1"), can_edit_here)
            for name in ("featured", "sticky", "hide_from_listings")
        ),
        Attempt("events_event_flag", "flag password", post("flag/password", value="1"), never),
        Attempt("events_event_cancel", "cancel", post("cancel"), can_edit_here),
        Attempt("events_event_undo_cancel", "undo_cancel", post("undo_cancel"), never),
        # The event belongs to no series: tests/events/test_series_admin.py has one that does.
        Attempt("events_event_detach", "detach", post("detach"), never),
        Attempt(
            "events_event_duplicate",
            "duplicate",
            post("duplicate"),
            lambda u, r: can_edit_here(u, r) and permissions.can_create(u, model),
        ),
        Attempt(
            here,
            "action: duplicate_repeatedly",
            lambda c, r: list_action(kind, "duplicate_repeatedly", bulk="1", copies="1", interval="7")(c, [r]),
            lambda u, r: can_edit_here(u, r) and permissions.can_create(u, model),
        ),
        Attempt(
            here,
            "action: duplicate",
            lambda c, r: list_action(kind, "duplicate")(c, [r]),
            lambda u, r: can_edit_here(u, r) and permissions.can_create(u, model),
        ),
    ]


def list_attempts(kind: AdminKind) -> list[Attempt]:
    """Return the actions of the list that change the selected records; they are sent for several rows at once."""
    here = kind.url_name("changelist")

    def on_list(action: str, is_allowed: Any, **more: Any) -> Attempt:
        return Attempt(here, f"action: {action}", list_action(kind, action, **more), is_allowed)

    attempts = [
        on_list("publish", lambda u, r: can_publish(u, r) and r.status not in (*PUBLIC_STATUSES, Status.TRASH)),
        on_list("submit", lambda u, r: can_edit_here(u, r) and r.status != "pending"),
        on_list("back_to_draft", lambda u, r: can_edit_here(u, r) and r.status != "draft"),
        on_list("move_to_trash", can_trash),
        on_list("restore", can_restore, trash=True),
        on_list("delete_selected", can_delete_for_good, trash=True, post="yes"),
        on_list("delete_selected", never, post="yes")._replace(name="action: delete_selected elsewhere"),
        on_list("publish", never, trash=True)._replace(name="action: publish from the trash"),
    ]
    if kind.name != "event":
        return attempts

    def to_venue(client: Any, rows: list[Any]) -> Any:
        venue = VenueFactory._meta.get_model_class().objects.get(title="Hall")
        return list_action(kind, "move_to_venue", venue=venue.pk)(client, rows)

    return [
        *attempts,
        on_list("change_selected", can_edit_here, bulk="1", featured="yes"),
        on_list("feature", can_edit_here),
        on_list("feature_no_longer", never),
        on_list("hide", can_edit_here),
        on_list("show", never),
        on_list("revoke_previews", can_edit_here),
        on_list("cancel", can_edit_here),
        on_list("undo_cancel", never),
        Attempt(here, "action: move_to_venue", to_venue, can_edit_here),
        on_list("export", never),
    ]


def never(user: Any, row: Any) -> bool:
    return False
