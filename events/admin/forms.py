"""The form of an event."""

from datetime import date, datetime, timedelta

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminTextInputWidget

from calendar_site.content.admin.fields import OrderedRowsField, WallTimeField, ZoneField, wall_time
from calendar_site.content.admin.forms import ContentForm
from calendar_site.content.dates import parse_zone
from events.admin.times import EVENING, LENGTH
from events.admin.while_filled_in import (
    COST,
    TIMES,
    TOLD_TIMES,
    cost_in_words,
    order_fault,
    read_cost,
    read_times,
    times_in_words,
    told_line,
)
from events.costs import LONGEST_COST, cost_of
from events.models import Event, EventOrganizer, EventVenue
from events.schedule import GIVEN, zone_of
from events.services import set_event
from organizers.models import Organizer
from venues.models import Venue

PASSWORD_LENGTH = Event._meta.get_field("password").max_length


class EventForm(ContentForm):
    """An event, whose times are those of the clock on its own wall."""

    class Media:
        js = ("back_office/event_form.js",)

    class Meta(ContentForm.Meta):
        labels = {**ContentForm.Meta.labels, "website": gettext_lazy("Website, such as where tickets are sold")}
        help_texts = {
            **ContentForm.Meta.help_texts,
            "featured": gettext_lazy("Sites may make it stand out."),
            "sticky": gettext_lazy("Sites may keep it at the top of their lists."),
            "hide_from_listings": gettext_lazy("Only its own address leads to it."),
            "show_map": gettext_lazy("Sites may show its venue on a map."),
            "show_map_link": gettext_lazy("Its page leads to a map of its venue."),
            "parent": gettext_lazy("A larger event, such as the festival of this concert."),
        }

    model_names = {**ContentForm.model_names, "ordered_venues": "venues", "ordered_organizers": "organizers"}

    start = WallTimeField(label=gettext_lazy("Starts"))
    end = WallTimeField(label=gettext_lazy("Ends"))
    time_zone = ZoneField(
        label=gettext_lazy("Time zone"),
        required=False,
        help_text=gettext_lazy("The times above are on the clock of this zone. Empty: the zone of the site."),
    )
    cost = forms.CharField(
        label=gettext_lazy("Cost"),
        required=False,
        max_length=LONGEST_COST,
        widget=UnfoldAdminTextInputWidget,
        help_text=gettext_lazy("Such as 10, $10 – $30 or Free. A number alone is in the currency of the site."),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        required=False,
        strip=False,
        max_length=PASSWORD_LENGTH,
        help_text=gettext_lazy("Who does not know it sees the title and the dates alone. Empty: everybody sees all."),
        widget=UnfoldAdminTextInputWidget({"autocomplete": "off"}),
    )
    # Under names of their own: Django's admin takes no relation with a model between for a field.
    ordered_venues = OrderedRowsField(Venue.objects.none())
    ordered_organizers = OrderedRowsField(Organizer.objects.none())

    def prepare(self):
        super().prepare()
        event = self.instance
        self.initial["time_zone"] = zone_of(event).name
        if event.pk:
            # The control of a whole day has no time.
            shown = 10 if event.all_day else None
            self.initial["start"] = wall_time(event.start_local)[:shown]
            self.initial["end"] = wall_time(event.end_local)[:shown]
        self._say_usual_times()
        self._tell()
        self._show_links("ordered_venues", EventVenue, "venue")
        self._show_links("ordered_organizers", EventOrganizer, "organizer")
        if event.parent_id and not Event.objects.visible_to(self.user).filter(pk=event.parent_id).exists():
            self.initial["parent"] = None

    def _say_usual_times(self):
        """Says to the script what times an event gets of which only the days are known."""
        begins = datetime.combine(date.min, EVENING)
        for name, moment in (("start", begins), ("end", begins + LENGTH)):
            self.fields[name].widget.attrs["data-time"] = f"{moment:%H:%M}"
        self.fields["end"].widget.attrs["data-minutes"] = LENGTH // timedelta(minutes=1)

    def _tell(self):
        """Says below the fields what is made of them, which a script goes on to do."""
        event, given = self.instance, self.data if self.is_bound else self.initial
        if event.pk and not self.is_bound:
            times = times_in_words(event.start, event.end, zone_of(event), event.all_day)
            cost = cost_in_words(cost_of(event))
        else:
            times = read_times(given, bool(given.get("all_day"))).text
            cost = read_cost(given.get("cost") or "").text
        for name, line in (
            ("time_zone", told_line(TIMES, TOLD_TIMES, times)),
            ("cost", told_line(COST, ("cost",), cost)),
        ):
            self.fields[name].help_text = format_html("{} {}", self.fields[name].help_text, line)

    def _show_links(self, name, link, column):
        """Shows the linked records that the user may see; the service keeps the others."""
        links = link.objects.filter(event=self.instance.pk, **{f"{column}__in": self.fields[name].queryset})
        self.initial[name] = list(links.values_list(column, flat=True)) if self.instance.pk else []

    def clean(self):
        super().clean()
        if "time_zone" in self.cleaned_data:
            self.read_times(parse_zone(self.cleaned_data["time_zone"]), "start", "end")
        # An hour that summer time doubles reads as its first turn: what was not touched is not judged by that.
        if not self.instance.pk or not set(GIVEN).isdisjoint(self.changed_data):
            self._check_order()
        return self.cleaned_data

    def _check_order(self):
        start, end = self.cleaned_data.get("start"), self.cleaned_data.get("end")
        if not start or not end:
            return
        if fault := order_fault(start, end, self.cleaned_data.get("all_day")):
            self.add_error("end", fault)

    def settle(self, fields):
        set_event(self.instance, fields, self.user)
