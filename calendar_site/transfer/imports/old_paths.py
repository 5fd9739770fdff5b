"""The pages that imported records had at their source."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

from calendar_site.content.models import Content
from calendar_site.core import permissions
from calendar_site.transfer.imports.kinds import KINDS
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import ImportEntry, SourceRecord


def stored_path(url: str) -> str:
    """Return the path of a URL as it is stored: decoded, without slashes around it and without parameters."""
    path = url.partition("://")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    return unquote(path).replace("\0", "").strip("/")[: ImportEntry.MAX_TEXT]


def find_by_old_path(path: str) -> tuple[RecordKind, Any] | None:
    """Return the public record that had its page under this path at its source, and its kind. Two queries at most."""
    wanted = path.strip("/")
    if not wanted or "\0" in wanted or len(wanted) > ImportEntry.MAX_TEXT or "." in wanted.rpartition("/")[2]:
        # A file is no page, and programs ask for many that do not exist.
        return None
    link = SourceRecord.objects.filter(url_path=wanted).order_by("-pk").first()
    if link is None or link.kind not in KINDS or link.kind == RecordKind.SERIES:
        return None
    row = KINDS[link.kind].model._default_manager.filter(pk=link.record_id).first()
    if row is None or (isinstance(row, Content) and not permissions.is_published(row)):
        return None
    return RecordKind(link.kind), row
