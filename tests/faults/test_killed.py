"""Processes that are killed in the middle of 200 concurrent writes.

Every acknowledged write is there, nothing is half-written, and clients that repeat all writes with their
Idempotency-Key end up with exactly one record for each. Files of images that were not written are cleaned up.
"""

import http.client
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from tests.support.image_files import plain_image
from tests.support.python_starter import run_python
from tests.support.served_app import wait_until, worker_pids

EVENTS = "/cal/events/v1/events"
WRITES = 200
CLIENTS = 10
# All clients may wait for the write lock.
PATIENT = {"WRITE_WAIT_SECONDS": "20", "WEB_THREADS": str(CLIENTS + 2)}
# How many writes are acknowledged before the processes are killed.
FIRST = 60
BOUNDARY = "boundary"
SETUP = """
import django; django.setup()
from datetime import timedelta
from django.core.files.storage import default_storage
from django.db.models import Count
from django.utils import timezone
from calendar_site.idempotency.models import IdempotentRequest
from calendar_site.media.clean_up import clean_media
from calendar_site.media.models import Image
from events.models import Event
"""
END_LEASES = "IdempotentRequest.objects.filter(status=None).update(lease_ends_at=timezone.now())"
PRINT_STATE = """
revisions = Event.history.values_list("id").annotate(count=Count("*")).values_list("count", flat=True)
names = {name for image in Image.objects.all() for name in image.file_names}
clean_media(timezone.now() + timedelta(days=1))
stored = {f"images/{folder}/{name}" for folder in default_storage.listdir("images")[0]
    for name in default_storage.listdir(f"images/{folder}")[1]}
print(Event.objects.count(), set(revisions) or {1}, stored == names, Image.objects.count())
"""


def data_of(number):
    return {
        "title": f"Event {number}",
        "slug": f"event-{number}",
        "start_date": "2030-05-04 18:00:00",
        "end_date": "2030-05-04 20:00:00",
        "venue": {"venue": f"Hall {number % 10}"},
        "organizer": [{"organizer": f"Band {number % 7}"}],
        "categories": ["Music"],
        "tags": ["Jazz", f"Tag {number % 5}"],
        "tickets": [{"name": "Standard", "price": "5", "currency": "EUR"}],
    }


def parts_of(record):
    """Return the parts of a record that are in tables of their own."""
    return {
        "title": record["title"],
        "slug": record["slug"],
        "venue": record["venue"]["venue"],
        "organizer": [organizer["organizer"] for organizer in record["organizer"]],
        "categories": [category["name"] for category in record["categories"]],
        "tags": [tag["name"] for tag in record["tags"]],
        "tickets": [ticket["name"] for ticket in record["tickets"]],
        "image": bool(record["image"]),
    }


def expected_parts(number):
    return {
        "title": f"Event {number}",
        "slug": f"event-{number}",
        "venue": f"Hall {number % 10}",
        "organizer": [f"Band {number % 7}"],
        "categories": ["Music"],
        "tags": ["Jazz", f"Tag {number % 5}"],
        "tickets": ["Standard"],
        "image": has_image(number),
    }


def has_image(number):
    return number % 10 == 0


def form_of(number):
    """Return the event as a form with an image file."""
    data = data_of(number)
    pairs = {name: value for name, value in data.items() if isinstance(value, str)} | {
        "venue[venue]": data["venue"]["venue"],
        "organizer[0][organizer]": data["organizer"][0]["organizer"],
        "categories[]": data["categories"][0],
        "tags[0]": data["tags"][0],
        "tags[1]": data["tags"][1],
        **{f"tickets[0][{name}]": value for name, value in data["tickets"][0].items()},
    }
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{{}}"{{}}\r\n\r\n'
    fields = "".join(head.format(name, "") + f"{value}\r\n" for name, value in pairs.items())
    file = head.format("image", f'; filename="{number}.png"\r\nContent-Type: image/png')
    return f"{fields}{file}".encode() + plain_image(size=(40 + number, 30)) + f"\r\n--{BOUNDARY}--\r\n".encode()


def create(service, number):
    """Create an event, and return the status and the record; None if the connection breaks."""
    if has_image(number):
        body, media_type = form_of(number), f"multipart/form-data; boundary={BOUNDARY}"
    else:
        body, media_type = json.dumps(data_of(number)), "application/json"
    headers = {"Content-Type": media_type, "Idempotency-Key": f"write-{number}"}
    try:
        response, answer = service.request("POST", EVENTS, body, seconds=60, **headers)
    except (OSError, http.client.HTTPException):
        return None
    return response.status, json.loads(answer)


def read(service, path):
    response, body = service.request("GET", path)
    assert response.status == 200, body
    return json.loads(body)


def all_events(service):
    """Return all events, from the pages of the list."""
    query, events = f"{EVENTS}?per_page=100&start_date=2030-01-01&end_date=2031-01-01", []
    total_pages = read(service, query)["total_pages"]
    for page in range(1, total_pages + 1):
        events += read(service, f"{query}&page={page}")["events"]
    return events


def kill_workers(service):
    """Kill both workers. The master starts others."""
    for pid in worker_pids(service)[-2:]:
        os.kill(pid, signal.SIGKILL)


def kill_master(service):
    """Kill the master. The workers notice it, and end by themselves."""
    service.process.kill()


def kill_all(service):
    os.killpg(service.process.pid, signal.SIGKILL)


@pytest.fixture
def run_script(service_environment):
    """Return a function that runs Python code with the models of the service, and returns its output."""

    def run(code):
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "calendar_site.settings", **service_environment}
        done = run_python(["-c", SETUP + code], environment)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.mark.parametrize("kill", [kill_workers, kill_master, kill_all])
def test_acknowledged_writes_are_kept_and_no_write_is_halved(start_service, run_script, kill):
    service = start_service(**PATIENT)
    acknowledged, lock = {}, Lock()

    def write(number):
        answer = create(service, number)
        with lock:
            if answer and answer[0] == 201:
                acknowledged[number] = answer[1]
            if len(acknowledged) == FIRST and answer:
                kill(service)

    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(write, range(WRITES)))
    before_retry = dict(acknowledged)
    assert len(before_retry) >= FIRST

    if kill is kill_workers:
        assert wait_until(lambda: len(worker_pids(service)) == 4)
    else:
        kill_all(service)
        service = start_service(**PATIENT)
    for number, record in before_retry.items():
        assert parts_of(read(service, f"{EVENTS}/{record['id']}")) == expected_parts(number)
    kept = all_events(service)
    for record in kept:
        assert parts_of(record) == expected_parts(int(record["slug"].removeprefix("event-")))
    # At most the writes that ran when the processes were killed are there without being acknowledged.
    assert len(before_retry) <= len(kept) <= len(before_retry) + CLIENTS

    run_script(END_LEASES)
    with ThreadPoolExecutor(CLIENTS) as clients:
        responses = list(clients.map(lambda number: create(service, number), range(WRITES)))

    assert [answer[0] for answer in responses] == [201] * WRITES
    assert {number: responses[number][1] for number in before_retry} == before_retry
    assert {parts_of(record)["slug"] for record in all_events(service)} == {f"event-{n}" for n in range(WRITES)}
    counts = {tag["name"]: tag["count"] for tag in read(service, "/cal/events/v1/tags")["tags"]}
    assert counts == {"Jazz": WRITES, **{f"Tag {number}": WRITES // 5 for number in range(5)}}
    assert run_script(PRINT_STATE) == f"{WRITES} {{1}} True {WRITES // 10}"
