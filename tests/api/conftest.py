"""The OpenAPI document, for tests of the API."""

import pytest

from tests.support.openapi_document import OpenAPIDocument, fetch_document


@pytest.fixture(scope="session")
def document(django_db_setup, django_db_blocker):
    """The OpenAPI document, as JSON."""
    with django_db_blocker.unblock():
        return fetch_document()


@pytest.fixture(scope="session")
def documented(document):
    """The OpenAPI document, to hold responses against."""
    return OpenAPIDocument(document)
