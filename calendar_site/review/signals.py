"""Signals of reviews. They are sent inside the transaction of the write, after the review was saved."""

from django.dispatch import Signal

# A reviewer decides on the revision of a record that they saw. Sent before the transaction of the decision, so that
# receivers can make changes that are due: if there are any, the reviewer has to look again. Arguments: `sender`, the
# model; `row`.
decision_made = Signal()

# A record was submitted for review. Arguments: `sender`, `Review`; `review`.
review_opened = Signal()

# A submission has an outcome. Arguments: `sender`, `Review`; `review`.
review_closed = Signal()
