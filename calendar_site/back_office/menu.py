"""The menu of the admin: sections, in which the apps register their entries."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from django.contrib.admin import AdminSite
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _


class Section(Enum):
    """The sections, in their order."""

    CALENDAR = "calendar"
    PLACES = "places"
    TERMS = "terms"
    LIBRARY = "library"
    ACCESS = "access"


TITLES = {
    Section.CALENDAR: _("Calendar"),
    Section.PLACES: _("Venues and organizers"),
    Section.TERMS: _("Categories and tags"),
    Section.LIBRARY: _("Images and custom fields"),
    Section.ACCESS: _("Access"),
}


class ModelEntry(NamedTuple):
    """A page about the records of a model, for users who may view any of them."""

    model: type[Model]
    # The name of a symbol in the font Material Symbols.
    icon: str
    # The end of the URL's name.
    page: str = "changelist"
    # None for the plural name of the model.
    title: Promise | None = None


class PageEntry(NamedTuple):
    """A page about records of several models."""

    url_name: str
    icon: str
    title: Promise
    is_visible_to: Callable[[Any], bool]


class MenuLink(NamedTuple):
    title: Any
    icon: str
    url: str


Entry = ModelEntry | PageEntry

_entries: dict[Section, list[tuple[int, Entry]]] = {section: [] for section in Section}


def register(section: Section, *entries: Entry, position: int) -> None:
    """Add entries to a section, after those with a lower position. Called by `AppConfig.ready()`."""
    _entries[section] += [(position, entry) for entry in entries]


def get_links(site: AdminSite, request: HttpRequest) -> list[tuple[Promise, list[MenuLink]]]:
    """Return the sections with the links that the user may follow."""
    return [
        (TITLES[section], [link for entry in _in_order(section) if (link := _get_link(site, request, entry))])
        for section in Section
    ]


def _in_order(section: Section) -> list[Entry]:
    return [entry for _position, entry in sorted(_entries[section], key=lambda pair: pair[0])]


def _get_link(site: AdminSite, request: HttpRequest, entry: Entry) -> MenuLink | None:
    """Return the link of the entry; None if the user may not see the page."""
    if isinstance(entry, PageEntry):
        is_visible, url_name, title = entry.is_visible_to(request.user), entry.url_name, entry.title
    else:
        options: Any = entry.model._meta
        is_visible = site.is_registered(entry.model) and site.get_model_admin(entry.model).has_view_permission(request)
        url_name = f"{options.app_label}_{options.model_name}_{entry.page}"
        title = entry.title or capfirst(options.verbose_name_plural)
    return MenuLink(title, entry.icon, reverse(f"{site.name}:{url_name}")) if is_visible else None
