"""Who tries doors of the admin, what tells whether one has opened, and what nothing may have changed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_user

SIGNED_OUT, NO_ROLE, LET_IN = "signed out", "no role", "subscriber who is let in"
PEOPLE = ("administrator", "editor", "author", "contributor", "subscriber", LET_IN, NO_ROLE, SIGNED_OUT)
# What every request may write, and what is no data of the calendar.
BESIDES = ("sessions", "axes")
WRITE = re.compile(r"\s*(INSERT|UPDATE|DELETE)\b(?!.*\b(django_session|axes_))", re.I | re.S)


class Door(NamedTuple):
    """A way to write in the admin, or to read."""

    # Of the address, as `reverse` knows it.
    route: str
    name: str
    # Tries it on a row, with all that would be needed, and answers the response.
    attempt: Callable[[Any, Any], Any]
    # Whether the rules let this person do it to this row.
    may: Callable[[Any, Any], bool]

    def __str__(self) -> str:
        return self.name


def person(name: str) -> Any:
    if name == SIGNED_OUT:
        return AnonymousUser()
    if name == NO_ROLE:
        return User.objects.create(username="person", is_staff=True)
    if name == LET_IN:
        user = create_user("person", "subscriber")
        user.is_staff = True
        user.save()
        return user
    return create_user("person", name)


def is_inside(user: Any) -> bool:
    return bool(user.is_authenticated and user.is_staff)


def opened(door: Door, client: Any, user: Any, row: Any) -> tuple[bool, bool]:
    """Whether the door let the user write, and whether the rules do; what was rightly written is undone."""
    should = is_inside(user) and door.may(user, row)
    # A session that got another key has its old one again.
    cookies = deepcopy(client.cookies)
    with writes() as made:
        if should:
            with undone():
                door.attempt(client, row)
        else:
            door.attempt(client, row)
    client.cookies = cookies
    return bool(made), should


@contextmanager
def writes() -> Iterator[list[str]]:
    """The statements that write something, of what is done inside."""
    made: list[str] = []

    def note(execute, sql, params, many, context):
        if WRITE.match(sql):
            made.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield made


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def everything() -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models()
        if model._meta.app_label not in BESIDES
    }


def wrong(answers: dict[Any, tuple[Any, Any]]) -> dict[Any, str]:
    """Where what happened is not what should."""
    return {case: f"{was}, not {should}" for case, (was, should) in answers.items() if was != should}
