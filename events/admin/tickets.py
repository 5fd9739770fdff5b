"""The tickets of an event, which users edit on its form."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.admin import StackedInline

from calendar_site.back_office.forms.base import ServiceForm, ServiceFormSet
from calendar_site.back_office.forms.time_fields import LocalTimeField, to_input_value
from calendar_site.core import permissions
from calendar_site.core.dates.conversion import Zone, to_wire
from calendar_site.core.dates.formatting import format_short_day_and_time
from calendar_site.core.types import AnyUser
from events.models import Event, Ticket
from events.schedule import zone_of

# The currencies whose symbol is that of no other one.
CURRENCIES = {"€": "EUR", "£": "GBP", "zł": "PLN", "₹": "INR", "₺": "TRY", "₴": "UAH", "Kč": "CZK", "Ft": "HUF"}

# Those that the symbol `$` stands for, by HOLIDAYS_COUNTRY.
DOLLARS = {"AU": "AUD", "CA": "CAD", "HK": "HKD", "MX": "MXN", "NZ": "NZD", "SG": "SGD", "TW": "TWD"}


class TicketForm(ServiceForm):
    """A ticket, with times in the time zone of its event."""

    class Meta:
        labels = {"url": gettext_lazy("Ticket URL"), "position": gettext_lazy("Position in the list")}

    available_from = LocalTimeField(label=gettext_lazy("Available from"), required=False)
    available_until = LocalTimeField(label=gettext_lazy("Available until"), required=False)

    def __init__(self, *args: Any, saved_zone: Zone, zone: Zone, currency: str, **kwargs: Any) -> None:
        """`saved_zone` is the time zone in which the form shows times, `zone` the one in which they were entered.

        `currency` is that of a new ticket, unless the user enters another one.
        """
        self.saved_zone, self.zone, self.currency = saved_zone, zone, currency
        super().__init__(*args, **kwargs)

    def prepare(self) -> None:
        if not self.instance.pk:
            self.initial["currency"] = self.currency
        for name in ("available_from", "available_until"):
            moment = getattr(self.instance, name)
            self.initial[name] = moment and to_input_value(to_wire(moment.astimezone(self.saved_zone.tz)))

    def clean(self) -> dict[str, Any]:
        super().clean()
        for name in ("available_from", "available_until"):
            self.cleaned_data[name] = self.cleaned_data.get(name) or None
        self.parse_times(self.zone, "available_from", "available_until")
        first, last = self.cleaned_data.get("available_from"), self.cleaned_data.get("available_until")
        if first and last and last < first:
            self.add_error("available_until", _("“Available until” cannot be before “Available from”."))
        if "id" in self.errors:
            self.add_error(None, _("Someone else has deleted this ticket. Select “Delete” for it, then save again."))
        return self.cleaned_data

    def clean_currency(self) -> str:
        return self.cleaned_data["currency"].upper()


def usual_currency(user: AnyUser) -> str:
    """Return the currency of the user's newest ticket, else that of the site's symbol; "" if it is unknown. One query.

    Not that of others, whose events may be hidden.
    """
    own = Ticket.objects.filter(event__author=user.pk)
    newest = own.order_by("-pk").values_list("currency", flat=True).first()
    symbol = settings.DEFAULT_CURRENCY_SYMBOL
    if newest:
        return newest
    if symbol == "$":
        return DOLLARS.get(settings.HOLIDAYS_COUNTRY, "USD")
    return CURRENCIES.get(symbol, symbol if len(symbol) == 3 and symbol.isalpha() else "")


class TicketInline(StackedInline):
    """Tickets, for users who may change their event."""

    class Media:
        js = ("back_office/inline_order.js",)

    model = Ticket
    form = TicketForm
    formset = ServiceFormSet
    extra = 0
    # Users drag tickets into their order.
    ordering_field = "position"
    hide_ordering_field = True
    readonly_fields = ("availability",)
    fields = (
        ("name", "price", "currency"),
        ("available_from", "available_until"),
        "url",
        ("position", "sold_out"),
    )

    def has_view_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        return True

    has_add_permission = has_change_permission = has_delete_permission = has_view_permission

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).select_related("event")

    def get_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        if obj is None or permissions.can_edit(request.user, obj):
            return super().get_fields(request, obj)
        return ("name", "price", "currency", "availability", "url", "sold_out")

    @admin.display(description=gettext_lazy("availability"))
    def availability(self, ticket: Ticket) -> str:
        bounds = (ticket.available_from, ticket.available_until)
        tz = zone_of(ticket.event).tz
        if not any(bounds):
            return ""
        return " – ".join(format_short_day_and_time(bound.astimezone(tz)) if bound else "…" for bound in bounds)
