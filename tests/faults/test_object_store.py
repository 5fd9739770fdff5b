"""An object store that accepts connections and never responds: an upload ends after a bounded time, others go on."""

import json
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart

from tests.support.image_files import red_blue_image

VENUES = "/cal/events/v1/venues"
# Two attempts of five seconds to store the first file, and as many to delete what may exist of it.
STORE_SECONDS = 20


@pytest.fixture
def frozen_store():
    """An object store that never responds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def environment_with(store):
    return {
        "S3_BUCKET": "images",
        "S3_ENDPOINT_URL": f"http://127.0.0.1:{store.getsockname()[1]}",
        "S3_REGION": "eu-1",
        "S3_ACCESS_KEY": "key",
        "S3_SECRET_KEY": "secret",
        "MEDIA_URL": "https://images.example/",
        # As by default: the upload occupies one of the three threads that writes may use.
        "WEB_THREADS": "4",
    }


def upload(service):
    """Return the response to a venue with an image, its body, and the seconds that it took."""
    file = SimpleUploadedFile("a.png", red_blue_image(), "image/png")
    body, form = (
        encode_multipart("BoUnDaRy", {"venue": "Hall", "image": file}),
        "multipart/form-data; boundary=BoUnDaRy",
    )
    began = time.monotonic()
    response, answer = service.request("POST", VENUES, body, seconds=60, **{"Content-Type": form})
    return response, json.loads(answer), time.monotonic() - began


def test_frozen_store_delays_uploads_only(start_service, frozen_store):
    service = start_service(**environment_with(frozen_store))
    frozen_store.settimeout(STORE_SECONDS)

    with ThreadPoolExecutor() as pool:
        uploading = pool.submit(upload, service)
        # The image is processed by then, and the upload waits for the store.
        connection, _address = frozen_store.accept()
        body = json.dumps({"venue": "Arena"})
        written, _body = service.request("POST", VENUES, body, **{"Content-Type": "application/json"})
        is_waiting = not uploading.done()
        response, refusal, seconds = uploading.result()
        connection.close()

    assert (written.status, is_waiting) == (201, True)
    assert (response.status, refusal["code"]) == (503, "rest_busy")
    assert response.headers["Retry-After"]
    assert seconds < STORE_SECONDS + 8
    _response, listed = service.request("GET", VENUES)
    assert [venue["venue"] for venue in json.loads(listed)["venues"]] == ["Arena"]
