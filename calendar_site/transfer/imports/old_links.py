"""Links in imported texts to other pages of the old site, which then lead to the pages here."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.db.models import Q
from django.urls import reverse

from calendar_site.core.database.write_lock import write_lock
from calendar_site.core.text.plain_text import unescape_references
from calendar_site.transfer.imports.engine import REFUSED
from calendar_site.transfer.imports.kinds import KINDS, current_values, digest, last_revision
from calendar_site.transfer.imports.old_paths import stored_path
from calendar_site.transfer.imports.records import RecordKind
from calendar_site.transfer.models import ImportEntry, ImportRun, Outcome, SourceRecord

LINK = re.compile(r"(<a\b[^>]*?\bhref\s*=\s*[\"'])(https?://[^\"'<>\s]+)", re.IGNORECASE)
WITH_TEXT = (RecordKind.VENUE, RecordKind.ORGANIZER, RecordKind.EVENT)
PAGES = {
    RecordKind.EVENT: "event-page",
    RecordKind.VENUE: "venue-page",
    RecordKind.ORGANIZER: "organizer-page",
    RecordKind.CATEGORY: "category-page",
    RecordKind.TAG: "tag-page",
}
BATCH_SIZE = 20


def rewrite_old_links(run: ImportRun, hosts: Collection[str]) -> None:
    """Rewrite links to these hosts in the texts that the run has written, once all of its records are here.

    One query for each written text, and more for those with such a link.
    """
    if not hosts:
        return
    with_host = reduce(or_, (Q(description__icontains=host) for host in hosts))
    changed = (Outcome.CREATED, Outcome.UPDATED, Outcome.JOINED)
    written = ImportEntry.objects.filter(run=run, kind__in=WITH_TEXT, outcome__in=changed, record_id__isnull=False)
    last = 0
    while entries := list(written.filter(pk__gt=last).order_by("pk")[:BATCH_SIZE]):
        last = entries[-1].pk
        for entry in entries:
            row = KINDS[entry.kind].model._default_manager.filter(with_host, pk=entry.record_id).first()
            if row is not None:
                _rewrite(run, entry, row, hosts)


def _rewrite(run: ImportRun, entry: ImportEntry, row: Any, hosts: Collection[str]) -> None:
    link = SourceRecord.objects.filter(source=run.source, kind=entry.kind, key=entry.key).first()
    known = link.fields.get("description") if link else None
    values = current_values(entry.kind, [row])[row.pk]
    if link is None or known is None or known[1] != digest(values.get("description")):
        # It was edited here.
        return
    text = LINK.sub(lambda match: _replaced(run, match, hosts), row.description)
    if text == row.description:
        return
    try:
        with write_lock():
            KINDS[entry.kind].save(row, changes={"description": text}, user=run.source.owner)
            saved = current_values(entry.kind, [KINDS[entry.kind].model._default_manager.get(pk=row.pk)])[row.pk]
            link.fields["description"] = [known[0], digest(saved.get("description"))]
            link.save(update_fields=["fields"])
            # Undoing the run does not take it for an edit.
            entry.revision_after = last_revision(entry.kind, row.pk)
            entry.save(update_fields=["revision_after"])
    except REFUSED:
        # Both texts are valid: the old address still leads here.
        return


def _replaced(run: ImportRun, match: re.Match[str], hosts: Collection[str]) -> str:
    url = unescape_references(match[2])
    if urlsplit(url).netloc not in hosts:
        return match[0]
    path = stored_path(url)
    link = SourceRecord.objects.filter(source=run.source, url_path=path).first() if path else None
    page = PAGES.get(RecordKind(link.kind)) if link else None
    row = KINDS[link.kind].model._default_manager.filter(pk=link.record_id).first() if link and page else None
    if row is None or page is None:
        return match[0]
    return match[1] + urljoin(f"{settings.PUBLIC_URL}/", f"{reverse(page, args=[row.slug])}/")
