"""S18, decompression bombs: small files and bodies that expand are rejected, and cost one request and nothing else.

Files are decoded in a process with limits. Here it may take 200 MB; the operating system enforces that.
"""

import gzip
import io
import json
import os
import signal
from pathlib import Path
from threading import Semaphore

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart
from PIL import Image as Pillow

from calendar_site.media import image_process, library
from tests.support.api_client import API, invalid_params
from tests.support.crafted_images import exif_bomb, frame_bomb, scan_bomb, text_bomb
from tests.support.image_files import animated_gif, decompression_bomb, plain_image, rotated_image

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media_folder", "small_process")]

NO_IMAGE = "The file is not a JPEG, PNG, GIF, WebP or AVIF image."
TOO_MANY_PIXELS = "The image has more than 40 megapixels or too many frames."
TOO_MANY_SCANS = "The image has more than 100 scans."
TOO_MUCH_TIME = "Processing the image takes too much time. Save it in another format or with fewer pixels."
TOO_MUCH_MEMORY = "Processing the image takes too much memory. Save it in another format or with fewer pixels."
# Options of the encoders by format.
FAST = {"PNG": {"compress_level": 1}, "WEBP": {"method": 0}, "AVIF": {"speed": 10}}


@pytest.fixture
def small_process(settings):
    settings.IMAGE_MEMORY_MB = 200


def upload(api, content):
    body = encode_multipart("BoUnDaRy", {"venue": "Hall", "image": SimpleUploadedFile("a.png", content, "image/png")})
    return api.generic("POST", f"{API}/venues", body, "multipart/form-data; boundary=BoUnDaRy")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: decompression_bomb(50_000, 50_000), TOO_MANY_PIXELS),
        (lambda: decompression_bomb(8_000, 5_001), TOO_MANY_PIXELS),
        (lambda: animated_gif(1_000), TOO_MANY_PIXELS),
        (lambda: frame_bomb(501), TOO_MANY_PIXELS),
        (lambda: scan_bomb(101, (64, 64)), TOO_MANY_SCANS),
        (lambda: scan_bomb(3_000), TOO_MANY_SCANS),
    ],
    ids=["pixels", "a-row-too-many", "gif-frames", "webp-frames", "scans", "3000-scans"],
)
def test_bomb_is_rejected(author_api, settings, make, message):
    # A file that takes longer is rejected with another message.
    settings.IMAGE_CPU_SECONDS = 1
    content = make()

    response = upload(author_api, content)

    assert len(content) < 1_000_000
    assert response.status_code == 400
    assert invalid_params(response) == {"image": message}


@pytest.mark.parametrize(
    ("make", "status"),
    [
        (exif_bomb, 201),
        (lambda: text_bomb(b"zTXt"), 400),
        (lambda: text_bomb(b"iCCP"), 400),
        (lambda: text_bomb(b"IDAT"), 201),
    ],
    ids=["exif", "text", "profile", "pixels"],
)
def test_bomb_in_metadata_costs_little(author_api, settings, make, status):
    # A file that takes longer, or more memory, is rejected with another message.
    settings.IMAGE_CPU_SECONDS = 1

    response = upload(author_api, make())

    assert response.status_code == status
    if status == 400:
        assert invalid_params(response) == {"image": NO_IMAGE}


# The test of a rotated photo has a JPEG.
@pytest.mark.parametrize("form", ["PNG", "GIF", "WEBP", "AVIF"])
def test_photo_of_12_megapixels_is_accepted(author_api, settings, form):
    # The decoder of WebP needs several copies of the pixels.
    settings.IMAGE_MEMORY_MB = 250 if form == "WEBP" else 200

    response = upload(author_api, plain_image(form, (4_000, 3_000), **FAST.get(form, {})))

    assert response.status_code == 201, response.content
    assert response.json()["image"]["sizes"]["large"]["width"] == 1024


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_image_of_40_megapixels_is_accepted_within_the_default_limit(author_api, settings, form):
    settings.IMAGE_MEMORY_MB = 300

    response = upload(author_api, plain_image(form, (8_000, 5_000), **FAST.get(form, {})))

    assert response.status_code == 201, response.content
    assert response.json()["image"]["width"] == 8_000


@pytest.mark.parametrize(
    ("form", "options"), [("WEBP", {}), ("WEBP", {"lossless": True}), ("AVIF", {}), ("PNG", {"mode": "RGBA"})]
)
def test_image_of_40_megapixels_that_would_need_more_memory_is_refused(author_api, settings, form, options):
    settings.IMAGE_MEMORY_MB = 300
    mode = options.pop("mode", "RGB")
    output = io.BytesIO()
    Pillow.new(mode, (8_000, 4_900)).save(output, form, **{**FAST.get(form, {}), **options})

    response = upload(author_api, output.getvalue())

    assert invalid_params(response) == {"image": TOO_MUCH_MEMORY}


def test_image_that_needs_more_memory_is_rejected(author_api, settings):
    settings.IMAGE_MEMORY_MB = 100

    response = upload(author_api, plain_image("PNG", (6_300, 6_300), **FAST["PNG"]))

    assert invalid_params(response) == {"image": TOO_MUCH_MEMORY}


def test_rotated_photo_is_accepted(author_api):
    assert upload(author_api, rotated_image("JPEG", (4_000, 3_000))).json()["image"]["width"] == 3_000


def test_file_that_takes_too_long_is_rejected(author_api, settings):
    settings.IMAGE_CPU_SECONDS, settings.IMAGE_MEMORY_MB = 1, 700

    response = upload(author_api, scan_bomb(95, (6_300, 6_300)))

    assert invalid_params(response) == {"image": TOO_MUCH_TIME}
    assert upload(author_api, plain_image()).status_code == 201


def test_file_is_rejected_at_the_deadline_of_the_request(author_api, monkeypatch, settings):
    settings.IMAGE_MEMORY_MB = 700
    monkeypatch.setattr(library, "REQUEST_SECONDS", 0.3)
    upload(author_api, plain_image())

    response = upload(author_api, scan_bomb(95, (6_300, 6_300)))

    assert invalid_params(response) == {"image": TOO_MUCH_TIME}


def test_image_waits_for_others_and_is_refused_at_the_deadline(author_api, monkeypatch):
    monkeypatch.setattr(image_process, "_slots", Semaphore(0))
    monkeypatch.setattr(library, "REQUEST_SECONDS", 0.1)

    response = upload(author_api, plain_image())

    assert (response.status_code, response.json()["code"]) == (503, "rest_busy")
    assert response.headers["Retry-After"]


def test_images_are_accepted_after_the_fork_server_was_killed(author_api):
    upload(author_api, plain_image())
    for pid in fork_servers():
        os.kill(pid, signal.SIGKILL)

    assert upload(author_api, plain_image(colour="red")).status_code == 201


def fork_servers():
    """Return the ids of the fork servers of this process."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()
    return [int(pid) for pid in children if b"multiprocessing.forkserver" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_compressed_body_is_not_expanded(author_api):
    body = gzip.compress(json.dumps({"venue": "x" * 10_000_000}).encode())

    response = author_api.generic("POST", f"{API}/venues", body, "application/json", HTTP_CONTENT_ENCODING="gzip")

    assert len(body) < 20_000
    assert response.status_code == 400
