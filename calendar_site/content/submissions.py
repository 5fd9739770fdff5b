"""What waits for review: since when, by whom, and what has changed since it was last decided on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.apps import apps
from django.db.models import CharField, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from calendar_site.content import rules
from calendar_site.content.changes import Difference, differences_of
from calendar_site.content.choices import PUBLISHED_STATUSES, Status
from calendar_site.content.days import in_site_time
from calendar_site.content.history import Kind
from calendar_site.content.models import Content
from calendar_site.content.querysets import editable_q
from calendar_site.content.recording import Besides, as_it_is

# What a review is about is not news to it; and of a new record these say nothing of it.
NO_NEWS = ("status",)
NO_FACTS = ("status", "author")

# What was decided: approved or sent back, or published without being asked.
DECIDED = Q(history_kind__in=(Kind.APPROVED, Kind.SENT_BACK)) | Q(status__in=PUBLISHED_STATUSES)
# What ends that a draft is one that was sent back, and that it is one.
TURNS = Q(history_kind=Kind.SENT_BACK) | Q(status__in=(Status.PENDING, *PUBLISHED_STATUSES))

# So many notes are told of a record.
MOST_NOTES = 10


class Waiting(NamedTuple):
    """A record in the queue."""

    kind: str
    pk: int
    title: str
    since: datetime
    who: str

    @property
    def model(self) -> Any:
        return apps.get_model(self.kind)


class Decided(NamedTuple):
    """A record that was sent back or approved, and what was said to it."""

    kind: str
    pk: int
    title: str
    when: datetime
    who: str
    note: str

    @property
    def model(self) -> Any:
        return apps.get_model(self.kind)


class Note(NamedTuple):
    """What was said of a record when it was decided on."""

    kind: str
    when: datetime
    who: str
    note: str

    @property
    def is_sent_back(self) -> bool:
        return self.kind == Kind.SENT_BACK

    @property
    def when_in_words(self) -> str:
        return in_site_time(self.when)


class Submission(NamedTuple):
    """A record that waits, with all that a reviewer asks."""

    row: Any
    since: datetime
    who: str
    # What it is compared with: how it was last decided on. None for what is new.
    decided: Note | None
    differences: list[Difference]

    @property
    def since_in_words(self) -> str:
        return in_site_time(self.since)


@lru_cache
def reviewed_models() -> list[Any]:
    """The kinds of records that are reviewed."""
    return [model for model in apps.get_models() if issubclass(model, Content)]


def may_see_queue(user: Any) -> bool:
    """Whether anything may ever wait for the user, or of the user's."""
    return any(rules.may(user, "change", model) for model in reviewed_models())


def queue(user: Any) -> QuerySet:
    """What waits, of those records that the user may change, the oldest submission first, as values of `Waiting`."""
    first, *others = [_waiting(model, user) for model in reviewed_models()]
    return first.union(*others, all=True).order_by("since", "kind", "pk")


def returned(user: Any) -> QuerySet:
    """The user's drafts that were sent back and not submitted again, the last first, as values of `Decided`."""
    first, *others = [_returned(model, user) for model in reviewed_models()]
    return first.union(*others, all=True).order_by("-when", "kind", "row")


def submissions(rows: Iterable[Any], user: Any, besides_of: Callable[[list[Any]], dict[int, Besides]]) -> list:
    """What there is to say of these records of one kind that wait.

    Costs the same for any number of them: two queries, those of `besides_of` and those of `differences_of`.
    """
    rows = list(rows)
    if not rows:
        return []
    model = type(rows[0])
    found = _with_states(model.objects.filter(pk__in=[row.pk for row in rows])).values_list(
        "pk", "submitted", "decided"
    )
    states = {pk: (submitted, decided) for pk, submitted, decided in found}
    known = model.history.in_bulk({key for keys in states.values() for key in keys if key}, field_name="history_id")
    besides = besides_of(rows)
    keys = [states.get(row.pk, (None, None)) for row in rows]
    submitted, decided = ([known.get(pair[place]) for pair in keys] for place in (0, 1))
    now = [as_it_is(row, besides.get(row.pk)) for row in rows]
    told = differences_of(zip(decided, now, strict=True), user)
    return [
        _submission(row, first, last, differences)
        for row, first, last, differences in zip(rows, submitted, decided, told, strict=True)
    ]


def facts_of(row: Content, user: Any, besides: Besides | None) -> list[Difference]:
    """All that the record says, in words, as far as the user may know."""
    told = differences_of([(None, as_it_is(row, besides))], user)[0]
    return [fact for fact in told if fact.name not in NO_FACTS]


