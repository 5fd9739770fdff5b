"""The navigation and the filter form of all pages of a calendar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from calendar_site.core.choices import Accessibility
from calendar_site.website.calendar.filtered_calendar import MAP, FilteredCalendar, view_path
from calendar_site.website.calendar.places import Town, format_near, load_towns
from calendar_site.website.calendar.span import CalendarSpan
from events.calendar_periods import LIST, MONTH, SINGLE_DAY, WEEK, Period
from events.choices import AttendanceMode
from events.models import Series
from organizers.models import Organizer
from taxonomy.models import Category, Tag
from venues.models import Venue

# The filter form offers so many categories, those with the most events. The others have pages of their own.
MAX_CATEGORIES = 300
SATURDAY = 5


class PageLink(NamedTuple):
    """A link in the navigation of a calendar. `url` is "" if there is no such page."""

    label: str
    url: str
    is_current: bool = False


class Chip(NamedTuple):
    """A filter that is in use, with the URL of the calendar without it."""

    label: str
    url: str


class Option(NamedTuple):
    """A choice in the filter form."""

    value: str
    label: str
    is_chosen: bool


class CalendarFrame(NamedTuple):
    """The navigation and the filters of a page."""

    views: list[PageLink]
    previous: PageLink | None
    today: PageLink | None
    next: PageLink | None
    form_url: str
    day: str
    span: CalendarSpan
    search: str
    categories: list[Option]
    switches: list[Option]
    attendance: list[Option]
    accessibility: list[Option]
    # The towns with venues, as values of the filter `near`.
    towns: list[Option]
    # Links to the next days.
    shortcuts: list[PageLink]
    # Filters that the form does not show, but keeps.
    kept: dict[str, str]
    chips: list[Chip]
    clear_url: str
    programme_url: str
    # The page outside of a frame.
    site_url: str

    # Whether the calendar shows less than all events, so that crawlers need not follow its dates.
    is_selection: bool

    @property
    def has_more_filters(self) -> bool:
        """Return whether one of the folded filters is in use."""
        options = (*self.switches, *self.attendance, *self.accessibility, *self.towns)
        return any(option.is_chosen for option in options)


def make_frame(
    calendar: FilteredCalendar, view: str, day: date, span: CalendarSpan, today: date, period: Period | None = None
) -> CalendarFrame:
    """Return the frame of a page in a view that shows a day. Five queries at most: the names of records and towns."""
    chosen = calendar.chosen
    towns = load_towns()
    path, path_of_today = view_path(view, day, today), view_path(view, today, today)
    return CalendarFrame(
        views=view_links(calendar, today, view, day),
        previous=_neighbor(calendar, period.previous, _("Previous"), span) if period else None,
        today=PageLink(_("Today"), calendar.url(path_of_today), period is None or today in period.days_inside),
        next=_neighbor(calendar, period.next, _("Next"), span) if period else None,
        form_url=f"{calendar.base}{path_of_today}/",
        day=day.isoformat() if period or day != today else "",
        span=span,
        search=chosen.get("search", ""),
        categories=[] if _is_in(calendar, "categories") else _category_options(chosen.get("categories", "")),
        switches=[Option(name, labels()[0], chosen.get(name) == "true") for name, labels in SWITCHES.items()],
        attendance=_options(AttendanceMode.choices, chosen.get("attendance_mode", "")),
        accessibility=_options(Accessibility.choices, chosen.get("accessibility", "")),
        towns=_town_options(chosen.get("near", ""), towns),
        shortcuts=_shortcuts(calendar, today),
        kept={name: chosen[name] for name in KEPT if name in chosen},
        chips=_chips(calendar, path, towns),
        is_selection=bool(calendar.scope or chosen),
        site_url=calendar._replace(embed_parameters={}).url(path),
        programme_url=calendar.programme_url(date=day.isoformat() if day != today else ""),
        clear_url=calendar._replace(chosen={}).url(path),
    )


def view_links(calendar: FilteredCalendar, today: date, view: str = "", day: date | None = None) -> list[PageLink]:
    """Return the links to the views of a calendar that show a day, by default today."""
    labels = ((LIST, _("List")), (MONTH, _("Month")), (WEEK, _("Week")), (SINGLE_DAY, _("Day")), (MAP, _("Map")))
    return [PageLink(label, calendar.url(view_path(name, day or today, today)), name == view) for name, label in labels]


def _neighbor(calendar: FilteredCalendar, period: Period, label: str, span: CalendarSpan) -> PageLink:
    days = period.days_inside
    is_in_span = span.overlaps(days[0], days[-1])
    return PageLink(f"{label}: {period.name}", calendar.period_url(period) if is_in_span else "")


def _is_in(calendar: FilteredCalendar, parameter: str) -> bool:
    return calendar.scope is not None and calendar.scope.kind.parameter == parameter


def _options(choices: Iterable[tuple[str, Any]], chosen: str) -> list[Option]:
    values = chosen.split(",")
    return [Option(value, str(label), value in values) for value, label in choices]


def _town_options(chosen: str, towns: list[Town]) -> list[Option]:
    """Return the towns, and the visitor's own position if it is chosen."""
    options = [Option(town.near, town.name, town.near == chosen) for town in towns]
    if chosen and not any(option.is_chosen for option in options):
        options.insert(0, Option(chosen, format_near(chosen, towns), is_chosen=True))
    return options


