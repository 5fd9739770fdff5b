"""The settings: their documentation, the messages for invalid values, and safe defaults."""

import os
import re

import pytest
from django.conf import settings

from calendar_site.configuration import environment
from calendar_site.serving import server
from tests.support.databases import copy_database
from tests.support.preparation import migrated_database
from tests.support.programs import ROOT
from tests.support.python_starter import run_python
from tests.support.served_app import GUNICORN, free_port

CHECK = ["manage.py", "check"]
# Only the settings, without the apps, which take most of the time of a command.
LOAD = ["-c", "from calendar_site import settings"]
# Also reads the settings of the server, but opens no port.
CHECK_SERVER = [*GUNICORN[1:], "--check-config"]
ROW = re.compile(r"^\| `(\w+)` \| (.+?) \| (.+?) \| .+ \|$", re.MULTILINE)
# Every text is valid for these.
UNRESTRICTED_TYPES = {"text", "a comma-separated list", "a directory", "a host name or an IP address"}

WHOLE_NUMBER = "a whole number, {}"
OR_MORE = "a whole number, {} or more"
RATE = "a rate such as 100/min"
BOOLEAN = "true or false"
PORTS = "a comma-separated list of port numbers"
INVALID_VALUES = [
    ("DEBUG", "maybe", f"must be {BOOLEAN}, not 'maybe'."),
    *(
        (
            name,
            "/none/such",
            "must be the path of a readable file. [Errno 2] No such file or directory: '/none/such'",
        )
        for name in ("SECRET_KEY_FILE", "METRICS_TOKEN_FILE", "S3_ACCESS_KEY_FILE", "S3_SECRET_KEY_FILE")
    ),
    (
        "PUBLIC_URL",
        "calendar.example.org",
        "must be a URL such as https://calendar.example.org, not 'calendar.example.org'. It must start with "
        "http:// or https:// and have no query string.",
    ),
    (
        "PUBLIC_URL",
        "https://calendar.example.org:99999",
        "must be a URL such as https://calendar.example.org, not 'https://calendar.example.org:99999'. "
        "Port out of range 0-65535",
    ),
    (
        "SCRIPT_NAME",
        "/agenda/",
        "must be a path such as /agenda, not '/agenda/'. It must start with a slash and not end with one.",
    ),
    *(
        (
            "ALLOWED_HOSTS",
            value,
            f"must be a comma-separated list of hosts, not {value!r}. Write hosts without scheme, port and path, and "
            "IPv6 addresses in brackets.",
        )
        for value in ("https://calendar.example.org", "localhost, calendar.example.org:8000", "example.org.", "::1")
    ),
    (
        "DOCS_URL",
        "docs.example.org",
        "must be a URL such as https://docs.example.org/, not 'docs.example.org'. It must start with http:// "
        "or https:// and contain a host.",
    ),
    (
        "SENTRY_DSN",
        "sentry.example.org",
        "must be a URL such as https://key@sentry.example.org/1, not 'sentry.example.org'. It must start with http:// "
        "or https://, and contain a key and the id of the project.",
    ),
    ("HTTPS", "https", f"must be {BOOLEAN}, not 'https'."),
    ("HSTS_SECONDS", "1 year", f"must be {OR_MORE.format(0)}, not '1 year'."),
    ("HSTS_PRELOAD", "list", f"must be {BOOLEAN}, not 'list'."),
    ("HSTS_SUBDOMAINS", "all", f"must be {BOOLEAN}, not 'all'."),
    ("PROXY_COUNT", "-1", f"must be {OR_MORE.format(0)}, not '-1'."),
    ("HTTP_CLIENT_PORTS", "80,http", f"must be {PORTS}, not '80,http'."),
    ("HTTP_CLIENT_PORTS", "0", f"must be {PORTS}, not '0'."),
    ("IMAGE_PROCESSES", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("IMAGE_MEMORY_MB", "99", f"must be {OR_MORE.format(100)}, not '99'."),
    ("IMAGE_CPU_SECONDS", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("WRITE_WAIT_SECONDS", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("SQLITE_SYNCHRONOUS", "OFF", "must be one of NORMAL, FULL, not 'OFF'."),
    ("DATABASE_TIMEOUT_SECONDS", "1 min", f"must be {OR_MORE.format(0)}, not '1 min'."),
    ("DATABASE_POOL_SIZE", "all", f"must be {OR_MORE.format(0)}, not 'all'."),
    ("DATABASE_TRANSACTION_POOLING", "session", f"must be {BOOLEAN}, not 'session'."),
    ("DATABASE_CONN_MAX_AGE", "1.5", f"must be {OR_MORE.format(0)}, not '1.5'."),
    ("TASK_POLL_SECONDS", "0", f"must be {WHOLE_NUMBER.format('from 1 to 3600')}, not '0'."),
    ("SERIES_HORIZON_DAYS", "0", f"must be {WHOLE_NUMBER.format('from 1 to 3650')}, not '0'."),
    ("HOLIDAYS_COUNTRY", "Moon", "must be the code of a country, such as CA, not 'Moon'."),
    (
        "HOLIDAYS_SUBDIVISION",
        "NS",
        "must be the code of a part of the country, such as NS, not 'NS'. Set HOLIDAYS_COUNTRY as well.",
    ),
    ("TRASH_DAYS", "a month", f"must be {WHOLE_NUMBER.format('from 0 to 36500')}, not 'a month'."),
    ("ORPHANED_FILE_DAYS", "-1", f"must be {WHOLE_NUMBER.format('from 0 to 36500')}, not '-1'."),
    ("FORM_DRAFT_DAYS", "-1", f"must be {WHOLE_NUMBER.format('from 0 to 36500')}, not '-1'."),
    ("HISTORY_ADDRESS_DAYS", "-1", f"must be {WHOLE_NUMBER.format('from 0 to 36500')}, not '-1'."),
    ("HISTORY_DAYS", "-1", f"must be {WHOLE_NUMBER.format('from 0 to 36500')}, not '-1'."),
    ("API_ALLOW_ACCOUNT_PASSWORD", "2", f"must be {BOOLEAN}, not '2'."),
    (
        "SECURITY_CONTACT",
        "security@example.org",
        "must be a URL such as mailto:security@example.org, not 'security@example.org'. "
        "It must start with mailto:, https:// or tel:, and contain no space.",
    ),
    (
        "SECURITY_POLICY_URL",
        "http://example.org/security",
        "must be a URL such as https://example.org/security, not 'http://example.org/security'. "
        "It must start with mailto:, https:// or tel:, and contain no space.",
    ),
    (
        "SECURITY_ENCRYPTION_URL",
        "the key",
        "must be a URL such as https://example.org/key.asc, not 'the key'. "
        "It must start with mailto:, https:// or tel:, and contain no space.",
    ),
    ("SESSION_HOURS", "0", f"must be {WHOLE_NUMBER.format('from 1 to 8760')}, not '0'."),
    (
        "REQUIRE_SECOND_FACTOR",
        "editor, king",
        "must be a comma-separated list of administrator, editor, author, contributor, not 'editor, king'.",
    ),
    ("SIGN_IN_TRIES", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("SIGN_IN_TRIES_BY_NAME", "none", f"must be {OR_MORE.format(1)}, not 'none'."),
    ("SIGN_IN_TRIES_BY_ADDRESS", "-1", f"must be {OR_MORE.format(1)}, not '-1'."),
    ("SIGN_IN_LOCK_MINUTES", "1441", f"must be {WHOLE_NUMBER.format('from 1 to 1440')}, not '1441'."),
    (
        "DEFAULT_FROM_EMAIL",
        "calendar",
        "must be an email address such as Calendar <calendar@example.org>, not 'calendar'. It must contain one email "
        "address.",
    ),
    ("SUBMISSION_EMAILS", "weekly", "must be one of at_once, daily, never, not 'weekly'."),
    ("INVITATION_DAYS", "0", f"must be {WHOLE_NUMBER.format('from 1 to 90')}, not '0'."),
    ("PASSWORD_RESET_HOURS", "169", f"must be {WHOLE_NUMBER.format('from 1 to 168')}, not '169'."),
    ("THROTTLE_PASSWORD_RESET", "ten", f"must be {RATE}, not 'ten'."),
    ("SITE_TIME_ZONE", "Mars/Olympus", "must be a time zone such as Europe/Rome or UTC+2, not 'Mars/Olympus'."),
    ("SITE_LANGUAGE", "english", "must be one of en, de, fr, es, it, nl, pt, pl, not 'english'."),
    ("HOME_VIEW", "year", "must be one of list, month, not 'year'."),
    ("COMPATIBILITY_MODE", "wordpress", f"must be {BOOLEAN}, not 'wordpress'."),
    ("PUBLIC_SUBMISSIONS", "maybe", f"must be {BOOLEAN}, not 'maybe'."),
    ("SUBMISSION_CHALLENGE", "hard", f"must be {BOOLEAN}, not 'hard'."),
    ("THEME_DIR", "/none/such", "must be a directory that exists, not '/none/such'."),
    ("LONG_EVENT_DAYS", "0", f"must be {WHOLE_NUMBER.format('from 1 to 365')}, not '0'."),
    (
        "EMBED_HOSTS",
        "javascript:x",
        "must be a comma-separated list of sites, not 'javascript:x'. "
        "Use a host such as https://www.example.org or *.example.org, or * for all.",
    ),
    ("DEFAULT_CURRENCY_POSITION", "before", "must be one of prefix, postfix, not 'before'."),
    (
        "MAP_TILES_URL",
        "https://tiles.example.org/",
        "must be a URL template such as https://tiles.example.org/{z}/{x}/{y}.png, not "
        "'https://tiles.example.org/'. It must start with https:// or http:// and contain {z}, {x} and {y}.",
    ),
    ("SAMPLE_CONTENT", "some", f"must be {BOOLEAN}, not 'some'."),
    *(
        (
            name,
            value,
            f"must be {kind}, not {value!r}. Write names of letters, digits, hyphens, underscores and dots, separated "
            "by single slashes. A name must not begin with a dot.",
        )
        for name, kind in (
            ("REST_ROOT", "a path such as api"),
            ("NAMESPACE_ALIASES", "a comma-separated list of paths"),
        )
        for value in ("../x", "api//v1", "wp json", "https://example.org/api", "/")
    ),
    ("PER_PAGE_DEFAULT", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("PER_PAGE_LIMIT", "1_000", f"must be {OR_MORE.format(1)}, not '1_000'."),
    ("RESPONSE_CACHE_MB", "-1", f"must be {OR_MORE.format(0)}, not '-1'."),
    ("CALENDAR_COMPRESSION", "gzip", f"must be {BOOLEAN}, not 'gzip'."),
    ("SHARED_CACHE_SECONDS", "-1", f"must be {OR_MORE.format(0)}, not '-1'."),
    ("THROTTLE_ANONYMOUS", "100", f"must be {RATE}, not '100'."),
    ("THROTTLE_USER", "0/min", f"must be {RATE}, not '0/min'."),
    ("THROTTLE_ANONYMOUS_WRITES", "5", f"must be {RATE}, not '5'."),
    ("THROTTLE_USER_WRITES", "often", f"must be {RATE}, not 'often'."),
    ("THROTTLE_EVENT_PASSWORD", "many", f"must be {RATE}, not 'many'."),
    ("BODY_LIMIT", "2MB", f"must be {OR_MORE.format(1024)}, not '2MB'."),
    ("UPLOAD_LIMIT", "1023", f"must be {OR_MORE.format(1024)}, not '1023'."),
    ("LOG_FORMAT", "xml", "must be one of text, json, not 'xml'."),
    ("LOG_LEVEL", "loud", "must be one of DEBUG, INFO, WARNING, ERROR, not 'loud'."),
    ("PORT", "65536", f"must be {WHOLE_NUMBER.format('from 1 to 65535')}, not '65536'."),
    ("WRITE_PORT", "0", f"must be {WHOLE_NUMBER.format('from 1 to 65535')}, not '0'."),
    ("WEB_WORKERS", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("WEB_THREADS", "many", f"must be {OR_MORE.format(1)}, not 'many'."),
    ("WEB_CLIENT_SECONDS", "0", f"must be {OR_MORE.format(1)}, not '0'."),
    ("WEB_WRITE_WORKERS", "one", f"must be {OR_MORE.format(0)}, not 'one'."),
    ("WEB_CPU_AFFINITY", "0,1", f"must be {BOOLEAN}, not '0,1'."),
    ("ACCESS_LOG", "log", f"must be {BOOLEAN}, not 'log'."),
    # A value that may contain a password is not repeated.
    (
        "DATABASE_URL",
        "mysql://calendar:hidden@127.0.0.1/calendar",
        "must be a database URL. It must start with sqlite:// or postgres://.",
    ),
    (
        "DATABASE_REPLICA_URL",
        "sqlite:///hidden.sqlite3",
        "must be a PostgreSQL URL. It must start with postgres://.",
    ),
    (
        "REDIS_URL",
        "http://:hidden@127.0.0.1",
        "must be a Redis URL. It must start with redis://, rediss:// or unix://.",
    ),
    *(
        ("REDIS_URL", url, "must be a Redis URL. Its port must be at most 65535, and its database a number.")
        for url in (
            "redis://127.0.0.1:99999/9",
            "redis://:hidden/part@127.0.0.1",
            "redis://127.0.0.1:6379/abc",
            "unix:///run/redis.sock?db=abc",
        )
    ),
    (
        "EMAIL_URL",
        "smtps://user:hidden@mail.example.org",
        "must be a URL such as smtp+tls://user:password@mail.example.org. It must start with smtp://, smtp+tls:// or "
        "smtp+ssl://, and have no query string.",
    ),
    ("CACHE_URL", "memory://hidden", "must be a cache URL. Invalid cache schema memory"),
]


@pytest.fixture
def run_with(tmp_path):
    """Return a function that runs a program with only these settings and returns the completed process."""

    def run_with_settings(program, **variables):
        clean = {name: value for name, value in os.environ.items() if name not in environment.READ_SETTINGS}
        return run_python(program, {**clean, "DATA_DIR": str(tmp_path), **variables})

    return run_with_settings


def documented_default(default):
    match default:
        case "" | []:
            return "none"
        case bool():
            return f"`{str(default).lower()}`"
        case list():
            return ", ".join(f"`{part}`" for part in default)
        case str():
            return "`{}`".format(default.replace(str(settings.DATA_DIR), "DATA_DIR"))
    return f"`{default}`"


def test_settings_page_lists_every_setting_with_type_and_default():
    page = {name: (kind, default) for name, kind, default in ROW.findall((ROOT / "docs" / "settings.md").read_text())}

    assert server.bind
    assert page == {
        setting.name: (setting.type, documented_default(setting.default))
        for setting in environment.READ_SETTINGS.values()
    }


def test_every_restricted_setting_has_an_invalid_value_here():
    assert {name for name, _value, _sentence in INVALID_VALUES} == {
        setting.name for setting in environment.READ_SETTINGS.values() if setting.type not in UNRESTRICTED_TYPES
    }


@pytest.mark.parametrize(("name", "value", "sentence"), INVALID_VALUES, ids=[name for name, *_rest in INVALID_VALUES])
def test_invalid_value_stops_the_start_with_one_sentence(run_with, name, value, sentence):
    done = run_with(CHECK_SERVER, **{"SECRET_KEY": "x" * 50, name: value})

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == f"Error: The setting {name} {sentence}"


def test_hosts_and_paths_are_accepted(run_with):
    variables = {
        "ALLOWED_HOSTS": ".example.org, *, [::1], 127.0.0.1, Calendar-2.example.org",
        "REST_ROOT": "/api/v1.0/",
        "NAMESPACE_ALIASES": "wp-json/tribe/events/v1, /agenda_2/",
    }
    names = "ALLOWED_HOSTS, REST_ROOT, NAMESPACE_ALIASES"

    program = ["-c", f"from calendar_site.settings import {names}; print(({names}))"]

    done = run_with(program, SECRET_KEY="x" * 50, **variables)

    assert done.stdout.strip() == str(
        (
            [".example.org", "*", "[::1]", "127.0.0.1", "Calendar-2.example.org"],
            "api/v1.0",
            ["wp-json/tribe/events/v1", "agenda_2"],
        )
    )


def test_commands_refuse_an_invalid_value(run_with):
    done = run_with(CHECK, SECRET_KEY="x" * 50, PER_PAGE_LIMIT="x")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "The setting PER_PAGE_LIMIT must be a whole number, 1 or more, not 'x'.\n"


def test_commands_report_an_unreachable_database_in_one_sentence(run_with, tmp_path):
    done = run_with(
        ["manage.py", "migrate"], SECRET_KEY="x" * 50, DATABASE_URL=f"sqlite:///{tmp_path}/none/calendar.sqlite3"
    )

    assert done.returncode == 1
    assert done.stderr == (
        "The database that DATABASE_URL names cannot be used: "
        f"[Errno 2] No such file or directory: '{tmp_path}/none/calendar.sqlite3'\n"
    )


@pytest.mark.parametrize("program", [CHECK, CHECK_SERVER], ids=["command", "server"])
def test_secret_key_is_required(run_with, program):
    done = run_with(program)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip().removeprefix("Error: ") == (
        "Set SECRET_KEY (or SECRET_KEY_FILE) to a long random text, or DEBUG=true for development."
    )


def test_https_without_a_proxy_stops_the_start(run_with):
    variables = {"SECRET_KEY": "x" * 50, "PUBLIC_URL": "https://calendar.example.org"}

    refused = run_with(CHECK, **variables)
    accepted = [run_with(LOAD, **variables, **more).returncode for more in ({"PROXY_COUNT": "1"}, {"HTTPS": "false"})]

    assert refused.returncode == 1
    assert refused.stderr == (
        "PUBLIC_URL starts with https://, so set PROXY_COUNT to the number of reverse proxies that terminate TLS. "
        "Otherwise, every request is redirected to itself.\n"
    )
    assert accepted == [0, 0]


@pytest.mark.parametrize("name", ["DEFAULT_FROM_EMAIL", "PUBLIC_URL"])
def test_mail_server_without_sender_or_public_url_stops_the_start(run_with, name):
    variables = {
        "SECRET_KEY": "x" * 50,
        "EMAIL_URL": "smtp://localhost",
        "DEFAULT_FROM_EMAIL": "Calendar <calendar@example.org>",
        "PUBLIC_URL": "http://calendar.example.org",
    }

    refused, accepted = run_with(CHECK, **{**variables, name: ""}), run_with(LOAD, **variables)

    assert (refused.returncode, refused.stderr) == (
        1,
        "If you set EMAIL_URL, also set DEFAULT_FROM_EMAIL and PUBLIC_URL, for links in emails.\n",
    )
    assert accepted.returncode == 0


def test_preload_list_without_all_subdomains_stops_the_start(run_with):
    variables = {"SECRET_KEY": "x" * 50, "HSTS_PRELOAD": "true"}

    refused = [run_with(CHECK, **variables, **more) for more in ({}, {"HSTS_SUBDOMAINS": "true", "HSTS_SECONDS": "60"})]
    accepted = run_with(LOAD, **variables, HSTS_SUBDOMAINS="true")

    message = "HSTS_PRELOAD requires HSTS_SUBDOMAINS, and at least 31536000 for HSTS_SECONDS.\n"
    assert [(done.returncode, done.stderr) for done in refused] == [(1, message)] * 2
    assert accepted.returncode == 0


def test_query_shorter_than_the_wait_for_writes_stops_the_start(run_with):
    variables = {"SECRET_KEY": "x" * 50, "DATABASE_TIMEOUT_SECONDS": "20"}
    postgresql = {**variables, "DATABASE_URL": "postgres://127.0.0.1/calendar"}

    refused = [run_with(CHECK, **postgresql), run_with(CHECK_SERVER, **postgresql)]
    accepted = [
        run_with(LOAD, **accepted).returncode
        for accepted in (
            {**postgresql, "WRITE_WAIT_SECONDS": "19"},
            {**postgresql, "DATABASE_TIMEOUT_SECONDS": "0"},
            variables,
        )
    ]

    message = (
        "DATABASE_TIMEOUT_SECONDS (20) must be greater than WRITE_WAIT_SECONDS (20), because a write waits for others "
        "inside a query."
    )
    assert [(done.returncode, done.stderr.strip().removeprefix("Error: ")) for done in refused] == [(1, message)] * 2
    assert accepted == [0, 0, 0]


def test_replica_of_sqlite_stops_the_start(run_with):
    variables = {"SECRET_KEY": "x" * 50, "DATABASE_REPLICA_URL": "postgres://127.0.0.1/calendar"}

    refused = run_with(CHECK, **variables)
    accepted = run_with(LOAD, **variables, DATABASE_URL="postgres://127.0.0.1/calendar")

    assert (refused.returncode, refused.stderr) == (
        1,
        "DATABASE_REPLICA_URL requires a PostgreSQL database in DATABASE_URL.\n",
    )
    assert accepted.returncode == 0


def test_error_reports_without_their_package_stop_the_start(run_with, tmp_path):
    (tmp_path / "sentry_sdk.py").write_text("raise ImportError")

    done = run_with(CHECK, SECRET_KEY="x" * 50, SENTRY_DSN="https://key@sentry.example.org/1", PYTHONPATH=str(tmp_path))

    assert done.returncode == 1
    assert done.stderr == (
        "SENTRY_DSN requires the package sentry-sdk. Install it: pip install -r requirements-sentry.txt\n"
    )


def test_map_tiles_without_attribution_stop_the_start(run_with):
    variables = {"SECRET_KEY": "x" * 50, "MAP_TILES_URL": "https://tiles.example.org/{z}/{x}/{y}.png"}

    refused = run_with(CHECK, **variables)
    accepted = run_with(LOAD, **variables, MAP_TILES_ATTRIBUTION="© Somebody")

    assert (refused.returncode, refused.stderr) == (
        1,
        "If you set MAP_TILES_URL, also set MAP_TILES_ATTRIBUTION to the copyright notice of the map.\n",
    )
    assert accepted.returncode == 0


def test_secret_key_is_read_from_a_file(run_with, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("$ecret of forty letters and more, in a file\n")

    from_there = run_with(PRINT, SECRET_KEY_FILE=str(secret))
    secret.rename(tmp_path / "secret-key")
    from_the_usual_place = run_with(PRINT)
    from_variable = run_with(PRINT, SECRET_KEY="another")

    key = "SECRET_KEY $ecret of forty letters and more, in a file"
    assert from_there.stdout.splitlines()[0] == from_the_usual_place.stdout.splitlines()[0] == key
    assert from_variable.stdout.splitlines()[0] == "SECRET_KEY another"


PRINTED = ("SECRET_KEY", "DEBUG", "ALLOWED_HOSTS", "SITE_NAME", "SECURE_SSL_REDIRECT", "SESSION_COOKIE_SECURE")
PRINT = [
    "-c",
    f"from calendar_site import settings\nfor name in {PRINTED}: print(name, getattr(settings, name))",
]


def test_defaults_are_safe(run_with):
    done = run_with(PRINT, SECRET_KEY="x")

    assert done.stdout.splitlines() == [
        "SECRET_KEY x",
        "DEBUG False",
        "ALLOWED_HOSTS ['127.0.0.1', 'localhost', '[::1]']",
        "SITE_NAME Event calendar",
        "SECURE_SSL_REDIRECT False",
        "SESSION_COOKIE_SECURE False",
    ]


SEND_MAIL = ["manage.py", "sendtestemail", "ann@example.org"]


@pytest.mark.parametrize(("debug", "is_written"), [("true", True), ("false", False)])
def test_emails_are_written_to_files_in_development(run_with, tmp_path, debug, is_written):
    done = run_with(SEND_MAIL, SECRET_KEY="x" * 50, DEBUG=debug)

    refusal = "CommandError: No email was sent: EMAIL_URL is not set.\n"
    assert (done.returncode, done.stderr) == ((0, "") if is_written else (1, refusal))
    texts = [file.read_text() for file in (tmp_path / "mail").glob("*.log")]
    assert ["To: ann@example.org" in text for text in texts] == [True] * is_written


def test_values_are_not_interpolated(run_with):
    done = run_with(
        PRINT,
        SECRET_KEY="$HOME",
        DEBUG=" ON ",
        SITE_NAME="What’s on for 5 $?",
        ALLOWED_HOSTS="a.example.org, b.example.org,",
        PUBLIC_URL="https://calendar.example.org/",
        PROXY_COUNT="1",
    )

    assert done.stdout.splitlines() == [
        "SECRET_KEY $HOME",
        "DEBUG True",
        "ALLOWED_HOSTS ['a.example.org', 'b.example.org', 'calendar.example.org']",
        "SITE_NAME What’s on for 5 $?",
        "SECURE_SSL_REDIRECT True",
        "SESSION_COOKIE_SECURE True",
    ]


PRINT_DOCS = [
    "-c",
    "from calendar_site import settings; print(settings.DOCS_PATH or None, settings.DOCS_URL or None)",
]


@pytest.mark.parametrize("is_built", [False, True], ids=["not built", "built"])
@pytest.mark.parametrize(
    ("variables", "built_url", "other_url"),
    [
        ({}, "/docs/", "None"),
        ({"SCRIPT_NAME": "/agenda"}, "/agenda/docs/", "None"),
        ({"PUBLIC_URL": "http://example.org/agenda"}, "/agenda/docs/", "None"),
        ({"DOCS_URL": "https://docs.example.org/a"}, "https://docs.example.org/a", "https://docs.example.org/a"),
    ],
    ids=["default", "script name", "public URL", "elsewhere"],
)
def test_docs_url_is_that_of_the_built_documentation(run_with, tmp_path, is_built, variables, built_url, other_url):
    # A build that failed leaves a folder without pages.
    (tmp_path / "docs").mkdir()
    if is_built:
        (tmp_path / "docs" / "index.html").touch()

    done = run_with(PRINT_DOCS, SECRET_KEY="x", **variables)

    assert done.stdout.split() == (["docs", built_url] if is_built else ["None", other_url])


def test_production_settings_pass_the_deployment_check(run_with):
    done = run_with(
        [*CHECK, "--deploy", "--fail-level", "WARNING"],
        SECRET_KEY="".join(chr(letter) for letter in range(40, 120)),
        PUBLIC_URL="https://calendar.example.org",
        PROXY_COUNT="1",
    )

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        "System check identified no issues (2 silenced).\n",
        "",
    )


@pytest.mark.parametrize(
    ("variables", "lines"),
    [
        (
            {"PORT": "8080", "HOST": "::"},
            [
                "API:   http://[::1]:8080/cal/events/v1/events",
                "Admin: http://[::1]:8080/admin/",
                "Docs:  docs/ in the project; OpenAPI: http://[::1]:8080/cal/events/v1/doc",
            ],
        ),
        (
            {"PUBLIC_URL": "https://example.org/on", "PROXY_COUNT": "2", "REST_ROOT": "/api/"},
            [
                "API:   https://example.org/on/api/cal/events/v1/events",
                "Admin: https://example.org/on/admin/",
                "Docs:  docs/ in the project; OpenAPI: https://example.org/on/api/cal/events/v1/doc",
            ],
        ),
        (
            {"DOCS_URL": "https://docs.example.org/"},
            [
                "API:   http://127.0.0.1:8000/cal/events/v1/events",
                "Admin: http://127.0.0.1:8000/admin/",
                "Docs:  https://docs.example.org/; OpenAPI: http://127.0.0.1:8000/cal/events/v1/doc",
            ],
        ),
    ],
)
def test_set_up_prints_the_urls_every_time(run_with, tmp_path, shared_folder, variables, lines):
    variables = {"SECRET_KEY": "x" * 50, "SAMPLE_CONTENT": "0", **variables}
    copy_database(migrated_database("", shared_folder), f"sqlite:///{tmp_path / 'calendar.sqlite3'}")

    first = run_with(["manage.py", "set_up"], **variables).stdout.splitlines()
    second = run_with(["manage.py", "set_up"], **variables).stdout.splitlines()

    assert re.fullmatch(r"Created the administrator admin with the password [A-Za-z0-9]{20}", first[0])
    assert first[1:] == ["Save the password now. It will not be shown again.", *lines]
    assert second == lines


# --- The file of SQLite ----------------------------------------------------------------------------


def in_production(folder, **variables):
    return {"SECRET_KEY": "x" * 50, "DATABASE_URL": f"sqlite:///{folder}/calendar.sqlite3", **variables}


def test_only_migrate_creates_a_database_in_production(run_with, tmp_path, shared_folder):
    path = tmp_path / "calendar.sqlite3"
    (tmp_path / "static").mkdir()
    sentence = (
        f"The database {path} does not exist. Check DATABASE_URL and DATA_DIR, or create it with: manage.py migrate"
    )

    for program in (["manage.py", "empty_trash", "--days=30"], ["manage.py", "set_up"], GUNICORN[1:]):
        done = run_with(program, **in_production(tmp_path), PORT=str(free_port()))
        assert done.returncode != 0
        assert sentence in done.stderr
        assert not path.exists()

    # The migrations of one app create the file, and those of all apps take longer.
    assert run_with(["manage.py", "migrate", "sessions"], **in_production(tmp_path)).returncode == 0
    copy_database(migrated_database("", shared_folder), f"sqlite:///{path}")
    assert run_with(["manage.py", "empty_trash", "--days=30"], **in_production(tmp_path)).returncode == 0
    assert {file.stat().st_mode & 0o077 for file in path.parent.glob("calendar*")} == {0}


def test_new_data_directory_is_private(run_with, tmp_path):
    run_with(LOAD, SECRET_KEY="x" * 50, DATA_DIR=str(tmp_path / "data"))

    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("database", "threads", "permits"),
    [
        ("sqlite://:memory:", 8, 1),
        ("postgres://localhost/calendar", 4, 2),
        ("postgres://localhost/calendar", 9, 4),
    ],
)
def test_one_write_is_at_work_with_sqlite_and_half_of_the_threads_with_postgresql(run_with, database, threads, permits):
    program = ["-c", "from calendar_site import settings; print(settings.WRITE_PERMITS)"]

    done = run_with(program, SECRET_KEY="x" * 50, DATABASE_URL=database, WEB_THREADS=str(threads))

    assert done.stdout == f"{permits}\n"
