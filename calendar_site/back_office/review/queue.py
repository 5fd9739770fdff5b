"""The page of the review queue."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from calendar_site.back_office.lists.columns import thumbnail
from calendar_site.back_office.review.display import ReviewedModelAdmin
from calendar_site.back_office.review.outcomes import outcome_sections
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.text.html import html_to_text
from calendar_site.core.text.plain_text import shorten
from calendar_site.review.groups import ReviewEntry, load_entries
from calendar_site.review.queue import (
    Submission,
    can_see_queue,
    describe_submissions,
    grouped_queue,
    review_queue,
)
from calendar_site.revisions.diff import Difference

PAGE_SIZE = 20
# The outcomes below the queue are not paginated.
MAX_OUTCOMES = 200
MAX_CHANGES = 5
MAX_CHANGE_LENGTH = 160
MAX_EXCERPT_LENGTH = 240
# Longer texts are not compared word by word, because a page may show a hundred comparisons.
MAX_COMPARED_WORDS = 200


class ShortChange(NamedTuple):
    """A changed field; of a long text, only the words that were removed and added."""

    label: str
    removed: str
    added: str


class SubmissionCard(NamedTuple):
    """A submission as the queue shows it."""

    submission: Submission
    kind: str
    summary: str
    excerpt: str
    thumbnail: str
    changes: list[ShortChange]
    # The number of changes that are not shown.
    more_changes: int
    is_reviewer: bool
    url: str
    # With the number of further events of the series that wait for the same decision.
    entry: ReviewEntry


# Functions that return further sections of the page for a request, with `anchor`, `title` and `rows`.
_sections: list[Callable[[HttpRequest], dict[str, Any]]] = []


def register_section(make_section: Callable[[HttpRequest], dict[str, Any]]) -> None:
    """Add a section below the queue. Called by `AppConfig.ready()`."""
    _sections.append(make_section)


def queue_page(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show the submissions that the user may see, the oldest first, and below them the outcomes of the user's own."""
    if not can_see_queue(request.user):
        raise PermissionDenied
    page = Paginator(grouped_queue(request.user), PAGE_SIZE).get_page(request.GET.get("p"))
    outcomes = outcome_sections(request.user, MAX_OUTCOMES) if page.number == 1 else []
    others = [make_section(request) for make_section in _sections] if page.number == 1 else []
    context = {
        **site.each_context(request),
        "title": _("Review queue"),
        "page": page,
        "cards": _cards(site, request, load_entries(page, review_queue(request.user))),
        "outcomes": [section for section in (*others, *outcomes) if section["rows"]],
    }
    return TemplateResponse(request, "admin/review/queue.html", context)


def _cards(site: AdminSite, request: HttpRequest, entries: list[ReviewEntry]) -> list[SubmissionCard]:
    """Return the cards of these entries in their order. The number of queries depends only on the number of models."""
    cards = {}
    reviews, by_review = [entry.review for entry in entries], {entry.review.pk: entry for entry in entries}
    for model in {review.model for review in reviews}:
        model_admin: Any = site.get_model_admin(model)
        of_model = [review for review in reviews if review.model is model]
        found = model_admin.get_queryset(request).filter(pk__in=[review.record_id for review in of_model])
        rows = {row.pk: row for row in found.select_related("author", "image")}
        extra_state = model_admin.services.extra_state(rows.values())
        for submission in describe_submissions(of_model, rows, extra_state, request.user):
            cards[submission.review.pk] = _card(model_admin, request, submission, by_review[submission.review.pk])
    return [cards[review.pk] for review in reviews if review.pk in cards]


def _card(
    model_admin: ReviewedModelAdmin, request: HttpRequest, submission: Submission, entry: ReviewEntry
) -> SubmissionCard:
    row, changes = submission.row, submission.differences
    is_reviewer = permissions.can_publish(request.user, model_admin.model)
    return SubmissionCard(
        submission=submission,
        kind=model_admin.opts.verbose_name,
        summary=model_admin.review_display.summarize(row),
        excerpt=shorten(html_to_text(row.excerpt or row.description), MAX_EXCERPT_LENGTH),
        thumbnail=thumbnail(row),
        changes=[_shorten(change) for change in changes[:MAX_CHANGES]],
        more_changes=max(len(changes) - MAX_CHANGES, 0),
        is_reviewer=is_reviewer,
        url=admin_url(row, "review" if is_reviewer else "change", row.pk),
        entry=entry,
    )


def _shorten(difference: Difference) -> ShortChange:
    removed, added = (
        " … ".join(piece.text.strip() for piece in pieces if piece.is_changed)
        for pieces in difference.as_pieces(MAX_COMPARED_WORDS)
    )
    return ShortChange(difference.label, shorten(removed, MAX_CHANGE_LENGTH), shorten(added, MAX_CHANGE_LENGTH))
