"""What the management commands of all apps have in common."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Model

MOST_DAYS = 100_000


class CleanCommand(BaseCommand):
    """A command that answers every bad argument with a clear sentence and exit status 1.

    That is true of what argparse refuses, and of ValidationError and DoesNotExist of a service.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except SystemExit as error:
            # argparse ends with 2, after the usage and what is wrong.
            if error.code == 2:
                raise SystemExit(1) from error
            raise

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except ValidationError as error:
            raise CommandError("\n".join(sentences(error))) from error
        except ObjectDoesNotExist as error:
            raise CommandError(str(error)) from error


def days(text: str) -> int:
    """A number of days, as an argument."""
    if text.isdecimal() and len(text) <= len(str(MOST_DAYS)) and int(text) <= MOST_DAYS:
        return int(text)
    raise ArgumentTypeError(f"This is not a whole number from 0 to {MOST_DAYS}.")


def sentences(error: ValidationError) -> list[str]:
    """What is wrong, a line for each, with the name of the field where it is about one."""
    if not hasattr(error, "error_dict"):
        return error.messages
    return [
        message if name == "__all__" else f"{name}: {message}"
        for name, messages in error.message_dict.items()
        for message in messages
    ]


def amounts(counts: dict[type[Model], int]) -> str:
    """How many of each kind, for people: `2 events, 1 venue, 0 organizers`."""
    return ", ".join(
        f"{count} {model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural}"
        for model, count in counts.items()
    )
