"""Upgrades: the migrations of the first frozen schema, with data, forward to the present ones and back."""

import json
import os

import pytest

from tests.support.databases import temporary_database
from tests.support.python_starter import manage

# The last migration of each app in a state whose migrations were frozen. Add a state for each release.
STATES = {
    "first": {
        "accounts": "0002_roles",
        "custom_fields": "0001_initial",
        "events": "0001_initial",
        "media": "0001_initial",
        "organizers": "0001_initial",
        "review": "0001_initial",
        "taxonomy": "0002_category_cycles",
        "venues": "0001_initial",
    }
}
RUN = """
import json
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

targets = list({targets}.items())
apps = MigrationExecutor(connection).loader.project_state(targets).apps
tables = [("taxonomy", "Tag"), ("taxonomy", "Category"), ("venues", "Venue"), ("organizers", "Organizer")]
tables.append(("events", "Event"))
if {fill}:
    author = apps.get_model("accounts", "User").objects.create(username="mia")
    start, end = datetime(2030, 5, 4, 16, tzinfo=UTC), datetime(2030, 5, 4, 18, tzinfo=UTC)
    local = {{"start_local": "2030-05-04 18:00:00", "end_local": "2030-05-04 20:00:00", "time_zone": "Europe/Rome"}}
    times = {{"start": start, "end": end, **local}}
    for app, name in tables:
        model = apps.get_model(app, name)
        fields = {{field.name for field in model._meta.get_fields()}}
        for number in range(3):
            label = "name" if "name" in fields else "title"
            values = {{label: f"Caf\u00e9 {{number}}", "slug": f"cafe-{{number}}", "author": author, **times}}
            values["name_key"] = f"caf\u00e9 {{number}}"
            model.objects.create(**{{key: value for key, value in values.items() if key in fields}})
rows = [list(apps.get_model(app, name).objects.order_by("pk").values()) for app, name in tables]
print(json.dumps(rows, default=str))
"""


def rows_of(environment, state, fill=False):
    """Return the rows of the tables with the columns that they had in a state, and create them first if `fill`."""
    return json.loads(manage(environment, "shell", "--no-imports", "-c", RUN.format(targets=state, fill=fill)))


def migrate_to(environment, state):
    for app, name in state.items():
        manage(environment, "migrate", app, name, "--verbosity=0")


@pytest.mark.parametrize("name", STATES)
def test_data_survives_the_migrations_forward_and_back(tmp_path, name):
    state = STATES[name]
    with temporary_database(os.environ.get("DATABASE_URL", ""), "upgrade", tmp_path) as database:
        environment = {"DATABASE_URL": database, "DATA_DIR": str(tmp_path), "DEBUG": "true"}
        migrate_to(environment, state)
        before = rows_of(environment, state, fill=True)

        manage(environment, "migrate", "--verbosity=0")
        manage(environment, "rebuild_derived", "--check")
        upgraded = rows_of(environment, state)
        migrate_to(environment, state)
        rolled_back = rows_of(environment, state)

    assert [len(rows) for rows in before] == [3, 3, 3, 3, 3]
    assert upgraded == before
    assert rolled_back == before
