"""Parsing HTML pages in tests: tags must match, and whitespace is collapsed, as in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from django.utils.html import VOID_ELEMENTS


class Element:
    """An HTML element with its attributes and children."""

    def __init__(self, name: str, attributes: dict[str, str | None]) -> None:
        self.name = name
        self.attributes = attributes
        self.children: list[Element | str] = []

    def __getitem__(self, attribute: str) -> str | None:
        return self.attributes[attribute]

    @property
    def text(self) -> str:
        return " ".join("".join(self._texts()).split())

    def all(self, *names: str, **attributes: str) -> list[Element]:
        """Return the descendants with one of these names and all of these attributes, in document order."""
        return [
            element
            for element in self._inner()
            if (not names or element.name in names) and attributes.items() <= element.attributes.items()
        ]

    def one(self, *names: str, **attributes: str) -> Element:
        (element,) = self.all(*names, **attributes)
        return element

    def _inner(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child._inner()

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.name == "br":
                yield " "
            else:
                yield from child._texts()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"An attribute is given twice: {attrs}"
        element = Element(tag, dict(attrs))
        self.open[-1].children.append(element)
        if tag not in VOID_ELEMENTS:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        # A slash at the end of a tag has no meaning in HTML.
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open.pop().name == tag, f"</{tag}> ends nothing"

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse_page(response) -> Element:
    """Return the parsed page of a response."""
    assert response["Content-Type"] == "text/html; charset=utf-8"
    return parse_html(response.content.decode())


def parse_html(html: str) -> Element:
    """Return a parsed HTML document."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"Never ended: {[element.name for element in reader.open[1:]]}"
    return reader.open[0]


def details_of(page: Element) -> dict[str, list[str]]:
    """Return the details of a record: the texts beside each label."""
    return {
        row.one("dt").text: [fact.text for fact in row.all("dd")]
        for table in page.all("dl")
        for row in table.all("div")
    }


def listed_events(element: Element) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Return the lists of events inside: each heading with its events, each event with its texts in order."""
    return [
        (day.one("h2", "h3").text, [_texts_of(item) for item in day.all("li")])
        for day in element.all("div", **{"class": "event-day"})
    ]


def _texts_of(item: Element) -> tuple[str, ...]:
    return tuple(part.text for part in item.children if isinstance(part, Element))


def event_titles(element: Element) -> list[str]:
    """Return the titles of the events listed inside."""
    return [link.text for link in element.all("a", **{"class": "event-title"})]
