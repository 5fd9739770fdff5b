"""The application for WSGI servers."""

import os

from django.core.wsgi import get_wsgi_application

from calendar_site.bodies import with_bodies_settled

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")

application = with_bodies_settled(get_wsgi_application())
