"""The content version changes with every commit that may change a public response."""

from __future__ import annotations

import threading

import pytest
from django.apps import apps
from django.db import connection, transaction

from calendar_site.audit.models import TrackedModel
from calendar_site.derived.content_version import (
    SLOTS,
    UNCOUNTED_APPS,
    UNCOUNTED_MODELS,
    Version,
    count_differences,
    counted_models,
    forget_version,
    read_version,
    rebuild_version,
)
from calendar_site.derived.models import ContentVersion
from tests.factories import EventFactory, TagFactory, VenueFactory
from tests.support.concurrency import call_at_once

EVENTS = "/cal/events/v1/events"

# A transaction raises the version once.
pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)


def version() -> Version:
    current = read_version()
    assert current is not None
    return current


def execute(sql: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql)


def insert_tag(name: str) -> None:
    """Insert a tag with neither a service nor the write lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO taxonomy_tag (name, name_key, slug, description, search_text, event_count) "
            "VALUES (%s, %s, %s, '', '', 0)",
            [name, name, name],
        )


def test_every_table_is_counted_or_listed() -> None:
    # A new table is here, or in the list of those that no public response contains.
    assert {model._meta.label for model in counted_models()} == {
        "custom_fields.CustomField",
        "events.Event",
        "events.EventOrganizer",
        "events.EventVenue",
        "events.Event_categories",
        "events.Event_tags",
        "events.Series",
        "events.Ticket",
        "media.Image",
        "organizers.Organizer",
        "site_profile.SiteProfile",
        "taxonomy.Category",
        "taxonomy.Tag",
        "venues.Venue",
    }


def test_uncounted_names_exist() -> None:
    assert {config.label for config in apps.get_app_configs()} >= UNCOUNTED_APPS
    assert {model._meta.label for model in apps.get_models()} >= UNCOUNTED_MODELS
    assert not {label for label in UNCOUNTED_MODELS if issubclass(apps.get_model(label), TrackedModel)}


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO taxonomy_tag (name, name_key, slug, description, search_text, event_count) "
        "VALUES ('a', 'a', 'a', '', '', 0)",
        "UPDATE taxonomy_tag SET description = 'changed' WHERE slug = 'jazz'",
        "DELETE FROM taxonomy_tag WHERE slug = 'jazz'",
    ],
)
def test_every_statement_raises_the_version(statement: str) -> None:
    TagFactory(name="Jazz", slug="jazz")
    before = version()

    execute(statement)

    assert version().number > before.number
    assert version().changed_at >= before.changed_at


@pytest.mark.parametrize("make", [EventFactory, VenueFactory])
def test_links_and_records_raise_the_version(make: type) -> None:
    before = version()

    make()

    assert version().number > before.number


def test_reads_and_uncounted_tables_do_not_raise_it(client, editor_api) -> None:
    event = EventFactory()
    before = version()

    assert client.get(f"{EVENTS}/{event.pk}").status_code == 200
    assert editor_api.get(EVENTS).status_code == 200
    execute("INSERT INTO limits_counter (key, count, ends_at) VALUES ('a', 1, 0)")

    assert version() == before


def test_rollback_restores_the_version() -> None:
    before = version()

    with transaction.atomic():
        TagFactory()
        transaction.set_rollback(True)

    assert version() == before


def test_rollback_to_a_savepoint_does_not_hide_the_next_change() -> None:
    before = version()

    with transaction.atomic():
        with transaction.atomic():
            insert_tag("one")
            transaction.set_rollback(True)
        insert_tag("two")

    assert version().number > before.number


def test_no_version_is_kept_during_migrations() -> None:
    forget_version(plan=[])
    assert read_version() is not None

    forget_version(plan=["a migration"])
    assert (read_version(), count_differences()) == (None, SLOTS)

    TagFactory()
    assert read_version() is None

    rebuild_version()
    assert (read_version() is not None, count_differences()) == (True, 0)


def test_rebuilding_begins_a_later_version() -> None:
    TagFactory()
    before = version()

    rebuild_version()

    assert version().number > before.number


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time.")
def test_simultaneous_transactions_do_not_wait_for_each_other() -> None:
    before = version()
    both_have_written = threading.Barrier(2, timeout=10)

    def write(name: str) -> None:
        with transaction.atomic():
            insert_tag(name)
            both_have_written.wait()

    call_at_once(lambda: write("one"), lambda: write("two"))

    assert version().number >= before.number + 2
    assert ContentVersion.objects.filter(version__gt=0).count() >= 2


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE.")
def test_truncating_a_table_raises_the_version() -> None:
    before = version()

    execute("TRUNCATE events_ticket")

    assert version().number > before.number
