"""What goes wrong behind the page that people see."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext

# A page that is left lets go of what it was still loading.
LET_GO = "net::ERR_ABORTED"


class ErrorWatch:
    """Collects the faults of every page of a context; `answers` are codes that are meant to come."""

    def __init__(self, context: BrowserContext, base: str) -> None:
        self.faults: list[str] = []
        self.answers: set[int] = set()
        self._host = urlsplit(base).netloc
        context.on("console", self._console)
        context.on("weberror", lambda fault: self._note("error in a script", str(fault.error)))
        context.on("request", self._request)
        context.on("requestfailed", self._failed)
        context.on("response", self._response)

    def meant(self, *codes: int) -> None:
        self.answers.update(codes)

    def _note(self, what: str, where: str) -> None:
        self.faults.append(f"{what}: {where}")

    def _console(self, message) -> None:
        if message.type != "error":
            return
        # The browser's own line for an answer that is meant.
        if message.text.startswith("Failed to load resource") and any(
            f" {code} " in message.text for code in self.answers
        ):
            return
        self._note("console", f"{message.text} ({message.location.get('url', '')})")

    def _request(self, request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self._host:
            self._note("another host", request.url)

    def _failed(self, request) -> None:
        if request.failure != LET_GO:
            self._note(f"no answer ({request.failure})", request.url)

    def _response(self, response) -> None:
        if response.status >= 400 and response.status not in self.answers:
            self._note(f"answer {response.status}", f"{response.request.method} {response.url}")
