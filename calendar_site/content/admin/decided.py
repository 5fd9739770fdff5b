"""What was decided on the user's own records: in short on the first page, and all of it below the queue."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from calendar_site.content.admin.routes import address
from calendar_site.content.approvals import approved_lately
from calendar_site.content.days import in_site_time
from calendar_site.content.submissions import Decided, returned


def decided_sections(user: Any, most: int) -> list[dict[str, Any]]:
    """What was sent back to the user, and what was approved, with the first `most` of each. Costs two queries."""
    found = (
        ("sent-back", _("Sent back to you"), map(Decided._make, returned(user)[: most + 1])),
        ("approved", _("Approved lately"), map(Decided._make, approved_lately(user)[: most + 1])),
    )
    return [_section(anchor, title, list(map(_row, rows)), most) for anchor, title, rows in found]


def _section(anchor: str, title: str, rows: list[dict[str, Any]], most: int) -> dict[str, Any]:
    return {
        "anchor": anchor,
        "title": title,
        "address": f"{reverse('admin:review')}#{anchor}",
        "rows": rows[:most],
        "has_more": len(rows) > most,
    }


def _row(decided: Decided) -> dict[str, Any]:
    return {
        "title": decided.title,
        "detail": _("%(who)s, %(when)s") % {"who": decided.who, "when": in_site_time(decided.when)},
        "note": decided.note,
        "address": address(decided.model, "change", decided.pk),
    }
