"""Using the admin in tests as a browser does: get a page, fill in its form, submit it."""

import re
from html import unescape
from html.parser import HTMLParser
from typing import Any

from django.contrib.messages import get_messages
from django.test import Client


class _FormReader(HTMLParser):
    """Collects the values that the form of a record submits if nothing is changed."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, list[str]] = {}
        self.is_inside = False
        self.text: str | None = None
        self.select: str | None = None
        self.first: str | None = None

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.is_inside = attributes.get("id", "").endswith("_form")
        if not self.is_inside or "__prefix__" in attributes.get("name", ""):
            return
        if tag == "input" and attributes.get("type") not in ("submit", "button"):
            if attributes.get("type") != "checkbox" or "checked" in attributes:
                self._add(
                    attributes.get("name"),
                    attributes.get("value", "on" if attributes.get("type") == "checkbox" else ""),
                )
        elif tag == "textarea":
            self.text = attributes["name"]
            self._add(self.text, "")
        elif tag == "select":
            self.select, self.first = attributes.get("name"), None
            self.takes_many = "multiple" in attributes
        elif tag == "option" and self.select:
            self.first = attributes["value"] if self.first is None else self.first
            if "selected" in attributes:
                self._add(self.select, attributes["value"])

    def handle_endtag(self, tag):
        if tag == "form":
            self.is_inside = False
        elif tag == "textarea":
            # Browsers ignore the first line break.
            if self.text:
                self.fields[self.text] = [self.fields[self.text][0].removeprefix("\r").removeprefix("\n")]
            self.text = None
        elif tag == "select":
            # A single select without a selected option submits the first one.
            if self.select and not self.takes_many and self.first is not None:
                self.fields.setdefault(self.select, [self.first])
            self.select = None

    def handle_data(self, data):
        if self.text:
            self.fields[self.text][-1] += data

    def _add(self, name, value):
        if name:
            self.fields.setdefault(name, []).append(value)


def browser_for(user) -> Client:
    """Return a client in which the user is signed in, None for an anonymous one."""
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def form_data(response) -> dict[str, Any]:
    """Return the values that the form on the page submits if nothing is changed."""
    assert response.status_code == 200, response
    reader = _FormReader()
    reader.feed(response.content.decode())
    reader.fields.pop("csrfmiddlewaretoken", None)
    # Browsers submit line breaks as CRLF.
    return {name: [value.replace("\n", "\r\n") for value in values] for name, values in reader.fields.items()}


def submit_form(client: Client, path: str, /, **changes: Any):
    """Submit the form at `path` with these changes, and return the response. None leaves a field out."""
    return post_form(client, path, form_data(client.get(path)), **changes)


def post_form(client: Client, path: str, fields: dict[str, Any], /, **changes: Any):
    """Submit a form with these fields and changes, and return the response. None leaves a field out.

    Rendering a form takes most of the time of a test: submit the fields of a page that the test has already read, or
    those that the form needs.
    """
    return client.post(path, {name: value for name, value in {**fields, **changes}.items() if value is not None})


def form_errors(response) -> dict[str, list[str]]:
    """Return the errors of the form on the page, by field."""
    assert response.status_code == 200, response
    return {name: [str(text) for text in texts] for name, texts in response.context["adminform"].form.errors.items()}


def run_action(client: Client, path: str, action: str, rows, **more: Any):
    """Run an action on these rows of the list at `path`, and return the response."""
    return client.post(path, {"action": action, "_selected_action": [row.pk for row in rows], **more})


def messages_in(response) -> list[str]:
    """Return the messages of Django that the response has added."""
    return [str(message) for message in get_messages(response.wsgi_request)]


def undo_url(response) -> str:
    """Return the URL that the first message with an undo button posts to."""
    tags = [message.extra_tags for message in response.wsgi_request._messages if message.extra_tags.startswith("undo-")]
    # Messages of earlier requests, which no page has shown yet, come first.
    return tags[-1].removeprefix("undo-")


def undo(client: Client, response) -> list[str]:
    """Undo the action of the response, and return the messages about it."""
    shown = len(messages_in(response))
    return messages_in(client.post(undo_url(response)))[shown:]


def listed_titles(response) -> list[str]:
    """Return the titles of the records in a list, in their order."""
    assert response.status_code == 200, response
    return [str(row) for row in response.context["cl"].result_list]


def column_texts(response, name: str) -> list[str]:
    """Return the texts in a column of a list."""
    assert response.status_code == 200, response
    cells = re.findall(rf'<td class="[^"]*\bfield-{name}\b[^"]*"[^>]*>(.*?)</td>', response.content.decode(), re.S)
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split()) for cell in cells]
