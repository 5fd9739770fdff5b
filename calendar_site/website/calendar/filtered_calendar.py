"""A calendar with its filters, and its URLs, which are those of The Events Calendar, so that old links work."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest

from calendar_site.api.site_urls import SiteURLs, urls_for
from calendar_site.feeds.views import feed_url
from calendar_site.website.calendar.embedding import embed_parameters_of
from calendar_site.website.calendar.scopes import CalendarScope
from events.calendar_periods import LIST, MONTH, SINGLE_DAY, WEEK, Period
from events.public_filters import PARAMETERS, sent_filters

# The view of places, which shows no period.
MAP = "map"


class FilteredCalendar(NamedTuple):
    """A calendar: of all events, or of those of a record, with the filters that visitors chose."""

    urls: SiteURLs
    scope: CalendarScope | None
    # The filters in the query string.
    chosen: Mapping[str, str]
    # Query parameters that keep the pages in the frame of another site.
    embed_parameters: Mapping[str, str] = {}

    @property
    def filters(self) -> dict[str, str]:
        """The parameters of the list of events, without those about dates."""
        return {**self.chosen, **(self.scope.filters if self.scope else {})}

    @property
    def base(self) -> str:
        if self.scope is None:
            return f"{self.urls.site}/events/"
        return self.urls.page_url(self.scope.kind.path, self.scope.record.slug)

    @property
    def calendar_url(self) -> str:
        """The URL of the calendar file with the same events."""
        url = feed_url(self.base)
        return f"{url}?{urlencode(self.chosen)}" if self.chosen else url

    def url(self, path: str = "", **others: Any) -> str:
        """Return the URL of a page below the calendar's, such as `2027-06`, with the filters and other parameters."""
        query = urlencode(
            {**self.chosen, **{name: value for name, value in others.items() if value}, **self.embed_parameters}
        )
        return f"{self.base}{path}{'/' if path else ''}{'?' if query else ''}{query}"

    def programme_url(self, **others: Any) -> str:
        """Return the URL of the programme for paper, with the filters; that of a record's calendar has one more."""
        query = urlencode({**self.filters, **{name: value for name, value in others.items() if value}})
        return f"{self.urls.site}/programme/{'?' if query else ''}{query}"

    def period_url(self, period: Period) -> str:
        return self.url(path_of(period))

    def with_filter(self, name: str, value: str) -> FilteredCalendar:
        """Return the calendar with another value of a filter, without the filter for ""."""
        kept = {key: self.chosen[key] for key in self.chosen if key != name}
        chosen = {key: value for key, value in {**kept, name: value}.items() if value}
        return self._replace(chosen={key: chosen[key] for key in PARAMETERS if key in chosen})


def calendar_of_request(request: HttpRequest, scope: CalendarScope | None) -> FilteredCalendar:
    """Return the calendar that a request asks for. The scope decides about its own filter."""
    chosen = sent_filters(request)
    if scope:
        chosen.pop(scope.kind.parameter, None)
    return FilteredCalendar(urls_for(request), scope, chosen, embed_parameters_of(request))


def path_of(period: Period) -> str:
    """Return the path of a period, below that of a calendar."""
    if period.view == MONTH:
        return f"{period.day:%Y-%m}"
    return f"{WEEK}/{period.first.isoformat()}" if period.view == WEEK else period.day.isoformat()


def day_path(day: date) -> str:
    return path_of(Period(SINGLE_DAY, day))


def view_path(view: str, day: date, today: date) -> str:
    """Return the path of a view that shows a day, without a date if that is today."""
    if view in (LIST, MAP):
        return view
    if day == today:
        return {MONTH: MONTH, WEEK: WEEK}.get(view, "today")
    if view == MONTH:
        return f"{day:%Y-%m}"
    return f"{WEEK}/{day.isoformat()}" if view == WEEK else day_path(day)
