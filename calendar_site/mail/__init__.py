"""Emails to users: rendering and sending them, and the preferences of each user."""
