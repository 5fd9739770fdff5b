"""The commands for accounts: what they create and print, and how they reject invalid arguments."""

import re
from datetime import UTC, datetime

import pytest
from django.core.management import CommandError, call_command, execute_from_command_line
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from calendar_site.accounts.models import ApplicationPassword, User
from calendar_site.accounts.roles import ROLES, STAFF_ROLES
from calendar_site.accounts.services import (
    create_application_password,
    create_user,
    find_application_password,
)
from calendar_site.accounts.sign_in.second_factor import renew_backup_codes

pytestmark = pytest.mark.django_db

SHOWN_SECRET = re.compile(r"(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}")
NOON = datetime(2027, 3, 10, 12, tzinfo=UTC)


def assert_command_fails(message, *arguments):
    with pytest.raises(CommandError) as refusal:
        call_command(*arguments)

    assert str(refusal.value) == message
    assert refusal.value.returncode == 1


# --- create_user ---------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ROLES)
def test_create_user_gives_the_role(run_command, role):
    lines = run_command("create_user", "ann", "--role", role, "--email", "ann@EXAMPLE.org")

    user = User.objects.get()
    assert lines == [f"Created the user ann with the role {role}."]
    assert [group.name for group in user.groups.all()] == [role]
    assert user.email == "ann@example.org"
    assert user.is_staff == (role in STAFF_ROLES)
    assert not user.is_superuser
    assert not user.has_usable_password()


def test_create_user_prints_the_secret_alone_on_the_last_line(run_command):
    lines = run_command("create_user", "ann", "--role", "author", "--application-password", "phone")

    assert lines[:-1] == ["Created the user ann with the role author."]
    assert SHOWN_SECRET.fullmatch(lines[-1])
    assert find_application_password(lines[-1]) == ApplicationPassword.objects.get(user__username="ann", label="phone")


def answer_prompts(monkeypatch, *responses):
    waiting = list(responses)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("calendar_site.accounts.management.commands.create_user.getpass", lambda _: waiting.pop(0))
    return waiting


def test_create_user_asks_for_the_password_at_a_terminal(run_command, monkeypatch):
    waiting = answer_prompts(monkeypatch, "correct horse", "correct horse")

    run_command("create_user", "ann", "--role", "author")

    assert User.objects.get().check_password("correct horse")
    assert waiting == []


def test_create_user_accepts_an_empty_password(run_command, monkeypatch):
    answer_prompts(monkeypatch, "")

    run_command("create_user", "ann", "--role", "author")

    assert not User.objects.get().has_usable_password()


@pytest.mark.parametrize(
    ("responses", "message"),
    [
        (("correct horse", "correct house"), "The passwords do not match."),
        (("correct horse", ""), "The passwords do not match."),
        (("annabel1", "annabel1"), "The password is too similar to the username."),
    ],
)
def test_create_user_refuses_an_invalid_password(monkeypatch, responses, message):
    answer_prompts(monkeypatch, *responses)

    assert_command_fails(message, "create_user", "annabel", "--role", "author")

    assert not User.objects.exists()


@pytest.mark.parametrize("interruption", [KeyboardInterrupt, EOFError])
def test_create_user_can_be_cancelled(monkeypatch, interruption):
    def interrupted(prompt):
        raise interruption

    answer_prompts(monkeypatch)
    monkeypatch.setattr("calendar_site.accounts.management.commands.create_user.getpass", interrupted)

    assert_command_fails("Canceled. No user was created.", "create_user", "ann", "--role", "author")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("username: A user with that username already exists.", ("taken", "--role", "author")),
        ("username: This field cannot be blank.", ("", "--role", "author")),
        (
            "username: Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.",
            ("two words", "--role", "author"),
        ),
        ("email: Enter a valid email address.", ("ann", "--role", "author", "--email", "nowhere")),
        (
            "label: This field cannot be blank.",
            ("ann", "--role", "author", "--application-password", " "),
        ),
        (
            "label: Must be a single line of text without control characters.",
            ("ann", "--role", "author", "--application-password", "a\x1bb"),
        ),
        (
            "Error: argument --role: invalid choice: 'king' "
            "(choose from 'administrator', 'editor', 'author', 'contributor', 'subscriber')",
            ("ann", "--role", "king"),
        ),
        ("Error: the following arguments are required: --role", ("ann",)),
    ],
)
def test_create_user_refuses_bad_arguments_and_leaves_nothing(message, arguments):
    User.objects.create(username="taken")

    assert_command_fails(message, "create_user", *arguments)

    assert [user.username for user in User.objects.all()] == ["taken"]
    assert not ApplicationPassword.objects.exists()


