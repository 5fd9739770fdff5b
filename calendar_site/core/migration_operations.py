"""Operations of migrations."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddField
from django.db.migrations.state import ProjectState


class AddColumn(AddField):
    """Add a field that is NULL or has a constant `db_default`, without copying the table.

    On SQLite, `AddField` copies the table for each field that is not NULL.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model: Any = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, model):
            return
        BaseDatabaseSchemaEditor.add_field(schema_editor, model, model._meta.get_field(self.name))
