"""The choices that say whether and how an event takes place."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class EventStatus(models.TextChoices):
    """The ways in which an event deviates from its plan."""

    SCHEDULED = "scheduled", pgettext_lazy("an event", "As planned")
    CANCELLED = "cancelled", pgettext_lazy("an event", "Cancelled")
    POSTPONED = "postponed", pgettext_lazy("an event", "Postponed")
    RESCHEDULED = "rescheduled", pgettext_lazy("an event", "Rescheduled")
    MOVED_ONLINE = "moved_online", pgettext_lazy("an event", "Moved online")


class AttendanceMode(models.TextChoices):
    """The places where people attend an event: at its venue, online, or both."""

    IN_PERSON = "in_person", _("In person")
    ONLINE = "online", _("Online")
    MIXED = "mixed", _("In person and online")


# Values of columns that nearly all events have. Indexes contain the events with other values.
COMMON_VALUES: dict[str, str] = {
    "event_status": EventStatus.SCHEDULED,
    "attendance_mode": AttendanceMode.IN_PERSON,
}
