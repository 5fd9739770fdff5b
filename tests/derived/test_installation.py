"""The triggers of derived data, and `rebuild_derived`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.sql import emit_post_migrate_signal, emit_pre_migrate_signal
from django.db import connection, models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from calendar_site.derived import registry
from calendar_site.derived.installation import install
from calendar_site.derived.models import InstalledData
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import PREFIX, Trigger, drop_triggers
from events.index_models import VenueActivity
from tests.factories import EventFactory, VenueFactory

pytestmark = pytest.mark.django_db


def count_counters() -> list[tuple[int]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count FROM limits_counter WHERE key = 'total'")
        return list(cursor.fetchall())


def sum_tags() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM taxonomy_tag")
        (count,) = cursor.fetchone()
        return int(count)


def rebuild_total() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM limits_counter WHERE key = 'total'")
        cursor.execute("INSERT INTO limits_counter (key, count, ends_at) VALUES ('total', %s, 0)", [sum_tags()])


def count_total_differences() -> int:
    return int(count_counters() != [(sum_tags(),)])


def total_triggers() -> list[Trigger]:
    update = "UPDATE limits_counter SET count = count {} 1 WHERE key = 'total';"
    return [
        Trigger("total_added", "taxonomy_tag", "INSERT", update.format("+"), "NEW.name <> 'uncounted'"),
        Trigger("total_deleted", "taxonomy_tag", "DELETE", update.format("-")),
    ]


@pytest.fixture
def total(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    data = DerivedData("total", total_triggers, rebuild_total, count_total_differences)
    monkeypatch.setattr(registry, "_registered", {"total": data})
    install()
    yield
    drop_triggers()


def create_tag(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO taxonomy_tag (name, name_key, slug, description, search_text, event_count) "
            "VALUES (%s, %s, %s, '', '', 0)",
            [name, name, name],
        )


def trigger_names() -> set[str]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        else:
            cursor.execute("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")
        return {name for (name,) in cursor.fetchall() if name.startswith(PREFIX)}


def test_triggers_follow_sql_statements(total: None) -> None:
    create_tag("one")
    create_tag("uncounted")
    create_tag("two")
    assert count_counters() == [(2,)]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM taxonomy_tag WHERE name = 'one'")
    assert count_counters() == [(1,)]


def test_the_command_reports_and_repairs_differences(total: None, capsys: pytest.CaptureFixture[str]) -> None:
    create_tag("one")
    call_command("rebuild_derived", "--check")
    assert capsys.readouterr().out == "total: 0 differences\n"
    with connection.cursor() as cursor:
        cursor.execute("UPDATE limits_counter SET count = 7 WHERE key = 'total'")
    with pytest.raises(CommandError, match=r"^Derived data differs\. Run: manage\.py rebuild_derived$"):
        call_command("rebuild_derived", "--check")
    assert capsys.readouterr().out == "total: 1 differences\n"
    call_command("rebuild_derived")
    assert (capsys.readouterr().out, count_counters()) == ("Rebuilt: total.\n", [(1,)])


def test_installing_again_replaces_triggers(total: None) -> None:
    install()
    create_tag("one")
    assert count_counters() == [(1,)]
    assert trigger_names() == {"derived_total_added", "derived_total_deleted"}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_migrate_installs_triggers_that_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    before = trigger_names()
    data = DerivedData("total", total_triggers, rebuild_total, count_total_differences)
    with monkeypatch.context() as patched:
        patched.setattr(registry, "_registered", {"total": data})
        create_tag("one")
        call_command("migrate", verbosity=0)
        assert trigger_names() == {"derived_total_added", "derived_total_deleted"}
        assert dict(InstalledData.objects.values_list("name", "fingerprint")) == {"total": data.fingerprint}
        assert count_counters() == [(1,)]
    call_command("migrate", verbosity=0)
    assert trigger_names() == before


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_triggers_are_removed_while_migrations_run() -> None:
    before = trigger_names()
    call_command("migrate", "events", "0005", verbosity=0)
    assert trigger_names() == set()
    call_command("migrate", verbosity=0)
    assert trigger_names() == before


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_activity_without_the_columns_of_venues_gets_them() -> None:
    venue = VenueFactory(status="draft")
    EventFactory(venues=[venue])
    call_command("migrate", "events", "0015", verbosity=0)

    call_command("migrate", verbosity=0)

    assert list(VenueActivity.objects.values_list("linked_id", "status", "published_at")) == [
        (venue.pk, "draft", venue.published_at)
    ]


# --- Rebuilding only what is out of date


@pytest.fixture
def rebuilt(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Install the derived data `total`, a copy of it, data of users, and data of tags that services keep.

    Return the names of those that are rebuilt.
    """
    names: list[str] = []

    def derived(name: str, table: str, rebuild: Callable[[], None] = lambda: None) -> DerivedData:
        def rebuild_and_note() -> None:
            names.append(name)
            rebuild()

        def triggers() -> list[Trigger]:
            nothing = "DELETE FROM limits_counter WHERE key = 'nothing';"
            return total_triggers() if name == "total" else [Trigger(f"test_{name}", table, "INSERT", nothing)]

        return DerivedData(name, triggers, rebuild_and_note, lambda: 0)

    data = [
        derived("total", "taxonomy_tag", rebuild_total),
        derived("copy", "limits_counter"),
        derived("users", "accounts_user"),
        replace(derived("kept", ""), triggers=list, untriggered_sources=frozenset({"taxonomy_tag"})),
    ]
    with monkeypatch.context() as patched:
        patched.setattr(registry, "_registered", {each.name: each for each in data})
        install()
        names.clear()
        yield names
    call_command("migrate", verbosity=0)


