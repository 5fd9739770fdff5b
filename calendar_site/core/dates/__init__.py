"""Dates: time zones, the dates that clients send, the dates that people read, and public holidays."""
