"""The URLs of the floor and of the service."""

from django.urls import re_path

from benchmarks.floor.request import BASE
from benchmarks.floor.view import view
from calendar_site import urls

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500

urlpatterns = [re_path(rf"^floor{BASE}/(?P<path>.*)\Z", view), *urls.urlpatterns]
