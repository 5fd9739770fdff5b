"""The roles: the table in the code and the groups in the database agree, and have the intended permissions."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import connection

from calendar_site.accounts.models import User
from calendar_site.accounts.roles import (
    ACCOUNT_MODELS,
    CONTENT_MODELS,
    CUSTOM_FIELD_MODELS,
    IMAGE_MODELS,
    REPORT_MODELS,
    ROLE_PERMISSIONS,
    ROLES,
    SITE_MODELS,
    SOURCE_MODELS,
    TASK_MODELS,
    TERM_MODELS,
)
from calendar_site.accounts.services import create_user

pytestmark = pytest.mark.django_db

migration = import_module("calendar_site.accounts.migrations.0002_roles")
task_migration = import_module("calendar_site.accounts.migrations.0005_task_permissions")
site_migration = import_module("calendar_site.accounts.migrations.0009_site_permissions")
report_migration = import_module("calendar_site.accounts.migrations.0010_report_permissions")
source_migration = import_module("calendar_site.accounts.migrations.0011_source_permissions")
submission_migration = import_module("calendar_site.accounts.migrations.0012_submitted_images")


def groups_with_permissions():
    return {
        group.name: {f"{row.content_type.app_label}.{row.codename}" for row in group.permissions.all()}
        for group in Group.objects.prefetch_related("permissions__content_type")
    }


def test_roles_table_agrees_with_the_groups():
    assert groups_with_permissions() == ROLE_PERMISSIONS
    assert tuple(ROLE_PERMISSIONS) == ROLES


def test_permissions_exist_in_django():
    expected = {}
    for label in (
        *CONTENT_MODELS,
        *TERM_MODELS,
        *IMAGE_MODELS,
        *CUSTOM_FIELD_MODELS,
        *ACCOUNT_MODELS,
        *TASK_MODELS,
        *SITE_MODELS,
        *REPORT_MODELS,
        *SOURCE_MODELS,
    ):
        options = apps.get_model(label)._meta
        for action in options.default_permissions:
            name = f"Can {action} {options.verbose_name_raw}"
            expected[f"{options.app_label}.{action}_{options.model_name}"] = name

    held = Permission.objects.filter(group__name="administrator").select_related("content_type")

    assert {f"{row.content_type.app_label}.{row.codename}": row.name for row in held} == expected


def test_migration_creates_missing_groups_and_permissions():
    before = groups_with_permissions()
    names = set(Permission.objects.filter(group__isnull=False).values_list("codename", "name"))
    Group.objects.all().delete()
    Permission.objects.all().delete()
    ContentType.objects.filter(app_label="taxonomy").delete()
    ContentType.objects.clear_cache()

    migration.create_roles(apps, SimpleNamespace(connection=connection))
    task_migration.grant(apps, SimpleNamespace(connection=connection))
    site_migration.grant(apps, SimpleNamespace(connection=connection))
    report_migration.grant(apps, SimpleNamespace(connection=connection))
    source_migration.grant(apps, SimpleNamespace(connection=connection))
    submission_migration.grant(apps, SimpleNamespace(connection=connection))

    assert groups_with_permissions() == before
    assert set(Permission.objects.values_list("codename", "name")) == names


def test_migration_backwards_removes_the_roles_only():
    Group.objects.create(name="choir")

    migration.remove_roles(apps, SimpleNamespace(connection=connection))

    assert [group.name for group in Group.objects.all()] == ["choir"]


@pytest.mark.parametrize(
    ("permission", "holders"),
    [
        ("events.add_event", {"administrator", "editor", "author", "contributor"}),
        ("venues.delete_venue", {"administrator", "editor", "author", "contributor"}),
        ("events.publish_event", {"administrator", "editor", "author"}),
        ("organizers.publish_organizer", {"administrator", "editor", "author"}),
        ("events.change_others_event", {"administrator", "editor"}),
        ("venues.delete_others_venue", {"administrator", "editor"}),
        ("taxonomy.add_category", {"administrator", "editor", "author"}),
        ("taxonomy.view_category", {"administrator", "editor", "author", "contributor"}),
        ("taxonomy.add_tag", {"administrator", "editor"}),
        ("taxonomy.view_tag", {"administrator", "editor", "author", "contributor"}),
        ("accounts.change_user", {"administrator"}),
        ("accounts.add_applicationpassword", {"administrator"}),
        ("auth.change_group", {"administrator"}),
    ],
)
def test_permission_is_held_by_its_roles(permission, holders):
    for role in ROLES:
        create_user(role, role)

    assert {user.username for user in User.objects.all() if user.has_perm(permission)} == holders


def test_superuser_has_all_permissions_without_a_role(superuser):
    assert superuser.has_perms(ROLE_PERMISSIONS["administrator"])


def test_create_user_refuses_an_unknown_role():
    with pytest.raises(ValidationError) as refusal:
        create_user("ann", "king")

    assert refusal.value.message_dict == {"role": ["There is no role named king."]}
    assert not User.objects.exists()