def begin_migrations(*steps: Operation, app: str = "taxonomy", is_undone: bool = False) -> list[tuple[Migration, bool]]:
    """Apply a migration with these operations as `migrate` does, up to its last step. Return the plan."""
    migration = Migration("9999_test", app)
    migration.operations = list(steps)
    plan = [(migration, is_undone)]
    emit_pre_migrate_signal(0, False, "default", apps=apps, plan=plan)
    with connection.schema_editor() as editor:
        migration.apply(ProjectState.from_apps(apps), editor)
    return plan


def end_migrations(plan: list[tuple[Migration, bool]]) -> None:
    emit_post_migrate_signal(0, False, "default", plan=plan)


def migrate(*steps: Operation, app: str = "taxonomy", is_undone: bool = False) -> None:
    end_migrations(begin_migrations(*steps, app=app, is_undone=is_undone))


def run(sql: str) -> Operation:
    return operations.RunPython(lambda apps, editor: editor.execute(sql))


def altered_name(**attributes: Any) -> Operation:
    """Return the operation that changes attributes of the name of tags."""
    field = apps.get_model("taxonomy", "Tag")._meta.get_field("name").clone()
    for name, value in attributes.items():
        setattr(field, name, value)
    return operations.AlterField("tag", "name", field)


INDEX = models.Index(fields=["description"], name="test_description")
NO_DATA: Any = pytest.mark.django_db(transaction=True, serialized_rollback=True)


@NO_DATA
def test_migrations_that_change_no_source_rebuild_nothing(rebuilt: list[str]) -> None:
    migrate(
        operations.AddIndex("tag", INDEX),
        operations.RemoveIndex("tag", INDEX.name),
        operations.AlterModelOptions("tag", {"verbose_name": "label"}),
        altered_name(help_text="Of the tag."),
        run("UPDATE taxonomy_category SET name = name"),
    )
    new = operations.CreateModel("Test", [("id", models.AutoField(primary_key=True))])
    migrate(new, operations.DeleteModel("Test"), app="limits")

    create_tag("one")
    assert (rebuilt, count_counters()) == ([], [(1,)])


@NO_DATA
@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO taxonomy_tag (name, name_key, slug, description, search_text, event_count) "
        "VALUES ('two', 'two', 'two', '', '', 0)",
        "UPDATE taxonomy_tag SET name = 'two'",
        "DELETE FROM taxonomy_tag",
    ],
)
def test_a_migration_that_changes_rows_rebuilds_what_is_derived_from_them(rebuilt: list[str], sql: str) -> None:
    create_tag("one")

    migrate(run(sql), app="accounts")

    create_tag("three")
    assert (rebuilt, count_counters()) == (["total", "copy", "kept"], [(sum_tags(),)])
    assert trigger_names() == {
        "derived_total_added", "derived_total_deleted", "derived_test_copy", "derived_test_users"
    }  # fmt: skip


@NO_DATA
@pytest.mark.parametrize(
    ("steps", "is_undone"),
    [
        ([altered_name(max_length=90), altered_name()], False),
        ([operations.RunSQL("UPDATE limits_counter SET key = key")], False),
        ([operations.AlterModelOptions("tag", {"verbose_name": "label"})], True),
    ],
)
def test_migrations_whose_changes_are_not_noticed_rebuild_everything(
    rebuilt: list[str], steps: list[Operation], is_undone: bool
) -> None:
    migrate(*steps, is_undone=is_undone)

    assert rebuilt == ["total", "copy", "users", "kept"]


@NO_DATA
def test_a_migration_that_copies_a_table_rebuilds_what_is_derived_from_it(rebuilt: list[str]) -> None:
    constraint = models.CheckConstraint(condition=~models.Q(name="test"), name="test_name")
    migrate(operations.AddConstraint("tag", constraint), operations.RemoveConstraint("tag", "test_name"))

    # PostgreSQL does not copy the table.
    assert rebuilt == (["total", "copy", "kept"] if connection.vendor == "sqlite" else [])


@NO_DATA
def test_changes_are_not_forgotten_by_migrations_that_end_early(rebuilt: list[str]) -> None:
    begin_migrations(run("UPDATE taxonomy_category SET name = name"))
    create_tag("one")

    migrate(operations.AlterModelOptions("tag", {"verbose_name": "label"}))

    assert (rebuilt, count_counters()) == (["total", "copy", "kept"], [(1,)])


@NO_DATA
def test_data_with_lost_triggers_is_rebuilt(rebuilt: list[str]) -> None:
    with connection.cursor() as cursor:
        table = "" if connection.vendor == "sqlite" else " ON taxonomy_tag"
        cursor.execute(f"DROP TRIGGER derived_total_added{table}")
    create_tag("one")

    migrate(operations.AlterModelOptions("tag", {"verbose_name": "label"}))

    assert (rebuilt, count_counters()) == (["total", "copy", "kept"], [(1,)])


@NO_DATA
def test_data_with_another_format_is_rebuilt_alone(rebuilt: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    users = replace(registry.registered()[2], format=2)
    monkeypatch.setitem(registry._registered, "users", users)

    call_command("migrate", verbosity=0)
    call_command("migrate", verbosity=0)

    assert rebuilt == ["users"]
