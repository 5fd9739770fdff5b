"""The settings of the service, with the URLs of the floor added."""

from calendar_site.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
