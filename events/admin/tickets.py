"""The tickets of an event, edited with it."""

from django import forms
from django.contrib import admin
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.admin import StackedInline

from calendar_site.content import rules
from calendar_site.content.admin.fields import WallTimeField, wall_time
from calendar_site.content.admin.forms import MergingForm
from calendar_site.content.dates import wire
from calendar_site.content.days import short_day_and_clock
from events.models import Ticket
from events.schedule import zone_of


class TicketForm(MergingForm):
    """A ticket, whose times are on the clock of its event."""

    class Meta:
        labels = {"url": gettext_lazy("Web address where it is sold"), "position": gettext_lazy("Place in the list")}

    available_from = WallTimeField(label=gettext_lazy("Available from"), required=False)
    available_until = WallTimeField(label=gettext_lazy("Available until"), required=False)

    def __init__(self, *args, event, **kwargs):
        self.event = event
        super().__init__(*args, **kwargs)

    def prepare(self):
        for name in ("available_from", "available_until"):
            moment = getattr(self.instance, name)
            self.initial[name] = moment and wall_time(wire(moment.astimezone(zone_of(self.event).tz)))

    def clean(self):
        super().clean()
        for name in ("available_from", "available_until"):
            self.cleaned_data[name] = self.cleaned_data.get(name) or None
        self.read_times(zone_of(self.event), "available_from", "available_until")
        first, last = self.cleaned_data.get("available_from"), self.cleaned_data.get("available_until")
        if first and last and last < first:
            self.add_error("available_until", _("A sale does not end before it starts."))
        return self.cleaned_data

    def clean_currency(self):
        return self.cleaned_data["currency"].upper()

    def _post_clean(self):
        self.refuse_clashes()
        if "id" in self.errors:
            self.add_error(None, _("Somebody else has taken this ticket away in the meantime. Mark it to be deleted."))
        for name in self.cleaned_data.keys() - set(self.changed_data):
            if self.fields[name].show_hidden_initial:
                del self.cleaned_data[name]
        super()._post_clean()


class TicketFormSet(forms.BaseInlineFormSet):
    def get_form_kwargs(self, index):
        return {**super().get_form_kwargs(index), "event": self.instance}


class TicketInline(StackedInline):
    """Whoever may change an event may change its tickets."""

    model = Ticket
    form = TicketForm
    formset = TicketFormSet
    extra = 0
    readonly_fields = ("availability",)
    fields = (
        ("name", "price", "currency"),
        ("available_from", "available_until"),
        "url",
        ("position", "sold_out"),
    )

    def has_view_permission(self, request, obj=None):
        return True

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission

    def get_queryset(self, request):
        return super().get_queryset(request).select_related("event")

    def get_fields(self, request, obj=None):
        if obj is None or rules.can_edit(request.user, obj):
            return super().get_fields(request, obj)
        return ("name", "price", "currency", "availability", "url", "sold_out")

    @admin.display(description=gettext_lazy("available"))
    def availability(self, ticket):
        bounds = (ticket.available_from, ticket.available_until)
        tz = zone_of(ticket.event).tz
        if not any(bounds):
            return ""
        return " – ".join(short_day_and_clock(bound.astimezone(tz)) if bound else "…" for bound in bounds)
