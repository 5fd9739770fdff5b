"""What is switched on and off in the list of events, each with one press."""

from typing import NamedTuple

from django.contrib import messages
from django.contrib.admin.templatetags.admin_urls import add_preserved_filters
from django.contrib.admin.utils import unquote
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponseNotAllowed, HttpResponseRedirect, JsonResponse
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content import rules
from calendar_site.content.choices import Status
from calendar_site.content.transactions import writing


class Flag(NamedTuple):
    # Its name in the font Material Symbols.
    symbol: str
    label: str
    # What is said of an event for which it is now on, and now off.
    on: str
    off: str


FLAGS = {
    "featured": Flag(
        "star", gettext_lazy("Featured"), gettext_lazy("“%(event)s” is featured."),
        gettext_lazy("“%(event)s” is not featured any more."),
    ),
    "sticky": Flag(
        "push_pin", gettext_lazy("Sticky"), gettext_lazy("“%(event)s” is sticky."),
        gettext_lazy("“%(event)s” is not sticky any more."),
    ),
    "hide_from_listings": Flag(
        "visibility_off", gettext_lazy("Hidden from lists"), gettext_lazy("“%(event)s” is hidden from lists."),
        gettext_lazy("“%(event)s” is shown in lists."),
    ),
}  # fmt: skip


class FlagViews:
    """The switches of the list, for the admin of events."""

    def get_urls(self):
        view = self.admin_site.admin_view(self.flag_view)
        return [path("<path:object_id>/flag/<str:name>/", view, name="events_event_flag"), *super().get_urls()]

    def flag_view(self, request, object_id, name):
        """Sets one flag of an event to `value`, and nothing else. Answers scripts in JSON, and says it in words."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if name not in FLAGS or request.POST.get("value") not in ("0", "1"):
            raise Http404
        text, status = self._set_flag(request, unquote(object_id), name, request.POST["value"] == "1")
        if request.headers.get("Accept") == "application/json":
            return JsonResponse({"message": text}, status=status)
        messages.add_message(request, messages.SUCCESS if status == 200 else messages.WARNING, text)
        filters = {"preserved_filters": self.get_preserved_filters(request), "opts": self.opts}
        return HttpResponseRedirect(add_preserved_filters(filters, reverse("admin:events_event_changelist")))

    def _set_flag(self, request, object_id, name, value):
        with writing():
            event = self.get_object(request, object_id)
            if event is None:
                return _("This event is not there any more."), 404
            if not may_set_flags(request.user, event):
                return _("“%(event)s” is not yours to change.") % {"event": event}, 403
            try:
                if getattr(event, name) != value:
                    self.write(event, {name: value}, request.user)
            except ValidationError as error:
                return " ".join(error.messages), 400
        return str(FLAGS[name].on if value else FLAGS[name].off) % {"event": event}, 200


def may_set_flags(user, event):
    return event.status != Status.TRASH and rules.can_edit(user, event)


def switches(event, filters):
    """A switch for each flag; `filters` is the query that leads back to the list as it is filtered."""
    shown = ((name, flag, getattr(event, name)) for name, flag in FLAGS.items())
    buttons = format_html_join(
        "",
        '<button type="submit" class="flag" formaction="{}" formnovalidate name="value" value="{}" aria-pressed="{}"'
        ' aria-label="{}" title="{}"><span class="material-symbols-outlined" aria-hidden="true">{}</span></button>',
        (
            (
                reverse("admin:events_event_flag", args=[event.pk, name]) + filters,
                "0" if is_on else "1",
                "true" if is_on else "false",
                _("%(flag)s: %(event)s") % {"flag": flag.label, "event": event},
                flag.label,
                flag.symbol,
            )
            for name, flag, is_on in shown
        ),
    )
    return format_html('<span class="flags">{}</span>', buttons)


def signs(event):
    """The flags that are on, for whoever may only look."""
    shown = ((flag.label, flag.label, flag.symbol) for name, flag in FLAGS.items() if getattr(event, name))
    return format_html_join(
        "",
        '<span class="flag" role="img" aria-label="{}" title="{}">'
        '<span class="material-symbols-outlined">{}</span></span>',
        shown,
    )
