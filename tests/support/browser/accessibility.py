"""Accessibility checks of a page: axe rules in light and dark on desktop, tablet and phone, layout, and
keyboard use."""

import re
from collections.abc import Iterable

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SIZES = {
    "desktop": {"width": 1280, "height": 900},
    "tablet": {"width": 820, "height": 1180},
    "phone": {"width": 390, "height": 844},
}
SCHEMES = ("light", "dark")
# The rules whose result depends on the color scheme or the window size. Running all rules again would be slow.
COLOR_RULES = ("color-contrast", "link-in-text-block")
CONTROLS = ("aria-hidden-focus", "button-name", "label", "link-name", "scrollable-region-focusable", "select-name")
RULES_OF_VARIANTS = {
    ("desktop", "dark"): COLOR_RULES,
    ("tablet", "light"): COLOR_RULES + CONTROLS,
    ("tablet", "dark"): COLOR_RULES,
    ("phone", "light"): COLOR_RULES + CONTROLS,
    ("phone", "dark"): COLOR_RULES,
}
# Not a style element, which the content security policy of the public pages blocks.
STOP_ANIMATIONS = """() => {
    const still = new CSSStyleSheet();
    still.replaceSync("*, ::before, ::after { transition: none !important; animation: none !important; }");
    document.adoptedStyleSheets.push(still);
}"""

# The admin reads the color scheme only while loading; the API console reacts in the next frame.
SET_SCHEME = """async (dark) => {
    document.querySelector("html[x-data]")?.classList.toggle("dark", dark);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
# The page itself scrolls sideways, not a table within it.
TOO_WIDE = """() => {
    const room = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= room) return [];
    const parts = [...document.body.querySelectorAll("*")];
    const wide = parts.filter((part) => part.getBoundingClientRect().right > room + 1);
    return wide.slice(0, 3).map((part) => part.outerHTML.slice(0, 160));
}"""
# Elements that can be clicked but not focused with the keyboard.
NOT_FOCUSABLE = """() => {
    const visible = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // A link without href has a tabIndex of 0 but is not focusable.
    const reached = (part) => part.tabIndex >= 0 && !part.matches("a:not([href], [tabindex])");
    const clickable = [...document.querySelectorAll("[onclick], [x-on\\\\:click], [\\\\@click], [role=button]")];
    return clickable
        .filter((part) => visible(part) && !reached(part) && !part.closest("[inert]") && !part.disabled)
        .map((part) => part.outerHTML.slice(0, 160));
}"""
# Elements that look the same with and without keyboard focus.
INVISIBLE_FOCUS = """() => {
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


def accessibility_problems(page: Page, screenshot: str = "") -> list[str]:
    """Return the accessibility problems of the current page.

    If `screenshot` is set, save a screenshot of each variant with this path prefix.
    """
    page.evaluate(STOP_ANIMATIONS)
    page.evaluate(AXE_SCRIPT)
    problems = [*_heading_and_title_problems(page)]
    for size, pixels in SIZES.items():
        page.set_viewport_size(pixels)
        for scheme in SCHEMES:
            _set_scheme(page, scheme)
            if screenshot:
                page.screenshot(path=f"{screenshot}-{size}-{scheme}.png", full_page=True)
            found = _axe(page, RULES_OF_VARIANTS.get((size, scheme)))
            problems += [f"{size}, {scheme}: {problem}" for problem in found]
        problems += [f"{size}: wider than the window: {part}" for part in page.evaluate(TOO_WIDE)]
        problems += [f"{size}: not focusable: {part}" for part in page.evaluate(NOT_FOCUSABLE)]
        problems += [f"{size}: invisible focus: {part}" for part in page.evaluate(INVISIBLE_FOCUS)]
    page.set_viewport_size(SIZES["desktop"])
    _set_scheme(page, "light")
    return problems


def _heading_and_title_problems(page: Page) -> list[str]:
    problems = []
    headings = page.locator("h1:visible").all_inner_texts()
    if len(headings) != 1 or not headings[0].strip():
        problems.append(f"expected one h1 heading, found: {headings}")
    # Text on both sides of the separator between page and site.
    if not re.fullmatch(r"\s*\S[^|]*(\| *\S[^|]*)*", page.title()) or "None" in page.title():
        problems.append(f"invalid page title: {page.title()!r}")
    return problems


def _set_scheme(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.evaluate(SET_SCHEME, scheme == "dark")


def _axe(page: Page, rules: Iterable[str] | None) -> list[str]:
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    found = page.evaluate("(options) => axe.run(options)", options)
    return [
        f"{rule['id']}: {node['html'][:200]} {_reason(node)}" for rule in found["violations"] for node in rule["nodes"]
    ]


def _reason(node: dict) -> str:
    return "; ".join(check["message"] for kind in ("any", "all", "none") for check in node[kind])[:200]
