"""The formats of the log, as text and as JSON: both name the request, and neither contains secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

from calendar_site.core.http.request_context import current_request

# Values that give access, wherever they appear: in query strings, headers, and links to previews and submissions.
SECRETS = re.compile(
    r"""(?ix)
    (
        \b (?: password | pwd | token | secret | api_?key | code | csrfmiddlewaretoken | sessionid | csrftoken )
        ["']? \s* [=:] \s* ["']?
        | \b (?: bearer | basic ) \s+
        | /(?:preview|submit)/
        | :// [^\s/:@]* :          # the password in the URL of a server
    )
    [^\s&"',;/@}]+
    """
)
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
MASK = "***"


def mask_secrets(text: str) -> str:
    """Replace passwords, tokens and email addresses in the text."""
    return EMAIL.sub(MASK, SECRETS.sub(rf"\1{MASK}", text))


class TextFormatter(logging.Formatter):
    """Formats a record as a line of text that begins with time, level, logger and request id."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} [{request_id}] {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        fields = request_fields(record)
        record.request_id = fields.pop("request_id", "-")
        line = mask_secrets(super().format(record))
        if record.levelno < logging.ERROR:
            return line
        # Errors name the request in the first line, before the traceback.
        first, newline, rest = line.partition("\n")
        details = "".join(f" {name}={value}" for name, value in fields.items())
        return f"{first}{details}{newline}{rest}"


class JSONFormatter(logging.Formatter):
    """Formats a record as a JSON object on one line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": mask_secrets(record.getMessage()),
            **request_fields(record),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            fields["traceback"] = mask_secrets(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)


def request_fields(record: logging.LogRecord) -> dict[str, object]:
    """Return what the log says about the request of a record; nothing outside of a request."""
    request = current_request()
    if request is None:
        return {}
    fields: dict[str, object] = {
        "request_id": request.id,
        "method": request.method,
        "path": mask_secrets(request.path),
        "user_id": request.user_id,
        "client_address": str(request.client_address or ""),
    }
    return {name: value for name, value in fields.items() if value not in (None, "")}


class FaultFilter(logging.Filter):
    """Leaves out Django's lines about responses other than 500, and about a 500 that was logged before.

    The access log contains these. Strangers could fill the error log with requests for unknown pages.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(record, "status_code", 500) == 500 and bool(record.exc_info)
