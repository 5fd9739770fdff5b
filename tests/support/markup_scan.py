"""Finding markup in HTML that a content security policy blocks, or that would run code from a text of a user."""

from html.parser import HTMLParser

# Types of script elements that browsers do not run.
DATA_TYPES = ("application/json", "application/ld+json")
URL_ATTRIBUTES = ("href", "src", "action", "formaction", "data", "xlink:href")
# Attributes that Alpine.js and htmx, the libraries of the admin, run or send.
LIBRARY_PREFIXES = ("x-", "@", ":", "hx-")


class _Scanner(HTMLParser):
    def __init__(self, marker):
        super().__init__()
        self.marker = marker
        self.found = []
        self.is_in_script = False

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        self.is_in_script = tag == "script" and "src" not in attributes and attributes.get("type") not in DATA_TYPES
        for name, value in attributes.items():
            if (
                name.startswith("on")
                or (name in URL_ATTRIBUTES and value.strip().lower().startswith(("javascript:", "vbscript:")))
                or (name == "srcdoc")
                or (self.marker and name.startswith(LIBRARY_PREFIXES) and self.marker in value)
            ):
                self.found.append(f"<{tag} {name}={value!r}>")

    def handle_endtag(self, tag):
        self.is_in_script = False

    def handle_data(self, data):
        if self.is_in_script and data.strip():
            self.found.append(f"<script>{data.strip()[:80]}")


def active_markup(html: str, marker: str = "") -> list[str]:
    """Return the inline scripts, event handlers and script URLs of a page.

    With a marker, also the attributes of Alpine.js and htmx that contain it.
    """
    scanner = _Scanner(marker)
    scanner.feed(html)
    scanner.close()
    return scanner.found
