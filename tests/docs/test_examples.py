"""Every example in the documentation runs as for a reader, and its response is the documented one.

If you change responses on purpose, rewrite them with `REWRITE_EXAMPLES=1 pytest tests/docs/test_examples.py`, and
review the diff.
"""

import os
import shutil

import pytest

from tests.support.docs_examples.blocks import CLIENTS, Example, blocks_of, documents, steps_of
from tests.support.docs_examples.responses import as_json, printed_data, random_parts, same_json, same_text
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
    program = shutil.which(PROGRAMS[client])
    if program is None:
        pytest.skip(f"There is no {PROGRAMS[client]} here.")
    changes = []
    known = {}  # what is random as it is shown -> as it is now

    service.restore_state("as started" if "create_user mia" in PAGES[page] else "with an account")
    for step in STEPS[page]:
        if isinstance(step, Example):
            actual = service.example(client, now(step.clients[client].text, known))
            answer = step.answer
            same = (same_json if answer.language == "json" else same_text)(answer.text, actual)
            shown = answer.text
            if answer.language == "json":
                actual = as_json(printed_data(actual))
            place = (answer.start, answer.end)
        else:
            actual = service.command(now(step.command, known))
            shown, place = step.output, (step.start, step.end)
            same = same_text(shown, actual)
            known |= zip(random_parts(shown), random_parts(actual), strict=False)
        if not same:
            changes.append((place, shown, actual))

    if os.environ.get("REWRITE_EXAMPLES") and client == clients_of(page)[0]:
        rewrite(page, changes)
    assert [(actual, shown) for _place, shown, actual in changes] == []


def now(text, known):
    for shown, actual in known.items():
        text = text.replace(shown, actual)
    return text


def rewrite(page, changes):
    text = PAGES[page]
    for (start, end), _shown, actual in sorted(changes, reverse=True):
        text = f"{text[:start]}{actual.rstrip()}\n{text[end:]}"
    documents()[page].write_text(text, encoding="utf-8")
