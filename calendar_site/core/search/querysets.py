"""Full-text search on a column of normalized text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import reduce
from operator import and_
from typing import Any, Self

from django.db import models
from django.db.models import Case, Q, When

from calendar_site.core.search.index import restrict
from calendar_site.core.search.query import SearchQuery

MAX_TERMS_IN_ONE_FIELD = 10


class SearchQuerySet(models.QuerySet):
    """Rows with a `search_text`: the normalized text of each searchable field, one per line."""

    def all_of(self, model: Any) -> Any:
        """Return all rows of another model, for a subquery, which is compiled with this queryset (docs/speed.md)."""
        return model._default_manager.all()

    def slug_q(self, slugs: Collection[str]) -> Q:
        """Return the condition on rows with one of these slugs."""
        return Q(slug__in=slugs)

    def matching(self, text: str) -> Self:
        """Filter to rows that contain every word and phrase of the query, and none that it excludes.

        A word may be a part of a longer word, and each in another searched field.
        """
        query = SearchQuery.parse(text)
        return restrict(self, query.required)._matching(query, lambda term: Q(search_text__contains=term))

    def matching_in_one_field(self, text: str) -> Self:
        """Filter to rows that contain every word and phrase of the query in the same field, in any order.

        Of more than MAX_TERMS_IN_ONE_FIELD, only the longest must be in the same field: the expression looks for each
        in all of the text.
        """
        rows, terms = self.matching(text), SearchQuery.parse(text).required
        if len(terms) < 2:
            return rows
        compared = sorted(terms, key=len, reverse=True)[:MAX_TERMS_IN_ONE_FIELD]
        lookaheads = "".join(rf"(?=[^\n]*{re.escape(term)})" for term in compared)
        return rows.filter(search_text__regex=rf"(?:^|\n){lookaheads}")

    def ordered_by_relevance(self, text: str, *columns: str, best_first: bool, descending: bool) -> Self:
        """Order by where the searched words are, then by these columns and by id.

        The words are the title, or the title begins with them, or contains all of them; or they are elsewhere.
        """
        terms = SearchQuery.parse(text).required
        words = " ".join(terms)
        rank = Case(
            When(search_text__startswith=f"{words}\n", then=0),
            When(search_text__startswith=words, then=1),
            When(reduce(and_, map(self.in_title_q, terms), Q()), then=2) if terms else When(pk=None, then=2),
            default=3,
        )
        others = (f"-{column}" if descending else column for column in (*columns, "pk"))
        return self.order_by(rank.asc() if best_first else rank.desc(), *others)

    def ordered_by_title_match(self, text: str, *columns: str) -> Self:
        """Order by how the title matches, then by the columns and by id.

        The title begins with the searched words, or a word of it does, or it contains all of them; or others match.
        """
        terms = SearchQuery.parse(text).required
        if not terms:
            return self.order_by(*columns, "pk")
        phrase = " ".join(terms)
        rank = Case(
            When(search_text__startswith=phrase, then=0),
            When(search_text__regex=rf"^[^\n]*[ (/-]{re.escape(phrase)}", then=1),
            When(reduce(and_, map(self.in_title_q, terms)), then=2),
            default=3,
        )
        return self.order_by(rank, *columns, "pk")

    def in_title_q(self, term: str) -> Q:
        """Return the condition on rows that contain the term in the title, the first line of the search text."""
        return Q(search_text__regex=rf"^[^\n]*{re.escape(term)}")

    def _matching(self, query: SearchQuery, contains: Callable[[str], Q]) -> Self:
        """Filter by the query. `contains` returns the condition on rows that contain a word or phrase."""
        rows = self
        for term in query.required:
            rows = rows.filter(contains(term))
        for term in query.excluded:
            rows = rows.exclude(contains(term))
        return rows
