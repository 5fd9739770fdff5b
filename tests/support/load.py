"""Requests from several threads, while a test breaks something."""

import contextlib
import http.client
import json
import threading

EVENTS = "/cal/events/v1/events"
EVENT = {"title": "Open air", "start_date": "2030-05-04 18:00:00", "end_date": "2030-05-04 20:00:00"}
JSON = {"Content-Type": "application/json"}


def send_until(stop, address, method, body, headers, outcomes):
    """Send a request on new connections until `stop` is set. Record each status, or the error."""
    while not stop.is_set():
        try:
            with contextlib.closing(http.client.HTTPConnection(*address, timeout=60)) as connection:
                connection.request(method, EVENTS, body, {**headers, **JSON})
                response = connection.getresponse()
                response.read()
                outcomes.append(response.status)
        except OSError as error:
            outcomes.append(repr(error))


@contextlib.contextmanager
def reading_and_writing(address, headers, *, reads_anonymously=False):
    """Send reads from three threads and writes from another inside the block. Yield the list of their outcomes."""
    stop, outcomes = threading.Event(), []
    read, write = ("GET", None, {} if reads_anonymously else headers), ("POST", json.dumps(EVENT), headers)
    threads = [
        threading.Thread(target=send_until, args=(stop, address, *request, outcomes))
        for request in (read, read, read, write)
    ]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        stop.set()
        for thread in threads:
            thread.join()
