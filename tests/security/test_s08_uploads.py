"""S8, uploads: only images are stored, by their content; what is beside the pixels is dropped; names are random.

They are served with a fixed media type, `nosniff` and a sandbox, so that no upload can run as a page or a program.
"""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart

from calendar_site.media.models import Image
from tests.factories import EventFactory
from tests.support.api_client import API, invalid_params
from tests.support.crafted_images import PAYLOAD, with_payload
from tests.support.image_files import open_image, plain_image

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media_folder")]

CRAFTED = with_payload()
NOT_AN_IMAGE = "The file is not a JPEG, PNG, GIF, WebP or AVIF image."


def upload(api, content, name="a.png", media_type="image/png"):
    body = encode_multipart("BoUnDaRy", {"venue": "Hall", "image": SimpleUploadedFile(name, content, media_type)})
    return api.generic("POST", f"{API}/venues", body, "multipart/form-data; boundary=BoUnDaRy")


def stored_files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("crafted", CRAFTED)
def test_payload_beside_the_pixels_is_not_stored(author_api, media_folder, crafted):
    content = CRAFTED[crafted]

    response = upload(author_api, content)

    assert PAYLOAD in content
    assert response.status_code == 201, response.content
    assert (response.json()["image"]["width"], response.json()["image"]["height"]) == (40, 30)
    assert [path.name for path in stored_files(media_folder) if PAYLOAD[8:21] in path.read_bytes()] == []
    (file,) = stored_files(media_folder)
    assert open_image(file.read_bytes()).convert("RGB").tobytes() == open_image(content).convert("RGB").tobytes()


@pytest.mark.parametrize(
    ("content", "name", "media_type"),
    [
        (b"<html><script>alert(1)</script></html>", "a.png", "image/png"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "a.svg", "image/svg+xml"),
        (b"<?php system('id'); ?>", "a.php", "image/jpeg"),
        (b"GIF89a/*<svg/onload=alert(1)>*/", "a.gif", "image/gif"),
        (b"%PDF-1.7\n", "a.jpg", "image/jpeg"),
        (b"MZ\x90\0", "a.exe", "image/png"),
        (plain_image("TIFF"), "a.jpg", "image/jpeg"),
        (plain_image("BMP"), "a.jpg", "image/jpeg"),
        (b"", "a.png", "image/png"),
    ],
)
def test_other_file_is_rejected_whatever_it_is_called(author_api, media_folder, content, name, media_type):
    response = upload(author_api, content, name, media_type)

    assert response.status_code == 400
    assert list(invalid_params(response)) == ["image"]
    assert stored_files(media_folder) == []


@pytest.mark.parametrize(
    "name", ["../../settings.py", "a.php.png", "a\0.html", "a\r\nX: y.png", ".htaccess", "<script>.png", "x" * 5000]
)
def test_stored_name_is_random_with_the_extension_of_the_content(author_api, media_folder, name):
    upload(author_api, plain_image("JPEG"), name, "text/html")

    (file,) = stored_files(media_folder)
    assert re.fullmatch(r"images/[0-9a-f]{2}/[0-9a-f]{32}-[a-z0-9-]+\.jpg", str(file.relative_to(media_folder)))


def test_stored_file_is_served_as_an_image_in_a_sandbox(author_api, client):
    upload(author_api, plain_image("JPEG"), "a.html", "text/html")

    response = client.get("/media/" + Image.objects.get().file.name)

    assert response.getvalue()[:2] == b"\xff\xd8"
    assert response.headers["Content-Type"] == "image/jpeg"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_contributor_and_stranger_cannot_upload(client, contributor_api, media_folder):
    assert upload(contributor_api, plain_image()).status_code == 403
    assert upload(client, plain_image()).status_code == 401
    assert stored_files(media_folder) == []


@pytest.mark.parametrize("hidden", [{"status": "draft"}, {"status": "private"}, {"password": "secret"}])
@pytest.mark.parametrize("by", ["id", "url"])
def test_image_of_a_hidden_record_cannot_be_published(
    author_api, contributor_api, editor_api, editor, image, hidden, by
):
    EventFactory(author=editor, image=image, **hidden)
    value = image.pk if by == "id" else f"http://testserver/media/{image.file.name}"

    for api in (author_api, contributor_api):
        response = api.post(f"{API}/venues", {"venue": "Hall", "image": value})
        assert response.status_code == 400
        assert list(invalid_params(response)) == ["image"]
    assert editor_api.post(f"{API}/venues", {"venue": "Barn", "image": value}).status_code == 201
    # It is visible now.
    assert author_api.post(f"{API}/venues", {"venue": "Hall", "image": value}).status_code == 201


def test_image_of_a_hidden_record_cannot_be_chosen_in_the_admin(author_browser, editor, image):
    EventFactory(author=editor, image=image, status="draft")

    choices = author_browser.get("/admin/media/image/choices/?app_label=events&model_name=event&field_name=image")

    assert choices.json()["results"] == []