# --- create_application_password -----------------------------------------------------------------


def test_create_application_password_prints_the_secret_alone_on_the_last_line(run_command, ann):
    lines = run_command("create_application_password", "ann", " my phone ")

    assert lines[:-1] == ["Created the application password my phone of ann:"]
    assert SHOWN_SECRET.fullmatch(lines[-1])
    assert find_application_password(lines[-1]) == ann.application_passwords.get(label="my phone")


def test_create_application_password_with_restrictions(run_command, ann, time_machine):
    time_machine.move_to(NOON, tick=False)
    options = ("--read-only", "--own-only", "--resource", "events", "--resource", "tags", "--network", "192.0.2.0/24")

    run_command("create_application_password", "ann", "shop", *options, "--last-day", "2027-12-31")

    assert run_command("list_application_passwords", "ann") == [
        "LABEL  CREATED           LAST USED         RESTRICTIONS",
        "shop   2027-03-10 12:00  never             "
        "read-only, own records, events, tags, 192.0.2.0/24, until 2028-01-01 00:00 UTC",
    ]


@pytest.mark.parametrize(
    ("message", "options"),
    [
        (
            "networks: “here” is not an IP address or network. Use CIDR notation, such as 192.0.2.0/24.",
            ("--network", "here"),
        ),
        ("expires_at: Must not be in the past.", ("--last-day", "2027-03-09")),
        ("Error: argument --last-day: invalid fromisoformat value: 'soon'", ("--last-day", "soon")),
        (
            "Error: argument --resource: invalid choice: 'users' "
            "(choose from 'events', 'venues', 'organizers', 'categories', 'tags', 'images')",
            ("--resource", "users"),
        ),
    ],
)
def test_create_application_password_refuses_invalid_restrictions(ann, time_machine, message, options):
    time_machine.move_to(NOON, tick=False)

    assert_command_fails(message, "create_application_password", "ann", "shop", *options)

    assert not ApplicationPassword.objects.exists()


def test_create_application_password_does_not_store_the_secret(ann):
    password, secret = create_application_password(ann, "phone")

    kept = ApplicationPassword.objects.filter(pk=password.pk).values().get()
    assert re.fullmatch(r"[0-9a-f]{64}", kept["digest"])
    assert not {secret, secret.replace(" ", "")} & set(map(str, kept.values()))


def test_create_application_password_accepts_a_label_of_another_user(run_command, ann, secret):
    create_user("ben", "author")

    run_command("create_application_password", "ben", "phone")

    assert ApplicationPassword.objects.filter(label="phone").count() == 2


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("There is no user named nobody.", ("nobody", "phone")),
        ("There is no user named ANN.", ("ANN", "phone")),
        ("label: This field cannot be blank.", ("ann", "")),
        ("label: Ensure this value has at most 100 characters (it has 101).", ("ann", "x" * 101)),
        ("This user already has an application password for this client.", ("ann", "phone")),
        ("Error: the following arguments are required: LABEL", ("ann",)),
    ],
)
def test_create_application_password_refuses_bad_arguments(secret, message, arguments):
    assert_command_fails(message, "create_application_password", *arguments)

    assert [password.label for password in ApplicationPassword.objects.all()] == ["phone"]


# --- revoke_application_password -----------------------------------------------------------------


