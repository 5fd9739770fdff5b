"""The latest changes of records of all kinds, on a page of their own and on the start page."""

from __future__ import annotations

from operator import itemgetter
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from calendar_site.audit.models import ChangeKind, Channel, Revision
from calendar_site.back_office.history.entries import HistoryRow, describe_entry
from calendar_site.back_office.urls import admin_url
from calendar_site.core import permissions
from calendar_site.core.types import AnyUser
from calendar_site.revisions.feed import ChangeSource, Cursor, latest_changes
from calendar_site.revisions.titles import title_of

PAGE_SIZE = 50
PARAMETERS = ("type", "user", "channel", "action")


class FeedRow(NamedTuple):
    """A change in the feed."""

    entry: HistoryRow
    title: str
    model: str
    history_url: str
    compare_url: str
    # How many records with this title the same request has changed, such as the events of a series.
    records: int = 1

    @property
    def count_display(self) -> str:
        if self.records == 1:
            return ""
        return ngettext("%(count)d record", "%(count)d records", self.records) % {"count": self.records}


def recorded_models() -> list[Any]:
    return [model for model in apps.get_models() if hasattr(model, "history")]


def change_sources(site: AdminSite, request: HttpRequest) -> list[ChangeSource]:
    """Return the sources of changes that the user may see: the records that the user may change."""
    admins: list[Any] = [site.get_model_admin(model) for model in recorded_models() if site.is_registered(model)]
    return [
        ChangeSource(model_admin.model, model_admin.get_editable_rows(request))
        for model_admin in admins
        if model_admin.has_change_permission(request)
    ]


def can_see_changes(user: AnyUser) -> bool:
    return any(permissions.has_model_permission(user, "change", model) for model in recorded_models())


def change_feed(site: AdminSite, request: HttpRequest) -> HttpResponse:
    """Show the latest changes, filtered by the parameters of the request."""
    sources = change_sources(site, request)
    if not sources:
        raise PermissionDenied
    requested = {name: request.GET.get(name, "") for name in PARAMETERS}
    shown = [source for source in sources if requested["type"] in ("", source.label)] or sources
    after = Cursor.parse(request.GET.get("after", ""))
    found = latest_changes(shown, PAGE_SIZE + 1, after=after, **_conditions(requested, request.user))
    revisions = found[:PAGE_SIZE]
    query = request.GET.copy()
    if len(found) > PAGE_SIZE:
        query["after"] = str(Cursor.of(revisions[-1]))
    context = {
        **site.each_context(request),
        "title": _("Recent changes"),
        "filters": _filters(sources, requested),
        "rows": feed_rows(revisions),
        "older": f"?{query.urlencode()}" if len(found) > PAGE_SIZE else "",
        "is_filtered": any(requested.values()),
        "is_later": after is not None,
    }
    return TemplateResponse(request, "admin/history/change_feed.html", context)


def feed_rows(revisions: list[Revision]) -> list[FeedRow]:
    """Return the rows of the revisions. Those of one request with the same title are one row, at the newest."""
    rows: dict[tuple[Any, ...], FeedRow] = {}
    for revision in revisions:
        row = feed_row(revision)
        key = (_cause(revision), revision.instance_type, row.title, revision.history_kind)
        rows[key] = rows[key]._replace(records=rows[key].records + 1) if key in rows else row
    return list(rows.values())


def _cause(revision: Revision) -> Any:
    """Return what changes of one request have in common, and what a command did to the events of a series at once."""
    if revision.history_request_id:
        return revision.history_request_id
    series = getattr(revision, "series_id", None)
    return (series, revision.history_date.replace(second=0, microsecond=0)) if series else revision.history_id


def feed_row(revision: Revision) -> FeedRow:
    model = revision.instance_type
    return FeedRow(
        entry=describe_entry(revision),
        title=title_of(revision),
        model=capfirst(str(model._meta.verbose_name)),
        history_url=admin_url(model, "history", revision.id),
        compare_url=f"{admin_url(model, 'compare', revision.id)}?state={revision.history_id}",
    )


def _conditions(requested: dict[str, str], user: AnyUser) -> dict[str, Any]:
    """Return the columns of histories to filter by; unknown values are ignored."""
    conditions: dict[str, Any] = {}
    if requested["user"] == "me":
        conditions["history_user_id"] = user.pk
    if requested["channel"] in Channel.values:
        conditions["history_channel"] = requested["channel"]
    if requested["action"] in ChangeKind.values:
        conditions["history_kind"] = requested["action"]
    return conditions


def _filters(sources: list[ChangeSource], requested: dict[str, str]) -> list[dict[str, Any]]:
    names = [(source.label, capfirst(str(source.model._meta.verbose_name_plural))) for source in sources]
    names.sort(key=itemgetter(1))
    channels = [(value, capfirst(str(label))) for value, label in Channel.choices]
    kinds = [(value, capfirst(str(label))) for value, label in ChangeKind.choices]
    choices = (
        ("type", _("Record type"), _("All types"), names),
        ("user", _("User"), _("Everyone"), [("me", _("Me"))]),
        ("channel", _("Channel"), _("All channels"), channels),
        ("action", _("Action"), _("All actions"), kinds),
    )
    return [
        {"name": name, "label": label, "selected": requested[name], "options": [("", every), *options]}
        for name, label, every, options in choices
    ]
