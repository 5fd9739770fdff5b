"""An export has all content, and an import restores it to the byte or changes nothing, also when it is interrupted."""

import json
import os
import signal
from pathlib import Path

import pytest
from django.apps import apps

from calendar_site.transfer.exports.tables import ACCOUNTS, CONTENT, HISTORY, LEFT_OUT, PEOPLE
from tests.support.databases import temporary_database
from tests.support.python_starter import manage, run_python

CREATE = """
from calendar_site.accounts.models import User
from calendar_site.media.library import prepare_image, store_image
from calendar_site.site_profile.models import SiteProfile
from tests.factories import *
from tests.support.image_files import plain_image

mia = User.objects.get(username="editor")
User.objects.filter(username="editor").update(email="mia@example.org", first_name="Mia")
image = store_image(prepare_image(plain_image(), "teal.png"), user=mia, alt="Téal")
music = CategoryFactory(name="Music")
event = EventFactory(
    title="Café “Öl” 日本", author=mia, image=image, description="<p>Tea &amp; cake</p>", cost="5",
    post_password="open", venues=[VenueFactory(venue="Hall", author=mia), VenueFactory(venue="Bar", author=mia)],
    organizers=[OrganizerFactory(organizer="Band", author=mia)],
    categories=[CategoryFactory(name="Jazz", parent=music), music], tags=[TagFactory(name="Late")],
)
TicketFactory(event=event)
EventFactory(title="Draft", author=mia, status="draft")
SeriesFactory(title="Choir", author=mia)
CustomFieldFactory()
SiteProfile.objects.create(name="Calendar of Bern")
"""
CREATE_EVENT = """
from tests.factories import *
print(EventFactory(title="Next", author=User.objects.get(username="editor")).pk)
"""
DESCRIBE = """
import json
from calendar_site.accounts.models import User
from calendar_site.media.models import Image
from events.models import Event
mia = User.objects.filter(username="editor").first()
print(json.dumps({
    "events": sorted(Event.objects.values_list("title", flat=True)),
    "accounts": User.objects.count(),
    "roles": sorted(mia.groups.values_list("name", flat=True)) if mia else None,
    "can_sign_in": mia.has_usable_password() if mia else None,
}))
"""
TITLES = ["Café “Öl” 日本", "Choir", "Choir", "Draft"]
SECRETS = ("password", "pbkdf2", "argon2")


@pytest.fixture
def filled_environment(service_environment):
    manage(service_environment, "shell", "--no-imports", "-c", CREATE)
    return service_environment


@pytest.fixture
def empty_environment(tmp_path):
    """The environment of another service without any content."""
    folder = tmp_path / "other"
    folder.mkdir()
    with temporary_database(os.environ.get("DATABASE_URL", ""), "imported", folder) as database:
        environment = {"DATABASE_URL": database, "DATA_DIR": str(folder), "DEBUG": "false", "SECRET_KEY": "x" * 50}
        manage(environment, "migrate", "--verbosity=0")
        yield environment


def describe(environment):
    return json.loads(manage(environment, "shell", "--no-imports", "-c", DESCRIBE))


def attempt(environment, *arguments):
    """Return the exit status of a command, and its error message."""
    done = run_python(["manage.py", *arguments], {**os.environ, **environment})
    return done.returncode, done.stderr.strip()


