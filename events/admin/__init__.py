"""Events in the admin."""

from events.admin.event_admin import EventAdmin
from events.admin.series.series_admin import SeriesAdmin

__all__ = ["EventAdmin", "SeriesAdmin"]
