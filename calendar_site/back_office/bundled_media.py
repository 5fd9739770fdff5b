"""Styles and scripts of admin pages as bundles. See `calendar_site.configuration.bundles`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.conf import settings
from django.forms import Media
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from calendar_site.configuration.bundles import SCRIPTS, STYLES, script_path

BUNDLE_OF_SCRIPT = {path: script_path(name) for name, paths in SCRIPTS.items() for path in paths}
PATHS_OF_ALL_PAGES = {path for paths in STYLES.values() for path in paths}

View = Callable[..., HttpResponseBase]


def with_bundles(view: View) -> View:
    """Return the view of an admin page, whose `media` then name bundles instead of the files in them."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        context = getattr(response, "context_data", None)
        if context and "media" in context:
            context["media"] = bundled(context["media"])
        return response

    return answer


def bundled(media: Media) -> Media:
    """Return the media with each file that is in a bundle replaced by it, once. Every page has the bundle of styles."""
    if not settings.PIPELINE["PIPELINE_ENABLED"]:
        return media
    merged: Any = media
    scripts = dict.fromkeys(BUNDLE_OF_SCRIPT.get(path, path) for path in merged._js)
    styles: dict[str, Sequence[str]] = {
        medium: [path for path in paths if path not in PATHS_OF_ALL_PAGES] for medium, paths in merged._css.items()
    }
    return Media(js=list(scripts), css=styles)
