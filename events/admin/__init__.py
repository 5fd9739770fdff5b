"""Events in the admin."""

from events.admin.events import EventAdmin

__all__ = ["EventAdmin"]