def test_revoke_application_password_deletes_that_one(run_command, ann, secret):
    create_application_password(ann, "laptop")
    create_application_password(create_user("ben", "author"), "phone")

    lines = run_command("revoke_application_password", "ann", "phone")

    assert lines == ["Revoked the application password phone of ann."]
    assert list(ApplicationPassword.objects.values_list("user__username", "label")) == [
        ("ann", "laptop"),
        ("ben", "phone"),
    ]


def test_revoke_application_password_dry_run_keeps_it(run_command, ann, secret):
    lines = run_command("revoke_application_password", "ann", "phone", "--dry-run")

    assert lines == ["Would revoke the application password phone of ann."]
    assert find_application_password(secret).label == "phone"


@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("There is no user named nobody.", ("nobody", "phone")),
        ("ann has no application password with the label laptop.", ("ann", "laptop")),
        ("ann has no application password with the label .", ("ann", "")),
    ],
)
def test_revoke_application_password_refuses_bad_arguments(secret, message, arguments, dry_run):
    assert_command_fails(message, "revoke_application_password", *arguments, *dry_run)

    assert find_application_password(secret).label == "phone"


# --- list_application_passwords ------------------------------------------------------------------


def test_list_application_passwords_prints_a_table(run_command, ann, time_machine):
    time_machine.move_to(NOON, tick=False)
    create_application_password(ann, "phone")
    create_application_password(ann, "a longer label")
    create_application_password(create_user("ben", "author"), "not hers")
    ann.application_passwords.filter(label="phone").update(last_used_at=NOON.replace(hour=14))

    lines = run_command("list_application_passwords", "ann")

    assert lines == [
        "LABEL           CREATED           LAST USED         RESTRICTIONS",
        "a longer label  2027-03-10 12:00  never             none",
        "phone           2027-03-10 12:00  2027-03-10 14:00  none",
    ]


def test_list_application_passwords_refuses_an_unknown_user():
    assert_command_fails("There is no user named nobody.", "list_application_passwords", "nobody")


# --- reset_second_factor -------------------------------------------------------------------------


def test_reset_second_factor_turns_it_off_and_ends_sessions(run_command, ann):
    TOTPDevice.objects.create(user=ann)
    renew_backup_codes(ann)
    ben = create_user("ben", "author")
    TOTPDevice.objects.create(user=ben)
    before = ann.get_session_auth_hash()

    lines = run_command("reset_second_factor", "ann")

    ann.refresh_from_db()
    assert lines == ["Turned off two-factor authentication for ann."]
    assert [device.user for device in TOTPDevice.objects.all()] == [ben]
    assert not StaticDevice.objects.exists()
    assert ann.get_session_auth_hash() != before


@pytest.mark.parametrize(
    ("message", "name"),
    [("There is no user named nobody.", "nobody"), ("Two-factor authentication is off for ann.", "ann")],
)
def test_reset_second_factor_refuses_users_without_one(ann, message, name):
    assert_command_fails(message, "reset_second_factor", name)


# --- The command line ----------------------------------------------------------------------------

COMMANDS = (
    "create_user",
    "create_application_password",
    "revoke_application_password",
    "list_application_passwords",
    "reset_second_factor",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("arguments", [(), ("--unknown",)])
def test_command_line_refuses_with_usage_and_status_1(capsys, command, arguments):
    with pytest.raises(SystemExit) as end:
        execute_from_command_line(["manage.py", command, *arguments])

    shown = capsys.readouterr().err
    assert end.value.code == 1
    assert shown.startswith(f"usage: manage.py {command} ")
    assert f"manage.py {command}: error: the following arguments are required: NAME" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_command_line_help_names_every_argument(capsys, command):
    with pytest.raises(SystemExit) as end:
        execute_from_command_line(["manage.py", command, "--help"])

    shown = capsys.readouterr().out
    assert end.value.code == 0
    assert re.search(r"^  NAME +The name of the (new )?user\.", shown, re.MULTILINE)
