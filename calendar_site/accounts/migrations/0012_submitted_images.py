"""Contributors upload images for the events that they submit, as those do who may add images anyway.

Django creates permissions only after the last migration, so the permission is created here, as Django would create it.
"""

from django.db import migrations

CODENAME = "submit_image"
ROLES = ("administrator", "editor", "author", "contributor")


def grant(apps, schema_editor):
    database = schema_editor.connection.alias
    content_type, _ = (
        apps.get_model("contenttypes", "ContentType")
        .objects.using(database)
        .get_or_create(app_label="media", model="image")
    )
    permission, _ = (
        apps.get_model("auth", "Permission")
        .objects.using(database)
        .get_or_create(content_type=content_type, codename=CODENAME, defaults={"name": "Can submit image"})
    )
    for group in apps.get_model("auth", "Group").objects.using(database).filter(name__in=ROLES):
        group.permissions.add(permission)


def revoke(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    permissions.filter(content_type__app_label="media", codename=CODENAME).delete()


class Migration(migrations.Migration):
    dependencies = [("accounts", "0011_source_permissions"), ("media", "0007_submitted_images")]

    operations = [migrations.RunPython(grant, revoke)]
