"""The calendar for visitors: events by month, week and day, and as a list, each of all events or of a record's.

`filtered_calendar.py` has the URLs, `days.py` the events of some days, `views.py` the pages.
"""
