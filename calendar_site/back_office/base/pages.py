"""Additional pages of a ModelAdmin."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.http.response import HttpResponseBase


class AdminPage(NamedTuple):
    """A page below the list of a model. `view` gets the request, the arguments of the path, and `model_admin`."""

    path: str
    # The end of the URL's name: `review` is `events_event_review` for events.
    name: str
    view: Callable[..., HttpResponseBase]
