"""People of every role, and clients that call the API in their names."""

import pytest

from calendar_site.accounts.services import create_user
from tests.api import client_of


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
