"""When a series takes place: recurrence rules, and the occurrences that follow from them, without a database."""
