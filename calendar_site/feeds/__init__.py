"""Calendars of events in the format iCalendar (RFC 5545), for calendar programs that subscribe to them.

They stand above the apps: nothing imports them but the website and the wiring.
"""
