"""Reviews that are shown as one entry: those of the events of a series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Count, F, Max, Min, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import ngettext

from calendar_site.review.models import Review
from calendar_site.review.querysets import ReviewQuerySet


class ReviewEntry(NamedTuple):
    """The first review of a group, and the number of the others."""

    review: Review
    others: int

    @property
    def others_display(self) -> str:
        """Return how many other events of the series there are, as a part of a list; empty if there are none."""
        if not self.others:
            return ""
        text = ngettext(
            "and %(number)s more event of the series", "and %(number)s more events of the series", self.others
        )
        return text % {"number": self.others}


def group_reviews(reviews: ReviewQuerySet, *names: str, latest_first: bool = False) -> QuerySet[Review, dict[str, Any]]:
    """Return the first of each group of reviews, in which the columns `names` do not differ, and the number of all.

    The reviews have a `group`; those without one are groups of their own. The earliest submissions come first, or the
    latest decisions.
    """
    return (
        reviews.order_by()
        # No group has a negative number.
        .annotate(entry=Coalesce("group", -F("pk"), output_field=BigIntegerField()))
        .values("model_label", "entry", *names)
        .annotate(first=Min("pk"), count=Count("pk"), submitted=Min("submitted_at"), decided=Max("decided_at"))
        .order_by("-decided" if latest_first else "submitted", "model_label", "first")
    )


def load_entries(groups: Iterable[Mapping[str, Any]], reviews: ReviewQuerySet) -> list[ReviewEntry]:
    """Return an entry for each row of `group_reviews()`, in their order. At most two queries.

    A group is left out if its first review is not one of `reviews` any more.
    """
    counts = {group["first"]: group["count"] for group in groups}
    found = {review.pk: review for review in reviews.filter(pk__in=counts)} if counts else {}
    return [ReviewEntry(found[pk], count - 1) for pk, count in counts.items() if pk in found]


def entries_of(reviews: Iterable[Review]) -> list[ReviewEntry]:
    """Return an entry for each group of these reviews, in the order of the first of each. No query."""
    groups: dict[tuple[str, int], list[Review]] = {}
    for review in reviews:
        groups.setdefault((review.model_label, review.group or -review.pk), []).append(review)
    return [ReviewEntry(first, len(others)) for first, *others in groups.values()]
