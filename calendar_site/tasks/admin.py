"""Tasks are not managed in the admin of the library."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

admin.site.unregister(DBTaskResult)
