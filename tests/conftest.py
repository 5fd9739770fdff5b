"""Users of every role, API clients that authenticate as them, and browsers in which they are signed in."""

import gc
import os
from copy import copy
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.template import RequestContext
from django.template.context import make_context
from django.template.response import SimpleTemplateResponse
from django.test import override_settings
from django.test.signals import template_rendered
from django.test.utils import ContextList
from pytest_django.plugin import blocking_manager_key

from calendar_site.core.http import http_client
from calendar_site.core.http.http_client import Network
from calendar_site.core.search.index import has_index
from calendar_site.media.library import prepare_image, store_image
from events import feed_sizes
from events.models import Event
from organizers.models import Organizer
from tests.factories import UserFactory
from tests.support import admin, api_client
from tests.support.content_kinds import CONTENT_KINDS
from tests.support.databases import copy_database, is_postgresql, name_of
from tests.support.image_files import red_blue_image
from tests.support.preparation import drop_migrated_database, migrated_database
from tests.support.remote_server import PUBLIC, LoopbackBackend, RemoteServer
from tests.support.remote_site import RemoteSite
from tests.support.resources import CONTENT, NAMED, RESOURCES, TERMS
from venues.models import Venue

DATABASE_URL = os.environ.get("DATABASE_URL", "")
# Not the time zone that `make run` has kept in the directory of this project.
settings.SITE_TIME_ZONE = os.environ.setdefault("SITE_TIME_ZONE", "UTC")
# Modules that start processes or prepare much for all their tests. If they began last, an idle worker would take over
# half of their tests and prepare the same again, or wait for a single test.
LONG_MODULES = {
    "tests/security/test_s17_worst_requests.py",
    "tests/docs/test_examples.py",
    "tests/events/test_sample_content.py",
    "tests/test_settings.py",
    "tests/test_server.py",
    "tests/benchmarks/test_fill.py",
}


# What no SQL, lock, trigger, search, migration or write over HTTP can change: it is tested on SQLite alone, unless the
# command names it.
SQLITE_ONLY = {
    "tests/back_office", "tests/benchmarks", "tests/core/dates", "tests/core/http", "tests/core/observability",
    "tests/core/text", "tests/deploy", "tests/docs", "tests/mail", "tests/media", "tests/monitoring",
    "tests/website", "tests/test_catalogs.py", "tests/test_documentation.py", "tests/test_free_memory.py",
    "tests/test_languages.py", "tests/test_loaded_modules.py", "tests/test_log.py", "tests/test_make.py",
    "tests/test_settings.py", "tests/test_structure.py", "tests/test_texts_at_import.py", "tests/test_translations.py",
    "tests/test_write_workers.py",
    # `make compatibility` tries compatibility mode on both databases.
    "tests/compatibility",
    # Forms, rights, computed values and other servers.
    "tests/accounts/test_admin.py", "tests/accounts/test_commands.py", "tests/accounts/test_email_change.py",
    "tests/accounts/test_invitations.py", "tests/accounts/test_password_reset.py", "tests/accounts/test_roles.py",
    "tests/events/test_admin.py", "tests/events/test_calendar_admin.py", "tests/events/test_calendar_summary.py",
    "tests/events/test_costs.py", "tests/events/test_embed_page.py", "tests/events/test_event_form.py",
    "tests/events/test_event_status_admin.py", "tests/events/test_overview.py", "tests/events/test_quick_edit.py",
    "tests/events/test_sample_content.py", "tests/events/test_series_admin.py", "tests/events/test_term_controls.py",
    "tests/events/test_written_times.py", "tests/feeds/test_time_zones.py", "tests/series/test_rules.py",
    "tests/taxonomy/test_admin.py", "tests/security/test_s02_query_building.py", "tests/security/test_s03_canaries.py",
    "tests/security/test_s03_page_visibility.py", "tests/security/test_s04_admin_completeness.py",
    "tests/security/test_s06_spoofing.py", "tests/security/test_s07_headers.py", "tests/security/test_s08_uploads.py",
    "tests/security/test_s09_http_client.py", "tests/security/test_s11_line_formats.py",
    "tests/security/test_s14_caching.py", "tests/security/test_s16_templates.py", "tests/security/test_s18_bombs.py",
    "tests/security/test_s03_comparison.py",
    "tests/security/test_s07_hostile_texts.py", "tests/security/test_s12_forged_requests.py",
    "tests/security/test_s17_size_of_lists.py", "tests/security/test_s19_any_request.py",
}  # fmt: skip


