"""The calendar of the benchmark."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).resolve().parents[2] / "benchmarks" / "fill.py"
EVENTS = 300


def fill(database):
    command = [sys.executable, str(PROGRAM), "--events", str(EVENTS), "--database", f"sqlite:///{database}"]
    return subprocess.run(command, capture_output=True, text=True)  # noqa: S603


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """The parameters that the program prints, and the database."""
    database = tmp_path_factory.mktemp("filled") / "calendar.sqlite3"
    done = fill(database)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), database


def count(database, table, condition="true"):
    with sqlite3.connect(database) as connection:
        ((found,),) = connection.execute(f"SELECT COUNT(*) FROM {table} WHERE {condition}").fetchall()  # noqa: S608
        return found


def test_fill_creates_events_with_everything_that_the_benchmark_asks_for(filled):
    parameters, database = filled

    assert count(database, "events_event") == EVENTS
    for table in ("events_eventvenue", "events_eventorganizer", "events_event_tags", "events_ticket"):
        assert count(database, table) > 50, table
    for condition in ("all_day", "status = 'draft'", "time_zone <> 'UTC'", "cost <> ''"):
        assert 0 < count(database, "events_event", condition) < EVENTS, condition
    assert count(database, "events_event", f"search_text LIKE '%{parameters['words']['rare']}%'") == 12
    subcategories = "(SELECT id FROM taxonomy_category WHERE parent_id IS NOT NULL)"
    assert count(database, "taxonomy_category", f"parent_id IN {subcategories}") > 0


def test_fill_protects_past_events_only(filled):
    _parameters, database = filled

    assert count(database, "events_event", "password <> ''") > 0
    assert count(database, "events_event", "password <> '' AND \"end\" > datetime('now')") == 0


def test_fill_refuses_a_database_with_events(filled):
    _parameters, database = filled

    done = fill(database)

    assert done.returncode == 1
    assert "The database is not empty." in done.stderr
    assert count(database, "events_event") == EVENTS
