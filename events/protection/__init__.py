"""Protection of events: passwords, cookies, hidden fields, and links to the preview of unpublished events."""
