"""A site with the API of The Events Calendar, for the example that migrates its events."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SHOWN_ADDRESS = "https://old.example.org"
VENUE = {"id": 7, "venue": "Smith &#038; Sons Hall", "slug": "smith-sons-hall", "city": "Porto", "image": False}
PAGES = [
    {
        "title": "Rock &#8217;n&#8217; Roll",
        "slug": "rock-n-roll",
        "cost": "€12",
        "venue": VENUE,
        "organizer": [{"id": 9, "organizer": "The Band", "email": "band@example.org"}],
        "categories": [{"id": 3, "name": "Music &amp; Dance", "slug": "music-dance"}],
        "tags": [{"id": 4, "name": "loud", "slug": "loud"}],
        "website": "https://old.example.org/event/rock-n-roll/",
    },
    {
        "title": "Quiet Evening",
        "slug": "quiet-evening",
        "cost": "",
        "venue": VENUE,
        "organizer": [],
        "categories": [],
        "tags": [],
        "website": "https://quiet.example.org/",
    },
]


class Handler(BaseHTTPRequestHandler):
    """One event on each page."""

    def do_GET(self) -> None:
        number = int(parse_qs(urlsplit(self.path).query).get("page", ["1"])[0])
        here = f"http://{self.headers['Host']}{self.path.split('&page=')[0]}"
        body = {"events": [self.event(PAGES[number - 1])], "total": len(PAGES), "total_pages": len(PAGES)}
        if number < len(PAGES):
            body["next_rest_url"] = f"{here}&page={number + 1}"
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def event(self, own: dict) -> dict:
        return {
            "author": "1",
            "date_utc": "2026-11-02 08:00:00",
            "url": f"{SHOWN_ADDRESS}/event/{own['slug']}/",
            "description": "<p>All are welcome.</p>",
            "excerpt": "",
            "image": False,
            "all_day": False,
            "start_date": "2027-05-01 21:00:00",
            "end_date": "2027-05-01 23:30:00",
            "timezone": "Europe/Lisbon",
            "featured": False,
            **own,
        }

    def log_message(self, *_arguments: object) -> None:
        pass


@contextlib.contextmanager
def old_site() -> Iterator[str]:
    """Yield the URL of a site that runs in a thread."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
