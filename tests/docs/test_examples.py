"""Every example in the documentation runs as for a reader, and its response is the documented one.

If you change responses on purpose, rewrite them with `REWRITE_EXAMPLES=1 pytest tests/docs/test_examples.py`, and
review the diff.
"""

import json
import os
import re
import shutil
from typing import NamedTuple

import pytest

from tests.support.docs_examples.blocks import CLIENTS, Example, blocks_of, documents, steps_of
from tests.support.docs_examples.responses import as_json, as_shown, printed_data, random_parts, same_json, same_text
from tests.support.docs_examples.service import served_calendar

PAGES = {name: path.read_text(encoding="utf-8") for name, path in documents().items()}
STEPS = {name: steps_of(page) for name, page in PAGES.items()}
PROGRAMS = {"sh": "curl", "python": "python3", "javascript": "node"}
# What may stand in the documents without being run: pictures made of letters, directives of Sphinx, answers.
NEVER_RUN = {"text", "json"}


def examples_of(page):
    return [step for step in STEPS[page] if isinstance(step, Example)]


def clients_of(page):
    """The clients that a page has examples for; commands alone are read once."""
    named = [client for client in CLIENTS if any(client in example.clients for example in examples_of(page))]
    return named or ["sh"]


READINGS = [(page, client) for page, steps in STEPS.items() if steps for client in clients_of(page)]


@pytest.fixture(scope="module")
def service(tmp_path_factory, shared_folder):
    with served_calendar(tmp_path_factory.mktemp("calendar"), shared_folder) as prepared:
        yield prepared


def test_every_block_is_run_or_marked():
    unknown = {
        (page, block.language)
        for page, text in PAGES.items()
        for block in blocks_of(text)
        if block.is_run
        and not block.language.startswith("{")
        and block.language not in {*CLIENTS, *NEVER_RUN, "console"}
    }

    assert unknown == set()


@pytest.mark.parametrize("page", [page for page in PAGES if examples_of(page)])
def test_every_example_is_there_for_the_same_clients(page):
    clients = [set(example.clients) for example in examples_of(page)]

    assert [names for names in clients if names != clients[0]] == []


@pytest.mark.parametrize(("page", "client"), READINGS)
def test_examples_answer_what_is_shown(service, page, client):
    needs_program(client)
    service.restore_state("as started" if "create_user mia" in PAGES[page] else "with an account")

    changes = changes_while_reading(service, page, client)

    if os.environ.get("REWRITE_EXAMPLES") and client == clients_of(page)[0]:
        rewrite(page, changes)
    assert [(change.actual, change.shown) for change in changes] == []


@pytest.mark.parametrize("client", CLIENTS)
def test_pages_can_be_followed_one_after_the_other(service, client):
    needs_program(client)
    service.restore_state("as started")
    changes = []

    for page in in_reading_order():
        if page == "docs/guides/custom-fields.md":
            service.declare_custom_field()  # what the guide does in the admin
        language = client if client in clients_of(page) else clients_of(page)[0]
        changes += [(page, change.actual, change.shown) for change in changes_while_reading(service, page, language)]

    assert changes == []


class Change(NamedTuple):
    """An answer that is not the documented one, and the position of that on the page."""

    start: int
    end: int
    shown: str
    actual: str


def needs_program(client):
    if shutil.which(PROGRAMS[client]) is None:
        pytest.skip(f"There is no {PROGRAMS[client]} here.")


def in_reading_order():
    """Return the README and the pages with examples, in the order of the table of contents."""
    contents = re.findall(r"^```{toctree}\n(.*?)^```$", PAGES["docs/index.md"], re.MULTILINE | re.DOTALL)
    names = [line for part in contents for line in part.splitlines() if line and not line.startswith(":")]
    return [page for page in ("README.md", *(f"docs/{name}.md" for name in names)) if STEPS[page]]


def changes_while_reading(service, page, client):
    changes = []
    known = {}  # what is random as it is shown -> as it is now
    for step in STEPS[page]:
        if isinstance(step, Example):
            actual = service.example(client, now(step.clients[client].text, known))
            answer = step.answer
            is_json = answer.language == "json"
            if not (same_json if is_json else same_text)(answer.text, actual):
                if is_json:
                    actual = as_json(as_shown(json.loads(answer.text or "null"), printed_data(actual)))
                changes.append(Change(answer.start, answer.end, answer.text, actual))
        else:
            actual = service.command(now(step.command, known))
            known |= zip(random_parts(step.output), random_parts(actual), strict=False)
            if not same_text(step.output, actual):
                changes.append(Change(step.start, step.end, step.output, actual))
    return changes


def now(text, known):
    for shown, actual in known.items():
        text = text.replace(shown, actual)
    return text


def rewrite(page, changes):
    text = PAGES[page]
    for change in sorted(changes, reverse=True):
        text = f"{text[: change.start]}{change.actual.rstrip()}\n{text[change.end :]}"
    documents()[page].write_text(text, encoding="utf-8")
