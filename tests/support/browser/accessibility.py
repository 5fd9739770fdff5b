"""What a page must be for everybody: readable in light and dark, on a desk and a phone, and with the keyboard alone."""

import re
from collections.abc import Iterable

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
SCHEMES = ("light", "dark")
GRAVE = ("serious", "critical")
# What another scheme, or another size, can change about a page. To ask for all again takes most of the time.
COLOURS = ("color-contrast", "link-in-text-block")
CONTROLS = ("aria-hidden-focus", "button-name", "label", "link-name", "scrollable-region-focusable", "select-name")
ASKED = {("phone", "light"): COLOURS + CONTROLS, ("phone", "dark"): COLOURS, ("desktop", "dark"): COLOURS}
# Not as an element, which the policy of the public pages refuses.
STILL = """() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important; }");
    document.adoptedStyleSheets.push(still);
}"""

# The back office looks at the scheme only while it loads; the console hears of it in the next frame.
DRESS = """async (dark) => {
    document.querySelector("html[x-data]")?.classList.toggle("dark", dark);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# Scrolls sideways: the page itself, not a table in a frame of its own.
TOO_WIDE = """() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    const parts = [...document.body.querySelectorAll("*")];
    const wide = parts.filter((part) => part.getBoundingClientRect().right > room + 1);
    return wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 160));
}"""
# Answers to a click, and is not reached with the keyboard.
OUT_OF_REACH = """() => {
    const visible = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // A link without an address says that the keyboard reaches it, and it does not.
    const reached = (part) => part.tabIndex >= 0 && !part.matches("a:not([href], [tabindex])");
    const clickable = [...document.querySelectorAll("[onclick], [x-on\\\\:click], [\\\\@click], [role=button]")];
    return clickable
        .filter((part) => visible(part) && !reached(part) && !part.closest("[inert]") && !part.disabled)
        .map((part) => part.outerHTML.slice(0, 160));
}"""
# Looks the same with the keyboard's focus as without it.
UNSEEN_FOCUS = """() => {
    const look = (part) => {
        const parts = [part, part.parentElement, part.parentElement?.parentElement, ...(part.labels ?? [])];
        const styles = parts.filter(Boolean).map((one) => getComputedStyle(one));
        return styles.map((style) => [
            style.outlineStyle, style.outlineWidth, style.outlineColor, style.boxShadow, style.borderColor,
            style.backgroundColor, style.color, style.textDecorationLine, style.opacity,
        ].join()).join("|");
    };
    const parts = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
    const unseen = [];
    for (const part of parts) {
        if (part.tabIndex < 0 || part.disabled || !part.checkVisibility({ visibilityProperty: true })) continue;
        part.blur();
        const before = look(part);
        part.focus({ preventScroll: true, focusVisible: true });
        if (document.activeElement === part && look(part) === before) unseen.push(part.outerHTML.slice(0, 160));
    }
    document.activeElement?.blur();
    return unseen.slice(0, 5);
}"""


def accessibility_problems(page: Page, picture: str = "", borne: Iterable[str] = ()) -> list[str]:
    """What is wrong with the page as it stands, apart from rules that are `borne`.

    With `picture` also four pictures of that name are kept.
    """
    page.evaluate(STILL)
    page.evaluate(AXE_SCRIPT)
    faults = [*_of_the_whole(page)]
    for size, pixels in SIZES.items():
        page.set_viewport_size(pixels)
        for scheme in SCHEMES:
            _dress(page, scheme)
            if picture:
                page.screenshot(path=f"{picture}-{size}-{scheme}.png", full_page=True)
            found = _axe(page, ASKED.get((size, scheme)), borne)
            faults += [f"{size}, {scheme}: {fault}" for fault in found]
        faults += [f"{size}: wider than the window: {part}" for part in page.evaluate(TOO_WIDE)]
        faults += [f"{size}: not for the keyboard: {part}" for part in page.evaluate(OUT_OF_REACH)]
        faults += [f"{size}: focus is not seen: {part}" for part in page.evaluate(UNSEEN_FOCUS)]
    page.set_viewport_size(SIZES["desktop"])
    _dress(page, "light")
    return faults


def _of_the_whole(page: Page) -> list[str]:
    faults = []
    headings = page.locator("h1:visible").all_inner_texts()
    if len(headings) != 1 or not headings[0].strip():
        faults.append(f"not one heading of the first level: {headings}")
    # Words on both sides of the sign between the page and the site.
    if not re.fullmatch(r"\s*\S[^|]*(\| *\S[^|]*)*", page.title()) or "None" in page.title():
        faults.append(f"its title: {page.title()!r}")
    return faults


def _dress(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate(DRESS, scheme == "dark")


def _axe(page: Page, rules: Iterable[str] | None, borne: Iterable[str]) -> list[str]:
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = page.evaluate("(options) => axe.run(options)", options)
    return [
        f"{rule['id']}: {node['html'][:200]} {_reason(node)}"
        for rule in found["violations"]
        if rule["impact"] in GRAVE and rule["id"] not in borne
        for node in rule["nodes"]
    ]


def _reason(node: dict) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])[:200]
