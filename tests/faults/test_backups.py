"""Backups are complete while others write, are restored as a whole, and a damaged one changes nothing.

A copy that nobody has restored is no backup, and a file with email addresses and hashes of passwords is for its owner
only.
"""

import io
import json
import os
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.databases import is_postgresql, temporary_database
from tests.support.programs import run_program
from tests.support.python_starter import manage, run_python
from tests.support.served_app import wait_until

EVENTS = "/cal/events/v1/events"
ON_POSTGRESQL = is_postgresql(os.environ.get("DATABASE_URL", ""))
OTHER_ENGINE = "sqlite" if ON_POSTGRESQL else "postgresql"
PRINT_TITLES = """
import json
from events.models import Event
print(json.dumps(sorted(Event.objects.values_list("title", flat=True))))
"""
PRINT_VERSION = """
from calendar_site.derived.content_version import read_version
print(read_version().number)
"""
PRINT_VERIFIED = """
from calendar_site.transfer.models import VerifiedBackup
print(*VerifiedBackup.objects.values_list("file_name", flat=True))
"""
CREATE_EVENT = """
from calendar_site.accounts.models import User
from tests.factories import EventFactory
EventFactory(title={!r}, author=User.objects.get(username="editor"))
"""
STORE_IMAGE = """
from calendar_site.accounts.models import User
from calendar_site.media.library import prepare_image, store_image
from tests.support.image_files import plain_image
store_image(prepare_image(plain_image(), "teal.png"), user=User.objects.get(username="editor"))
"""


@pytest.fixture
def backups(tmp_path):
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


@pytest.fixture
def other_environment(tmp_path):
    """The environment of another service, whose database is empty."""
    folder = tmp_path / "other"
    folder.mkdir()
    with temporary_database(os.environ.get("DATABASE_URL", ""), "restored", folder) as database:
        yield {"DATABASE_URL": database, "DATA_DIR": str(folder), "DEBUG": "false", "SECRET_KEY": "x" * 50}


def shell(environment, code):
    return manage(environment, "shell", "--no-imports", "-c", code)


def titles(environment):
    return json.loads(shell(environment, PRINT_TITLES))


def back_up(environment, folder, *options):
    return json.loads(manage(environment, "backup", str(folder), "--json", *options))


def attempt(environment, *arguments):
    """Return the exit status of a command, and its error message."""
    done = run_python(["manage.py", *arguments], {**os.environ, **environment})
    return done.returncode, done.stderr.strip()


def files_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def changed_copy(path, *, changed=None, added=None):
    """Return a copy of a backup with another manifest, or with a further file."""
    copy = Path(path).with_name("changed.tar")
    with tarfile.open(path) as old, tarfile.open(copy, "w") as new:
        for member in old.getmembers():
            content = old.extractfile(member).read()
            if member.name == "manifest.json" and changed:
                content = json.dumps({**json.loads(content), **changed}).encode()
                member.size = len(content)
            new.addfile(member, io.BytesIO(content))
        if added:
            new.addfile(tarfile.TarInfo(added), io.BytesIO())
    return copy


def test_a_backup_made_while_others_write_is_complete(start_service, service_environment, backups, other_environment):
    service = start_service(WRITE_WAIT_SECONDS="20")

    def create(number):
        data = {"title": f"Event {number:02}", "start_date": "2030-05-04 18:00", "end_date": "2030-05-04 20:00"}
        headers = {"Content-Type": "application/json"}
        return service.request("POST", EVENTS, json.dumps(data), seconds=30, **headers)[0].status

    with ThreadPoolExecutor(4) as clients:
        writes = [clients.submit(create, number) for number in range(60)]
        assert wait_until(lambda: sum(write.done() for write in writes) >= 10)
        acknowledged = {f"Event {number:02}" for number, write in enumerate(writes) if write.done()}
        backup = back_up(service_environment, backups, "--verify")
        assert {write.result() for write in writes} == {201}
    manage(other_environment, "restore", backup["file"])

    assert backup["verified"] is True
    assert shell(service_environment, PRINT_VERIFIED).split() == [Path(backup["file"]).name]
    assert acknowledged <= set(titles(other_environment)) <= {f"Event {number:02}" for number in range(60)}
    # Each event has the rows that belong to it.
    manage(other_environment, "rebuild_derived", "--check")


def test_a_restore_replaces_the_database_and_stores_missing_images(service_environment, backups):
    media = Path(service_environment["DATA_DIR"], "media")
    shell(service_environment, CREATE_EVENT.format("Before") + STORE_IMAGE)
    images = files_in(media)
    backup = back_up(service_environment, backups)
    shell(service_environment, CREATE_EVENT.format("After"))
    media.joinpath(images[0]).unlink()
    last_version = int(shell(service_environment, PRINT_VERSION))

    would_restore = json.loads(manage(service_environment, "restore", backup["file"], "--dry-run", "--json"))
    assert titles(service_environment) == ["After", "Before"]
    restored = json.loads(manage(service_environment, "restore", backup["file"], "--json"))

    assert titles(service_environment) == ["Before"]
    # Responses that others have stored since the backup are out of date.
    assert int(shell(service_environment, PRINT_VERSION)) > last_version
    assert files_in(media) == images
    assert backup["images"] == len(images)
    assert (would_restore["images"], restored["images"], restored["rows"]) == (1, 1, backup["rows"])
    assert would_restore["former_database"] == ""
    if not ON_POSTGRESQL:
        former = {**service_environment, "DATABASE_URL": f"sqlite:///{restored['former_database']}"}
        assert titles(former) == ["After", "Before"]


