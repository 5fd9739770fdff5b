"""Full-text search on a column of normalized text."""

from __future__ import annotations

import re
from typing import Self

from django.db import models

from calendar_site.core.text import search_words


class SearchQuerySet(models.QuerySet):
    """Rows with a `search_text`: the normalized text of each searchable field, one per line."""

    def matching(self, query: str) -> Self:
        """Filter to rows that contain every word of `query`, also inside longer words, in any searched field."""
        rows = self
        for word in search_words(query):
            rows = rows.filter(search_text__contains=word)
        return rows

    def matching_in_one_field(self, query: str) -> Self:
        """Filter to rows that contain every word of `query` in the same field, in any order."""
        rows, words = self.matching(query), search_words(query)
        if len(words) < 2:
            return rows
        lookaheads = "".join(rf"(?=[^\n]*{re.escape(word)})" for word in words)
        return rows.filter(search_text__regex=rf"(?:^|\n){lookaheads}")
