"""Reports of errors to Sentry: every error of the log, without personal data and secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.core.exceptions import ImproperlyConfigured

from calendar_site.core.http.request_context import current_request_id
from calendar_site.core.observability.log_formats import mask_secrets

if TYPE_CHECKING:
    from sentry_sdk.types import Event, Hint

# Everything else that the library adds is left out: headers, bodies, local variables, arguments of commands.
SENT_KEYS = (
    "event_id", "timestamp", "level", "logger", "platform", "sdk", "release", "environment", "exception",
)  # fmt: skip


def start_error_reports(dsn: str, transport: Any = None) -> None:
    """Send the errors that this process logs from now on to Sentry. Raises ImproperlyConfigured without the library.

    `transport` replaces the connection to the server.
    """
    try:
        # Optional, and takes a while to import.
        import sentry_sdk
        from sentry_sdk.integrations.dedupe import DedupeIntegration
        from sentry_sdk.integrations.excepthook import ExcepthookIntegration
        from sentry_sdk.integrations.logging import LoggingIntegration
    except ImportError as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN requires the package sentry-sdk. Install it: pip install -r requirements-sentry.txt"
        ) from error

    sentry_sdk.init(
        dsn=dsn,
        transport=transport,
        # The log contains every failed request. The integration of Django would send data of clients, and personal data
        # is left out by default.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[LoggingIntegration(level=None), ExcepthookIntegration(), DedupeIntegration()],
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
        before_send=_reduce,
    )


def _reduce(event: Event, hint: Hint) -> Event:
    """Return what is sent of an event: its known keys without secrets, and the id of the request as a tag."""
    reduced = {key: value for key, value in event.items() if key in SENT_KEYS}
    if record := hint.get("log_record"):
        reduced["logentry"] = {"message": record.getMessage()}
    if request_id := current_request_id():
        reduced["tags"] = {"request_id": request_id}
    return cast("Event", _mask(reduced))


def _mask(value: Any) -> Any:
    """Return the value with the secrets masked in all its texts."""
    if isinstance(value, str):
        return mask_secrets(value)
    if isinstance(value, dict):
        return {key: _mask(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_mask(part) for part in value]
    return value
