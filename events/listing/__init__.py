"""How the lists of events are found and counted: by which index, which links and which tally.

`EventList` is the only way in. What is in a list is in `query.py` and `conditions.py`; see docs/lists.md.
"""
