"""Series of events: the template of their occurrences, and the writes."""
