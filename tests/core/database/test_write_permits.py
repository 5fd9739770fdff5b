"""Permits for writes in a worker process with four threads."""

import asyncio
import threading

import pytest

from calendar_site.core.database.write_permits import release_permit
from calendar_site.serving.wsgi_adapter import WSGIAdapter

THREADS = 4
SECONDS = 10


@pytest.fixture(autouse=True)
def two_permits(settings):
    settings.WRITE_PERMITS = 2


class Application:
    """A WSGI application whose writes wait until they are released. It notes the paths that it is asked for."""

    def __init__(self, before_wait=lambda: None):
        self.paths = []
        self.released = threading.Event()
        self.before_wait = before_wait
        self.arrived = threading.Semaphore(0)

    def __call__(self, environ, start_response):
        self.paths.append(environ["PATH_INFO"])
        self.arrived.release()
        if environ["REQUEST_METHOD"] == "POST":
            self.before_wait()
            assert self.released.wait(SECONDS)
        start_response("200 OK", [])
        return [b""]

    async def wait_for(self, count):
        """Wait until this many further requests have arrived."""
        for _request in range(count):
            assert await asyncio.to_thread(self.arrived.acquire, timeout=SECONDS)


async def request(adapter, method, path):
    """Send a request without a body to the adapter, and return the status."""
    scope = {
        "method": method,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "http_version": "1.1",
        "scheme": "http",
        "server": None,
        "client": None,
    }
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    await adapter(scope, receive, send)
    return sent[0]["status"]


def send_while_writes_wait(application, *, writes, arriving):
    """Send writes of which `arriving` get a permit, then a read. Return the status of all, and the paths until then."""

    async def run():
        adapter = WSGIAdapter(application, THREADS)
        tasks = [asyncio.create_task(request(adapter, "POST", f"/{number}")) for number in range(writes)]
        await application.wait_for(arriving)
        read = await asyncio.wait_for(request(adapter, "GET", "/read"), SECONDS)
        paths = list(application.paths)
        application.released.set()
        return [read, *await asyncio.wait_for(asyncio.gather(*tasks), SECONDS)], paths

    return asyncio.run(run())


def test_reads_need_not_wait_for_writes_which_wait_for_two_permits():
    application = Application()

    statuses, paths = send_while_writes_wait(application, writes=8, arriving=2)

    assert statuses == [200] * 9
    assert sorted(paths) == ["/0", "/1", "/read"]
    assert sorted(application.paths) == sorted(["/read", *(f"/{number}" for number in range(8))])


def test_writes_that_released_their_permit_let_others_in_but_not_into_the_last_thread():
    application = Application(before_wait=release_permit)

    statuses, paths = send_while_writes_wait(application, writes=8, arriving=3)

    assert statuses == [200] * 9
    assert sorted(paths) == ["/0", "/1", "/2", "/read"]


def test_writes_that_released_their_permit_or_failed_free_it_once():
    class Failure(Exception):
        pass

    application = Application()

    def fail(environ, start_response):
        if environ["PATH_INFO"] == "/failing":
            release_permit()
            release_permit()
            raise Failure
        return application(environ, start_response)

    async def run():
        adapter = WSGIAdapter(fail, THREADS)
        failing = [request(adapter, "POST", "/failing") for _number in range(8)]
        errors = await asyncio.wait_for(asyncio.gather(*failing, return_exceptions=True), SECONDS)
        tasks = [asyncio.create_task(request(adapter, "POST", f"/{number}")) for number in range(3)]
        await application.wait_for(2)
        await asyncio.wait_for(request(adapter, "GET", "/read"), SECONDS)
        paths = list(application.paths)
        application.released.set()
        await asyncio.wait_for(asyncio.gather(*tasks), SECONDS)
        return errors, paths

    errors, paths = asyncio.run(run())

    assert [type(error) for error in errors] == [Failure] * 8
    assert sorted(paths) == ["/0", "/1", "/read"]


def test_code_outside_of_requests_has_no_permit_to_release():
    release_permit()
