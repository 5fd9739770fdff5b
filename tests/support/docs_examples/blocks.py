"""The code blocks of the documents, and what each of them is for.

- `console`: commands after `$ `, their further lines indented, each followed by what it prints. Run in every reading of
  the page.
- `sh`, `python`, `javascript`: the same example for three clients, one after the other. A reading runs those of one
  client; with curl alone a page has one reading.
- `json` or `text` after those: the answer.
- A language with `not-run` behind it is not run: what it shows needs more than a service on this computer.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from tests.support.programs import ROOT

CLIENTS = ("sh", "python", "javascript")
ANSWERS = ("json", "text")
_FENCE = re.compile(r"^```(?P<info>[^`\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_TURN = re.compile(r"^\$ (?P<command>.*(?:\n .*)*)\n?(?P<output>(?:(?!\$ ).*\n?)*)", re.MULTILINE)


class Block(NamedTuple):
    """A code block: where its text stands on the page, its language, and whether it is run."""

    language: str
    marks: tuple[str, ...]
    text: str
    start: int
    end: int

    @property
    def is_run(self) -> bool:
        return "not-run" not in self.marks


class Command(NamedTuple):
    """A command of a `console` block and what is shown of its output."""

    command: str
    output: str
    start: int
    end: int


class Example(NamedTuple):
    """An example for each client, by its language, and the answer that all of them get."""

    clients: dict[str, Block]
    answer: Block


def documents() -> dict[str, Path]:
    """The documents by their name."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {str(path.relative_to(ROOT)): path for path in paths}


def blocks_of(page: str) -> list[Block]:
    found = []
    for fence in _FENCE.finditer(page):
        language, *marks = fence["info"].split() or [""]
        found.append(Block(language, tuple(marks), fence["text"], fence.start("text"), fence.end("text")))
    return found


def steps_of(page: str) -> list[Command | Example]:
    """What is run of a page, in order. Raises ValueError for an example without an answer or without a client."""
    steps: list[Command | Example] = []
    blocks = [block for block in blocks_of(page) if block.is_run]
    place = 0
    while place < len(blocks):
        block = blocks[place]
        place += 1
        if block.language == "console":
            steps += turns_of(block)
        elif block.language in CLIENTS:
            clients = {block.language: block}
            while place < len(blocks) and blocks[place].language in CLIENTS:
                clients[blocks[place].language] = blocks[place]
                place += 1
            if place == len(blocks) or blocks[place].language not in ANSWERS:
                raise ValueError(f"No answer follows this example:\n{block.text}")
            steps.append(Example(clients, blocks[place]))
            place += 1
    return steps


def turns_of(block: Block) -> list[Command]:
    return [
        Command(turn["command"], turn["output"], block.start + turn.start("output"), block.start + turn.end("output"))
        for turn in _TURN.finditer(block.text)
    ]
