"""The marks of sample records, by which the removal finds these records, even after changes."""

from __future__ import annotations

from django.db.models import Model

from events.models import SampleRecord


def mark(record: Model) -> None:
    """Mark a record as sample content."""
    SampleRecord.objects.create(model=record._meta.label_lower, record_id=record.pk)


def marked_ids(model: type[Model]) -> set[int]:
    """Return the ids of the marked records of a model. One query."""
    marks = SampleRecord.objects.filter(model=model._meta.label_lower)
    return set(marks.values_list("record_id", flat=True))


def delete_marks(*, except_for: list[Model]) -> None:
    """Delete all marks except the marks of these records."""
    kept = {(record._meta.label_lower, record.pk) for record in except_for}
    for row in SampleRecord.objects.all():
        if (row.model, row.record_id) not in kept:
            row.delete()
