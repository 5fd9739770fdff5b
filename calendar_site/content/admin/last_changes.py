"""The last changes, on a page of their own and on the first page."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

from django.apps import apps
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from calendar_site.content import rules
from calendar_site.content.admin.routes import address
from calendar_site.content.admin.states import StatesAdmin, told
from calendar_site.content.history import Door, Kind
from calendar_site.content.last_changes import Place, Source, last_changes
from calendar_site.content.titles import title_of

ON_A_PAGE = 50


def sources(site: Any, request: HttpRequest) -> list[Source]:
    """The records whose changes the user may see: those that he may change."""
    admins = [model_admin for model_admin in site._registry.values() if isinstance(model_admin, StatesAdmin)]
    return [
        Source(model_admin.model, model_admin.changeable(request))
        for model_admin in admins
        if model_admin.has_change_permission(request)
    ]


def may_see_changes(user: Any) -> bool:
    recorded = (model for model in apps.get_models() if hasattr(model, "history"))
    return any(rules.may(user, "change", model) for model in recorded)


def changes_page(site: Any, request: HttpRequest) -> HttpResponse:
    known = sources(site, request)
    if not known:
        raise PermissionDenied
    given = {name: request.GET.get(name, "") for name in ("of", "who", "door", "kind")}
    shown = [source for source in known if given["of"] in ("", source.label)] or known
    after = Place.read(request.GET.get("after", ""))
    found = last_changes(shown, ON_A_PAGE + 1, after=after, **_wanted(given, request.user))
    states = found[:ON_A_PAGE]
    query = request.GET.copy()
    if len(found) > ON_A_PAGE:
        query["after"] = str(Place.of(states[-1]))
    context = {
        **site.each_context(request),
        "title": _("Last changes"),
        "filters": _filters(known, given),
        "rows": [row_of(state) for state in states],
        "older": f"?{query.urlencode()}" if len(found) > ON_A_PAGE else "",
        "is_filtered": any(given.values()),
        "is_later": after is not None,
    }
    return TemplateResponse(request, "admin/history/last_changes.html", context)


def row_of(state: Any) -> dict[str, Any]:
    """What a list tells of a change, with the ways to it and to its record."""
    options = state.instance_type._meta
    return {
        "told": told(state),
        "title": title_of(state),
        "model": capfirst(str(options.verbose_name)),
        "history": address(state.instance_type, "history", state.id),
        "compare": f"{address(state.instance_type, 'compare', state.id)}?state={state.history_id}",
    }


def _wanted(given: dict[str, str], user: Any) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    if given["who"] == "me":
        wanted["history_user_id"] = user.pk
    if given["door"] in Door.values:
        wanted["history_door"] = given["door"]
    if given["kind"] in Kind.values:
        wanted["history_kind"] = given["kind"]
    return wanted


def _filters(known: list[Source], given: dict[str, str]) -> list[dict[str, Any]]:
    names = [(source.label, capfirst(str(source.model._meta.verbose_name_plural))) for source in known]
    names.sort(key=itemgetter(1))
    doors = [(value, capfirst(str(label))) for value, label in Door.choices]
    kinds = [(value, capfirst(str(label))) for value, label in Kind.choices]
    choices = (
        ("of", _("Of"), _("All records"), names),
        ("who", _("Who"), _("Everybody"), [("me", _("I"))]),
        ("door", _("Where"), _("Everywhere"), doors),
        ("kind", _("What"), _("Every change"), kinds),
    )
    return [
        {"name": name, "label": label, "chosen": given[name], "options": [("", every), *options]}
        for name, label, every, options in choices
    ]
