"""Signals of reviews. They are sent inside the transaction of the write, after the review was saved."""

from django.dispatch import Signal

# A record was submitted for review. Arguments: `sender`, `Review`; `review`.
review_opened = Signal()

# A submission has an outcome. Arguments: `sender`, `Review`; `review`.
review_closed = Signal()
