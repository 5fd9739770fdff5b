"""The application for WSGI servers."""

import os
from importlib import import_module

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from calendar_site.core.database.limits import limit_requests
from calendar_site.core.observability.metrics import count_queries
from calendar_site.serving.wsgi_bodies import normalize_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

limit_requests()
if settings.METRICS_TOKEN:
    count_queries()
application = normalize_bodies(get_wsgi_application())

# What the first request would load. Workers that are forked after this share the memory.
_ = get_resolver().url_patterns
if settings.REDIS_URL:
    import_module("redis")
