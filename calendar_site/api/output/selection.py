"""The argument `_fields`, which selects the keys of a response."""

from __future__ import annotations

from typing import Any, Self

# No response is nested as deeply, so further keys of a path select nothing.
MAX_DEPTH = 32


class Selection:
    """A tree of selected keys; an empty tree selects everything.

    >>> Selection.parse("id,venue.city").apply({"id": 1, "title": "A", "venue": {"id": 2, "city": "Lima"}})
    {'id': 1, 'venue': {'city': 'Lima'}}
    """

    def __init__(self, tree: dict[str, Any] | None = None, text: str = "") -> None:
        self.tree = tree or {}
        self.text = text

    @classmethod
    def parse(cls, argument: object) -> Self:
        """Parse one or more comma-separated strings of keys; a dot selects a key of a nested object."""
        texts = argument if isinstance(argument, list) else [argument]
        paths = [part.strip() for text in texts if isinstance(text, str) for part in text.split(",")]
        paths = [path for path in paths if path]
        tree: dict[str, Any] = {}
        for path in paths:
            _add_path(tree, path.split(".", MAX_DEPTH)[:MAX_DEPTH])
        return cls(tree, ",".join(paths))

    def includes(self, key: str) -> bool:
        return not self.tree or key in self.tree

    def within(self, key: str) -> Selection:
        """Return the part of the selection that applies to the value of `key`."""
        return Selection(self.tree.get(key))

    def link_arguments(self) -> dict[str, str]:
        """Return the argument for links to pages of the same list."""
        return {"_fields": self.text} if self.text else {}

    def apply(self, data: Any) -> Any:
        """Return the data with the selected keys only."""
        return _select(data, self.tree)


def _add_path(tree: dict[str, Any], keys: list[str]) -> None:
    for index, key in enumerate(keys):
        is_known = key in tree
        branch = tree.setdefault(key, {})
        # The whole value is selected already.
        if is_known and not branch:
            return
        if index == len(keys) - 1:
            branch.clear()
        tree = branch


def _select(data: Any, tree: dict[str, Any]) -> Any:
    if not tree:
        return data
    if isinstance(data, list):
        return [_select(item, tree) for item in data]
    if not isinstance(data, dict):
        return data
    return {key: _select(value, tree[key]) for key, value in data.items() if key in tree}
