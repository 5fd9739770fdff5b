"""The service in compatibility mode."""

from typing import Any

import pytest
from django.conf import settings as django_settings

from calendar_site.configuration.compatibility import compatible_settings
from tests.support.api_client import JSONClient


class Settings(dict):
    """The settings of the tests by their names."""

    def __missing__(self, name: str) -> Any:
        return getattr(django_settings, name)


@pytest.fixture(autouse=True)
def compatibility_mode(settings):
    """Change the settings as the variable COMPATIBILITY_MODE does."""
    settings.COMPATIBILITY_MODE = True
    for name, value in compatible_settings(Settings()).items():
        setattr(settings, name, value)


@pytest.fixture
def anonymous(db):
    return JSONClient()
