"""Errors that a page does not show: failed requests, console messages and script errors."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext

# Leaving a page aborts its pending requests.
ABORTED = "net::ERR_ABORTED"


class ErrorWatch:
    """Collect the errors of every page of a context, except responses with an expected status code."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.errors: list[str] = []
        self.expected_codes: set[int] = set()
        self.may_fail = False
        self._host = urlsplit(base).netloc
        context.on("console", self._console)
        context.on("weberror", lambda error: self._note("script error", str(error.error)))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def expect_status(self, *codes: int) -> None:
        self.expected_codes.update(codes)

    def ignore_failed_requests(self) -> None:
        """Ignore that requests fail, for tests that cut the line."""
        self.may_fail = True

    def _note(self, what: str, where: str) -> None:
        self.errors.append(f"{what}: {where}")

    def _console(self, message) -> None:
        if message.type != "error":
            return
        # The browser also logs responses that are expected.
        if message.text.startswith("Failed to load resource") and any(
            f" {code} " in message.text for code in self.expected_codes
        ):
            return
        if self.may_fail and message.text.startswith("Failed to load resource: net::"):
            return
        self._note("console", f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self._host:
            self._note("request to another host", request.url)

    def _failed(self, request) -> None:
        if request.failure != ABORTED and not self.may_fail:
            self._note(f"request failed ({request.failure})", request.url)

    def _response(self, response) -> None:
        if response.status >= 400 and response.status not in self.expected_codes:
            self._note(f"status {response.status}", f"{response.request.method} {response.url}")
