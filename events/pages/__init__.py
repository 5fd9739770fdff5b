"""The HTML pages of events, venues, organizers, categories and tags, and the formats of their values."""
