"""Which processes share the responses in Redis."""

import json
import os
import re

import pytest

from calendar_site import environment
from calendar_site.response_cache.fingerprint import UNRELATED_SETTINGS, compute_fingerprint
from tests.support.programs import ROOT
from tests.support.python_starter import run_python

PROGRAM = ["-c", "from calendar_site.response_cache import fingerprint; print(fingerprint.compute_fingerprint())"]
FIRST_MACHINE = {
    "DATABASE_URL": "postgres://calendar:one@10.0.0.5:5432/calendar",
    "DJANGO_SETTINGS_MODULE": "calendar_site.settings",
    "PORT": "8001",
    "REDIS_URL": "redis://10.0.0.7:6379/0",
    "SECRET_KEY": "x" * 50,
}
# As the machines of one site may have them: a pooler and a replica of their own, and other processors and disks.
SECOND_MACHINE = {
    **FIRST_MACHINE,
    "ACCESS_LOG": "true",
    "CACHE_URL": "locmemcache://",
    "DATABASE_CONN_MAX_AGE": "0",
    "DATABASE_POOL_SIZE": "4",
    "DATABASE_REPLICA_URL": "postgres://calendar:two@127.0.0.1:6433/calendar",
    "DATABASE_TIMEOUT_SECONDS": "30",
    "DATABASE_TRANSACTION_POOLING": "true",
    "DATABASE_URL": "postgres://calendar:two@127.0.0.1:6432/calendar",
    "HOST": "10.0.0.2",
    "IMAGE_PROCESSES": "2",
    "LOG_FORMAT": "json",
    "LOG_LEVEL": "WARNING",
    "METRICS_TOKEN": "token",
    "PORT": "8002",
    "REDIS_URL": "redis://redis.example.org:6379/0",
    "RESPONSE_CACHE_MB": "64",
    "TASK_POLL_SECONDS": "5",
    "WEB_THREADS": "9",
    "WEB_WORKERS": "3",
    "WRITE_WAIT_SECONDS": "10",
}
STYLES = {"pages/site.css": "pages/site.111111111111.css"}


@pytest.fixture
def fingerprint_of(tmp_path):
    """Return a function that returns the fingerprint of a process with only these settings and static files."""

    def start(folder, styles=STYLES, **variables):
        static = tmp_path / folder / "static"
        static.mkdir(parents=True, exist_ok=True)
        hashes = {"version": "1.1", "paths": styles, "hash": str(styles)}
        (static / "staticfiles.json").write_text(json.dumps(hashes))
        clean = {name: value for name, value in os.environ.items() if name not in environment.READ_SETTINGS}
        done = run_python(PROGRAM, {**clean, "DATA_DIR": str(tmp_path / folder), **variables})
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.strip()

    return start


def test_machines_of_a_site_share_responses(fingerprint_of):
    assert fingerprint_of("first", **FIRST_MACHINE) == fingerprint_of("second", **SECOND_MACHINE)


def test_processes_with_other_responses_do_not_share_them(fingerprint_of):
    changes = [
        {"SECRET_KEY": "y" * 50},
        {"DATABASE_URL": "postgres://calendar:one@10.0.0.5:5432/other"},
        {"DEBUG": "true"},
        {"MEDIA_URL": "https://images.example.org/"},
        {"PER_PAGE_LIMIT": "50"},
        {"PUBLIC_URL": "http://calendar.example.org"},
        {"SHARED_CACHE_SECONDS": "60"},
        {"SITE_LANGUAGE": "de"},
        {"SITE_TIME_ZONE": "Europe/Rome"},
        {"styles": {"pages/site.css": "pages/site.222222222222.css"}},
    ]
    first = fingerprint_of("first", **FIRST_MACHINE)

    shared = [changed for changed in changes if fingerprint_of("first", **{**FIRST_MACHINE, **changed}) == first]

    assert shared == []


def test_documentation_of_one_machine_changes_its_links(fingerprint_of, tmp_path):
    without = fingerprint_of("first", **FIRST_MACHINE)
    (tmp_path / "first" / "docs").mkdir()
    (tmp_path / "first" / "docs" / "index.html").touch()

    assert fingerprint_of("first", **FIRST_MACHINE) != without


@pytest.mark.parametrize("path", ["templates/page.html", "events/views.py", "venues/names.json"])
def test_any_change_of_the_code_ends_sharing(settings, tmp_path, path):
    settings.BASE_DIR = tmp_path
    file = tmp_path / path
    file.parent.mkdir()
    seen = [compute_fingerprint()]
    for content in ("one", "two"):
        file.write_text(content)
        seen.append(compute_fingerprint())
    file.rename(file.with_stem("renamed"))
    seen.append(compute_fingerprint())
    (file.parent / "views.cpython-311.pyc").touch()

    assert len(set(seen)) == 4
    assert compute_fingerprint() == seen[-1]


def test_public_responses_use_no_unrelated_setting():
    used = re.compile(rf"\bsettings\.({'|'.join(UNRELATED_SETTINGS)})\b")
    folders = [
        "events", "venues", "organizers", "taxonomy",
        *(f"calendar_site/{name}" for name in ("api", "content", "custom_fields", "derived", "formats", "pages")),
    ]  # fmt: skip
    uses = {
        (str(path.relative_to(ROOT)), name)
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        for name in used.findall(path.read_text())
    }

    assert uses == set()


def test_unrelated_settings_exist():
    names = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b(?= = )", (ROOT / "calendar_site" / "settings.py").read_text()))

    assert names >= UNRELATED_SETTINGS