# Modules that try everything of a kind, which takes minutes: `.ci/run` runs them, and `make test ARGS=--exhaustive`.
EXHAUSTIVE = {
    "tests/back_office/test_content_permissions.py", "tests/compatibility/test_any_request.py",
    "tests/deploy/test_container.py", "tests/derived/test_installation.py", "tests/derived/test_random_writes.py",
    "tests/docs/test_examples.py", "tests/events/test_list_strategies.py", "tests/events/test_sample_content.py",
    "tests/events/test_totals.py", "tests/feeds/test_time_zones.py", "tests/security/test_s01_query_injection.py",
    "tests/security/test_s03_canaries.py", "tests/security/test_s03_comparison.py",
    "tests/security/test_s07_hostile_texts.py", "tests/security/test_s12_forged_requests.py",
    "tests/security/test_s17_size_of_lists.py", "tests/security/test_s17_worst_requests.py",
    "tests/security/test_s19_any_query.py", "tests/security/test_s19_any_request.py",
}  # fmt: skip


def pytest_addoption(parser):
    parser.addoption("--exhaustive", action="store_true", help="run the modules that take minutes as well")


def pytest_ignore_collect(collection_path, config):
    """Leave out modules of a run of all tests: SQLITE_ONLY on PostgreSQL, EXHAUSTIVE without the option."""
    is_whole_run = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if not is_whole_run or not collection_path.is_relative_to(config.rootpath):
        return None
    left_out = SQLITE_ONLY if is_postgresql(DATABASE_URL) else set()
    if not config.getoption("exhaustive"):
        left_out = left_out | EXHAUSTIVE
    return True if collection_path.relative_to(config.rootpath).as_posix() in left_out else None


def pytest_collection_modifyitems(items):
    """Begin with the modules that take longest."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0] not in LONG_MODULES)


def pytest_collection_finish():
    """Search for garbage less often, and never among what is there for the whole session."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item, nextitem):
    """Put back what the migrations made, after a test that has emptied the tables and before one that would not."""
    yield
    if nextitem is not None and _empties_tables(item) and not _empties_tables(nextitem):
        with item.session.config.stash[blocking_manager_key].unblock():
            connection.creation.deserialize_db_from_string(connection._test_serialized_contents)


def _empties_tables(item):
    marker = item.get_closest_marker("django_db")
    return marker is not None and marker.kwargs.get("transaction", False)


def pytest_sessionfinish(session):
    if not hasattr(session.config, "workerinput"):
        drop_migrated_database(DATABASE_URL)


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory) -> Path:
    """A folder that all processes of this run have in common."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, shared_folder, tmp_path_factory):
    """Make the database of the tests from one with all tables.

    On SQLite it is a file, as that of the service: in memory, threads would share one lock and not wait.
    """
    migrated = migrated_database(DATABASE_URL, shared_folder)
    test_settings = settings.DATABASES["default"]["TEST"]
    if is_postgresql(migrated):
        test_settings["TEMPLATE"] = name_of(migrated)
    else:
        test_settings["NAME"] = tmp_path_factory.mktemp("database") / "test.sqlite3"
        copy_database(migrated, f"sqlite:///{test_settings['NAME']}")


@pytest.fixture(scope="session")
def django_db_keepdb():
    """Use the file that is there, on SQLite; it goes with its folder."""
    return not is_postgresql(DATABASE_URL)


@pytest.fixture(scope="session", autouse=True)
def _media(tmp_path_factory):
    """Images of tests are kept apart from those of a developer."""
    with override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media")):
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_documentation():
    """Tests do not depend on whether a developer has built the documentation."""
    with override_settings(DOCS_PATH="", DOCS_URL=""):
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_stored_responses():
    """Responses are stored only in the tests of that."""
    with override_settings(RESPONSE_CACHE_MB=0):
        yield


@pytest.fixture(scope="session", autouse=True)
def _cheap_hashes():
    """Passwords of accounts are made to be slow to look at; no test here guesses them."""
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"]):
        yield


@pytest.fixture(scope="session", autouse=True)
def _page_context_only():
    """Keep of every response the context of its page alone.

    Django's client copies the contexts of all fragments and widgets too, which takes a tenth of the time of a page.
    """

    def store_page_context(store, signal, sender, template, context, **_kwargs):
        # Widgets are rendered without the request.
        if "context" not in store and isinstance(context, RequestContext):
            store["context"] = ContextList([copy(context)])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.test.client.store_rendered_templates", store_page_context)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Keep PostgreSQL from taking statistics in the middle of a run, on which the plans of test_plans.py depend.

    Look up the search indexes, as each process does once, so that tests which count queries do not.
    """
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        for model in (Event, Venue, Organizer):
            assert has_index(model)
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE events_event SET (autovacuum_enabled = false)")


