"""Exports for other programs: calendars, tables, web pages, and the way back to The Events Calendar."""
