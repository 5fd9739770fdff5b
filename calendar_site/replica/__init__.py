"""The read replica of the database, which answers anonymous reads while it is up to date."""
