"""Full-text search on a column of normalized text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Self

from django.db import models
from django.db.models import Q

from calendar_site.core.search_query import SearchQuery


class SearchQuerySet(models.QuerySet):
    """Rows with a `search_text`: the normalized text of each searchable field, one per line."""

    def matching(self, text: str) -> Self:
        """Filter to rows that contain every word and phrase of the query, and none that it excludes.

        A word may be a part of a longer word, and each in another searched field.
        """
        return self._matching(SearchQuery.parse(text), lambda term: Q(search_text__contains=term))

    def matching_in_one_field(self, text: str) -> Self:
        """Filter to rows that contain every word and phrase of the query in the same field, in any order."""
        rows, terms = self.matching(text), SearchQuery.parse(text).required
        if len(terms) < 2:
            return rows
        lookaheads = "".join(rf"(?=[^\n]*{re.escape(term)})" for term in terms)
        return rows.filter(search_text__regex=rf"(?:^|\n){lookaheads}")

    def _matching(self, query: SearchQuery, contains: Callable[[str], Q]) -> Self:
        """Filter by the query. `contains` returns the condition on rows that contain a word or phrase."""
        rows = self
        for term in query.required:
            rows = rows.filter(contains(term))
        for term in query.excluded:
            rows = rows.exclude(contains(term))
        return rows
