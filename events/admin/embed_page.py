"""The page that makes the lines of HTML with which another site shows the calendar, with a preview."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote, urlencode

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from calendar_site.api.site_urls import urls_for
from calendar_site.back_office.content.content_admin import ContentModelAdmin
from calendar_site.core.http import security_headers
from events.calendar_periods import LIST, MONTH, SINGLE_DAY, WEEK
from taxonomy.models import Category, Tag

COLOR = re.compile(r"#?([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})")
# The names of colors in the script, by the fields of the form.
COLORS = {"link_color": "link", "background_color": "background", "text_color": "text"}
VIEWS = [
    (LIST, gettext_lazy("List")),
    (MONTH, gettext_lazy("Month")),
    (WEEK, gettext_lazy("Week")),
    (SINGLE_DAY, gettext_lazy("Day")),
]


class HexColorField(forms.CharField):
    """A color such as `#0b5cad`. The value has no `#`."""

    def __init__(self, label: Any) -> None:
        super().__init__(label=label, required=False, widget=UnfoldAdminTextInputWidget({"placeholder": "#0b5cad"}))

    def clean(self, value: Any) -> str:
        text = super().clean(value).strip()
        match = COLOR.fullmatch(text)
        if text and not match:
            raise forms.ValidationError(_("Enter a color such as #0b5cad."))
        return match[1] if match else ""


class EmbedForm(forms.Form):
    view = forms.ChoiceField(
        label=gettext_lazy("View"), choices=VIEWS, required=False, initial=LIST, widget=UnfoldAdminSelectWidget
    )
    category = forms.ModelChoiceField(
        Category.objects.order_by("search_text", "pk"),
        label=gettext_lazy("Category"),
        required=False,
        to_field_name="slug",
        widget=UnfoldAdminSelectWidget,
    )
    tag = forms.ModelChoiceField(
        Tag.objects.order_by("search_text", "pk"),
        label=gettext_lazy("Tag"),
        required=False,
        to_field_name="slug",
        widget=UnfoldAdminSelectWidget,
    )
    title = forms.CharField(
        label=gettext_lazy("Title"),
        required=False,
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("What screen readers call the calendar."),
    )
    link_color = HexColorField(gettext_lazy("links and buttons"))
    background_color = HexColorField(gettext_lazy("background"))
    text_color = HexColorField(gettext_lazy("text"))

    def clean(self) -> dict[str, Any]:
        super().clean()
        if self.cleaned_data.get("category") and self.cleaned_data.get("tag"):
            self.add_error("tag", _("Choose a category or a tag, not both."))
        return self.cleaned_data


def embed_view(request: HttpRequest, *, model_admin: ContentModelAdmin) -> HttpResponse:
    """Show the form, and the lines of HTML for its values. It saves nothing."""
    if not model_admin.has_view_permission(request):
        raise PermissionDenied
    form = EmbedForm(request.GET or None)
    data = form.cleaned_data if form.is_valid() else {}
    urls = urls_for(request)
    context = {
        **model_admin.admin_site.each_context(request),
        "opts": model_admin.opts,
        "title": _("Show the calendar in another site"),
        "form": form,
        "hosts": settings.EMBED_HOSTS,
        "preview_url": _frame_path(data),
        **({} if form.errors else {"script": _script(data, urls.root), "frame": _frame(data, urls.root)}),
    }
    response = TemplateResponse(request, "admin/events/event/embed.html", context)
    response[security_headers.HEADER] = security_headers.with_own_frames(security_headers.ADMIN_POLICY)
    return response


def _script(data: dict[str, Any], root: str) -> str:
    """Return the script element, and a link for browsers without scripts, as text that the page shows."""
    attributes = [
        ("view", data.get("view") or LIST),
        ("category", data["category"].slug if data.get("category") else ""),
        ("tag", data["tag"].slug if data.get("tag") else ""),
        ("title", data.get("title", "")),
        ("colors", _colors(data)),
    ]
    shown = format_html_join("", ' data-{}="{}"', (pair for pair in attributes if pair[1]))
    script = format_html('<script src="{}/embed.js"{}></script>', root, shown)
    link = format_html('<noscript><a href="{}">{}</a></noscript>', f"{root}{_path(data)}", _title(data))
    # No longer marked as safe: the page must escape it.
    return "\n".join([script, link])


def _frame(data: dict[str, Any], root: str) -> str:
    style = "width: 100%; height: 60rem; border: 0"
    url = f"{root}{_frame_path(data)}"
    return "".join([format_html('<iframe src="{}" title="{}" style="{}"></iframe>', url, _title(data), style)])


def _frame_path(data: dict[str, Any]) -> str:
    colors = _colors(data)
    return f"{_path(data)}?{urlencode({'embed': '1', **({'colors': colors} if colors else {})}, safe=':,')}"


def _path(data: dict[str, Any]) -> str:
    scope = "/events"
    for name in ("category", "tag"):
        if data.get(name):
            scope = f"/events/{name}/{quote(data[name].slug)}"
    view = data.get("view") or LIST
    return f"{scope}/{'today' if view == SINGLE_DAY else view}/"


def _colors(data: dict[str, Any]) -> str:
    return ",".join(f"{name}:{data[field]}" for field, name in COLORS.items() if data.get(field))


def _title(data: dict[str, Any]) -> str:
    return data.get("title") or str(data.get("category") or data.get("tag") or _("Events"))
