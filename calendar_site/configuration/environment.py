"""Typed readers of environment variables: every setting of this service is read by one of these functions.

An empty variable counts as missing. An invalid value raises ImproperlyConfigured with a message that names the
setting, so that the service does not start. `READ_SETTINGS` lists the settings that were read: a test compares it with
docs/settings.md.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, urlsplit

import environ  # type: ignore[import-untyped]
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

_env = environ.Env()


class Setting(NamedTuple):
    """A setting that was read: its name, a description of its type, and its default."""

    name: str
    type: str
    default: Any


READ_SETTINGS: dict[str, Setting] = {}

DATABASE_ENGINES = {"django.db.backends.sqlite3", "django.db.backends.postgresql"}
TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"0", "false", "no", "off"}


def _read_variable(name: str, kind: str, default: object) -> str:
    """Return the text of the variable, "" if it is missing, and remember that the setting was read."""
    READ_SETTINGS[name] = Setting(name, kind, default)
    # Do not use django-environ's own readers: they take a value that begins with `$` as the name of another variable.
    return os.environ.get(name, "").strip()


def _convert(name: str, kind: str, text: str, convert: Callable[[str], T], *, is_secret: bool = False) -> T:
    """Return the converted text. `kind` completes the sentence "The setting NAME must be ..."."""
    try:
        return convert(text)
    except (ValueError, TypeError, KeyError, ImproperlyConfigured) as error:
        # The message is logged, so it must not contain a secret.
        value = "" if is_secret else f", not {text!r}"
        raise ImproperlyConfigured(f"The setting {name} must be {kind}{value}. {error}".strip()) from error


def _read_setting(name: str, kind: str, default: T, convert: Callable[[str], T]) -> T:
    """Return the converted variable, or the default. `convert` raises an error for an invalid value."""
    text = _read_variable(name, kind, default)
    return _convert(name, kind, text, convert) if text else default


def _read_url(name: str, kind: str, default: str, convert: Callable[[str], dict[str, Any]]) -> dict[str, Any]:
    """Return the converted URL of a server, which may contain a password. The default is a URL, too."""
    return _convert(name, kind, _read_variable(name, kind, default) or default, convert, is_secret=True)


def read_text(name: str, default: str = "", kind: str = "text") -> str:
    """Return any text, without surrounding whitespace."""
    return _read_setting(name, kind, default, str)


def set_variables(*names: str) -> frozenset[str]:
    """Return those of the variables that are set."""
    return frozenset(name for name in names if os.environ.get(name, "").strip())


def read_boolean(name: str, default: bool) -> bool:
    """Return True for `true`, `1`, `yes` and `on`, False for their opposites."""

    def convert(raw: str) -> bool:
        if raw.lower() not in TRUE_WORDS | FALSE_WORDS:
            raise ValueError
        return raw.lower() in TRUE_WORDS

    return _read_setting(name, "true or false", default, convert)


def read_integer(name: str, default: int, minimum: int = 0, maximum: int | None = None) -> int:
    """Return a whole number within the limits."""

    def convert(raw: str) -> int:
        # `int` alone accepts spaces, underscores and the digits of every script.
        if not re.fullmatch(r"[0-9]{1,18}", raw):
            raise ValueError
        number = int(raw)
        if number < minimum or (maximum is not None and number > maximum):
            raise ValueError
        return number

    limits = f"{minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
    return _read_setting(name, f"a whole number, {limits}", default, convert)


def read_list(
    name: str,
    default: list[str] | None = None,
    kind: str = "a comma-separated list",
    validate: Callable[[str], str] = str,
) -> list[str]:
    """Return the results of `validate` for the non-empty parts of a comma-separated text."""

    def convert(raw: str) -> list[str]:
        return [validate(part.strip()) for part in raw.split(",") if part.strip()]

    return _read_setting(name, kind, default or [], convert)


def read_ports(name: str, default: list[int]) -> list[int]:
    """Return port numbers from a comma-separated text."""

    def convert(raw: str) -> list[int]:
        ports = [part.strip() for part in raw.split(",")]
        if not all(re.fullmatch(r"[0-9]{1,5}", port) and 1 <= int(port) <= 65_535 for port in ports):
            raise ValueError
        return [int(port) for port in ports]

    return _read_setting(name, "a comma-separated list of port numbers", default, convert)


def read_choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    """Return one of the allowed texts."""

    def convert(raw: str) -> str:
        if raw not in allowed:
            raise ValueError
        return raw

    return _read_setting(name, "one of " + ", ".join(allowed), default, convert)


def read_choices(name: str, allowed: tuple[str, ...]) -> list[str]:
    """Return any number of the allowed texts from a comma-separated text, by default none."""

    def convert(raw: str) -> list[str]:
        chosen = [part.strip() for part in raw.split(",") if part.strip()]
        if not set(chosen) <= set(allowed):
            raise ValueError
        return chosen

    return _read_setting(name, "a comma-separated list of " + ", ".join(allowed), [], convert)


def read_validated(name: str, kind: str, default: str, validate: Callable[[str], str]) -> str:
    """Return the result of `validate` for the text. `validate` raises ValueError for invalid text."""
    return _read_setting(name, kind, default, validate)


def read_rate(name: str, default: str) -> str:
    """Return a number of requests per period in the notation of Django REST framework: `100/min`."""

    def convert(raw: str) -> str:
        if not re.fullmatch(r"[1-9]\d*/(s|sec|second|m|min|minute|h|hour|d|day)", raw):
            raise ValueError
        return raw

    return _read_setting(name, "a rate such as 100/min", default, convert)


def read_database(name: str, default: str) -> dict[str, Any]:
    """Return Django's configuration of the database with this URL."""

    def convert(raw: str) -> dict[str, Any]:
        config = _parse_database_url(raw)
        if config.get("ENGINE") not in DATABASE_ENGINES:
            raise ValueError("It must start with sqlite:// or postgres://.")
        return config

    return _read_url(name, "a database URL", default, convert)


