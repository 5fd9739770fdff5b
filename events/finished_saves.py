"""The common end of every save of events: renderings, withdrawals, revisions and the event counts of terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from calendar_site.audit.recorder import SAVE, Action, RecordedWrite
from calendar_site.content.services import record_content_revisions
from calendar_site.core.types import AnyUser
from events.counts import TermCounts, add_to_term_counts, counts_of, is_counted, sum_counts
from events.derived.renderings import save_renderings
from events.models import Event
from events.relations import EventRelations
from events.withdrawals import record_withdrawals


class SavedEvent(NamedTuple):
    """An event whose columns and relations have been saved, with its relations before and after that."""

    event: Event
    before: EventRelations
    relations: EventRelations
    action: Action = SAVE


def finish_saves(saved: Sequence[SavedEvent], counts: TermCounts, *, user: AnyUser | None) -> None:
    """Render the events, record what calendars lose, record the revisions, and update the counts of terms.

    `counts` is what other events add in this write, minus what these events counted before. Must run inside
    `write_lock()`, after the last change of a column.
    """
    events = [each.event for each in saved]
    save_renderings([event.pk for event in events], {each.event.pk: each.relations for each in saved})
    record_withdrawals(events, {each.event.pk: each.before for each in saved})
    for action, some in groupby(saved, lambda each: each.action):
        writes = [RecordedWrite(each.event, each.relations, each.before) for each in some]
        record_content_revisions(writes, user, action=action)
    for each in saved:
        counts = sum_counts(counts, counts_of(each.relations, is_counted=is_counted(each.event)))
    # Last, because other writes wait for the rows of these terms.
    add_to_term_counts(counts)
