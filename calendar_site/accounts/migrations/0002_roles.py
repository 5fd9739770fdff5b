"""The five roles as groups with their permissions.

The table stands here again, not imported: a migration does the same for ever. Django makes permissions
only after the last migration, so those that are missing are made here, as Django would make them.
"""

from django.db import migrations

CONTENT = ("events.event", "venues.venue", "organizers.organizer")
TERMS = ("taxonomy.category", "taxonomy.tag")
IMAGES = ("media.image",)
CUSTOM_FIELDS = ("custom_fields.customfield",)
ACCOUNTS = ("accounts.user", "accounts.applicationpassword", "auth.group")

VIEW = ("view",)
WRITE = ("add", "change", "delete", "view")
PUBLISH = (*WRITE, "publish")
OTHERS = ("change_others", "delete_others")
EVERYTHING = (*PUBLISH, *OTHERS)

ROLES = {
    "administrator": [
        (CONTENT, EVERYTHING),
        (TERMS, WRITE),
        (IMAGES, (*WRITE, *OTHERS)),
        (CUSTOM_FIELDS, WRITE),
        (ACCOUNTS, WRITE),
    ],
    "editor": [(CONTENT, EVERYTHING), (TERMS, WRITE), (IMAGES, (*WRITE, *OTHERS)), (CUSTOM_FIELDS, VIEW)],
    "author": [(CONTENT, PUBLISH), (("taxonomy.category",), WRITE), (("taxonomy.tag",), VIEW), (IMAGES, WRITE)],
    "contributor": [(CONTENT, WRITE), (TERMS, VIEW), (IMAGES, VIEW)],
    "subscriber": [],
}


def create_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    for role, rights in ROLES.items():
        group, _ = groups.get_or_create(name=role)
        group.permissions.add(
            *(
                permission(apps, schema_editor, model, action)
                for models, actions in rights
                for model in models
                for action in actions
            )
        )


def permission(apps, schema_editor, label, action):
    database = schema_editor.connection.alias
    options = apps.get_model(label)._meta
    content_type, _ = (
        apps.get_model("contenttypes", "ContentType")
        .objects.using(database)
        .get_or_create(app_label=options.app_label, model=options.model_name)
    )
    row, _ = (
        apps.get_model("auth", "Permission")
        .objects.using(database)
        .get_or_create(
            content_type=content_type,
            codename=f"{action}_{options.model_name}",
            defaults={"name": f"Can {action} {options.verbose_name_raw}"},
        )
    )
    return row


def remove_roles(apps, schema_editor):
    groups = apps.get_model("auth", "Group").objects.using(schema_editor.connection.alias)
    groups.filter(name__in=ROLES).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("custom_fields", "0001_initial"),
        ("events", "0001_initial"),
        ("media", "0001_initial"),
        ("organizers", "0001_initial"),
        ("taxonomy", "0001_initial"),
        ("venues", "0001_initial"),
    ]

    operations = [migrations.RunPython(create_roles, remove_roles)]
