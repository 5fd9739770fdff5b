"""Stored public responses: each is valid for one content version, and until the time changes it.

Nothing is deleted from the stores because of a write; see docs/speed.md.
"""
