"""Submissions by visitors without an account: events for the review queue, and reports of mistakes."""
