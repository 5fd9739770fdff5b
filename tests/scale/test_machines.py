"""Two services behind nginx, with a streaming replica, PgBouncer and Redis: right answers, whatever is lost."""

import contextlib
import http.client
import json
import os
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.load import EVENT, EVENTS, JSON, reading_and_writing
from tests.support.nginx import nginx
from tests.support.redis_server import redis_server
from tests.support.served_app import START_SECONDS, free_port, wait_until, worker_pids
from tests.support.socket_unit import started_on_sockets

# How long a replica that was lost is not asked, and some more.
RECOVERY_SECONDS = 25


def write(machine, title):
    """Create an event with related records, and return its id."""
    event = {**EVENT, "title": title, "venue": {"venue": f"Hall of {title}"}, "tags": [title, "open air"]}
    response, body = machine.request("POST", EVENTS, json.dumps(event), **JSON)
    assert response.status == 201, body
    return json.loads(body)["id"]


def read(machine, path=EVENTS, **headers):
    """Return the status and the body of a response without credentials."""
    with contextlib.closing(machine.connect(60)) as connection:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.status, json.loads(response.read())


def timed(function, *arguments):
    """Return the result of the function, and how many seconds it took."""
    began = time.monotonic()
    return function(*arguments), time.monotonic() - began


def titles(machine, search):
    """Return the titles of the events with this word, as everybody sees them."""
    status, body = read(machine, f"{EVENTS}?search={search}&start_date=2030-01-01&end_date=2031-01-01&per_page=50")
    assert status == 200, body
    return {event["title"] for event in body["events"]}


def replica_reads(machine):
    """Return how many reads have used the replica, found it behind, or found it lost."""
    _response, body = machine.request("GET", "/metrics", Authorization="Bearer metrics")
    found = re.findall(r'^calendar_replica_reads_total\{replica="(\w+)"\} (\S+)', body.decode(), re.MULTILINE)
    return {outcome: int(float(count)) for outcome, count in found}


def stored_responses(machine):
    """Return how many requests have got a stored response."""
    _response, body = machine.request("GET", "/metrics", Authorization="Bearer metrics")
    return sum(
        map(float, re.findall(r'^calendar_response_cache_total\{result="hit"\} (\S+)', body.decode(), re.MULTILINE))
    )


def uses_replica(machine):
    """Send a read that is in no cache, and return whether the replica answered it."""
    before = replica_reads(machine).get("used", 0)
    titles(machine, f"word{time.monotonic_ns()}")
    return replica_reads(machine).get("used", 0) > before


def more_arrive(outcomes):
    """Return whether 40 more requests are answered in time."""
    count = len(outcomes)
    return wait_until(lambda: len(outcomes) > count + 40, START_SECONDS)


def checks(machine):
    response, body = machine.request("GET", "/readyz")
    return response.status, json.loads(body)["status"], json.loads(body)["checks"]["replica"]


def test_write_through_one_service_is_seen_at_once_through_the_other(machines):
    for number in range(20):
        writer, reader = machines[number % 2], machines[1 - number % 2]
        title = f"Seen {number}"
        pk = write(writer, title)

        assert read(reader, f"{EVENTS}/{pk}")[1]["title"] == title
        assert title in titles(reader, "Seen")
    deleted, _body = machines[0].request("DELETE", f"{EVENTS}/{pk}")

    assert deleted.status == 200
    assert read(machines[1], f"{EVENTS}/{pk}")[0] == 403
    assert wait_until(lambda: uses_replica(machines[1]))
    assert checks(machines[1]) == (200, "ok", "ok")


def test_services_share_stored_responses(site, start_machine):
    first = start_machine()
    second = start_machine(DATABASE_REPLICA_URL=site.primary.url, DATABASE_URL=site.primary.url, WEB_THREADS="5")

    def shares_a_response():
        path = f"{EVENTS}?search=shared{time.monotonic_ns()}"
        made, before = read(first, path, Host="localhost"), stored_responses(second)
        return read(second, path, Host="localhost") == made and stored_responses(second) - before == 1

    # For longer than a service does without Redis after a slow response of it.
    assert wait_until(shares_a_response, 30)


