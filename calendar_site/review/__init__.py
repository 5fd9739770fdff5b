"""Moderation: submissions of records for review, the review queue and its outcomes."""
