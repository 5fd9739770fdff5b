"""The website: the pages of the calendar for visitors, error pages, and the console of the API.

It stands above the apps: nothing imports it but the wiring.
"""
