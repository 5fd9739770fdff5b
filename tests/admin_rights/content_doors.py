"""The doors to events, venues and organizers."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

from calendar_site.content import rules
from calendar_site.content.choices import PUBLIC_STATUSES, Status
from calendar_site.content.merging import may_merge
from calendar_site.content.saving import save_content
from events.services import save_event
from tests.admin_rights.matrix import Door
from tests.api_tests.resources import EVENTS, ORGANIZERS, VENUES, Resource
from tests.factories import OPERATOR, VenueFactory

AHEAD = datetime(2090, 1, 1, 12, tzinfo=UTC)
PROTECTED = "protected"
STATES = (*Status.values, PROTECTED)
DAY = "2030-05-04"
TIMES = {"start": f"{DAY}T18:00", "end": f"{DAY}T20:00"}
NO_TICKETS = {"tickets-TOTAL_FORMS": "0", "tickets-INITIAL_FORMS": "0"}


class Kind(NamedTuple):
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

    def address(self, row: Any, page: str) -> str:
        return f"{self.list}{row.pk}/{page}/"

    def route(self, page: str) -> str:
        return f"{self.app}_{self.name}_{page}"

    @property
    def states(self) -> tuple[str, ...]:
        # Passwords are for events; what venues show of each status, organizers show alike.
        return {"event": STATES, "venue": STATES[:-1], "organizer": ("draft", "publish", "trash")}[self.name]

    def make(self, state: str, author: Any) -> Any:
        """A record that was changed once."""
        status = Status.PUBLISH if state == PROTECTED else state
        fields: dict[str, Any] = {"status": status, "author": author}
        if status == Status.FUTURE:
            fields["published_at"] = AHEAD
        if self.name == "event":
            fields |= {"start": f"{DAY} 10:00", "end": f"{DAY} 12:00", "password": "x" if state == PROTECTED else ""}
        row = self.resource.factory(title="Before", **fields)
        save = save_event if self.name == "event" else save_content
        return save(type(row).objects.get(pk=row.pk), {"title": "Now"}, OPERATOR)

    def filled_in(self, row: Any, **changes: Any) -> dict[str, Any]:
        """What the form of the record would send."""
        status = Status.PUBLISH if row.status == Status.FUTURE else row.status
        return {**self.form, "title": "Forged", "status": status, "author": row.author_id, **changes}


KINDS = (
    Kind("events", "event", EVENTS, "title", {**TIMES, **NO_TICKETS}),
    Kind("venues", "venue", VENUES, "venue", {}),
    Kind("organizers", "organizer", ORGANIZERS, "organizer", {}),
)


def can_edit(user: Any, row: Any) -> bool:
    return rules.can_edit(user, row)


def can_edit_here(user: Any, row: Any) -> bool:
    """Of what is not in the trash."""
    return rules.can_edit(user, row) and row.status != Status.TRASH


def can_publish(user: Any, row: Any) -> bool:
    return rules.can_edit(user, row) and rules.can_publish(user, type(row))


def can_trash(user: Any, row: Any) -> bool:
    return rules.can_delete(user, row) and row.status != Status.TRASH


def can_restore(user: Any, row: Any) -> bool:
    return rules.can_edit(user, row) and row.status == Status.TRASH


def can_delete_for_good(user: Any, row: Any) -> bool:
    return rules.can_delete(user, row) and row.status == Status.TRASH


def acting(kind: Kind, action: str, trash: bool = False, **more: Any) -> Any:
    """Tries an action of the list on a row."""

    def attempt(client: Any, row: Any) -> Any:
        address = f"{kind.list}?status=trash" if trash else kind.list
        return client.post(address, {"action": action, "_selected_action": [row.pk], **more})

    return attempt


def merging(kind: Kind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        other = kind.resource.factory._meta.get_model_class().objects.filter(title="Other").get()
        chosen = {"action": "merge", "_selected_action": [row.pk, other.pk], "kept": row.pk}
        return client.post(kind.list, chosen)

    return attempt


def bringing_back(kind: Kind) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        newest, oldest = (
            type(row).history.filter(id=row.pk).order_by("-history_id").values_list("history_id", flat=True)
        )
        return client.post(kind.address(row, f"history/{oldest}"), {"newest": newest})

    return attempt


def reviewing(kind: Kind, decision: str) -> Any:
    def attempt(client: Any, row: Any) -> Any:
        return client.post(kind.address(row, "review"), {"decision": decision, "note": "Forged"})

    return attempt


def can_review(user: Any, row: Any) -> bool:
    return rules.can_review(user, row) and row.status == Status.PENDING


def writing_doors(kind: Kind) -> list[Door]:
    """All that writes a record of the kind."""
    model = kind.resource.factory._meta.get_model_class()
    here = kind.route("changelist")

    def post(page: str, **sent: Any) -> Any:
        return lambda client, row: client.post(kind.address(row, page), sent)

    doors = [
        Door(
            kind.route("change"), "change", lambda c, r: c.post(kind.address(r, "change"), kind.filled_in(r)), can_edit
        ),
        Door(
            kind.route("change"),
            "change and publish",
            lambda c, r: c.post(kind.address(r, "change"), kind.filled_in(r, status="publish")),
            can_publish,
        ),
        Door(kind.route("trash"), "trash", post("trash"), can_trash),
        Door(kind.route("restore"), "restore", post("restore"), can_restore),
        Door(kind.route("delete"), "delete", post("delete", post="yes"), can_delete_for_good),
        Door(kind.route("bring_back"), "bring back", bringing_back(kind), can_edit),
        Door(kind.route("review"), "approve", reviewing(kind, "approve"), can_review),
        Door(kind.route("review"), "send back", reviewing(kind, "send_back"), can_review),
        Door(
            here,
            "action: publish",
            acting(kind, "publish"),
            lambda u, r: can_publish(u, r) and r.status not in (*PUBLIC_STATUSES, Status.TRASH),
        ),
        Door(
            here, "action: submit", acting(kind, "submit"), lambda u, r: can_edit_here(u, r) and r.status != "pending"
        ),
        Door(
            here,
            "action: back_to_draft",
            acting(kind, "back_to_draft"),
            lambda u, r: can_edit_here(u, r) and r.status != "draft",
        ),
        Door(here, "action: move_to_trash", acting(kind, "move_to_trash"), can_trash),
        Door(here, "action: restore", acting(kind, "restore", trash=True), can_restore),
        Door(
            here,
            "action: delete_selected",
            acting(kind, "delete_selected", trash=True, post="yes"),
            can_delete_for_good,
        ),
        Door(here, "action: delete_selected elsewhere", acting(kind, "delete_selected", post="yes"), never),
        Door(here, "action: publish from the trash", acting(kind, "publish", trash=True), never),
    ]
    if kind.name != "event":
        return [
            *doors,
            Door(here, "action: merge", merging(kind), lambda u, r: may_merge(u, r) and r.status != "trash"),
        ]
    return [*doors, *_of_events(kind, here, model)]


def never(user: Any, row: Any) -> bool:
    return False


def _of_events(kind: Kind, here: str, model: Any) -> list[Door]:
    def moving(client: Any, row: Any) -> Any:
        return client.post(here_of(row, "move"), {"from": DAY, "to": "2030-05-05"})

    def here_of(row: Any, page: str) -> str:
        return kind.address(row, page)

    def to_venue(client: Any, row: Any) -> Any:
        venue = VenueFactory._meta.get_model_class().objects.get(title="Hall")
        return acting(kind, "move_to_venue", venue=venue.pk)(client, row)

    def flag(name: str) -> Any:
        return lambda client, row: client.post(here_of(row, f"flag/{name}"), {"value": "1"})

    return [
        Door("events_event_move", "move", moving, can_edit_here),
        *(
            Door("events_event_flag", f"flag {name}", flag(name), can_edit_here)
            for name in ("featured", "sticky", "hide_from_listings")
        ),
        Door("events_event_flag", "flag password", flag("password"), never),
        Door(here, "action: feature", acting(kind, "feature"), can_edit_here),
        Door(here, "action: feature_no_longer", acting(kind, "feature_no_longer"), never),
        Door(here, "action: hide", acting(kind, "hide"), can_edit_here),
        Door(here, "action: show", acting(kind, "show"), never),
        Door(here, "action: move_to_venue", to_venue, can_edit_here),
        Door(
            here,
            "action: duplicate",
            acting(kind, "duplicate"),
            lambda u, r: can_edit_here(u, r) and rules.can_create(u, model),
        ),
        Door(here, "action: export", acting(kind, "export"), never),
    ]
