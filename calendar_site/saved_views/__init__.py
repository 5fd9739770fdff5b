"""Saved views: filters, search and order of a list of the admin that a user has given a name."""
