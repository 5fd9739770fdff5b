"""Events in the admin."""

from events.admin.event_admin import EventAdmin

__all__ = ["EventAdmin"]
