"""The resources as parameters: a test that uses one of these fixtures runs once for each resource."""

import pytest

from tests.support.openapi_document import OpenAPIDocument, fetch_document
from tests.support.resources import CONTENT, NAMED, RESOURCES


@pytest.fixture(params=RESOURCES, ids=str)
def resource(request, db):
    return request.param


@pytest.fixture(params=CONTENT, ids=str)
def content(request, db):
    """Events, venues or organizers."""
    return request.param


@pytest.fixture(params=NAMED, ids=str)
def named(request, db):
    """Venues or organizers."""
    return request.param


@pytest.fixture(scope="session")
def document(django_db_setup, django_db_blocker):
    """The OpenAPI document, as JSON."""
    with django_db_blocker.unblock():
        return fetch_document()


@pytest.fixture(scope="session")
def documented(document):
    """The OpenAPI document, to hold responses against."""
    return OpenAPIDocument(document)
