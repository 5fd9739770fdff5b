"""The command that checks everything that the service needs."""

import json
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command

from calendar_site.core import clock
from calendar_site.site_check import checks
from calendar_site.transfer.models import VerifiedBackup
from tests.support.imports import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def healthy(settings, media_folder, administrator):
    settings.DEBUG, settings.PUBLIC_URL = True, "https://calendar.example.org"
    settings.EMAIL_URL = "smtp://localhost"
    VerifiedBackup.objects.create(file_name="calendar.tar", verified_at=clock.now() - timedelta(days=6))


def problems(capsys):
    """Return the problems by check, and whether the command has failed."""
    try:
        call_command("check_site", json=True)
        failed = False
    except CommandError:
        failed = True
    found = {name: texts for name, texts in json.loads(capsys.readouterr().out).items() if texts}
    return found, failed


def test_problems_are_sentences_and_the_status_says_so(healthy, capsys):
    found, failed = problems(capsys)

    assert failed
    assert "DEBUG is on. Turn it off for a service that others can reach." in found["configuration"]
    assert {"backups", "sources", "images", "database", "migrations", "accounts", "disk"} & found.keys() == set()


@pytest.mark.parametrize(
    ("age", "message"),
    [(None, "No backup was ever verified."), (8, "The last verified backup is of ")],
)
def test_old_backup(healthy, capsys, age, message):
    VerifiedBackup.objects.all().delete()
    if age:
        VerifiedBackup.objects.create(file_name="calendar.tar", verified_at=clock.now() - timedelta(days=age))

    found, _failed = problems(capsys)

    assert found["backups"][0].startswith(message)


def test_source_that_fails(healthy, editor, capsys):
    make_source(editor, failures=3)

    assert problems(capsys)[0]["sources"] == ["Source Town hall: The last 3 readings failed."]


def test_image_without_a_file_and_file_without_an_image(healthy, capsys, time_machine, media_folder):
    default_storage.save("images/aa/orphan.png", ContentFile(b"x"))
    time_machine.move_to(clock.now() + timedelta(days=2))

    (text,) = problems(capsys)[0]["images"]

    assert text.startswith("1 stored files belong to no image, such as images/aa/orphan.png.")


def test_full_disk(healthy, capsys, monkeypatch):
    monkeypatch.setattr(checks, "MIN_FREE_BYTES", 2**62)

    assert any("MB left." in text for text in problems(capsys)[0]["disk"])


def test_nobody_manages_the_service(healthy, administrator, capsys):
    administrator.is_active = False
    administrator.save()

    assert problems(capsys)[0]["accounts"] == ["There is no active administrator. Run: createsuperuser"]


def test_check_that_raises_is_a_problem(healthy, capsys, monkeypatch):
    monkeypatch.setattr(checks, "shutil", None)

    assert problems(capsys)[0]["disk"][0].startswith("AttributeError: ")


def test_text_has_a_line_for_each_check(healthy, capsys):
    with pytest.raises(CommandError, match=r"Look at: .*configuration"):
        call_command("check_site")

    lines = capsys.readouterr().out.splitlines()
    assert "backups: ok" in lines
    assert [line.partition(":")[0] for line in lines] == [*checks.CHECKS, *checks.SITE_CHECKS]