def test_only_the_owner_may_read_a_backup_and_only_old_ones_are_deleted(service_environment, backups):
    other = backups / "notes.tar"
    other.touch()
    for stamp in ("20200101T000000Z", "20210101T000000Z"):
        backups.joinpath(f"calendar-{stamp}.tar").touch()

    backup = back_up(service_environment, backups, "--keep=2")

    path = Path(backup["file"])
    assert path.stat().st_mode & 0o777 == 0o600
    assert sorted(backups.iterdir()) == [backups / "calendar-20210101T000000Z.tar", path, other]
    assert backup["deleted"] == [str(backups / "calendar-20200101T000000Z.tar")]
    assert backup["bytes"] == path.stat().st_size


def test_an_image_without_its_file_is_reported(service_environment, backups):
    media = Path(service_environment["DATA_DIR"], "media")
    shell(service_environment, STORE_IMAGE)
    missing, *_others = files_in(media)
    media.joinpath(missing).unlink()

    assert back_up(service_environment, backups, "--verify")["missing_images"] == [missing]


def test_a_damaged_backup_changes_nothing(service_environment, backups):
    shell(service_environment, CREATE_EVENT.format("Before"))
    path = Path(back_up(service_environment, backups)["file"])
    shell(service_environment, CREATE_EVENT.format("After"))
    content = path.read_bytes()
    cut, flipped, other = (backups / name for name in ("cut.tar", "flipped.tar", "other.tar"))
    cut.write_bytes(content[: len(content) // 2])
    flipped.write_bytes(content[:5000] + bytes([content[5000] ^ 1]) + content[5001:])
    other.write_text("<!doctype html>")
    files = backups.joinpath("files.tar")
    tarfile.open(files, "w").close()
    rows = dict.fromkeys(["events_event"], 7)
    attempts = {
        "cut": cut,
        "flipped": flipped,
        "html": other,
        "no manifest": files,
        "none": backups / "nothing.tar",
        "folder": backups,
        "foreign file": changed_copy(path, added="media/../../outside").rename(backups / "foreign.tar"),
        "other engine": changed_copy(path, changed={"engine": OTHER_ENGINE}).rename(backups / "engine.tar"),
        "newer": changed_copy(path, changed={"migrations": {"events": ["9999_later"]}}).rename(backups / "newer.tar"),
        "format": changed_copy(path, changed={"format": 2}).rename(backups / "format.tar"),
        "rows": changed_copy(path, changed={"tables": rows}).rename(backups / "rows.tar"),
        "values": changed_copy(path, changed={"digests": {"events_event": "0" * 16}}),
    }

    results = {name: attempt(service_environment, "restore", str(file)) for name, file in attempts.items()}

    assert {name: status for name, (status, _message) in results.items()} == dict.fromkeys(attempts, 1)
    messages = {
        name: message.removeprefix("CommandError: Nothing was restored. ") for name, (_, message) in results.items()
    }
    engine = "postgresql" if ON_POSTGRESQL else "sqlite"
    assert messages == {
        "cut": f"{cut} is no complete backup: unexpected end of data.",
        "flipped": "database in the backup is damaged.",
        "html": f"{other} is no complete backup: truncated header.",
        "no manifest": "The file is no complete backup: it has no manifest.",
        "none": f"There is no backup {backups}/nothing.tar.",
        "folder": f"[Errno 21] Is a directory: '{backups}'",
        "foreign file": "The backup contains 1 files that are not its own, such as media/../../outside.",
        "other engine": f"The backup is one of {OTHER_ENGINE}, but DATABASE_URL names {engine}.",
        "newer": "The backup is one of a newer version, which has the migration events.9999_later. Install that "
        "version first.",
        "format": "The backup has format 2, which this version does not know.",
        "rows": "The table events_event has 1 rows instead of 7.",
        "values": "The table events_event has other rows than the database had.",
    }
    assert attempt(service_environment, "restore", str(cut), "--verify")[0] == 1
    assert titles(service_environment) == ["After", "Before"]


def test_a_full_disk_leaves_no_file_behind(service_environment, backups):
    # The limit of a file's size has the effect of a full disk for this process alone.
    command = f"ulimit -f 200; exec .venv/bin/python manage.py backup {backups}"
    done = run_program(["/bin/sh", "-c", command], {**os.environ, **service_environment})

    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: No backup was made. ")
    assert "Traceback" not in done.stderr
    assert list(backups.iterdir()) == []


def test_wrong_arguments_are_refused(service_environment):
    messages = {
        ("backup",): "the following arguments are required: folder",
        ("backup", "x", "--keep=0"): "argument --keep: Must be a whole number from 1 to 10000.",
        ("backup", "x", "--keep=many"): "argument --keep: Must be a whole number from 1 to 10000.",
        ("restore",): "the following arguments are required: file",
        ("restore", "x", "--dry-run", "--verify"): "argument --verify: not allowed with argument --dry-run",
    }

    results = {arguments: attempt(service_environment, *arguments) for arguments in messages}

    assert {arguments: status for arguments, (status, _error) in results.items()} == dict.fromkeys(messages, 1)
    assert {
        arguments: error.splitlines()[-1].partition(": error: ")[2] for arguments, (_status, error) in results.items()
    } == messages
