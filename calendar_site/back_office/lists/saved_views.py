"""The saved views of a list: links above it, and the requests that save, rename and delete them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.views.main import ORDER_VAR, SEARCH_VAR
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect, QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from calendar_site.back_office.lists.filters import is_filter_parameter
from calendar_site.back_office.urls import admin_url, is_valid_id
from calendar_site.saved_views.models import SavedView
from calendar_site.saved_views.services import delete_view, get_views, rename_view, save_view


class ViewLink(NamedTuple):
    """A saved view above its list."""

    view: SavedView
    url: str
    is_active: bool


class ViewLinks(NamedTuple):
    """The saved views of a list, and whether its current filters are worth saving."""

    links: list[ViewLink]
    # The active view, if any.
    active: SavedView | None
    # The query string of the list as it would be saved; "" without filters, search and order.
    query: str
    can_save: bool
    model_label: str
    # The query string to which the saved query is added.
    kept_query: str
    max_name_length: int = SavedView.MAX_NAME_LENGTH


def make_view_links(model_admin: Any, request: HttpRequest, *, kept_query: str) -> ViewLinks:
    """Return the user's saved views of a list, with only the filters that this page has. One query.

    Views with other filters alone are left out: in the calendar, those by time. All links keep `kept_query`.
    """
    query = normalize_query(model_admin, request, request.GET)
    label = model_admin.opts.label_lower
    queries = {}
    for view in get_views(request.user, label):
        if view_query := normalize_query(model_admin, request, QueryDict(view.query)):
            queries[view] = view_query
    active = next((view for view, view_query in queries.items() if view_query == query), None)
    links = [
        ViewLink(view, f"?{_join(kept_query, view_query)}", view is active) for view, view_query in queries.items()
    ]
    return ViewLinks(links, active, query, bool(query) and active is None, label, kept_query)


def normalize_query(model_admin: Any, request: HttpRequest, parameters: QueryDict) -> str:
    """Return the filters, search and order in the parameters as a query string, without the page of the list."""
    filters = model_admin.get_list_filter(request)
    kept = [
        (name, value)
        for name, values in parameters.lists()
        if name in (SEARCH_VAR, ORDER_VAR) or is_filter_parameter(name, filters)
        for value in values
        if value
    ]
    return urlencode(sorted(kept))


def save_view_page(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Save the query string `query` of the list of the model `list` under `name`, and return to the list."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    model_admin = _admin_of_list(site, request, request.POST.get("list", ""))
    sent = request.POST.get("query", "")
    if len(sent) > SavedView.MAX_QUERY_LENGTH:
        messages.error(request, _("This list has too many filters to save them."))
        return HttpResponseRedirect(admin_url(model_admin.model, "changelist"))
    query = normalize_query(model_admin, request, QueryDict(sent))
    if not query:
        messages.error(request, _("Filter, search or sort the list first, and then save the view."))
        return _to_list(model_admin, request, query)
    try:
        view = save_view(
            user=request.user, model_label=model_admin.opts.label_lower, name=request.POST.get("name", ""), query=query
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("The view “%(name)s” was saved.") % {"name": view})
    return _to_list(model_admin, request, query)


def rename_view_page(site: AdminSite, request: HttpRequest, view_id: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    view, model_admin = _find_view(site, request, view_id)
    try:
        rename_view(view, name=request.POST.get("name", ""))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("The view is now called “%(name)s”.") % {"name": view})
    return _to_list(model_admin, request, view.query)


def delete_view_page(site: AdminSite, request: HttpRequest, view_id: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    view, model_admin = _find_view(site, request, view_id)
    delete_view(view)
    messages.success(request, _("The view “%(name)s” was deleted.") % {"name": view})
    return _to_list(model_admin, request, view.query)


def _find_view(site: AdminSite, request: HttpRequest, view_id: str) -> tuple[SavedView, Any]:
    """Return the user's own view with this id, and the ModelAdmin of its list."""
    view = SavedView.objects.filter(pk=view_id, user=request.user.pk).first() if is_valid_id(view_id) else None
    if view is None:
        raise Http404
    return view, _admin_of_list(site, request, view.model_label)


def _admin_of_list(site: AdminSite, request: HttpRequest, model_label: str) -> Any:
    """Return the ModelAdmin of a list with saved views that the user may view. Raises Http404 and PermissionDenied."""
    admins = {model._meta.label_lower: model_admin for model, model_admin in site._registry.items()}
    model_admin: Any = admins.get(model_label)
    if not getattr(model_admin, "has_saved_views", False):
        raise Http404
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    return model_admin


def _to_list(model_admin: Any, request: HttpRequest, query: str) -> HttpResponse:
    """Redirect to the list, or with the parameters of the calendar to that, as these are kept."""
    url = admin_url(model_admin.model, "changelist")
    query = _join(request.POST.get("kept", ""), query)
    return HttpResponseRedirect(f"{url}?{query}" if query else url)


def _join(*queries: str) -> str:
    return "&".join(filter(None, queries))
