"""The reported mistakes on the page of the review queue."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import admin_url
from calendar_site.core.dates.formatting import format_in_sentence
from calendar_site.core.permissions import has_model_permission
from calendar_site.submissions.models import MistakeReport

MAX_REPORTS = 50


def mistakes_section(request: HttpRequest) -> dict[str, Any]:
    """Return the section, without rows for users who may not see them. One query."""
    is_allowed = has_model_permission(request.user, "view", MistakeReport)
    reports = MistakeReport.objects.select_related("event")[:MAX_REPORTS] if is_allowed else []
    return {"anchor": "mistakes", "title": _("Reported mistakes"), "rows": [_row(report) for report in reports]}


def _row(report: MistakeReport) -> dict[str, Any]:
    return {
        "title": report.event,
        "detail": format_in_sentence(report.created_at),
        "note": report.text,
        "url": admin_url(MistakeReport, "change", report.pk),
    }
