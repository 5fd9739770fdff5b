"""The resources as parameters: a test that names one of these runs once for each."""

import pytest

from tests.support.resources import CONTENT, NAMED, RESOURCES, TERMS


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


@pytest.fixture(params=TERMS, ids=str)
def terms(request, db):
    """Categories or tags."""
    return request.param
