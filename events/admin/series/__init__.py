"""Series in the admin: repeating an event in its form, and the pages of series."""
