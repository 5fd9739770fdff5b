"""Redirects from the former URLs of admin sections whose app was renamed, so that bookmarks keep working."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.encoding import escape_uri_path
from django.views.generic import RedirectView

# The sections of the former app `content` by model, and the app that each is in now.
MOVED_SECTIONS = {"image": "media", "customfield": "custom_fields"}
# `content/image/5/change/` below the admin.
MOVED_PATH = rf"content/(?P<model>{'|'.join(MOVED_SECTIONS)})/(?P<rest>.*)\Z"


class MovedSection(RedirectView):
    """A redirect to the same page of the section in its new app, with the query string."""

    permanent = True

    def get_redirect_url(self, *args: Any, **kwargs: Any) -> str:
        model = kwargs["model"]
        path = f"{reverse('admin:index')}{MOVED_SECTIONS[model]}/{model}/{kwargs['rest']}"
        query = self.request.META.get("QUERY_STRING", "")
        return f"{escape_uri_path(path)}?{query}" if query else escape_uri_path(path)
