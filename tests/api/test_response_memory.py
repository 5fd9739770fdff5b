"""Responses take no memory once they are sent."""

import gc
import weakref

import pytest
from django.urls import resolve


@pytest.mark.parametrize("path", ["/cal/events/v1/events", "/cal/events/v1/venues", "/cal/events/v1/events/999"])
def test_response_is_freed_without_the_garbage_collector(db, rf, path):
    match = resolve(path)
    gc.disable()
    try:
        response = match.func(rf.get(path), *match.args, **match.kwargs).render()
        reference = weakref.ref(response)
        del response
        assert reference() is None
    finally:
        gc.enable()
