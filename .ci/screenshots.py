"""Take the screenshots of the documentation, from the sample content: docs/_static/screenshots.

Usage: `screenshots.py CHROMIUM SITE`. The account `administrator` of the browser tests must exist.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.browser.admin_site import sign_in  # noqa: E402

FOLDER = ROOT / "docs" / "_static" / "screenshots"
SIZE = {"width": 1280, "height": 800}
PAGES = {
    "event-form": "/admin/events/event/add/",
    "calendar": "/admin/events/event/calendar/?view=week",
    "review": "/admin/review/",
    "images": "/admin/media/image/",
}


def main(chromium: str, site: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False)
        page = browser.new_context(base_url=site, viewport=SIZE, locale="en-US").new_page()
        sign_in(page, "administrator")
        for name, path in PAGES.items():
            page.goto(path)
            take(page, name)
        page.goto("/admin/events/series/")
        page.locator("#result_list tbody a").first.click()
        take(page, "series")
        browser.close()


def take(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