def _shortcuts(calendar: FilteredCalendar, today: date) -> list[PageLink]:
    """Return links to the events of the next days."""
    # On Sunday, the weekend is that day.
    saturday = today + timedelta(days=max(SATURDAY - today.weekday(), 0))
    weekend = {"date": _sent(saturday, today), "days": 1 if saturday.weekday() > SATURDAY else 2}
    return [
        PageLink(_("Today"), calendar.url(view_path(SINGLE_DAY, today, today))),
        PageLink(_("This weekend"), calendar.url(LIST, **weekend)),
        PageLink(_("Next 7 days"), calendar.url(LIST, days=7)),
    ]


def _sent(day: date, today: date) -> str:
    """Return a day as a parameter, "" for today, which is the default."""
    return day.isoformat() if day != today else ""


def _category_options(chosen: str) -> list[Option]:
    """Return the categories with events as a tree, each child after its parent and indented. One query."""
    rows = Category.objects.order_by("-event_count", "pk")[:MAX_CATEGORIES]
    categories = sorted(
        rows.values_list("pk", "parent", "name", "slug", "event_count"), key=lambda row: row[2].casefold()
    )
    parents = {pk: parent for pk, parent, *_others in categories}
    used = {pk for pk, *_others, count in categories if count}
    for pk in list(used):
        parent = parents.get(pk)
        while parent in parents and parent not in used:
            used.add(parent)
            parent = parents[parent]
    children = defaultdict(list)
    for pk, parent, name, slug, _count in categories:
        if pk in used:
            children[parent if parent in used else None].append((pk, name, slug))
    values = chosen.split(",")

    def branch(parent: int | None, depth: int) -> Iterator[Option]:
        for pk, name, slug in children[parent]:
            label = "\N{NO-BREAK SPACE}" * 2 * depth + name
            yield Option(slug, label, slug in values or str(pk) in values)
            yield from branch(pk, depth + 1)

    return list(branch(None, 0))


def chips_of(calendar: FilteredCalendar) -> list[str]:
    """Return the names of the filters in use. One query for each that names records."""
    towns = load_towns() if "near" in calendar.chosen else []
    return [_chip_label(name, value, towns) for name, value in calendar.chosen.items()]


def _chips(calendar: FilteredCalendar, path: str, towns: list[Town]) -> list[Chip]:
    return [
        Chip(_chip_label(name, value, towns), calendar.with_filter(name, "").url(path))
        for name, value in calendar.chosen.items()
    ]


def _chip_label(name: str, value: str, towns: list[Town]) -> str:
    if name == "near":
        return format_near(value, towns)
    if name == "search":
        return pgettext("quotation", "“%(text)s”") % {"text": value}
    if name in SWITCHES:
        yes, no = SWITCHES[name]()
        return yes if value == "true" else no
    if name in CHOICES:
        labels = dict(CHOICES[name].choices)
        return ", ".join(str(labels.get(each, each)) for each in value.split(","))
    return ", ".join(_record_names(RECORDS[name], value.split(",")))


def _record_names(model: Any, references: list[str]) -> list[str]:
    """Return the names of the records with these slugs or ids. One query."""
    ids = [int(each) for each in references if each.isascii() and each.isdigit()]
    found = Q(pk__in=ids) if model is Series else Q(pk__in=ids) | Q(slug__in=references)
    return [str(row) for row in model.objects.filter(found)] or references


RECORDS: dict[str, Any] = {
    "categories": Category,
    "tags": Tag,
    "venue": Venue,
    "organizer": Organizer,
    "series": Series,
}
# The filters that the form does not show, which links to calendars set.
KEPT = ("tags", "venue", "organizer", "series")
CHOICES: dict[str, Any] = {"attendance_mode": AttendanceMode, "accessibility": Accessibility}
SWITCHES = {
    "featured": lambda: (_("Highlights"), _("No highlights")),
    "free": lambda: (pgettext("events", "Free"), pgettext("events", "Not free")),
    "ticketed": lambda: (_("With tickets"), _("Without tickets")),
}
