"""Revisions as rows of lists in the admin."""

from __future__ import annotations

from typing import NamedTuple

from calendar_site.audit.models import ChangeKind, Channel, Revision
from calendar_site.core.dates.formatting import format_in_site_time
from calendar_site.revisions.diff import changed_field_labels


class HistoryRow(NamedTuple):
    """A revision in a list: action, date, user, channel, changed fields and note."""

    revision: Revision
    kind: str
    time: str
    user: str
    channel: str
    fields: list[str]
    note: str
    request_id: str
    # Only if `describe_entry` was asked for it.
    address: str = ""


def describe_entry(revision: Revision, *, with_address: bool = False) -> HistoryRow:
    """Return the revision as a row; `with_address` for administrators, who may see where a change came from."""
    return HistoryRow(
        revision=revision,
        kind=str(dict(ChangeKind.choices).get(revision.history_kind, revision.history_kind)),
        time=format_in_site_time(revision.history_date),
        user=revision.history_username,
        channel=str(dict(Channel.choices).get(revision.history_channel, revision.history_channel)),
        fields=changed_field_labels(revision),
        note=revision.history_change_reason,
        request_id=revision.history_request_id,
        address=(revision.history_address or "") if with_address else "",
    )
