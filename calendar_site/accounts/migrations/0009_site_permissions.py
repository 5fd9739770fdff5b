"""Administrators change the name, look and texts of the site.

Django creates permissions only after the last migration, so they are created here, as Django would create them.
"""

from django.db import migrations

MODEL = "site_profile.siteprofile"
ACTIONS = ("view", "change")


def grant(apps, schema_editor):
    database = schema_editor.connection.alias
    options = apps.get_model(MODEL)._meta
    content_type, _ = (
        apps.get_model("contenttypes", "ContentType")
        .objects.using(database)
        .get_or_create(app_label=options.app_label, model=options.model_name)
    )
    administrators = apps.get_model("auth", "Group").objects.using(database).filter(name="administrator")
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
        for group in administrators:
            group.permissions.add(permission)


def revoke(apps, schema_editor):
    permissions = apps.get_model("auth", "Permission").objects.using(schema_editor.connection.alias)
    permissions.filter(content_type__app_label="site_profile", content_type__model="siteprofile").delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_pending_email"),
        ("site_profile", "0001_initial"),
    ]

    operations = [migrations.RunPython(grant, revoke)]
