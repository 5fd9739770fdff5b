"""Images in an object store that all machines share."""

import contextlib
import http.client
import json
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import boto3
import pytest
import requests
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test.client import encode_multipart
from moto.server import ThreadedMotoServer

from tests.support.image_files import red_blue_image
from tests.support.python_starter import manage

VENUES = "/cal/events/v1/venues"
KEYS = {"S3_REGION": "eu-central-1", "S3_ACCESS_KEY": "key", "S3_SECRET_KEY": "secret"}
# What the page "Scaling" tells to set: everybody may read files, but not list them.
POLICY = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": "*", "Action": "s3:GetObject", "Resource": "arn:aws:s3:::images/*"},
    ],
}


@pytest.fixture
def store():
    """A client of a store with an empty bucket, whose endpoint is that of services."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    # All servers of a process have the same content.
    requests.post(f"http://{host}:{port}/moto-api/reset", timeout=10).raise_for_status()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://{host}:{port}",
        region_name=KEYS["S3_REGION"],
        aws_access_key_id=KEYS["S3_ACCESS_KEY"],
        aws_secret_access_key=KEYS["S3_SECRET_KEY"],
    )
    client.create_bucket(Bucket="images", CreateBucketConfiguration={"LocationConstraint": KEYS["S3_REGION"]})
    client.put_bucket_policy(Bucket="images", Policy=json.dumps(POLICY))
    try:
        yield client
    finally:
        client.close()
        server.stop()


@pytest.fixture
def store_settings(store):
    """The settings of services that use the store."""
    endpoint = store.meta.endpoint_url
    return {**KEYS, "S3_BUCKET": "images", "S3_ENDPOINT_URL": endpoint, "MEDIA_URL": f"{endpoint}/images/"}


def stored_names(store):
    return {stored["Key"] for stored in store.list_objects_v2(Bucket="images").get("Contents", [])}


def upload(machine, name):
    """Create a venue with an image, and return it."""
    file = SimpleUploadedFile("a hall.png", red_blue_image(), "image/png")
    body = encode_multipart("BoUnDaRy", {"venue": name, "image": file})
    response, answer = machine.request(
        "POST", VENUES, body, **{"Content-Type": "multipart/form-data; boundary=BoUnDaRy"}
    )
    assert response.status == 201, answer
    return json.loads(answer)


def download(url):
    """Return the status, the headers and the content at a URL, without credentials."""
    parts = urlsplit(url)
    with contextlib.closing(http.client.HTTPConnection(parts.netloc, timeout=20)) as connection:
        connection.request("GET", parts.path)
        response = connection.getresponse()
        return response.status, response.headers, response.read()


def urls_of(image):
    return [image["url"], *(rendition["url"] for rendition in image["sizes"].values())]


def test_image_stored_by_one_machine_is_read_through_all(start_machine, store, store_settings):
    first, second = start_machine(**store_settings), start_machine(**store_settings)
    venue = upload(first, "Hall")

    _response, body = second.request("GET", f"{VENUES}/{venue['id']}")
    image = json.loads(body)["image"]
    responses = [download(url) for url in urls_of(image)]

    assert image == venue["image"]
    assert all(url.startswith(store_settings["MEDIA_URL"]) and "?" not in url for url in urls_of(image))
    assert {status for status, _headers, _content in responses} == {200}
    assert {headers["Cache-Control"] for _status, headers, _content in responses} == {
        "public, max-age=31536000, immutable"
    }
    assert responses[0][1]["Content-Type"] == "image/png"
    assert len(responses) > 2
    assert len({content for _status, _headers, content in responses}) == len(responses)
    assert stored_names(store) == {url.removeprefix(store_settings["MEDIA_URL"]) for url in urls_of(image)}


def test_files_have_no_permissions_of_their_own(start_machine, store, store_settings):
    upload(start_machine(**store_settings), "Hall with permissions")

    for name in stored_names(store):
        grants = store.get_object_acl(Bucket="images", Key=name)["Grants"]
        # Those of the bucket apply. Many stores refuse others.
        assert [grant["Permission"] for grant in grants] == ["FULL_CONTROL"]


def test_same_image_is_stored_once(start_machine, store, store_settings):
    machine = start_machine(**store_settings)
    first = upload(machine, "North")
    before = stored_names(store)

    second = upload(machine, "South")

    assert stored_names(store) == before
    assert second["image"]["url"] == first["image"]["url"]


def test_clean_media_deletes_old_files_without_an_image(site, start_machine, store, store_settings):
    upload(start_machine(**store_settings), "Hall to keep")
    kept = stored_names(store)
    orphan, recent = (f"images/{letter * 2}/{letter * 32}-a.png" for letter in "ab")
    store.put_object(Bucket="images", Key=recent, Body=b"")
    with time_machine.travel(datetime.now() - timedelta(days=2)):
        store.put_object(Bucket="images", Key=orphan, Body=b"")
    environment = {**site.environment, **store_settings, "DATABASE_URL": site.primary.url}

    output = manage({**environment, "DATABASE_TRANSACTION_POOLING": "false"}, "clean_media")

    assert f"Deleted {orphan}\n" in output
    assert stored_names(store) == {*kept, recent}
