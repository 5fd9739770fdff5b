"""The read replica of the database, from which public requests read while it is up to date."""
