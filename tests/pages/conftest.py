"""Images of records, kept for the length of a test."""

import pytest

from calendar_site.content.images import keep_image, prepare_image
from tests.pictures import quartered


@pytest.fixture
def keep(settings, tmp_path, editor):
    """Puts a picture into the library."""
    settings.MEDIA_ROOT = tmp_path

    def put(content, name="Summer night.png", **fields):
        return keep_image(prepare_image(content, name), editor, **fields)

    return put


@pytest.fixture
def image(keep):
    """A wide picture of few bytes."""
    return keep(quartered(), alt='Boats & "lanterns"', credit="A. Nyman & sons <3")
