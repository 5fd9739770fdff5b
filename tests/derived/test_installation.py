"""The triggers of derived data, and `rebuild_derived`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from calendar_site.derived import registry
from calendar_site.derived.installation import install
from calendar_site.derived.models import InstalledData
from calendar_site.derived.registry import DerivedData
from calendar_site.derived.triggers import PREFIX, Trigger, drop_triggers

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
