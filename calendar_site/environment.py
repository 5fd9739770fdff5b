"""Typed readers of the process environment: every setting of this service is read here.

A value that cannot be used stops the start with a sentence that names the setting. Each read is
remembered in `READ`, so that a test can hold the settings against the page that documents them.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import environ
from django.core.exceptions import ImproperlyConfigured

_env = environ.Env()


class Setting(NamedTuple):
    """One setting as it was asked for: its name, type in words, and default."""

    name: str
    type: str
    default: Any


READ: dict[str, Setting] = {}

DATABASE_ENGINES = {"django.db.backends.sqlite3", "django.db.backends.postgresql"}
TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off"}


def _read(
    name: str,
    kind: str,
    default: Any,
    convert: Callable[[str], Any],
    *,
    convert_default: bool = False,
    is_secret: bool = False,
) -> Any:
    READ[name] = Setting(name, kind, default)
    # As it stands: django-environ's own readers take a value that begins with `$` for another variable's name.
    raw = os.environ.get(name, "").strip()
    if not raw:
        return convert(default) if convert_default else default
    try:
        return convert(raw)
    except (ValueError, TypeError, KeyError, ImproperlyConfigured) as error:
        # An address of a server may hold a password, and this sentence goes into a log.
        given = "" if is_secret else f", not {raw!r}"
        raise ImproperlyConfigured(f"The setting {name} must be {kind}{given}. {error}".strip()) from error


def text(name: str, default: str = "", kind: str = "a text") -> str:
    return _read(name, kind, default, str)


def boolean(name: str, default: bool) -> bool:
    def convert(raw: str) -> bool:
        if raw.lower() not in TRUE | FALSE:
            raise ValueError
        return raw.lower() in TRUE

    return _read(name, "true or false", default, convert)


def integer(name: str, default: int, minimum: int = 0, maximum: int | None = None) -> int:
    def convert(raw: str) -> int:
        # `int` alone would take blanks, underscores and the digits of every script.
        if not re.fullmatch(r"[0-9]{1,18}", raw):
            raise ValueError
        number = int(raw)
        if number < minimum or (maximum is not None and number > maximum):
            raise ValueError
        return number

    limits = f"{minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    return _read(name, f"a whole number, {limits}", default, convert)


def texts(name: str, default: list[str] | None = None) -> list[str]:
    def convert(raw: str) -> list[str]:
        return [part.strip() for part in raw.split(",") if part.strip()]

    return _read(name, "a comma list of texts", default or [], convert)


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    def convert(raw: str) -> str:
        if raw not in allowed:
            raise ValueError
        return raw

    return _read(name, "one of " + ", ".join(allowed), default, convert)


def choices(name: str, allowed: tuple[str, ...]) -> list[str]:
    """Any of the allowed texts; none is the default."""

    def convert(raw: str) -> list[str]:
        chosen = [part.strip() for part in raw.split(",") if part.strip()]
        if not set(chosen) <= set(allowed):
            raise ValueError
        return chosen

    return _read(name, "a comma list of " + ", ".join(allowed), [], convert)


def checked(name: str, kind: str, default: str, check: Callable[[str], Any]) -> str:
    """A text that `check` accepts; what `check` answers is the value."""
    return _read(name, kind, default, check)


def rate(name: str, default: str) -> str:
    """A number of requests in a period, as Django REST framework writes it: `100/min`."""

    def convert(raw: str) -> str:
        if not re.fullmatch(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)", raw):
            raise ValueError
        return raw

    return _read(name, "a rate such as 100/min", default, convert)


def database(name: str, default: str) -> dict[str, Any]:
    """Django's configuration of the database that a URL names."""

    def convert(raw: str) -> dict[str, Any]:
        with warnings.catch_warnings():
            # It warns of what is refused here.
            warnings.simplefilter("ignore")
            config = _env.db_url_config(raw)
        if config.get("ENGINE") not in DATABASE_ENGINES:
            raise ValueError("It begins with sqlite:// or postgres://.")
        return config

    return _read(name, "the URL of a database", default, convert, convert_default=True, is_secret=True)


def cache(name: str, default: str) -> dict[str, Any]:
    """Django's configuration of the cache that a URL names."""
    return _read(name, "the URL of a cache", default, _env.cache_url_config, convert_default=True, is_secret=True)


def secret(name: str, usual_file: Path | None = None) -> str:
    """The content of the file that `name`_FILE names, or the text of `name`, or the content of the usual file."""
    given = text(name)
    usual = str(usual_file or "")
    path = text(f"{name}_FILE", usual, kind="a file")
    if path == usual and (given or not Path(path).is_file()):
        return given
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The setting {name}_FILE names a file that cannot be read. {error}") from error
