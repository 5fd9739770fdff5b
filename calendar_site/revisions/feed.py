"""The latest changes of records of all kinds, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from django.db.models import Q, QuerySet

from calendar_site.audit.models import Revision, TrackedModel
from calendar_site.revisions.titles import title_columns

# The columns that lists show beside the title.
SHOWN_COLUMNS = (
    "id",
    "history_id",
    "history_date",
    "history_kind",
    "history_channel",
    "history_username",
    "history_changed",
    "history_change_reason",
    "history_request_id",
)
# The maximum number of ids in a query.
MAX_IDS = 1000


class ChangeSource(NamedTuple):
    """A model, and the rows whose changes are listed; None for all rows, including deleted ones."""

    model: type[TrackedModel]
    rows: QuerySet[Any] | None = None

    @property
    def label(self) -> str:
        return str(self.model._meta.label_lower)


class Cursor(NamedTuple):
    """The position of a revision in the feed: its date, the label of its model, its number."""

    date: datetime
    label: str
    history_id: int

    def __str__(self) -> str:
        return f"{self.date.isoformat()} {self.label} {self.history_id}"

    @classmethod
    def of(cls, revision: Revision) -> Self:
        return cls(revision.history_date, str(revision.instance_type._meta.label_lower), revision.history_id)

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Parse the `str()` of a cursor; None for any other text."""
        try:
            date, label, number = text.split(" ")
            moment = datetime.fromisoformat(date)
            cursor = cls(moment.astimezone(UTC), label, int(number))
        except (ValueError, OverflowError):
            return None
        # Databases accept neither naive datetimes nor larger numbers.
        return cursor if moment.tzinfo is not None and 0 <= cursor.history_id < 2**63 else None


def latest_changes(
    sources: Iterable[ChangeSource], count: int, *, after: Cursor | None = None, **filters: Any
) -> list[Revision]:
    """Return the newest `count` revisions after a cursor. `filters` are columns of revisions and their values.

    One query for each source, and one more for a source with `rows`.
    """
    revisions = [revision for source in sources for revision in _newest_revisions(source, after, filters)[:count]]
    return sorted(revisions, key=_sort_key)[:count]


def _sort_key(revision: Revision) -> tuple[float, str, int]:
    cursor = Cursor.of(revision)
    return -cursor.date.timestamp(), cursor.label, -cursor.history_id


def _newest_revisions(source: ChangeSource, after: Cursor | None, filters: dict[str, Any]) -> Any:
    revisions = source.model.history.filter(**filters).order_by("-history_date", "-history_id")
    if source.rows is not None:
        # Fetched first, unless there are many: query planners cannot know how few of all changes match a subquery.
        ids = source.rows.order_by().values_list("pk", flat=True)
        first_ids = list(ids[: MAX_IDS + 1])
        revisions = revisions.filter(id__in=first_ids if len(first_ids) <= MAX_IDS else ids)
    for condition in _conditions_after(source, after):
        revisions = revisions.filter(condition)
    return revisions.only(*SHOWN_COLUMNS, *title_columns(source.model.history.model))


def _conditions_after(source: ChangeSource, after: Cursor | None) -> Iterator[Q]:
    if after is None:
        return
    if source.label < after.label:
        yield Q(history_date__lt=after.date)
        return
    yield Q(history_date__lte=after.date)
    if source.label == after.label:
        yield Q(history_date__lt=after.date) | Q(history_id__lt=after.history_id)
