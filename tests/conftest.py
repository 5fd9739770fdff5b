"""People of every role, and clients that call the API in their names."""

import pytest
from django.conf import settings
from django.test import override_settings

from calendar_site.accounts.services import create_user
from calendar_site.content import outgoing
from calendar_site.content.outgoing import Network
from tests.api import client_of
from tests.outside import PUBLIC, LoopbackBackend, Server


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """SQLite tests run on a file, as the service does: in memory, threads would share one lock and not wait."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = tmp_path_factory.mktemp("database") / "test.sqlite3"


@pytest.fixture(scope="session", autouse=True)
def _media(tmp_path_factory):
    """Images of tests are kept apart from those of a developer."""
    with override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media")):
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_hashes():
    """Passwords of accounts are made to be slow to look at; no test here guesses them."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture
def administrator(db):
    return create_user("administrator", "administrator")


@pytest.fixture
def editor(db):
    return create_user("editor", "editor")


@pytest.fixture
def author(db):
    return create_user("author", "author")


@pytest.fixture
def contributor(db):
    return create_user("contributor", "contributor")


@pytest.fixture
def subscriber(db):
    return create_user("subscriber", "subscriber")


@pytest.fixture
def as_editor(editor):
    return client_of(editor)


@pytest.fixture
def as_author(author):
    return client_of(author)


@pytest.fixture
def as_contributor(contributor):
    return client_of(contributor)


@pytest.fixture
def as_subscriber(subscriber):
    return client_of(subscriber)


@pytest.fixture
def serve(monkeypatch):
    """Starts a server that is taken for every host; the hosts are at `PUBLIC` unless `addresses` says otherwise."""
    servers = []

    def start(*answers, addresses=None):
        server = Server(*answers)
        servers.append(server)
        server.backend = LoopbackBackend(server.port)
        known = {name: iter(found) for name, found in (addresses or {}).items()}

        def resolve(host, port):
            return next(known[host]) if host in known else [PUBLIC]

        monkeypatch.setattr(outgoing, "NETWORK", Network(resolve, server.backend))
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def plain_static_files(settings):
    """Pages without collected static files."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
