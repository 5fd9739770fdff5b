"""What visitors send in without an account: events for the review queue, and reports of mistakes."""
