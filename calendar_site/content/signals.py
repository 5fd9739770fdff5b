"""Signals of the content services. They are sent inside the transaction of the write, after it was recorded."""

from django.dispatch import Signal

# A record has another status than before, or is new. Arguments: `sender`, the model; `row`; `before`, the old status,
# None for a new record; `user`; `action`, the `Action` of the write. Marking a scheduled event
# as published when its publication date has come sends none.
status_changed = Signal()

# Records were deleted permanently. Arguments: `sender`, the model; `ids`.
records_deleted = Signal()
