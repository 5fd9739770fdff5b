"""Which processes share the responses in Redis."""

import json
import os
import re

import pytest
from django.conf import settings as django_settings

from calendar_site.configuration import environment
from calendar_site.response_cache.fingerprint import UNRELATED_SETTINGS, compute_fingerprint
from tests.support.programs import ROOT
from tests.support.python_starter import run_python

# With the apps loaded, because some add settings of their own.
PROGRAM = ["-c", """
import django
django.setup()
from calendar_site.response_cache.fingerprint import compute_fingerprint
print(compute_fingerprint())
"""]  # fmt: skip
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
    "WEB_CPU_AFFINITY": "true",
    "WEB_THREADS": "9",
    "WEB_WORKERS": "3",
    "WEB_WRITE_WORKERS": "1",
    "WRITE_PORT": "8002",
    "WRITE_WAIT_SECONDS": "10",
}
STYLES = {"pages/site.css": "pages/site.111111111111.css"}


@pytest.fixture
def fingerprint_of(tmp_path):
    """Return a function that returns the fingerprint of a process with only these settings and static files."""

    def start(folder, styles=STYLES, /, **variables):
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
    first, second = fingerprint_of("first", **FIRST_MACHINE), fingerprint_of("second", **SECOND_MACHINE)
    upgraded = fingerprint_of("first", {"pages/site.css": "pages/site.222222222222.css"}, **FIRST_MACHINE)

    assert first == second
    # Pages contain the names of the static files.
    assert upgraded != first


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", True),
        ("DOCS_URL", "https://docs.example.org/"),
        ("MEDIA_URL", "https://images.example.org/"),
        ("NEW_SETTING", "value"),
        ("PER_PAGE_LIMIT", 50),
        ("PUBLIC_URL", "http://calendar.example.org"),
        ("SECRET_KEY", "y" * 50),
        ("SHARED_CACHE_SECONDS", 60),
        ("SITE_NAME", "Another calendar"),
        ("SITE_TIME_ZONE", "Europe/Rome"),
        ("THROTTLE_ANONYMOUS", "100/min"),
    ],
)
def test_processes_with_other_settings_do_not_share_responses(settings, name, value):
    before = compute_fingerprint()
    setattr(settings, name, value)

    assert compute_fingerprint() != before


def test_sites_with_other_databases_do_not_share_responses(monkeypatch):
    before = compute_fingerprint()
    monkeypatch.setitem(django_settings.DATABASES["default"], "HOST", "10.0.0.9")
    assert compute_fingerprint() == before

    monkeypatch.setitem(django_settings.DATABASES["default"], "NAME", "other")

    assert compute_fingerprint() != before


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
    for temporary in ("__pycache__/views.cpython-311.pyc", "__pycache__/views.cpython-311.pyc.1234", ".views.py.swp"):
        (file.parent / temporary).parent.mkdir(exist_ok=True)
        (file.parent / temporary).touch()

    assert len(set(seen)) == 4
    assert compute_fingerprint() == seen[-1]


def test_public_responses_use_no_unrelated_setting():
    used = re.compile(rf"\bsettings\.({'|'.join(UNRELATED_SETTINGS)})\b")
    folders = [
        "events", "venues", "organizers", "taxonomy",
        *(f"calendar_site/{name}" for name in ("api", "content", "custom_fields", "derived", "localization", "pages")),
    ]  # fmt: skip
    uses = {
        (str(path.relative_to(ROOT)), name)
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        for name in used.findall(path.read_text())
    }

    assert uses == set()


def test_unrelated_settings_exist():
    # Some are set only if others are.
    names = set(re.findall(r"\b[A-Z][A-Z0-9_]+\b(?= = )", (ROOT / "calendar_site" / "settings.py").read_text()))

    assert names | set(dir(django_settings)) >= UNRELATED_SETTINGS
