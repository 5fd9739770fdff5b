"""A local site that answers any number of requests, as a stand-in for a site of which records are imported."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.support.remote_server import LoopbackBackend


class RemoteSite:
    """Answers requests with `respond(path, parameters, headers)`: a status, headers and a body.

    `faults` are answers for the next requests of a path, instead of the usual ones; "truncated" cuts the body.
    """

    def __init__(self, respond):
        self.respond, self.faults, self.requests = respond, {}, []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                site.answer(self)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.backend = LoopbackBackend(self.server.server_port)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def answer(self, handler):
        parts = urlsplit(handler.path)
        path, parameters = unquote(parts.path), dict(parse_qsl(parts.query, keep_blank_values=True))
        self.requests.append(handler.path)
        fault = self.faults.get(path, [])
        status, headers, body = fault.pop(0) if fault else self.respond(path, parameters, dict(handler.headers))
        length = headers.pop("Content-Length", len(body))
        handler.send_response(status)
        for name, value in {**headers, "Content-Length": length, "Connection": "close"}.items():
            handler.send_header(name, str(value))
        handler.end_headers()
        handler.wfile.write(body)
        if length != len(body):
            handler.connection.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def json_answer(value, status=200, **headers):
    return status, {"Content-Type": "application/json", **headers}, json.dumps(value).encode()


class RecordedSite:
    """The answers of the recorded site of the original in a folder, anonymous or as an administrator.

    The host has no certificate here, so that its links begin with `http`.
    """

    HOST = "events.example.org"

    def __init__(self, folder):
        self.folder = Path(folder)
        entries = json.loads((self.folder / "manifest.json").read_text())
        self.known = {}
        for entry in entries:
            if "url" not in entry:
                continue
            parts = urlsplit(entry["url"])
            parameters = frozenset(parse_qsl(parts.query, keep_blank_values=True))
            self.known.setdefault((unquote(parts.path), parameters), {})[entry["as"]] = entry

    def __call__(self, path, parameters, headers):
        role = "administrator" if "Authorization" in headers else "anonymous"
        found = self.known.get((path, frozenset(parameters.items())))
        if path.startswith("/wp-content/"):
            file = self.folder / "files" / path.lstrip("/")
            return (200, {"Content-Type": "image/png"}, file.read_bytes()) if file.is_file() else (404, {}, b"")
        if found is None and "wp-json" not in path:
            page = b'<link rel="https://api.w.org/" href="http://events.example.org/wp-json/" />'
            return 200, {"Content-Type": "text/html"}, page
        if found is None:
            return json_answer({"code": "rest_no_route"}, status=404)
        entry = found.get(role) or found.get("anonymous") or json_answer({"code": "forbidden"}, status=401)
        if isinstance(entry, tuple):
            return entry
        headers = {name: value for name, value in entry["headers"].items() if name not in ("content-length",)}
        headers = {name: value.replace("https://events", "http://events") for name, value in headers.items()}
        return entry["status"], headers, without_certificate((self.folder / entry["file"]).read_bytes())


def without_certificate(body):
    for slashes in (b"//", rb"\/\/"):
        body = body.replace(b"https:" + slashes + b"events.example.org", b"http:" + slashes + b"events.example.org")
    return body
