"""Administrators and editors import calendars, and manage their sources.

Django creates permissions only after the last migration, so they are created here, as Django would create them.
"""

from django.db import migrations

MODEL = "transfer.source"
ACTIONS = ("add", "change", "delete", "view")


def grant(apps, schema_editor):
    database = schema_editor.connection.alias
    options = apps.get_model(MODEL)._meta
    content_type, _ = (
        apps.get_model("contenttypes", "ContentType")
        .objects.using(database)
        .get_or_create(app_label=options.app_label, model=options.model_name)
    )
    groups = apps.get_model("auth", "Group").objects.using(database).filter(name__in=("administrator", "editor"))
    for action in ACTIONS:
        permission, _ = (
            apps.get_model("auth", "Permission")
            .objects.using(database)
            .get_or_create(
                content_type=content_type,
                codename=f"{action}_{options.model_name}",
                defaults={"name": f"Can {action} {options.verbose_name_raw}"},
            )
        )
        for group in groups:
            group.permissions.add(permission)


def revoke(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    permissions.filter(content_type__app_label="transfer", content_type__model="source").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0010_report_permissions"),
        ("transfer", "0001_imports"),
    ]

    operations = [migrations.RunPython(grant, revoke)]