def files_in(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_table_is_exported_or_left_out_on_purpose():
    exported = [*ACCOUNTS, *CONTENT, *PEOPLE, *HISTORY]
    models = {model._meta.label for model in apps.get_models(include_auto_created=True)}

    undecided = {label for label in models if not {label, label.partition(".")[0]} & {*exported, *LEFT_OUT}}

    assert undecided == set()
    assert set(exported) <= models
    assert len(exported) == len({*exported})
    assert {label for label in exported if {label, label.partition(".")[0]} & LEFT_OUT} == set()


def test_an_export_restores_everything_in_an_empty_service(filled_environment, empty_environment, tmp_path):
    first, second, images = tmp_path / "first.jsonl", tmp_path / "second.jsonl", tmp_path / "images"

    exported = json.loads(manage(filled_environment, "export", str(first), f"--images={images}", "--json"))
    imported = json.loads(manage(empty_environment, "import_json", str(first), f"--images={images}", "--json"))
    manage(empty_environment, "export", str(second))

    assert imported == exported
    assert exported["missing_images"] == []
    assert second.read_bytes() == first.read_bytes()
    manage(empty_environment, "rebuild_derived", "--check")
    assert files_in(Path(empty_environment["DATA_DIR"], "media")) == files_in(images) != {}
    # Whoever had a password needs a new one.
    expected = {"events": TITLES, "accounts": 5, "roles": ["editor"], "can_sign_in": False}
    assert describe(empty_environment) == expected
    # The next record has an id of its own.
    ids = [json.loads(line)["pk"] for line in first.read_text().splitlines() if '"model": "events.event"' in line]
    assert int(manage(empty_environment, "shell", "--no-imports", "-c", CREATE_EVENT)) > max(ids)


def test_an_export_has_no_secrets_and_only_its_owner_may_read_it(filled_environment, tmp_path):
    file = tmp_path / "calendar.jsonl"

    manage(filled_environment, "export", str(file), "--without-history")

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    accounts = [line["fields"] for line in lines if line.get("model") == "accounts.user"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert "mia@example.org" in {account["email"] for account in accounts}
    assert [name for account in accounts for name in account if name in SECRETS] == []
    assert [line for line in lines if "historical" in line.get("model", "")] == []
    assert "pbkdf2" not in file.read_text()
    assert lines[0] == {"calendar_export": 1, "history": False, "people": True}


def test_an_export_without_people_names_nobody(filled_environment, empty_environment, tmp_path):
    file = tmp_path / "calendar.jsonl"

    manage(filled_environment, "export", str(file), "--without-people")
    manage(empty_environment, "import_json", str(file))

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    accounts = [line["fields"] for line in lines if line.get("model") == "accounts.user"]
    rights = ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")
    assert [[account[name] for name in rights] for account in accounts] == [[False, False, False, [], []]] * 5
    assert [account["username"].startswith("person-") for account in accounts] == [True] * 5
    assert [name for name in ("mia@example.org", "Mia") if name in file.read_text()] == []
    assert describe(empty_environment) == {"events": TITLES, "accounts": 5, "roles": None, "can_sign_in": None}


def test_a_damaged_export_changes_nothing(filled_environment, empty_environment, tmp_path):
    file = tmp_path / "calendar.jsonl"
    manage(filled_environment, "export", str(file), "--without-history")
    head, *records, end = file.read_bytes().splitlines(keepends=True)
    last = len(records) + 2

    def changed(name, *lines):
        path = tmp_path / name
        path.write_bytes(b"".join(lines))
        return path

    event = next(number for number, line in enumerate(records) if b'"events.event"' in line)
    without_author = [line for line in records if b'"accounts.user"' not in line]
    attempts = {
        "cut": changed("cut", head, *records),
        "half": changed("half", head, *records[:-1], records[-1][:-20]),
        "longer": changed("longer", head, *records, end, end),
        "lost": changed("lost", head, *records[:-1], end),
        "html": changed("html", b"<!doctype html>"),
        "empty": changed("empty"),
        "head": changed("head", b"{}\n", *records, end),
        "newer": changed("newer", b'{"calendar_export": 2}\n', *records, end),
        "list": changed("list", head, b"[]\n", end),
        "foreign": changed("foreign", head, b'{"model": "sessions.session", "pk": "x", "fields": {}}\n', end),
        "no model": changed("none", head, b"{}\n", end),
        "field": changed("field", head, b'{"model": "taxonomy.tag", "pk": 1, "fields": {"colour": 1}}\n', end),
        "value": changed("value", head, b'{"model": "taxonomy.tag", "pk": "x", "fields": {}}\n', end),
        "twice": changed("twice", head, *records, records[event], end),
        "missing": tmp_path / "missing",
    }

    results = {name: attempt(empty_environment, "import_json", str(path)) for name, path in attempts.items()}
    unlinked = attempt(
        empty_environment,
        "import_json",
        str(changed("unlinked", head, *without_author, _end_of(without_author))),
    )

    assert {status for status, _message in results.values()} == {1}
    prefix = "CommandError: Nothing was imported. "
    messages = {name: message.removeprefix(prefix) for name, (_status, message) in results.items()}
    unsaved = {name: messages.pop(name).partition(": ")[0] for name in ("field", "value", "twice")}
    assert unsaved == {
        "field": "Line 2 cannot be imported",
        "value": "Line 2 cannot be imported",
        "twice": f"Line {last} cannot be imported",
    }
    assert messages == {
        "cut": f"The export ends early, after line {last - 1}.",
        "half": f"Line {last - 1} is no JSON.",
        "longer": "The export continues after its end.",
        "lost": "The export does not have as many records as its last line says.",
        "html": "Line 1 is no JSON.",
        "empty": "Line 1 is no JSON.",
        "head": "The file is no export of a calendar.",
        "newer": "The export has format 2, which this version does not know.",
        "list": "Line 2 is no record.",
        "foreign": "Line 2 has a record of “sessions.session”, which exports do not contain.",
        "no model": "Line 2 has a record of “None”, which exports do not contain.",
        "missing": f"[Errno 2] No such file or directory: '{tmp_path}/missing'",
    }
    assert unlinked[0] == 1
    assert "Traceback" not in unlinked[1]
    assert describe(empty_environment) == {"events": [], "accounts": 0, "roles": None, "can_sign_in": None}
    # Nor does a complete one that is only tried.
    manage(empty_environment, "import_json", str(file), "--dry-run")
    assert describe(empty_environment)["events"] == []


def _end_of(records):
    counts = {}
    for line in records:
        model = json.loads(line)["model"]
        counts[model] = counts.get(model, 0) + 1
    return json.dumps({"records": counts}).encode()


def test_existing_content_and_files_are_not_replaced(filled_environment, tmp_path):
    file = tmp_path / "calendar.jsonl"
    manage(filled_environment, "export", str(file))
    before = file.read_bytes()

    again = attempt(filled_environment, "export", str(file))
    imported = attempt(filled_environment, "import_json", str(file))

    assert again == (1, f"CommandError: The export is not complete. {file} exists.")
    assert imported == (1, "CommandError: Nothing was imported. The service is not empty: it has users.")
    assert file.read_bytes() == before
    assert describe(filled_environment)["events"] == TITLES


@pytest.mark.parametrize("command", ["export", "import_json"])
def test_a_killed_command_leaves_nothing_and_can_be_repeated(filled_environment, empty_environment, tmp_path, command):
    file, other = tmp_path / "calendar.jsonl", tmp_path / "other.jsonl"
    manage(filled_environment, "export", str(file))
    # Killed in the middle: the command stops itself at the first record after the accounts.
    name = "calendar_site.transfer.exports." + ("writing.encode" if command == "export" else "reading._save")
    code = f"""
import os, signal
from unittest.mock import patch
from django.core.management import call_command
import calendar_site.transfer.exports.writing as writing, calendar_site.transfer.exports.reading as reading

def stop(*arguments):
    if "events.event" in str(arguments):
        os.kill(os.getpid(), signal.SIGKILL)
    return original(*arguments)

original = {name.removeprefix("calendar_site.transfer.exports.")}
with patch("{name}", stop):
    call_command("{command}", "{other if command == "export" else file}")
"""
    environment = filled_environment if command == "export" else empty_environment

    killed = run_python(["manage.py", "shell", "--no-imports", "-c", code], {**os.environ, **environment})

    assert killed.returncode == -signal.SIGKILL
    if command == "export":
        assert not other.exists()
        manage(environment, "export", str(other))
        assert other.read_bytes() == file.read_bytes()
    else:
        assert describe(environment)["accounts"] == 0
        manage(environment, "import_json", str(file))
        assert describe(environment)["events"] == TITLES


def test_wrong_arguments_are_refused(service_environment):
    messages = {
        ("export",): "the following arguments are required: file",
        (
            "export",
            "x",
            "--format=xml",
        ): "argument --format: invalid choice: 'xml' (choose from 'json', 'csv', 'ics', 'jsonld', 'wxr', 'tec-csv')",
        ("import_json",): "the following arguments are required: file",
    }

    results = {arguments: attempt(service_environment, *arguments) for arguments in messages}

    assert {arguments: status for arguments, (status, _error) in results.items()} == dict.fromkeys(messages, 1)
    assert {
        arguments: error.splitlines()[-1].partition(": error: ")[2] for arguments, (_status, error) in results.items()
    } == messages
