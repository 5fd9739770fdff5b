"""Querysets of reviews: by record and by outcome."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When

from calendar_site.review.choices import ReviewOutcome


class ReviewQuerySet(models.QuerySet):
    def for_record(self, row: models.Model) -> Self:
        """Filter to the reviews of one record."""
        return self.filter(model_label=row._meta.label_lower, record_id=row.pk)

    def for_rows(self, *querysets: QuerySet[Any]) -> Self:
        """Filter to the reviews of these rows, of any number of models; annotate the `title` and `group` of each."""
        condition, titles, groups = Q(pk__in=[]), [], []
        for rows in querysets:
            label = rows.model._meta.label_lower
            rows = rows.filter(pk=OuterRef("record_id")).order_by()
            condition |= Q(Exists(rows), model_label=label)
            titles.append(When(model_label=label, then=Subquery(rows.values("title")[:1])))
            group = rows.values_list(rows.model.review_group)[:1]
            groups.append(When(model_label=label, then=Subquery(group)))
        return self.filter(condition).annotate(
            title=Case(*titles), group=Case(*groups, output_field=models.BigIntegerField())
        )

    def open(self) -> Self:
        """Filter to submissions that have no outcome yet."""
        return self.filter(outcome=ReviewOutcome.OPEN)

    def last_of_record(self, **conditions: Any) -> Self:
        """Filter to the last review of each record, counting only reviews that meet the conditions."""
        later = self.model._default_manager.filter(
            model_label=OuterRef("model_label"), record_id=OuterRef("record_id"), pk__gt=OuterRef("pk"), **conditions
        )
        return self.filter(~Exists(later), **conditions)
