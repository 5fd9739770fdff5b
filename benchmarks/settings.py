"""The settings of the service, with the addresses of the floor beside its own."""

from calendar_site.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
