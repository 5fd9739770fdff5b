"""The HTML pages of events, venues, organizers, categories and tags, and what they display."""
