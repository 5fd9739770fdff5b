"""Images for the tests of pages, deleted after each test."""

import pytest

from calendar_site.media.library import prepare_image, store_image


@pytest.fixture
def keep(media_folder, editor):
    """Return a function that stores an image in the library."""

    def put(content, name="Summer night.png", **fields):
        return store_image(prepare_image(content, name), user=editor, **fields)

    return put


@pytest.fixture
def wide_image(media_folder, editor, prepared_image):
    """A wide image with a small file."""
    return store_image(prepared_image, user=editor, alt='Boats & "lanterns"', credit="A. Nyman & sons <3")
