"""Compare documented with actual responses, and format responses for the documentation."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

# Random values, by the placeholder that replaces them before texts are compared.
RANDOM = {
    "SECRET": re.compile(r"\b(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}\b"),
    "PASSWORD": re.compile(r"(?<=with the password )[A-Za-z0-9]{20}\b"),
    "FILE": re.compile(r"(?<=images/)[0-9a-f]{2}/[0-9a-f]{32}"),
}
# Stands for omitted content: the rest of a text, a value, other keys of an object, other items of a list.
LEFT_OUT = "…"
WIDTH = 84


def random_parts(text: str) -> list[str]:
    return [part for pattern in RANDOM.values() for part in pattern.findall(text)]


def without_random_parts(text: str) -> str:
    for name, pattern in RANDOM.items():
        text = pattern.sub(name, text)
    return text


def same_text(shown: str, actual: str) -> bool:
    parts = without_random_parts(shown).strip().split(LEFT_OUT)
    return bool(re.fullmatch(".*".join(map(re.escape, parts)), without_random_parts(actual).strip(), re.DOTALL))


def same_json(shown: str, actual: str) -> bool:
    return bool(shown.strip()) and _agrees(
        json.loads(without_random_parts(shown)), printed_data(without_random_parts(actual))
    )


def printed_data(printed: str) -> Any:
    """Parse the output of a client: JSON or a Python literal."""
    try:
        return json.loads(printed)
    except ValueError:
        return ast.literal_eval(printed.strip())


def _agrees(shown: Any, actual: Any) -> bool:
    if shown == LEFT_OUT:
        return True
    if isinstance(shown, dict) and isinstance(actual, dict):
        keys = shown.keys() - {LEFT_OUT}
        are_all = LEFT_OUT in shown or keys == actual.keys()
        return are_all and all(key in actual and _agrees(shown[key], actual[key]) for key in keys)
    if isinstance(shown, list) and isinstance(actual, list):
        are_all = LEFT_OUT in shown[-1:]
        first = shown[:-1] if are_all else shown
        return (are_all or len(shown) == len(actual)) and all(map(_agrees, first, actual))
    return type(shown) is type(actual) and shown == actual


def as_shown(shown: Any, actual: Any) -> Any:
    """Return `actual` with the omissions of `shown`, so that a rewritten example stays as short as it was."""
    if shown == LEFT_OUT:
        return LEFT_OUT
    if isinstance(shown, dict) and isinstance(actual, dict):
        if LEFT_OUT not in shown:
            return {key: as_shown(shown.get(key), value) for key, value in actual.items()}
        kept = {key: as_shown(shown[key], actual[key]) for key in shown if key in actual}
        return {**kept, LEFT_OUT: LEFT_OUT}
    if isinstance(shown, list) and isinstance(actual, list):
        kept_items = [as_shown(*pair) for pair in zip(shown, actual, strict=False) if pair[0] != LEFT_OUT]
        if LEFT_OUT in shown[-1:]:
            return [*kept_items, LEFT_OUT]
        return [*kept_items, *actual[len(shown) :]]
    return actual


def as_json(data: Any, indent: int = 0) -> str:
    """Format JSON with each object or list on one line if it fits."""
    line = json.dumps(data, ensure_ascii=False)
    if len(line) + indent <= WIDTH or not isinstance(data, dict | list) or not data:
        return line
    inner = indent + 2
    if isinstance(data, dict):
        items = [f"{json.dumps(name, ensure_ascii=False)}: {as_json(value, inner)}" for name, value in data.items()]
        opening, closing = "{", "}"
    else:
        items = [as_json(item, inner) for item in data]
        opening, closing = "[", "]"
    lines = ",\n".join(f"{' ' * inner}{item}" for item in items)
    return f"{opening}\n{lines}\n{' ' * indent}{closing}"
