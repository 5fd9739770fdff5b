"""Several processes that write at the same time, on one database: none fails, and none loses a write of another."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

from tests.support.served_app import ServedApp

API = "/cal/events/v1"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
CLIENTS = 8
WRITES = 100


def send(service: ServedApp, method, path, data=None):
    response, body = service.request(
        method, f"{API}{path}", json.dumps(data or {}), seconds=60, **{"Content-Type": "application/json"}
    )
    return response.status, json.loads(body)


def start_two(start_service):
    """Start two services on one database, in which all clients may wait for the write lock."""
    return [start_service(WRITE_WAIT_SECONDS="20", WEB_THREADS=str(CLIENTS + 2)) for _service in range(2)]


def test_two_services_on_one_database_keep_all_writes(start_service):
    services = cycle(start_two(start_service))
    calls = [(next(services), number) for number in range(WRITES)]

    def create(call):
        service, number = call
        return send(service, "POST", "/events", {**EVENT, "tags": ["Jazz"], "venue": {"venue": f"Hall {number % 5}"}})

    with ThreadPoolExecutor(CLIENTS) as clients:
        responses = list(clients.map(create, calls))

    assert [answer for answer in responses if answer[0] != 201] == []
    assert len({record["slug"] for _status, record in responses}) == WRITES
    service = next(services)
    assert send(service, "GET", "/events?start_date=2030-01-01&end_date=2031-01-01")[1]["total"] == WRITES
    assert [tag["count"] for tag in send(service, "GET", "/tags")[1]["tags"]] == [WRITES]
    assert send(service, "GET", "/venues")[1]["total"] == 5


def test_two_services_share_idempotency_keys(start_service):
    services = cycle(start_two(start_service))

    def create(service):
        response, body = service.request(
            "POST",
            f"{API}/events",
            json.dumps(EVENT),
            seconds=60,
            **{"Content-Type": "application/json", "Idempotency-Key": "one"},
        )
        return response.status, body

    with ThreadPoolExecutor(CLIENTS) as clients:
        responses = list(clients.map(create, [next(services) for _write in range(20)]))

    assert {status for status, _body in responses} <= {201, 409}
    assert len({body for status, body in responses if status == 201}) == 1
    assert send(next(services), "GET", "/events?start_date=2030-01-01&end_date=2031-01-01")[1]["total"] == 1


def test_writers_that_link_the_same_records_in_opposite_order_do_not_block_each_other(start_service):
    one, other = start_two(start_service)
    events = [send(one, "POST", "/events", {**EVENT, "title": title})[1]["id"] for title in "AB"]
    venues = [send(one, "POST", "/venues", {"venue": f"Hall {number}"})[1]["id"] for number in range(6)]
    organizers = [send(one, "POST", "/organizers", {"organizer": f"Band {number}"})[1]["id"] for number in range(6)]
    tags = [f"Tag {number}" for number in range(6)]

    def link(call):
        service, step, event = call
        data = {"venue": venues[::step], "organizer": organizers[::step], "tags": tags[::step]}
        return send(service, "PATCH", f"/events/{event}", data)

    # Both services change both events, the one in ascending and the other in descending order.
    calls = [call for _round in range(15) for event in events for call in ((one, 1, event), (other, -1, event))]
    with ThreadPoolExecutor(CLIENTS) as clients:
        responses = list(clients.map(link, calls))

    assert [answer for answer in responses if answer[0] != 200] == []
    for event in events:
        record = send(one, "GET", f"/events/{event}")[1]
        assert [venue["id"] for venue in record["venue"]] in (venues, venues[::-1])
        assert [organizer["id"] for organizer in record["organizer"]] in (organizers, organizers[::-1])
        assert [tag["name"] for tag in record["tags"]] == tags
    assert [tag["count"] for tag in send(one, "GET", "/tags")[1]["tags"]] == [len(events)] * len(tags)
