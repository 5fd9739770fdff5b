"""The active filters of a list or the calendar, with links that remove them, and the saved views of the user."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from django.contrib.admin.views.main import SEARCH_VAR
from django.http import HttpRequest
from django.utils.functional import cached_property
from django.utils.http import urlencode
from django.utils.text import capfirst
from unfold.views import ChangeList

from calendar_site.back_office.lists.saved_views import ViewLinks, make_view_links
from calendar_site.content.models import Content
from calendar_site.content.suggestions import suggest
from calendar_site.core.text.plain_text import join_label


class ActiveFilter(NamedTuple):
    """A filter or search that narrows a list, and the URL of the list without it."""

    label: str
    url: str


class SearchCorrection(NamedTuple):
    """A corrected search, and the URL of the list with it."""

    text: str
    url: str


class FilteredChangeList(ChangeList):
    """A list that shows its active filters and the user's saved views."""

    # The parameters that are not filters, and that all links keep.
    kept_parameters: ClassVar[tuple[str, ...]] = ()

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.request = request
        super().__init__(request, *args, **kwargs)

    @property
    def kept_query(self) -> str:
        """Return the query string without filters, search and order."""
        parameters = self.request.GET
        return urlencode([(name, parameters[name]) for name in self.kept_parameters if name in parameters])

    @cached_property
    def suggestion(self) -> SearchCorrection | None:
        """Return the corrected search of a list that found nothing, by the rule of the API, or None."""
        if self.result_count or not self.query or not issubclass(self.model, Content):
            return None
        text = suggest(self.query, self.model)
        return SearchCorrection(text, self.get_query_string({SEARCH_VAR: text})) if text else None

    @property
    def has_saved_views(self) -> bool:
        return getattr(self.model_admin, "has_saved_views", False)

    @cached_property
    def saved_views(self) -> ViewLinks:
        """Return the user's saved views of this list. One query."""
        return make_view_links(self.model_admin, self.request, kept_query=self.kept_query)

    @cached_property
    def active_filters(self) -> list[ActiveFilter]:
        """Return the active filters in their order. No queries beyond those of the filters."""
        active = [
            ActiveFilter(join_label(capfirst(spec.title), label), self.get_query_string(remove=[*spec.used_parameters]))
            for spec in self.filter_specs
            if spec.used_parameters and (label := self._selected_label(spec))
        ]
        if self.query:
            active.append(ActiveFilter(f"“{self.query}”", self.get_query_string(remove=[SEARCH_VAR])))
        return active

    def _selected_label(self, spec: Any) -> str:
        if hasattr(spec, "selected_label"):
            return str(spec.selected_label())
        chosen = (choice["display"] for choice in spec.choices(self) if choice.get("selected"))
        return str(next(chosen, ""))
