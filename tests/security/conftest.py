"""A record of every kind with the accounts of all roles, for tests that visit every page."""

import json

import pytest

from calendar_site.accounts.models import User
from tests.factories import CategoryFactory, OrganizerFactory, TagFactory, VenueFactory
from tests.support.browser.shown_records import create_records


@pytest.fixture
def shown_ids(db, media_folder, tmp_path):
    """Create the records of the browser tests, and an account named after each role. Return their ids."""
    for factory in (VenueFactory, OrganizerFactory, CategoryFactory, TagFactory):
        factory()
    create_records(tmp_path / "records.json")
    return json.loads((tmp_path / "records.json").read_text())


@pytest.fixture
def administrator_of_shown(shown_ids):
    """The administrator among the accounts of `shown_ids`."""
    return User.objects.get(username="administrator")