@pytest.fixture
def administrator(db):
    return UserFactory(username="administrator", role="administrator")


@pytest.fixture
def editor(db):
    return UserFactory(username="editor", role="editor")


@pytest.fixture
def author(db):
    return UserFactory(username="author", role="author")


@pytest.fixture
def contributor(db):
    return UserFactory(username="contributor", role="contributor")


@pytest.fixture
def subscriber(db):
    return UserFactory(username="subscriber", role="subscriber")


@pytest.fixture
def editor_api(editor):
    return api_client.api_client_for(editor)


@pytest.fixture
def author_api(author):
    return api_client.api_client_for(author)


@pytest.fixture
def contributor_api(contributor):
    return api_client.api_client_for(contributor)


@pytest.fixture
def subscriber_api(subscriber):
    return api_client.api_client_for(subscriber)


@pytest.fixture
def administrator_browser(administrator):
    return admin.browser_for(administrator)


@pytest.fixture
def editor_browser(editor):
    return admin.browser_for(editor)


@pytest.fixture
def author_browser(author):
    return admin.browser_for(author)


@pytest.fixture
def contributor_browser(contributor):
    return admin.browser_for(contributor)


@pytest.fixture(params=CONTENT_KINDS, ids=str)
def kind(request):
    """Events, venues or organizers, as the admin has them: a test that names this runs once for each."""
    return request.param


@pytest.fixture(params=TERMS, ids=str)
def terms(request, db):
    """Categories or tags, as the API has them: a test that names this runs once for each."""
    return request.param


@pytest.fixture(params=RESOURCES, ids=str)
def resource(request, db):
    """Each of the five resources of the API: a test that names this runs once for each."""
    return request.param


@pytest.fixture(params=CONTENT, ids=str)
def content(request, db):
    """Events, venues or organizers, as the API has them."""
    return request.param


@pytest.fixture(params=NAMED, ids=str)
def named(request, db):
    """Venues or organizers, as the API has them."""
    return request.param


@pytest.fixture
def serve_remotely(monkeypatch):
    """Starts a server that is taken for every host; the hosts are at `PUBLIC` unless `addresses` says otherwise."""
    servers = []

    def start(*responses, addresses=None):
        server = RemoteServer(*responses)
        servers.append(server)
        server.backend = LoopbackBackend(server.port)
        known = {name: iter(found) for name, found in (addresses or {}).items()}

        def resolve(host, port):
            return next(known[host]) if host in known else [PUBLIC]

        monkeypatch.setattr(http_client, "NETWORK", Network(resolve, server.backend))
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def serve_site(monkeypatch):
    """Starts a `RemoteSite` that is taken for every public host."""
    sites = []

    def start(respond):
        site = RemoteSite(respond)
        sites.append(site)
        monkeypatch.setattr(http_client, "NETWORK", Network(lambda host, port: [PUBLIC], site.backend))
        return site

    yield start
    for site in sites:
        site.close()


@pytest.fixture
def media_folder(settings, tmp_path):
    """Keep the images of a test in a folder of its own, and return it."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture(scope="session")
def prepared_image():
    """An image that is not stored yet, with its renditions, which take most of the time of storing an image."""
    return prepare_image(red_blue_image(), "Summer night.png")


@pytest.fixture
def image(editor, media_folder, prepared_image):
    """An image in the library, with its renditions."""
    return store_image(prepared_image, user=editor, alt="Red and blue")


@pytest.fixture
def run_command(capsys):
    """Return a function that runs a management command and returns the lines that it prints."""
    capsys.readouterr()

    def run(*arguments):
        call_command(*arguments)
        return capsys.readouterr().out.splitlines()

    return run


@pytest.fixture(autouse=True)
def _no_hints():
    """Start without the hints of other tests."""
    cache.delete(feed_sizes.KEY)


@pytest.fixture
def empty_cache():
    """Start and end with an empty cache, where throttles count requests."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def unrendered_pages(monkeypatch):
    """Leave the pages empty and keep their contexts, for tests that do not read the HTML: it takes most of the time."""

    def store_context(response):
        context = make_context(response.resolve_context(response.context_data), response._request)
        template_rendered.send(sender=None, template=None, context=context)
        return ""

    monkeypatch.setattr(SimpleTemplateResponse, "rendered_content", property(store_context))


@pytest.fixture
def plain_static_files(settings):
    """Pages without collected static files."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
