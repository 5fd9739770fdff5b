"""Signing in to the admin: login throttling, the second factor, and the browsers that a user knows."""
