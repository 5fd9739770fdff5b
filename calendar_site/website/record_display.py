"""The display of the parts that records share, on their pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from calendar_site.api.output.representation import current_status
from calendar_site.core.choices import Status
from calendar_site.core.text.html import html_to_text, link_url
from calendar_site.core.text.plain_text import shorten
from calendar_site.custom_fields.models import CustomField
from calendar_site.custom_fields.values import DisplayedValue, display_value

SUMMARY_LENGTH = 200

_HEADING = re.compile(r"(</?h)([1-6])\b")
# JSON escapes of characters that could end a script element, or begin a comment in it.
_SCRIPT_ESCAPES = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def status_note(row: Any) -> str:
    """Return the label of the status of an event, venue or organizer, "" if it is published."""
    status = Status(current_status(row))
    return "" if status == Status.PUBLISH else str(status.label)


def summarize(markup: str) -> str:
    """Return the beginning of some HTML as text."""
    return shorten(html_to_text(markup), SUMMARY_LENGTH)


def description_html(markup: str) -> SafeString:
    """Return a description with its headings below the `<h1>` of the page. Saving it has sanitized it."""
    levels = sorted({level for _tag, level in _HEADING.findall(markup)})
    shifted = {level: str(min(rank, 6)) for rank, level in enumerate(levels, start=2)}
    return SafeString(_HEADING.sub(lambda tag: tag[1] + shifted[tag[2]], markup))


def website_html(website: str) -> SafeString:
    """Return a link to a website, or its text if pages may not link to it."""
    url = link_url(website)
    return format_html('<a href="{}">{}</a>', url, website) if url else format_html("{}", website)


def custom_field_values(row: Any, fields: Iterable[CustomField]) -> list[DisplayedValue]:
    """Return the values of the row's custom fields, in the order of `fields`."""
    values = row.custom_values
    return [display_value(field, values[field.name]) for field in fields if field.name in values]


def json_ld_script(data: dict[str, Any] | list[dict[str, Any]]) -> SafeString:
    """Return structured data for search engines as a script element that no text in it can end."""
    return format_html(
        '<script type="application/ld+json">{}</script>', SafeString(json.dumps(data).translate(_SCRIPT_ESCAPES))
    )
