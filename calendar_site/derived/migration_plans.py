"""Migrations that may change values without a statement that a watch notices."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.models import Field

from calendar_site.derived.content_version import UNCOUNTED_APPS

# The app of this package, whose tables contain the derived data and the names of what is installed.
OWN_APP = "derived"
# Operations that change no values of columns that existed before, or only by statements that watches notice.
NOTICED = (
    operations.AddConstraint,
    operations.AddField,
    operations.AddIndex,
    operations.AlterConstraint,
    operations.AlterModelManagers,
    operations.AlterModelOptions,
    operations.AlterUniqueTogether,
    operations.CreateModel,
    operations.RemoveConstraint,
    operations.RemoveIndex,
    operations.RenameIndex,
    operations.RunPython,
)


def may_change_unnoticed(plan: list[tuple[Migration, bool]], apps: Any) -> bool:
    """Return whether a plan may change rows of public content by more than statements that watches notice.

    Such are conversions of a column, removed columns, SQL, and migrations that are undone. `apps` has the models before
    the plan.
    """
    return any(
        is_undone
        or migration.app_label == OWN_APP
        or (
            migration.app_label not in UNCOUNTED_APPS
            and not all(_is_noticed(operation, migration.app_label, apps) for operation in migration.operations)
        )
        for migration, is_undone in plan
    )


def _is_noticed(operation: Operation, app_label: str, apps: Any) -> bool:
    if isinstance(operation, operations.AlterField):
        return _keeps_column(operation, app_label, apps)
    return isinstance(operation, NOTICED)


def _keeps_column(operation: operations.AlterField, app_label: str, apps: Any) -> bool:
    """Return whether the operation changes only attributes outside of the database, such as labels and choices."""
    try:
        old = apps.get_model(app_label, operation.model_name)._meta.get_field(operation.name)
    except (LookupError, FieldDoesNotExist):
        # A column that the plan adds, which no installed data uses.
        return True
    return _column_definition(old) == _column_definition(operation.field)


def _column_definition(field: Field) -> tuple[Any, ...]:
    _name, path, arguments, attributes = field.deconstruct()
    return path, arguments, {key: value for key, value in attributes.items() if key not in field.non_db_attrs}
