"""The application for ASGI servers."""

import os

from django.core.asgi import get_asgi_application

from calendar_site.core.database.limits import limit_requests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

limit_requests()
application = get_asgi_application()
