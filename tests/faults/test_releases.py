"""Each release that was stored is upgraded by restoring its backup, with all records and nothing to rebuild.

`.ci/store_release.py` stores a release.
"""

import json
import lzma
import os
from pathlib import Path

import pytest

from tests.support.databases import is_postgresql, temporary_database
from tests.support.python_starter import manage

RELEASES = Path(__file__).parent / "releases"
ENGINE = "postgresql" if is_postgresql(os.environ.get("DATABASE_URL", "")) else "sqlite"
STORED = sorted(path.name.removesuffix(f"-{ENGINE}.tar.xz") for path in RELEASES.glob(f"*-{ENGINE}.tar.xz"))
PRINT_RECORDS = """
import json
from django.apps import apps
names = ("events.Event", "venues.Venue", "organizers.Organizer", "taxonomy.Category", "taxonomy.Tag")
print(json.dumps([sorted(set(map(str, apps.get_model(name).objects.all()))) for name in names]))
"""
RECORDS = [
    [
        "A long evening in the observatory", "A reading by the author", "A walk that nobody took",
        "A walk that waits for review", "A walk that was sent back", "Boat trip", "Choir", "Dance", "Exhibition",
        "Market",
        "Stargazing every month", *(f"Talk {number}" for number in range(7)),
    ],
    ["No longer the venue", "Orrery Planetarium"],
    ["Friends of the night sky", "No longer the organizer"],
    ["Astronomy"],
    ["outdoors"],
]  # fmt: skip


def test_the_first_release_is_stored_for_both_databases():
    names = {path.name for path in RELEASES.iterdir()}

    assert {"1.0.0-sqlite.tar.xz", "1.0.0-postgresql.tar.xz"} <= names


@pytest.mark.parametrize("release", STORED)
def test_release_is_upgraded_with_all_its_records(tmp_path, release):
    backup = tmp_path / "release.tar"
    backup.write_bytes(lzma.decompress((RELEASES / f"{release}-{ENGINE}.tar.xz").read_bytes()))
    with temporary_database(os.environ.get("DATABASE_URL", ""), "upgraded", tmp_path) as url:
        environment = {
            "DATABASE_URL": url, "DATA_DIR": str(tmp_path), "DEBUG": "true", "SITE_TIME_ZONE": "America/Halifax"
        }  # fmt: skip

        manage(environment, "restore", str(backup))

        assert json.loads(manage(environment, "shell", "--no-imports", "-c", PRINT_RECORDS)) == list(
            map(sorted, RECORDS)
        )
        manage(environment, "migrate", "--check")
        manage(environment, "rebuild_derived", "--check")