def notes_of(row: Content) -> list[Note]:
    """What was said of the record so far, the last first and no more than `MOST_NOTES`."""
    states = type(row).history.filter(id=row.pk, history_kind__in=(Kind.APPROVED, Kind.SENT_BACK))
    states = states.exclude(history_change_reason="").order_by("-history_id")
    return [_note(state) for state in states.only(*_NOTED)[:MOST_NOTES]]


def telling_states(model: Any, ids: Iterable[int]) -> set[int]:
    """The states that say what a review tells of these records: it tells the same where others are gone."""
    if model not in reviewed_models():
        return set()
    rows = _with_states(model._default_manager.filter(pk__in=ids)).annotate(turn=_last_turn(model)).order_by()
    return {key for keys in rows.values_list("submitted", "decided", "turn") for key in keys if key}


def note_on_draft(row: Content) -> Note | None:
    """Why the draft was sent back; None where it was not, or was submitted again."""
    if row.status != Status.DRAFT:
        return None
    turn = type(row).history.filter(TURNS, id=row.pk).order_by("-history_id").only(*_NOTED).first()
    return _note(turn) if turn is not None and turn.history_kind == Kind.SENT_BACK else None


_NOTED = ("history_kind", "history_date", "history_who", "history_change_reason")


def _note(state: Any) -> Note:
    return Note(state.history_kind, state.history_date, state.history_who, state.history_change_reason)


def _submission(row: Any, submitted: Any, decided: Any, differences: list[Difference]) -> Submission:
    left_out = NO_NEWS if decided else NO_FACTS
    return Submission(
        row,
        submitted.history_date if submitted else row.modified_at,
        (submitted.history_who if submitted else "") or str(row.author),
        _note(decided) if decided else None,
        [difference for difference in differences if difference.name not in left_out],
    )


def _waiting(model: Any, user: Any) -> QuerySet:
    rows = _with_states(model.objects.waiting().filter(editable_q(user, model))).order_by()
    state = model.history.model.objects.filter(history_id=OuterRef("submitted"))
    # Who submits by a command has no name.
    named = state.exclude(history_who="")
    rows = rows.annotate(
        kind=Value(model._meta.label_lower, CharField()),
        since=Coalesce(Subquery(state.values("history_date")[:1]), F("modified_at")),
        who=Coalesce(Subquery(named.values("history_who")[:1]), F("author__username")),
    )
    return rows.values_list("kind", "pk", "title", "since", "who")


def _returned(model: Any, user: Any) -> QuerySet:
    """From what was sent back on, which has an index and is little: of drafts somebody may have many."""
    states = model.history.model.objects
    later = states.filter(TURNS, id=OuterRef("id"), history_id__gt=OuterRef("history_id"))
    rows = model.objects.filter(
        editable_q(user, model), pk=OuterRef("id"), status=Status.DRAFT, author=user.pk
    ).order_by()
    found = states.filter(Exists(rows), ~Exists(later), history_kind=Kind.SENT_BACK).order_by()
    told = found.annotate(
        kind=Value(model._meta.label_lower, CharField()),
        row=F("id"),
        now_called=Subquery(rows.values("title")[:1]),
        when=F("history_date"),
        who=F("history_who"),
        note=F("history_change_reason"),
    )
    return told.values_list("kind", "row", "now_called", "when", "who", "note")


def _last_turn(model: Any) -> Subquery:
    return Subquery(_states(model).filter(TURNS).values("history_id")[:1])


def _with_states(rows: Any) -> Any:
    """With `submitted`, the state that came into the queue, and `decided`, the last one before that was out of it."""
    model = rows.model
    before = _states(model, "id").exclude(status=Status.PENDING).values("history_id")[:1]
    submitted = model.history.model.objects.filter(
        id=OuterRef("pk"), status=Status.PENDING, history_id__gt=Coalesce(Subquery(before), 0)
    )
    return rows.annotate(
        submitted=Subquery(submitted.order_by("history_id").values("history_id")[:1]),
        decided=Subquery(_states(model).filter(DECIDED).values("history_id")[:1]),
    )


def _states(model: type[Model], key: str = "pk") -> QuerySet:
    """The states of the record outside, the newest first."""
    states: Any = model.history.model.objects  # type: ignore[attr-defined]
    return states.filter(id=OuterRef(key)).order_by("-history_id")
