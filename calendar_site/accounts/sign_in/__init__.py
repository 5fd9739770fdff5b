"""Signing in: the pages, the second factor, and login throttling, also of API requests."""
