"""Stored public responses: each is valid for one content version, and until the time changes it.

Nothing is deleted from the stores because of a write; see decision records 0049 and 0050.
"""
