"""Users, created with the services that the commands call."""

import pytest

from calendar_site.accounts.models import User
from calendar_site.accounts.services import create_application_password, create_user


@pytest.fixture
def ann(db):
    return create_user("ann", "author")


@pytest.fixture
def secret(ann):
    """The secret of an application password of Ann's, as it is shown."""
    return create_application_password(ann, "phone")[1]


@pytest.fixture
def ada(db):
    return create_user("ada", "administrator")


@pytest.fixture
def superuser(db):
    user = User(username="root", is_staff=True, is_superuser=True)
    user.set_password("root's own password")
    user.save()
    return user
