"""The settings of the service, with the URLs of the floor added."""

from calendar_site import settings
from calendar_site.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
# Pages link to static files, which `collectstatic` would take a minute to compress.
STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
