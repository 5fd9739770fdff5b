"""Fixtures of the browser tests: Chromium, signed-in windows, and checks for errors on their pages."""

import json
import os
import shutil
from pathlib import Path

import django
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.support.browser.admin_site import sign_in
from tests.support.browser.error_watch import ErrorWatch

django.setup()

NAMES = ("chromium", "chromium-browser", "google-chrome")
DESKTOP = {"width": 1280, "height": 900}
# Long enough for machines under load.
TIMEOUT_MS = 30_000
expect.set_options(timeout=TIMEOUT_MS)


@pytest.fixture(scope="session")
def base() -> str:
    return f"http://127.0.0.1:{os.environ['PORT']}"


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The data directory of the served application, and of screenshots of failures."""
    return Path(os.environ["DATA_DIR"])


@pytest.fixture(scope="session")
def record_ids(data_folder):
    """The ids of the records that were created before the service started."""
    return json.loads((data_folder / "records.json").read_text())


@pytest.fixture(scope="session")
def chromium():
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.exit(
            "Chromium was not found. Install it (Debian: apt-get install chromium) or set CHROMIUM to its path.", 3
        )
    with sync_playwright() as playwright:
        # Its sandbox does not run as root, where `.ci/run` does.
        started = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.getuid() != 0)
        yield started
        started.close()


@pytest.fixture
def new_window(chromium: Browser, base: str, data_folder: Path, request):
    """Return a function that opens an isolated window. Fail the test at the end if a page had an error."""
    opened: list[tuple[BrowserContext, ErrorWatch]] = []

    def window(**options) -> Page:
        context = chromium.new_context(base_url=base, **{"viewport": DESKTOP, **options})
        context.set_default_timeout(TIMEOUT_MS)
        watch = ErrorWatch(context, base)
        opened.append((context, watch))
        page = context.new_page()
        page.watch = watch
        return page

    yield window
    errors = [error for _context, watch in opened for error in watch.errors]
    if errors or request.node.stash.get(HAS_FAILED, False):
        save_screenshots(data_folder / "failures", request.node.name, opened)
    for context, _watch in opened:
        context.close()
    assert not errors, "\n".join(errors)


@pytest.fixture
def attempt(request) -> int:
    """1, or 2 if the test runs again after a failure. The service has kept the records of the first attempt."""
    return getattr(request.node, "execution_count", 1)


@pytest.fixture
def own(attempt):
    """Return a function that returns a name that no record of another attempt has."""
    return lambda name: name if attempt == 1 else f"{name}{attempt}"


@pytest.fixture
def nobody(new_window) -> Page:
    """A window of an anonymous visitor."""
    return new_window()


@pytest.fixture
def page_as(new_window, signed_in):
    """Return a function that opens a window in which the named account is signed in."""
    return lambda name, **options: new_window(storage_state=signed_in(name), **options)


@pytest.fixture
def new_event_page(page_as) -> Page:
    """The window of an editor with the form of a new event."""
    page = page_as("editor")
    page.goto("/admin/events/event/add/")
    return page


@pytest.fixture(scope="session")
def signed_in(chromium: Browser, base: str):
    """Return a function that returns the cookies of a signed-in account. Each account signs in once."""
    kept: dict[str, dict] = {}

    def cookies(name: str) -> dict:
        if name not in kept:
            context = chromium.new_context(base_url=base)
            sign_in(context.new_page(), name)
            kept[name] = context.storage_state()
            context.close()
        return kept[name]

    return cookies


HAS_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        item.stash[HAS_FAILED] = True
    return report


def save_screenshots(folder: Path, name: str, opened) -> None:
    """Save a screenshot of each window of a failed test."""
    folder.mkdir(parents=True, exist_ok=True)
    pages = [page for context, _watch in opened for page in context.pages]
    for number, page in enumerate(pages, 1):
        page.screenshot(path=folder / f"{name.replace('/', '-')}-{number}.png", full_page=True)
