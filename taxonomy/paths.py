"""Where categories stand in their hierarchy, for people who choose from them."""

from __future__ import annotations

from typing import NamedTuple

from taxonomy.models import Category

SEPARATOR = " › "
# Of a path that is longer the end is shown.
MOST_STEPS = 6


class Place(NamedTuple):
    """A category in the hierarchy; `steps` are the names of those above it, the nearest last."""

    pk: int
    name: str
    depth: int
    steps: tuple[str, ...]

    @property
    def above(self) -> str:
        """The way to it, "" at the top."""
        steps = self.steps if len(self.steps) == self.depth else ("…", *self.steps)
        return "".join(f"{step}{SEPARATOR}" for step in steps)

    @property
    def path(self) -> str:
        return self.above + self.name


def places() -> list[Place]:
    """All categories, each after the one that it is below, and those beside each other by name. Costs a query."""
    below: dict[int | None, list[tuple[int, str]]] = {}
    for pk, name, parent in Category.objects.order_by("search_text", "pk").values_list("pk", "name", "parent"):
        below.setdefault(parent, []).append((pk, name))
    found: list[Place] = []
    waiting = [Place(pk, name, 0, ()) for pk, name in reversed(below.get(None, []))]
    while waiting:
        place = waiting.pop()
        found.append(place)
        steps = (*place.steps, place.name)[-MOST_STEPS:]
        waiting += [Place(pk, name, place.depth + 1, steps) for pk, name in reversed(below.get(place.pk, []))]
    return found


def paths() -> dict[int, str]:
    """How categories are called where two may have the same name, by their ids. Costs a query."""
    return {place.pk: place.path for place in places()}
