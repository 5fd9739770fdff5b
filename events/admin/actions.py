"""What is done to events from their list, beside what is done to all records."""

import csv

from django import forms
from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.http import HttpResponseRedirect, StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from calendar_site.content.admin.actions import Refusal, StatusActions, check_editable, filled_in
from calendar_site.content.admin.fields import RowInput
from events.admin.export import COLUMNS, exported
from events.models import Event
from events.services import duplicate_event
from venues.models import Venue


class EventActions(StatusActions):
    """Actions on events: how they are listed, copies, another venue, a file."""

    actions = (
        *StatusActions.actions,
        "feature",
        "feature_no_longer",
        "hide",
        "show",
        "move_to_venue",
        "duplicate",
        "export",
    )

    @admin.action(description=gettext_lazy("Feature"), permissions=["change"])
    def feature(self, request, queryset):
        done, needless = _("Featured: %(titles)s."), _("Left alone (featured already): %(titles)s.")
        self.act_on_each(request, queryset, self._setting("featured", True, done, needless))

    @admin.action(description=gettext_lazy("Feature no longer"), permissions=["change"])
    def feature_no_longer(self, request, queryset):
        done, needless = _("No longer featured: %(titles)s."), _("Left alone (not featured): %(titles)s.")
        self.act_on_each(request, queryset, self._setting("featured", False, done, needless))

    @admin.action(description=gettext_lazy("Hide from lists"), permissions=["change"])
    def hide(self, request, queryset):
        done, needless = _("Hidden from lists: %(titles)s."), _("Left alone (hidden already): %(titles)s.")
        self.act_on_each(request, queryset, self._setting("hide_from_listings", True, done, needless))

    @admin.action(description=gettext_lazy("Show in lists"), permissions=["change"])
    def show(self, request, queryset):
        done, needless = _("Shown in lists: %(titles)s."), _("Left alone (shown already): %(titles)s.")
        self.act_on_each(request, queryset, self._setting("hide_from_listings", False, done, needless))

    def _setting(self, name, value, done, needless):
        def act(user, event):
            check_editable(user, event)
            if getattr(event, name) == value:
                raise Refusal(needless)
            self.write(event, {name: value}, user)
            return done

        return act

    # --- Another venue

    @admin.action(description=gettext_lazy("Move to another venue"), permissions=["change"])
    def move_to_venue(self, request, queryset):
        form = venue_form(self, request)
        if "venue" in request.POST and form.is_valid():
            venue = form.cleaned_data["venue"]
            self.act_on_each(request, queryset, self._moving_to(venue))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": _("Move to another venue"),
            "opts": self.opts,
            "media": self.media + form.media,
            "form": form,
            "events": list(queryset),
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/events/event/move_to_venue.html", context)

    def _moving_to(self, venue):
        def act(user, event):
            check_editable(user, event)
            self.write(event, {"venues": [venue]}, user)
            return filled_in(_("Moved to %(venue)s: %(titles)s."), venue=venue)

        return act

    # --- Copies

    @admin.action(description=gettext_lazy("Duplicate"), permissions=["add"])
    def duplicate(self, request, queryset):
        copies = []

        def act(user, event):
            # Whoever may not change it does not see all that would be copied.
            check_editable(user, event)
            copies.append(duplicate_event(event, user))
            return _("Copied as a draft: %(titles)s.")

        self.act_on_each(request, queryset, act)
        if len(copies) == 1:
            return HttpResponseRedirect(reverse("admin:events_event_change", args=[copies[0].pk]))
        return None

    # --- A file

    @admin.action(description=gettext_lazy("Export as CSV"), permissions=["view"])
    def export(self, request, queryset):
        """The selected events as a table, no more of each than the user sees."""
        writer = csv.writer(_Echo())
        lines = (writer.writerow(line) for line in [COLUMNS, *exported(queryset, request.user)])
        response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = 'attachment; filename="events.csv"'
        return response


class _Echo:
    """Hands back what is written to it."""

    def write(self, text):
        return text


def venue_form(model_admin, request):
    """A form that asks for one venue of those that the user may see."""
    field = Event._meta.get_field("venues")
    widget = RowInput(field, model_admin.admin_site)
    venue = forms.ModelChoiceField(Venue.objects.visible_to(request.user), widget=widget, label=capfirst(_("venue")))
    form = type("VenueForm", (forms.Form,), {"venue": venue})
    return form(request.POST if "venue" in request.POST else None)
