"""The code blocks of the documentation. The language of a block says how it is tested.

- `console`: commands after `$ `, each followed by its output. Indent the continuation lines of a command. They run
  with every client.
- `sh`, `python`, `javascript`: consecutive blocks are the same example for three clients. Each page is tested once per
  client; a page with `sh` examples only is tested once.
- `json` or `text` after these: the response.
- `not-run` after the language: the block is not run, because it needs more than a local service.
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
    """A code block with its language and its position on the page."""

    language: str
    marks: tuple[str, ...]
    text: str
    start: int
    end: int

    @property
    def is_run(self) -> bool:
        return "not-run" not in self.marks


class Command(NamedTuple):
    """A command of a `console` block and its documented output."""

    command: str
    output: str
    start: int
    end: int


class Example(NamedTuple):
    """An example for each client, by language, and the response that all of them receive."""

    clients: dict[str, Block]
    answer: Block


def documents() -> dict[str, Path]:
    """Return the paths of the documents by their names."""
    paths = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return {str(path.relative_to(ROOT)): path for path in paths}


def blocks_of(page: str) -> list[Block]:
    found = []
    for fence in _FENCE.finditer(page):
        language, *marks = fence["info"].split() or [""]
        found.append(Block(language, tuple(marks), fence["text"], fence.start("text"), fence.end("text")))
    return found


def steps_of(page: str) -> list[Command | Example]:
    """Return the commands and examples of a page, in order. Raises ValueError for an example without a response."""
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