def read_replica(name: str) -> dict[str, Any]:
    """Return Django's configuration of the PostgreSQL database with this URL, empty if there is none."""

    def convert(raw: str) -> dict[str, Any]:
        config = _parse_database_url(raw)
        if config.get("ENGINE") != "django.db.backends.postgresql":
            raise ValueError("It must start with postgres://.")
        return config

    text = _read_variable(name, "a PostgreSQL URL", "")
    return _convert(name, "a PostgreSQL URL", text, convert, is_secret=True) if text else {}


def _parse_database_url(raw: str) -> dict[str, Any]:
    with warnings.catch_warnings():
        # django-environ warns about engines that are rejected.
        warnings.simplefilter("ignore")
        config: dict[str, Any] = _env.db_url_config(raw)
    return config


def read_cache(name: str, default: str) -> dict[str, Any]:
    """Return Django's configuration of the cache with this URL."""
    return _read_url(name, "a cache URL", default, _env.cache_url_config)


def read_redis_url(name: str) -> str:
    """Return the URL of a Redis server, "" if there is none."""

    def convert(raw: str) -> str:
        if urlsplit(raw).scheme not in ("redis", "rediss", "unix"):
            raise ValueError("It must start with redis://, rediss:// or unix://.")
        if not _has_redis_numbers(raw):
            raise ValueError("Its port must be at most 65535, and its database a number.")
        return raw

    text = _read_variable(name, "a Redis URL", "")
    return _convert(name, "a Redis URL", text, convert, is_secret=True) if text else ""


def _has_redis_numbers(url: str) -> bool:
    """Return whether the port is in range, and the database a number. redis-py uses database 0 for any other path."""
    parts = urlsplit(url)
    try:
        # Raises ValueError if it is not in range.
        _port = parts.port
    except ValueError:
        # Its message may contain a part of the password.
        return False
    path = "" if parts.scheme == "unix" else parts.path.strip("/")
    databases = [path, *parse_qs(parts.query).get("db", [])]
    return all(not database or database.isdecimal() for database in databases)


class MailServer(NamedTuple):
    """An SMTP server, and how to connect to it: without encryption, with STARTTLS, or with TLS from the start."""

    host: str
    port: int
    user: str
    password: str
    uses_starttls: bool
    uses_tls: bool


MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtp+ssl": 465}


def read_mail_server(name: str) -> MailServer | None:
    """Return the SMTP server of a URL such as `smtp+tls://user:password@mail.example.org`, None if there is none."""

    def convert(raw: str) -> MailServer:
        scheme = urlsplit(raw).scheme
        if scheme not in MAIL_PORTS or urlsplit(raw).query:
            raise ValueError("It must start with smtp://, smtp+tls:// or smtp+ssl://, and have no query string.")
        config = _env.email_url_config(raw)
        if not config["EMAIL_HOST"]:
            raise ValueError("It must contain the name of the server.")
        return MailServer(
            host=config["EMAIL_HOST"],
            port=config["EMAIL_PORT"] or MAIL_PORTS[scheme],
            user=config["EMAIL_HOST_USER"] or "",
            password=config["EMAIL_HOST_PASSWORD"] or "",
            uses_starttls=config.get("EMAIL_USE_TLS", False),
            uses_tls=config.get("EMAIL_USE_SSL", False),
        )

    kind = "a URL such as smtp+tls://user:password@mail.example.org"
    text = _read_variable(name, kind, "")
    return _convert(name, kind, text, convert, is_secret=True) if text else None


def read_secret(name: str, default_file: Path | None = None) -> str:
    """Return the content of the file that `NAME_FILE` names, else the text of `NAME`, else that of the default file.

    Return "" if there is none of these.
    """
    text = read_text(name)
    default_path = str(default_file or "")
    path = read_text(f"{name}_FILE", default_path, kind="a file")
    if path == default_path and (text or not Path(path).is_file()):
        return text
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ImproperlyConfigured(f"The setting {name}_FILE must be the path of a readable file. {error}") from error