def test_only_reads_for_everybody_use_the_replica(machines):
    machine = machines[0]
    assert wait_until(lambda: uses_replica(machine))
    before = replica_reads(machine)

    for headers in (machine.signed_in, {"Cookie": "sessionid=unknown"}, {"X-Event-Password": "secret"}):
        assert read(machine, f"{EVENTS}?search=headers", **headers)[0] == 200
    assert read(machine, f"{EVENTS}?search=password&password=secret")[0] == 200
    write(machine, "Written to the primary")

    assert replica_reads(machine) == before


def test_replica_that_lags_behind_is_not_used(site, machines):
    assert all(wait_until(lambda machine=machine: uses_replica(machine)) for machine in machines)
    with site.replica.connect() as standby:
        standby.execute("SELECT pg_wal_replay_pause()")
        try:
            pk = write(machines[0], "Lagging")
            listed, single = titles(machines[1], "Lagging"), read(machines[1], f"{EVENTS}/{pk}")
            is_used = [uses_replica(machine) for machine in machines]
            behind = [replica_reads(machine)["behind"] for machine in machines]
        finally:
            standby.execute("SELECT pg_wal_replay_resume()")

    assert (listed, single[1]["title"]) == ({"Lagging"}, "Lagging")
    assert is_used == [False, False]
    assert min(behind) >= 1
    assert all(wait_until(lambda machine=machine: uses_replica(machine)) for machine in machines)


def test_lost_replica_is_replaced_by_the_primary_without_an_error(site, machines):
    assert all(wait_until(lambda machine=machine: uses_replica(machine)) for machine in machines)
    with reading_and_writing(machines[0].address, machines[0].signed_in, reads_anonymously=True) as outcomes:
        assert more_arrive(outcomes)
        site.replica.stop()
        try:
            assert more_arrive(outcomes)
            pk = write(machines[0], "Without a replica")
            seen = read(machines[1], f"{EVENTS}/{pk}")
            state = checks(machines[1])
        finally:
            site.replica.start()

    assert set(outcomes) == {200, 201}, outcomes
    assert seen[1]["title"] == "Without a replica"
    assert state == (200, "degraded", "failed")
    assert all(wait_until(lambda machine=machine: uses_replica(machine), RECOVERY_SECONDS) for machine in machines)


def test_lost_primary_is_503_until_it_is_back(site, machines):
    site.primary.stop()
    try:
        responses = [timed(read, machine) for machine in machines for _ in range(3)]
    finally:
        site.primary.start()

    assert {(status, body["code"]) for (status, body), _seconds in responses} == {(503, "rest_unavailable")}
    # PgBouncer keeps a query waiting for 5 seconds while the server refuses connections, and so does a new connection.
    assert max(seconds for _answer, seconds in responses) < 15
    assert "Traceback" not in machines[0].log.read_text()
    assert wait_until(lambda: read(machines[0])[0] == 200)
    assert all(wait_until(lambda machine=machine: uses_replica(machine), RECOVERY_SECONDS) for machine in machines)


def test_frozen_replica_delays_a_few_reads_for_seconds(site, machines):
    assert wait_until(lambda: uses_replica(machines[0]))

    def search(number):
        return timed(read, machines[0], f"{EVENTS}?search=frozen{number}")

    with site.replica.frozen(), ThreadPoolExecutor(3) as threads:
        responses = list(threads.map(search, range(30)))
    durations = sorted(seconds for _answer, seconds in responses)

    assert {status for (status, _body), _seconds in responses} == {200}
    # Each of three threads waits once for its connection, and once for a new one.
    assert durations[-1] < 8
    assert durations[20] < 2
    assert wait_until(lambda: uses_replica(machines[0]), RECOVERY_SECONDS)


def test_answers_stay_right_without_redis(site, machines, redis, tmp_path):
    redis.kill()
    redis.wait()
    without = []
    for number in range(4):
        pk = write(machines[number % 2], f"Without Redis {number}")
        without.append(read(machines[1 - number % 2], f"{EVENTS}/{pk}")[1]["title"])
    with redis_server(site.redis_port, tmp_path):
        pk = write(machines[0], "With Redis again")
        again = read(machines[1], f"{EVENTS}/{pk}")[1]["title"]

    assert without == [f"Without Redis {number}" for number in range(4)]
    assert again == "With Redis again"


