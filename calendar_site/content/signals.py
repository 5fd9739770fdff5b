"""Signals of the content services. They are sent inside the transaction of the write, after it was recorded."""

from django.dispatch import Signal

# The status of a record has changed, or the record is new. Arguments: `sender`, the model; `row`; `old_status`, None
# for a new record; `user`; `action`, the `Action` of the write. Not sent when a scheduled event is marked as published
# because its publication date has come.
status_changed = Signal()

# Records were merged into another one. Arguments: `sender`, the model; `kept`, the id of the other one; `merged`, their
# ids.
records_merged = Signal()

# Merging a record was undone, and it has its former events again. Arguments: `sender`, the model; `kept`, the id of the
# record that it was merged into; `restored`, its id; `unlinked`, the extra state of the revision of the merge.
merge_undone = Signal()

# Records were deleted permanently. Arguments: `sender`, the model; `ids`.
records_deleted = Signal()
