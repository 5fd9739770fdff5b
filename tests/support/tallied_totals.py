"""Lists whose totals come from tallies, however few events they have."""

from events.listing import totals


def tally_every_list(monkeypatch):
    """Take all totals from the tallies, and forget which lists were long."""
    monkeypatch.setattr(totals, "MIN_TALLIED", 1)
    monkeypatch.setattr(totals, "MIN_TALLIED_OF_TERM", 1)
    monkeypatch.setattr(totals, "_long_lists", set())
