"""The queue: everything that waits for review, on one page."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.decided import decided_sections
from calendar_site.content.changes import Difference
from calendar_site.content.html import as_text
from calendar_site.content.submissions import Waiting, may_see_queue, queue, submissions

ON_A_PAGE = 20
# Of what was decided on the user's records, which nobody pages through.
MOST_DECIDED = 200
# So much of a submission is told.
TOLD, LONGEST_NEWS, TOLD_OF_NEW = 5, 160, 240
# Of a text so many words are compared, a hundred times for a page.
MOST_WORDS = 200


class News(NamedTuple):
    """A change as the queue tells it: of a text only the words that came or went."""

    label: str
    taken: str
    added: str


def review_queue(site: Any, request: HttpRequest) -> HttpResponse:
    """What waits, the oldest first, to be decided on or to wait for; below it what was decided on one's own."""
    if not may_see_queue(request.user):
        raise PermissionDenied
    page = Paginator(queue(request.user), ON_A_PAGE).get_page(request.GET.get("p"))
    decided = decided_sections(request.user, MOST_DECIDED) if page.number == 1 else []
    context = {
        **site.each_context(request),
        "title": _("Waiting for review"),
        "page": page,
        "decided": [section for section in decided if section["rows"]],
        "cards": _cards(site, request, [Waiting(*values) for values in page]),
    }
    return TemplateResponse(request, "admin/review/queue.html", context)


def _cards(site: Any, request: HttpRequest, waiting: list[Waiting]) -> list[dict[str, Any]]:
    """What the page shows of each, in their order. Costs the same for any number of one kind."""
    cards = {}
    for model in {row.model for row in waiting}:
        model_admin = site.get_model_admin(model)
        ids = [row.pk for row in waiting if row.model is model]
        rows = model_admin.get_queryset(request).filter(pk__in=ids).select_related("author", "image")
        may_review = rules.can_publish(request.user, model)
        for submission in submissions(rows, request.user, model_admin.besides_of_many):
            row = submission.row
            cards[model, row.pk] = {
                "submission": submission,
                "news": [_in_short(difference) for difference in submission.differences[:TOLD]],
                "more": max(len(submission.differences) - TOLD, 0),
                "summary": Truncator(as_text(row.excerpt or row.description)).chars(TOLD_OF_NEW),
                "kind": model._meta.verbose_name,
                "told": model_admin.told_in_queue(row),
                "thumbnail": model_admin.thumbnail(row),
                "may_review": may_review,
                "address": model_admin.review_address(row) if may_review else model_admin.form_address(row),
            }
    return [cards[row.model, row.pk] for row in waiting if (row.model, row.pk) in cards]


def _in_short(difference: Difference) -> News:
    texts = (
        " … ".join(piece.text.strip() for piece in pieces if piece.is_other)
        for pieces in difference.in_pieces(MOST_WORDS)
    )
    return News(difference.label, *(Truncator(text).chars(LONGEST_NEWS) for text in texts))