def test_killed_service_fails_only_its_requests_in_flight(machines, proxy):
    with reading_and_writing(proxy, machines[0].signed_in, reads_anonymously=True) as outcomes:
        assert more_arrive(outcomes)
        os.killpg(machines[0].process.pid, signal.SIGKILL)
        assert more_arrive(outcomes)

    failed = [outcome for outcome in outcomes if outcome not in (200, 201)]
    # A write that the service had received is not sent again. There is one writer.
    assert failed in ([], [502]), failed


def test_restart_of_one_service_after_the_other_loses_no_request(site, redis, tmp_path):
    log = tmp_path / "server.log"
    with contextlib.ExitStack() as stack:
        # Requests wait in the sockets until a service has started.
        sockets = [stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512)) for _ in range(2)]
        services = [stack.enter_context(started_on_sockets([listener], site.environment, log)) for listener in sockets]
        proxy = stack.enter_context(nginx([listener.getsockname()[1] for listener in sockets], tmp_path))
        with reading_and_writing(proxy, site.signed_in, reads_anonymously=True) as outcomes:
            for service, listener in zip(services, sockets, strict=True):
                assert more_arrive(outcomes)
                service.terminate()
                assert service.wait(60) == 0
                stack.enter_context(started_on_sockets([listener], site.environment, log))
            assert more_arrive(outcomes)

    assert set(outcomes) == {200, 201}, outcomes


def test_reads_continue_while_the_workers_for_writes_are_stopped(start_machine, tmp_path):
    machine = start_machine(WEB_WRITE_WORKERS="1", WRITE_PORT=str(free_port()))
    assert wait_until(lambda: len(worker_pids(machine)) == 2)
    _reader, writer = sorted(worker_pids(machine))
    ports = [int(machine.environment[name]) for name in ("PORT", "WRITE_PORT")]
    with nginx(ports[:1], tmp_path, ports[1:]) as (_host, port):
        proxy = machine._replace(environment={**machine.environment, "PORT": str(port)})
        path = f"{EVENTS}/{write(proxy, 'before')}"

        os.kill(writer, signal.SIGSTOP)
        during = titles(proxy, "before")
        statuses = {method: proxy.request(method, path)[0].status for method in ("GET", "HEAD", "OPTIONS")}
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            with pytest.raises(TimeoutError):
                proxy.request(method, path, "{}", seconds=1, **JSON)
        os.kill(writer, signal.SIGCONT)

        write(proxy, "after")
        assert during == {"before"}
        assert statuses == {"GET": 200, "HEAD": 200, "OPTIONS": 200}
        assert titles(proxy, "after") == {"after"}


def test_static_files_behind_nginx(machines, proxy):
    with contextlib.closing(http.client.HTTPConnection(*proxy, timeout=20)) as connection:
        connection.request("GET", "/")
        page = connection.getresponse().read().decode()
    files = sorted(set(re.findall(r"/static/[^\"'?]+\.(?:css|js|svg)", page)))

    def download(path):
        with contextlib.closing(http.client.HTTPConnection(*proxy, timeout=20)) as connection:
            connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
            response = connection.getresponse()
            return response.status, response.headers["Cache-Control"], len(response.read()) > 0

    with ThreadPoolExecutor(8) as threads:
        responses = set(threads.map(download, files * (200 // len(files) + 1)))

    assert responses == {(200, "max-age=315360000, public, immutable", True)}


def test_pool_limits_the_connections_of_a_service(site, start_machine):
    # The replica may be the same database.
    machine = start_machine(
        DATABASE_POOL_SIZE="2",
        DATABASE_REPLICA_URL=site.primary.url,
        DATABASE_TRANSACTION_POOLING="false",
        DATABASE_URL=f"{site.primary.url}?application_name=pooled",
        WEB_THREADS="6",
    )
    pk = write(machine, "Pooled")

    with ThreadPoolExecutor(6) as threads:
        responses = set(threads.map(lambda _number: machine.request("GET", f"{EVENTS}/{pk}")[0].status, range(60)))
    with site.primary.connect() as server:
        pooled = server.execute("SELECT 1 FROM pg_stat_activity WHERE application_name = 'pooled'").fetchall()

    assert responses == {200}
    assert len(pooled) == 2
    assert uses_replica(machine)
    assert checks(machine) == (200, "ok", "ok")
