"""Attempts to write in the admin: who makes them, whether they succeed, and what they may not change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db import connection

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user
from tests.support.records import rolled_back

SIGNED_OUT, NO_ROLE, STAFF_SUBSCRIBER = "signed out", "no role", "subscriber with access"
PERSONS = ("administrator", "editor", "author", "contributor", "subscriber", STAFF_SUBSCRIBER, NO_ROLE, SIGNED_OUT)
# Every request may write these, which are no data of the calendar.
IGNORED_APPS = ("sessions", "axes")
WRITE = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*\b(django_session|axes_))", re.I | re.S)


class Attempt(NamedTuple):
    """A forged request that would write a record."""

    # The name of its URL.
    url_name: str
    name: str
    # Sends the request for a row, and returns the response.
    send: Callable[[Any, Any], Any]
    # Whether the rules allow this user to do it to this row.
    is_allowed: Callable[[Any, Any], bool]

    def __str__(self) -> str:
        return self.name


def create_person(name: str) -> Any:
    if name == SIGNED_OUT:
        return AnonymousUser()
    if name == NO_ROLE:
        return User.objects.create(username="person", is_staff=True)
    if name == STAFF_SUBSCRIBER:
        user = create_user("person", "subscriber")
        user.is_staff = True
        user.save()
        return user
    return create_user("person", name)


def has_access(user: Any) -> bool:
    return bool(user.is_authenticated and user.is_staff)


def try_attempt(attempt: Attempt, client: Any, user: Any, row: Any) -> tuple[bool, bool]:
    """Return whether the attempt wrote something, and whether the rules allow it; allowed writes are rolled back."""
    should = has_access(user) and attempt.is_allowed(user, row)
    # A request may change the key of the session.
    cookies = deepcopy(client.cookies)
    with recorded_writes() as made:
        if should:
            with rolled_back():
                attempt.send(client, row)
        else:
            attempt.send(client, row)
    client.cookies = cookies
    return bool(made), should


def try_on_rows(attempt: Attempt, client: Any, user: Any, rows: dict[Any, Any]) -> dict[Any, tuple[bool, bool]]:
    """Return by case whether the attempt wrote the row, and whether the rules allow it.

    The attempt is sent twice: for all rows that the rules refuse, which must write nothing at all, and for all others,
    each of which must get a revision; that is rolled back.
    """
    allowed = {case: row for case, row in rows.items() if has_access(user) and attempt.is_allowed(user, row)}
    refused = {case: row for case, row in rows.items() if case not in allowed}
    cookies = deepcopy(client.cookies)
    with recorded_writes() as made:
        attempt.send(client, list(refused.values()))
    outcomes = {(attempt.name, *case): (bool(made), False) for case in refused}
    if allowed:
        with rolled_back():
            before = _revision_counts(allowed)
            attempt.send(client, list(allowed.values()))
            after = _revision_counts(allowed)
        outcomes |= {(attempt.name, *case): (after[row.pk] > before[row.pk], True) for case, row in allowed.items()}
    client.cookies = cookies
    return outcomes


def _revision_counts(rows: dict[Any, Any]) -> Counter[int]:
    model = type(next(iter(rows.values())))
    return Counter(model.history.filter(id__in=[row.pk for row in rows.values()]).values_list("id", flat=True))


@contextmanager
def recorded_writes() -> Iterator[list[str]]:
    """Collect the SQL statements inside that write something."""
    made: list[str] = []

    def note(execute, sql, params, many, context):
        if WRITE.match(sql):
            made.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield made


def all_rows() -> dict[str, list[dict[str, Any]]]:
    """Return all rows of all tables."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.app_label not in IGNORED_APPS
    }


def mismatches(responses: dict[Any, tuple[Any, Any]]) -> dict[Any, str]:
    """Return the cases in which the outcome is not the expected one."""
    return {case: f"{was}, not {should}" for case, (was, should) in responses.items() if was != should}
