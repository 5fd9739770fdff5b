"""The outcomes of the user's own submissions, as sections of the start page and of the page of the queue."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from calendar_site.back_office.urls import admin_url
from calendar_site.core.types import AnyUser
from calendar_site.review.groups import ReviewEntry, group_reviews, load_entries
from calendar_site.review.outcomes import recently_approved, sent_back_to
from calendar_site.review.querysets import ReviewQuerySet


def outcome_sections(user: AnyUser, count: int) -> list[dict[str, Any]]:
    """Return a section for records sent back to the user and one for approved ones, with `count` rows each at most.

    The latest decisions come first. Two queries for each section.
    """
    sections = (
        ("sent-back", _("Sent back to you"), sent_back_to(user)),
        ("approved", _("Recently approved"), recently_approved(user)),
    )
    return [_section(anchor, title, _entries(reviews, count)) for anchor, title, reviews in sections]


def _entries(reviews: ReviewQuerySet, count: int) -> list[ReviewEntry]:
    groups = group_reviews(reviews, "decided_by_id", "note", latest_first=True)
    return load_entries(groups[:count], reviews)


def _section(anchor: str, title: str, entries: list[ReviewEntry]) -> dict[str, Any]:
    return {
        "anchor": anchor,
        "title": title,
        "list_url": f"{reverse('admin:review')}#{anchor}",
        "rows": [_row(entry) for entry in entries],
    }


def _row(entry: ReviewEntry) -> dict[str, Any]:
    review = entry.review
    detail = {"who": review.decided_by_name, "when": review.decided_at_display}
    return {
        "title": review.title,
        "detail": ", ".join(filter(None, (_("%(who)s, %(when)s") % detail, entry.others_display))),
        "note": review.note,
        "url": admin_url(review.model, "change", review.record_id),
    }
