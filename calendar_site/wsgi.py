"""The application for WSGI servers."""

import os

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from calendar_site.core.database_limits import limit_requests
from calendar_site.core.metrics import count_queries
from calendar_site.wsgi_bodies import normalize_bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

limit_requests()
if settings.METRICS_TOKEN:
    count_queries()
application = normalize_bodies(get_wsgi_application())
