"""The base class of management commands, and helpers for their arguments and output."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Model

from calendar_site.core.text.plain_text import join_label

MAX_DAYS = 100_000


class ServiceCommand(BaseCommand):
    """A command that reports every invalid argument in one sentence and with exit status 1.

    Covers arguments that argparse rejects, and ValidationError and DoesNotExist raised by a service.
    """

    def run_from_argv(self, argv: list[str]) -> None:
        try:
            super().run_from_argv(argv)
        except SystemExit as error:
            # argparse prints the usage and the error, and exits with 2.
            if error.code == 2:
                raise SystemExit(1) from error
            raise

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except ValidationError as error:
            raise CommandError("\n".join(error_messages(error))) from error
        except ObjectDoesNotExist as error:
            raise CommandError(str(error)) from error


def parse_days(text: str) -> int:
    """Parse a number of days, as the `type` of an argument. Raises ArgumentTypeError."""
    if text.isdecimal() and len(text) <= len(str(MAX_DAYS)) and int(text) <= MAX_DAYS:
        return int(text)
    raise ArgumentTypeError(f"Must be a whole number from 0 to {MAX_DAYS}.")


def error_messages(error: ValidationError) -> list[str]:
    """Return one line per error, prefixed with the name of the field if it has one."""
    if not hasattr(error, "error_dict"):
        return error.messages
    return [
        message if name == "__all__" else join_label(name, message)
        for name, messages in error.message_dict.items()
        for message in messages
    ]


def format_counts(counts: dict[type[Model], int]) -> str:
    """Format the number of records of each model: `2 events, 1 venue, 0 organizers`."""
    return ", ".join(
        f"{count} {model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural}"
        for model, count in counts.items()
    )
