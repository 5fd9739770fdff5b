"""Events, their links to venues and organizers, their tickets, and the series to which they belong."""

from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from calendar_site.audit.models import UNTRACKED, FieldDisplay, History, NestedFields, TrackedModel
from calendar_site.content.models import Content, format_accessibility
from calendar_site.core.choices import Status
from calendar_site.core.database.constraints import CheckConstraint, UniqueConstraint
from calendar_site.core.dates.conversion import in_utc
from calendar_site.core.fields import AccessibilityField, PlainTextField
from calendar_site.core.validators import validate_currency, validate_http_url, validate_time_zone
from events import index_models, withdrawn_models  # noqa: F401 - they declare models
from events.choices import COMMON_VALUES, AttendanceMode, EventStatus
from events.costs import MAX_COST_LENGTH
from events.history_display import format_local_dates, format_local_time, format_tickets, read_template
from events.querysets import EventQuerySet, SeriesQuerySet
from events.recurrence.rules import MAX_RULE_LENGTH
from events.recurrence.sentences import format_recurrence

END_BEFORE_START = _("An event cannot end before it starts.")


class Series(TrackedModel):
    """Events that repeat: when they take place, and the values of those that are created.

    The occurrences are ordinary events. `start_local` and `end_local` are those of the first one on the clock of
    `time_zone`, as in events; `rdate` and `exdate` are local starts that are added to the rule, and those left out.
    """

    # Up to the horizon (`SERIES_HORIZON_DAYS`).
    MAX_OCCURRENCES = 1000
    MAX_DATES = 1000
    # Series have no permissions of their own: users may do with a series what they may do with an event of its author
    # and status (`core.permissions`).
    permissions_of: ClassVar = "event"

    title = PlainTextField(_("title"), max_length=Content.MAX_TITLE_LENGTH)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.PUBLISH)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("author"), on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("publish date"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    modified_at = models.DateTimeField(_("last modified"), auto_now=True)

    start_local = models.CharField(_("starts, local time"), max_length=19)
    end_local = models.CharField(_("ends, local time"), max_length=19)
    time_zone = models.CharField(_("time zone"), max_length=64, validators=[validate_time_zone])
    all_day = models.BooleanField(_("all day"), default=False)
    rrule = models.CharField(_("recurrence rule"), max_length=MAX_RULE_LENGTH, blank=True)
    rdate = models.JSONField(_("additional dates"), default=list, blank=True)
    exdate = models.JSONField(_("excluded dates"), default=list, blank=True)
    # No occurrence up to here is created again, so that those that were moved, detached or deleted stay so.
    extended_until = models.CharField(max_length=19, blank=True)

    # The other fields of new occurrences, see `events.series.template`.
    template = models.JSONField(default=dict, encoder=DjangoJSONEncoder)
    password = models.CharField(_("password"), max_length=100, blank=True)
    # The events that do not have the values of the series yet, with those that they may have (`series.propagation`).
    outdated = models.JSONField(
        default=list, db_default=Value([], models.JSONField()), blank=True, editable=False, encoder=DjangoJSONEncoder
    )

    objects: ClassVar = SeriesQuerySet.as_manager()
    history = History(
        excluded=("created_at", "modified_at", "extended_until", "outdated"),
        secrets={"password": bool},
        field_displays={
            "rrule": FieldDisplay(_("Repeats"), format_recurrence),
            "start_local": FieldDisplay(_("First event starts"), format_local_dates),
            "end_local": FieldDisplay(_("First event ends"), format_local_dates),
            "rdate": FieldDisplay(format=format_local_dates),
            "exdate": FieldDisplay(_("Dates without an event"), format_local_dates),
            "template": FieldDisplay(_("Fields of the events")),
        },
        # A function, because events are defined below.
        nested={"template": NestedFields(lambda: Event, read_template)},
    )

    class Meta:
        verbose_name = _("series")
        verbose_name_plural = pgettext_lazy("several series", "series")
        default_permissions = ()
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.title


# A cancelled event keeps its previous start, so that cancelling can be undone.
STATUSES_WITH_PREVIOUS_START = (EventStatus.RESCHEDULED, EventStatus.CANCELLED)


class Event(Content):
    """Something that happens between two moments, at any number of venues.

    `start` and `end` are moments in UTC; `start_local` and `end_local` are the same moments on the clock
    of `time_zone`, as text (`YYYY-MM-DD HH:MM:SS`), in which lists are ordered and responses are written.
    """

    # D33.
    MAX_VENUES = 20
    MAX_ORGANIZERS = 20
    MAX_CATEGORIES = 50
    MAX_TAGS = 100
    MAX_TICKETS = 100
    # The characters of the names and URLs of all tickets together (D53).
    MAX_TICKETS_LENGTH = 20_000
    MAX_REASON_LENGTH = 500

    start = models.DateTimeField(_("starts"))
    end = models.DateTimeField(_("ends"))
    start_local = models.CharField(_("starts, local time"), max_length=19)
    end_local = models.CharField(_("ends, local time"), max_length=19)
    time_zone = models.CharField(_("time zone"), max_length=64, validators=[validate_time_zone])
    all_day = models.BooleanField(_("all day"), default=False)
    # Longer than `querysets.LONG_DURATION`: conditions on the end find these by a query of their own.
    is_long = models.BooleanField(default=False, editable=False)

    cost = PlainTextField(_("cost"), max_length=MAX_COST_LENGTH, blank=True)
    cost_symbol = models.CharField(max_length=20, blank=True, editable=False)
    cost_position = models.CharField(max_length=10, blank=True, editable=False)
    cost_values = models.JSONField(default=list, blank=True, editable=False)
    website = models.CharField(_("website"), max_length=2000, blank=True, validators=[validate_http_url])
    show_map = models.BooleanField(_("show map"), default=False)
    show_map_link = models.BooleanField(_("show map link"), default=False)
    hide_from_listings = models.BooleanField(_("hide from listings"), default=False)
    sticky = models.BooleanField(_("sticky"), default=False)
    featured = models.BooleanField(_("featured"), default=False)

    event_status = models.CharField(
        _("event status"),
        max_length=20,
        choices=EventStatus,
        default=EventStatus.SCHEDULED,
        db_default=EventStatus.SCHEDULED.value,
    )
    event_status_reason = PlainTextField(
        _("reason"), max_length=MAX_REASON_LENGTH, blank=True, default="", db_default=""
    )
    # The former start of a rescheduled event, which is kept while the event is cancelled.
    previous_start = models.DateTimeField(_("previous start"), null=True, blank=True)
    sold_out = models.BooleanField(pgettext_lazy("event", "sold out"), default=False, db_default=False)
    attendance_mode = models.CharField(
        _("attendance"),
        max_length=20,
        choices=AttendanceMode,
        default=AttendanceMode.IN_PERSON,
        db_default=AttendanceMode.IN_PERSON.value,
    )
    online_url = models.CharField(
        _("online URL"), max_length=2000, blank=True, default="", db_default="", validators=[validate_http_url]
    )
    # See `protection.protected_fields.shows_online_url`.
    hide_online_url = models.BooleanField(_("hide online URL"), default=False, db_default=False)
    accessibility = AccessibilityField(_("accessibility"), max_length=200, blank=True, default=list, db_default="")

    # Stored as plain text: editors look it up to pass it on to readers, and it protects no account.
    password = models.CharField(
        _("password"),
        max_length=100,
        blank=True,
        help_text=_("Visitors without the password see only the title and dates."),
    )

    # The identifier in calendars: see `uids.py`.
    uid = models.CharField(max_length=255, blank=True, default="", db_default="", editable=False)

    # In the signature of preview links: another number revokes the links that were shared before.
    preview_version = models.PositiveIntegerField(_("preview links revoked"), default=0, db_default=0, editable=False)

    parent = models.ForeignKey(
        "self",
        verbose_name=_("parent event"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="parts",
        db_index=False,
    )
    # The series of an occurrence, and the local start that the series gave it: the RECURRENCE-ID of iCalendar. It may
    # have been moved since.
    series = models.ForeignKey(
        Series,
        verbose_name=_("series"),
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="events",
        db_index=False,
    )
    series_occurrence = models.CharField(max_length=19, blank=True, default="", db_default="", editable=False)
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

    objects: ClassVar = EventQuerySet.as_manager()

    # The events of a series are reviewed together, as long as they have its status.
    review_group: ClassVar = Case(
        When(series__status=F("status"), then=F("series")), output_field=models.BigIntegerField()
    )
    history = History(
        excluded=(*UNTRACKED, "start_local", "end_local", "is_long", "series", "series_occurrence", "uid"),
        parts_of=dict.fromkeys(("cost_symbol", "cost_position", "cost_values"), "cost"),
        secrets={"password": bool},
        field_displays={
            "start": FieldDisplay(format=format_local_time),
            "end": FieldDisplay(format=format_local_time),
            "previous_start": FieldDisplay(format=format_local_time),
            "accessibility": FieldDisplay(format=format_accessibility),
            "tickets": FieldDisplay(_("Tickets"), format_tickets),
        },
    )

    class Meta(Content.Meta):
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("start_local", "pk")
        constraints = [
            *Content.Meta.constraints,
            CheckConstraint(
                condition=Q(end__gte=F("start")),
                name="event_ends_after_start",
                violation_error_message=END_BEFORE_START,
            ),
            CheckConstraint(
                condition=Q(parent__isnull=True) | ~Q(parent=F("pk")),
                name="event_not_its_own_part",
                violation_error_message=_("An event cannot be part of itself."),
            ),
            # One constraint, because SQLite copies the table for each new one.
            CheckConstraint(
                condition=Q(event_status__in=EventStatus.values, attendance_mode__in=AttendanceMode.values),
                name="event_status_and_mode_known",
            ),
            UniqueConstraint(
                fields=["series", "series_occurrence"],
                condition=Q(series__isnull=False),
                name="event_occurrence_once",
                violation_error_message=_("The series has this occurrence already."),
            ),
        ]
        indexes = [
            # Serves the order and the window of lists, and counts without reading the table.
            models.Index(
                fields=[
                    "start_local",
                    "id",
                    "status",
                    "published_at",
                    "hide_from_listings",
                    "start",
                    "end",
                    "featured",
                    "modified_at",
                ],
                name="event_window",
            ),
            # Long events that start in a window: totals count them apart (events/listing/tables/tallies.py).
            models.Index(
                fields=["start_local", "status", "published_at", "hide_from_listings", "start", "end", "featured"],
                condition=Q(is_long=True),
                name="event_long_window",
            ),
            # With the column of the condition, which SQLite checks again, and the id, which PostgreSQL does not add.
            models.Index(
                fields=["end", "start", "start_local", "id", "is_long"],
                condition=Q(is_long=True),
                name="event_long_end",
            ),
            # Scheduled events only: with an index of all, planners would not use the one of the window.
            models.Index(fields=["published_at"], condition=Q(status="future"), name="event_due"),
            models.Index(fields=["published_at"], condition=Q(status="publish"), name="event_publication"),
            # Parts only: planners do not use an index that is mostly NULL.
            models.Index(fields=["parent"], condition=Q(parent__isnull=False), name="event_part"),
            # With every column that lists filter by, and the password, because SQLite checks the condition again.
            models.Index(
                fields=[
                    "start_local",
                    "id",
                    "status",
                    "published_at",
                    "hide_from_listings",
                    "is_long",
                    "featured",
                    "author",
                    "password",
                ],
                condition=~Q(password=""),
                name="event_protected",
            ),
            # Events with an unusual value, so that lists of them read no others (`choices.COMMON_VALUES`).
            *(
                models.Index(
                    fields=[
                        column,
                        "start_local",
                        "id",
                        "status",
                        "published_at",
                        "hide_from_listings",
                        "start",
                        "end",
                    ],
                    condition=~Q(**{column: common}),
                    name=f"event_{column}",
                )
                for column, common in COMMON_VALUES.items()
            ),
            models.Index(fields=["accessibility", "id"], condition=~Q(accessibility=""), name="event_accessibility"),
            # The condition is always true: planners use the index only for `querysets.with_index_of_end()`. They would
            # also read it for lists whose events are not at its ends.
            models.Index(fields=["end", "id"], condition=Q(id__gt=0), name="event_end"),
            # The orders of the admin other than by start, and the list it begins with.
            models.Index(fields=["title"], name="event_title"),
            models.Index(fields=["modified_at"], name="event_modified"),
            models.Index(fields=["modified_at"], condition=Q(status="pending"), name="event_pending"),
        ]

    def reviewed_together(self) -> QuerySet[Any]:
        """Return the events of the series, or this one if it has none."""
        return (
            type(self)._default_manager.filter(series=self.series_id) if self.series_id else super().reviewed_together()
        )

    def clean(self) -> None:
        super().clean()
        errors: dict[str, Any] = {}
        if self.start and self.end and in_utc(self.end) < in_utc(self.start):
            errors["end"] = END_BEFORE_START
        if self.pk and self.parent_id and self.pk in Event.objects.ancestor_ids(self.parent_id):
            errors["parent"] = _("An event cannot be part of itself.")
        if self.event_status == EventStatus.RESCHEDULED and not self.previous_start:
            errors["previous_start"] = _("A rescheduled event needs its previous start.")
        if self.previous_start and self.event_status not in STATUSES_WITH_PREVIOUS_START:
            errors["previous_start"] = _("Only a rescheduled event has a previous start.")
        if self.event_status == EventStatus.MOVED_ONLINE and self.attendance_mode == AttendanceMode.IN_PERSON:
            errors["attendance_mode"] = _("An event that has moved online cannot be in person only.")
        if errors:
            raise ValidationError(errors)


class EventLink(models.Model):
    """A link in the ordered list of an event's venues or organizers."""

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
    """A kind of ticket for an event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="tickets")
    name = PlainTextField(_("name"), max_length=200)
    price = models.DecimalField(
        _("price"), max_digits=12, decimal_places=2, validators=[MinValueValidator(0, _("A price cannot be negative."))]
    )
    currency = models.CharField(
        _("currency"), max_length=3, validators=[validate_currency], help_text=_("Three-letter code, such as EUR.")
    )
    url = models.CharField(_("URL"), max_length=2000, blank=True, validators=[validate_http_url])
    available_from = models.DateTimeField(_("available from"), null=True, blank=True)
    available_until = models.DateTimeField(_("available until"), null=True, blank=True)
    sold_out = models.BooleanField(pgettext_lazy("ticket", "sold out"), default=False)
    position = models.PositiveSmallIntegerField(_("position"), default=0)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        ordering = ("position", "pk")
        constraints = [
            CheckConstraint(
                condition=Q(price__gte=0),
                name="ticket_price_not_negative",
                violation_error_message=_("A price cannot be negative."),
            ),
            CheckConstraint(
                condition=Q(available_from__isnull=True)
                | Q(available_until__isnull=True)
                | Q(available_until__gte=F("available_from")),
                name="ticket_available_until_after_from",
                violation_error_message=_("“Available until” cannot be before “Available from”."),
            ),
        ]

    def __str__(self) -> str:
        return self.name


class SampleRecord(models.Model):
    """A mark of a record that `load_sample_content` created, so that the removal finds the record."""

    model = models.CharField(max_length=100)
    record_id = models.BigIntegerField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["model", "record_id"], name="sample_record_once")]

    def __str__(self) -> str:
        return f"{self.model} {self.record_id}"
