"""`_fields`: which keys of an answer are wanted."""

from __future__ import annotations

from typing import Any, Self


class Selection:
    """The keys that an answer is cut to, as a tree; without any, everything is wanted.

    >>> Selection.of("id,venue.city").cut({"id": 1, "title": "A", "venue": {"id": 2, "city": "Lima"}})
    {'id': 1, 'venue': {'city': 'Lima'}}
    """

    def __init__(self, tree: dict[str, Any] | None = None, text: str = "") -> None:
        self.tree = tree or {}
        self.text = text

    @classmethod
    def of(cls, given: Any) -> Self:
        """From the argument: comma texts, one or several; dots reach into objects."""
        texts = given if isinstance(given, list) else [given]
        paths = [part.strip() for text in texts if isinstance(text, str) for part in text.split(",")]
        paths = [path for path in paths if path]
        tree: dict[str, Any] = {}
        for path in paths:
            _grow(tree, path.split("."))
        return cls(tree, ",".join(paths))

    def wants(self, name: str) -> bool:
        return not self.tree or name in self.tree

    def within(self, name: str) -> Selection:
        """What is wanted of the value of `name`."""
        return Selection(self.tree.get(name))

    def in_force(self) -> dict[str, str]:
        """The argument as the links of a list repeat it."""
        return {"_fields": self.text} if self.text else {}

    def cut(self, data: Any) -> Any:
        return _cut(data, self.tree)


def _grow(tree: dict[str, Any], steps: list[str]) -> None:
    for place, step in enumerate(steps):
        known = step in tree
        branch = tree.setdefault(step, {})
        # Once a whole value is wanted, a path into it adds nothing.
        if known and not branch:
            return
        if place == len(steps) - 1:
            branch.clear()
        tree = branch


def _cut(data: Any, tree: dict[str, Any]) -> Any:
    if not tree:
        return data
    if isinstance(data, list):
        return [_cut(item, tree) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: _cut(value, tree[key]) for key, value in data.items() if key in tree}
