"""Images for the tests of pages, deleted after each test."""

import pytest

from calendar_site.media.library import prepare_image, store_image
from tests.support.image_files import red_blue_image


@pytest.fixture
def keep(settings, tmp_path, editor):
    """Return a function that stores an image in the library."""
    settings.MEDIA_ROOT = tmp_path

    def put(content, name="Summer night.png", **fields):
        return store_image(prepare_image(content, name), user=editor, **fields)

    return put


@pytest.fixture
def wide_image(keep):
    """A wide image with a small file."""
    return keep(red_blue_image(), alt='Boats & "lanterns"', credit="A. Nyman & sons <3")
