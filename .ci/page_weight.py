"""Print how many kilobytes Chromium loads for pages of the admin, with an empty cache.

`page_weight.py URL USERNAME PASSWORD [PATH ...]`: sign in to the service at URL and load each path. The columns are the
bytes that were transferred, the number of requests, and the HTML before compression.
"""

import argparse
import os
import shutil

from playwright.sync_api import Browser, sync_playwright

PATHS = (
    "/admin/",
    "/admin/events/event/",
    "/admin/events/event/add/",
    "/admin/events/event/calendar/",
    "/admin/venues/venue/",
    "/admin/media/image/",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("username")
    parser.add_argument("password")
    parser.add_argument("paths", nargs="*", default=PATHS)
    arguments = parser.parse_args()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=os.getuid() != 0)
        state = sign_in(browser, arguments.url, arguments.username, arguments.password)
        print(f"{'page':32}{'transferred kB':>15}{'requests':>10}{'HTML kB':>9}")
        for path in arguments.paths:
            transferred, requests, html = measure(browser, state, arguments.url, path)
            print(f"{path:32}{transferred / 1000:15.0f}{requests:10}{html / 1000:9.0f}")
        browser.close()


def sign_in(browser: Browser, url: str, username: str, password: str):
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/admin/")
    page.locator("[name=username]").fill(username)
    page.locator("[name=password]").fill(password)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    return context.storage_state()


def measure(browser: Browser, state, url: str, path: str) -> tuple[int, int, int]:
    """Return the transferred bytes, the number of requests, and the bytes of HTML."""
    context = browser.new_context(base_url=url, storage_state=state, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    client = context.new_cdp_session(page)
    client.send("Network.enable")
    sizes: list[int] = []
    client.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    response = page.goto(path, wait_until="networkidle")
    html = len(response.body()) if response else 0
    context.close()
    return sum(sizes), len(sizes), html


if __name__ == "__main__":
    main()
