"""The components and properties of an iCalendar file, read leniently: one broken line or component spoils no other.

The parser of `icalendar` raises at the first broken line of a file, so it gets single lines and time zones only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from icalendar.parser import Contentline

# Longer lines are cut, because no property of an event needs them.
MAX_LINE_LENGTH = 100_000
NAME = re.compile(r"[A-Za-z0-9-]+(?=[;:])")
# A name with its parameters, whose values may be quoted.
HEAD = re.compile(r"\A(?:[^:\"]|\"[^\"]*\")*:")
_ESCAPED = re.compile(r"\\([\\;,:nN\"])")


class IcsProperty(NamedTuple):
    """A property with its parameters, whose names are in upper case."""

    name: str
    parameters: dict[str, str]
    value: str

    def text(self) -> str:
        """Return the value as text, without the escapes of the format."""
        return _ESCAPED.sub(lambda match: "\n" if match[1] in "nN" else match[1], self.value)

    def texts(self) -> list[str]:
        """Return the texts of a list."""
        parts = re.split(r"(?<!\\),", self.value)
        return [text for part in parts if (text := self._replace(value=part).text().strip())]


class IcsComponent(NamedTuple):
    """A component with the lines between its `BEGIN` and `END`, those of inner components included."""

    name: str
    line: int
    lines: list[str]

    @property
    def raw(self) -> str:
        return "\n".join([f"BEGIN:{self.name}", *self.lines, f"END:{self.name}"])

    def properties(self) -> Iterator[IcsProperty]:
        """Yield the properties, without those of inner components, and without broken lines."""
        depth = 0
        for line in self.lines:
            upper = line[:6].upper()
            if upper == "BEGIN:":
                depth += 1
            elif upper[:4] == "END:":
                depth -= 1
            elif not depth and (found := parse_line(line)):
                yield found


def parse_line(line: str) -> IcsProperty | None:
    """Return the property of an unfolded line, None if it is broken."""
    try:
        name, parameters, _unescaped = Contentline(line[:MAX_LINE_LENGTH]).parts()
    except ValueError:
        match = NAME.match(line)
        return IcsProperty(match[0].upper(), {}, line.partition(":")[2]) if match else None
    first = {key.upper(): found[0] if isinstance(found, list) else str(found) for key, found in parameters.items()}
    # The library has removed the backslashes, without which lists cannot be told from their commas.
    return IcsProperty(name.upper(), first, HEAD.sub("", line[:MAX_LINE_LENGTH], count=1))


def unfold(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers. A line that begins like no property goes on with the one before it."""
    number, pieces = 0, list[str]()
    for position, line in enumerate(text.splitlines(), start=1):
        if line[:1] in (" ", "\t"):
            pieces.append(line[1:])
        elif pieces and not NAME.match(line):
            # Some programs do not fold their lines.
            pieces.append(f"\\n{line}" if line else "")
        else:
            if pieces:
                yield number, "".join(pieces)
            number, pieces = position, [line]
    if pieces:
        yield number, "".join(pieces)


def components(text: str) -> Iterator[IcsComponent]:
    """Yield the components of the calendars of a file, and first, as `VCALENDAR`, the properties of each calendar."""
    current: IcsComponent | None = None
    depth = 0
    calendar = IcsComponent("VCALENDAR", 0, [])
    for number, line in unfold(text):
        upper = line[:6].upper()
        name = line.partition(":")[2].strip().upper()
        if upper == "BEGIN:" and name == "VCALENDAR":
            calendar, current, depth = IcsComponent(name, number, []), None, 0
            yield calendar
        elif current is None and upper == "BEGIN:":
            current, depth = IcsComponent(name, number, []), 1
        elif current is None:
            calendar.lines.append(line)
        else:
            depth += {"BEGIN:": 1}.get(upper, 0) - (upper[:4] == "END:")
            if depth == 0 or (upper == "BEGIN:" and name == current.name):
                # A component without its end ends where the next one begins.
                yield current
                current, depth = (IcsComponent(name, number, []), 1) if depth else (None, 0)
            else:
                current.lines.append(line)
