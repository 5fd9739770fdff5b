"""Events, their links to venues and organizers, and their tickets."""

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from calendar_site.content.fields import PlainField
from calendar_site.content.history import History, Words
from calendar_site.content.models import DERIVED, WORDS, Content
from calendar_site.content.validators import validate_currency, validate_time_zone, validate_web_address
from events.querysets import EventQuerySet
from events.told import on_its_clock, tickets_in_words


class Event(Content):
    """Something that happens between two moments, at any number of venues.

    `start` and `end` are moments in UTC; `start_local` and `end_local` are the same moments on the clock
    of `time_zone`, as text (`YYYY-MM-DD HH:MM:SS`), which is how lists are ordered and answers are written.
    """

    start = models.DateTimeField(_("starts"))
    end = models.DateTimeField(_("ends"))
    start_local = models.CharField(_("starts, local time"), max_length=19)
    end_local = models.CharField(_("ends, local time"), max_length=19)
    time_zone = models.CharField(_("time zone"), max_length=64, validators=[validate_time_zone])
    all_day = models.BooleanField(_("all day"), default=False)
    # Longer than `events.schedule.LONG`: found apart by conditions on the end.
    is_long = models.BooleanField(default=False, editable=False)

    cost = PlainField(_("cost"), max_length=200, blank=True)
    cost_symbol = models.CharField(max_length=20, blank=True, editable=False)
    cost_position = models.CharField(max_length=10, blank=True, editable=False)
    cost_values = models.JSONField(default=list, blank=True, editable=False)
    website = models.CharField(_("website"), max_length=2000, blank=True, validators=[validate_web_address])
    show_map = models.BooleanField(_("show a map"), default=False)
    show_map_link = models.BooleanField(_("show a link to a map"), default=False)
    hide_from_listings = models.BooleanField(_("hide from listings"), default=False)
    sticky = models.BooleanField(_("sticky"), default=False)
    featured = models.BooleanField(_("featured"), default=False)

    # Readers share it, and editors look it up to tell it: no account hangs on it, so it is kept as it is.
    password = models.CharField(
        _("password"), max_length=100, blank=True, help_text=_("Who does not know it sees title and dates alone.")
    )

    parent = models.ForeignKey(
        "self",
        verbose_name=_("part of"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="parts",
        db_index=False,
    )
    categories = models.ManyToManyField(
        "taxonomy.Category", verbose_name=_("categories"), related_name="events", blank=True
    )
    tags = models.ManyToManyField("taxonomy.Tag", verbose_name=_("tags"), related_name="events", blank=True)
    venues = models.ManyToManyField(
        "venues.Venue", verbose_name=_("venues"), through="EventVenue", related_name="events", blank=True
    )
    organizers = models.ManyToManyField(
        "organizers.Organizer",
        verbose_name=_("organizers"),
        through="EventOrganizer",
        related_name="events",
        blank=True,
    )

    objects = EventQuerySet.as_manager()
    history = History(
        excluded=(*DERIVED, "start_local", "end_local", "is_long"),
        parts=dict.fromkeys(("cost_symbol", "cost_position", "cost_values"), "cost"),
        secrets={"password": bool},
        words={
            **WORDS,
            "start": Words(tell=on_its_clock),
            "end": Words(tell=on_its_clock),
            "tickets": Words(_("Tickets"), tickets_in_words),
        },
    )

    class Meta(Content.Meta):
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("start_local", "pk")
        constraints = [
            *Content.Meta.constraints,
            models.CheckConstraint(
                condition=Q(end__gte=F("start")),
                name="event_ends_after_start",
                violation_error_message=_("An event does not end before it starts."),
            ),
            models.CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")),
                name="event_not_its_own_part",
                violation_error_message=_("An event cannot be a part of itself."),
            ),
        ]
        indexes = [
            # Serves the order of lists and the bounds of their windows, and counts without the table.
            models.Index(
                fields=["start_local", "id", "status", "published_at", "hide_from_listings", "start", "end"],
                name="event_window",
            ),
            models.Index(fields=["end"], condition=Q(is_long=True), name="event_long_end"),
            # Of scheduled events alone: an index of every status tempts planners away from the window.
            models.Index(fields=["published_at"], condition=Q(status="future"), name="event_due"),
            # Of parts alone: most events are none, and planners take an index of mostly NULL for useless.
            models.Index(fields=["parent"], condition=Q(parent__isnull=False), name="event_part"),
            models.Index(fields=["id"], condition=~Q(password=""), name="event_protected"),
            # What the back office sorts by, beside the start, and what it begins with.
            models.Index(fields=["title"], name="event_title"),
            models.Index(fields=["modified_at"], name="event_modified"),
            models.Index(fields=["modified_at"], condition=Q(status="pending"), name="event_pending"),
        ]

    def clean(self) -> None:
        super().clean()
        if self.start and self.end and self.end < self.start:
            raise ValidationError({"end": _("An event does not end before it starts.")})
        if self.pk and self.parent_id and self.pk in Event.objects.path_to_root(self.parent_id):
            raise ValidationError({"parent": _("An event cannot be a part of itself.")})


class EventLink(models.Model):
    """A place in the ordered list of an event's venues or organizers."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE)
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        abstract = True
        ordering = ("position", "pk")
        default_permissions = ()


class EventVenue(EventLink):
    venue = models.ForeignKey("venues.Venue", verbose_name=_("venue"), on_delete=models.CASCADE)

    class Meta(EventLink.Meta):
        verbose_name = _("venue")
        verbose_name_plural = _("venues")
        constraints = [models.UniqueConstraint(fields=["event", "venue"], name="event_venue_once")]

    def __str__(self) -> str:
        return str(self.venue)


class EventOrganizer(EventLink):
    organizer = models.ForeignKey("organizers.Organizer", verbose_name=_("organizer"), on_delete=models.CASCADE)

    class Meta(EventLink.Meta):
        verbose_name = _("organizer")
        verbose_name_plural = _("organizers")
        constraints = [models.UniqueConstraint(fields=["event", "organizer"], name="event_organizer_once")]

    def __str__(self) -> str:
        return str(self.organizer)


class Ticket(models.Model):
    """A kind of ticket that is sold for an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tickets")
    name = PlainField(_("name"), max_length=200)
    price = models.DecimalField(
        _("price"), max_digits=12, decimal_places=2, validators=[MinValueValidator(0, _("A price is not negative."))]
    )
    currency = models.CharField(
        _("currency"), max_length=3, validators=[validate_currency], help_text=_("Three letters, such as EUR.")
    )
    url = models.CharField(_("address"), max_length=2000, blank=True, validators=[validate_web_address])
    available_from = models.DateTimeField(_("available from"), null=True, blank=True)
    available_until = models.DateTimeField(_("available until"), null=True, blank=True)
    sold_out = models.BooleanField(_("sold out"), default=False)
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        ordering = ("position", "pk")
        constraints = [
            models.CheckConstraint(
                condition=Q(price__gte=0),
                name="ticket_price_not_negative",
                violation_error_message=_("A price is not negative."),
            ),
            models.CheckConstraint(
                condition=Q(available_from__isnull=True)
                | Q(available_until__isnull=True)
                | Q(available_until__gte=F("available_from")),
                name="ticket_available_until_after_from",
                violation_error_message=_("A sale does not end before it starts."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SampleRecord(models.Model):
    """The mark of a record that `load_sample_content` made, by which its removal finds that very record."""

    model = models.CharField(max_length=100)
    record_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["model", "record_id"], name="sample_record_once")]

    def __str__(self) -> str:
        return f"{self.model} {self.record_id}"
