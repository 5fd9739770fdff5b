"""The calendar for visitors: events by month, week and day, and as a list, each of all events or of a record's.

`addresses.py` has the URLs, `events.py` the events of some days, `views.py` the pages.
"""
