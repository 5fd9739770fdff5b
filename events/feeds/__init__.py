"""Calendars of events in the format iCalendar (RFC 5545), for calendar programs that subscribe to them."""
