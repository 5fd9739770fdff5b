"""The URLs of the floor and of the service."""

from django.urls import re_path

from benchmarks import floor
from calendar_site import urls

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500

urlpatterns = [re_path(rf"^floor{floor.BASE}/(?P<path>.*)\Z", floor.view), *urls.urlpatterns]
