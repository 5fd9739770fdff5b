"""The paths of categories in their hierarchy, for lists of choices."""

from __future__ import annotations

from typing import NamedTuple

from taxonomy.models import Category

PATH_SEPARATOR = " › "
# Only the end of a longer path is shown.
MAX_ANCESTORS = 6


class CategoryNode(NamedTuple):
    """A category in the hierarchy. `ancestors` are the names of the nearest ones, the parent last."""

    pk: int
    name: str
    depth: int
    ancestors: tuple[str, ...]

    @property
    def prefix(self) -> str:
        """The path to the parent with a separator, "" at the top."""
        names = self.ancestors if len(self.ancestors) == self.depth else ("…", *self.ancestors)
        return "".join(f"{name}{PATH_SEPARATOR}" for name in names)

    @property
    def path(self) -> str:
        return self.prefix + self.name


def load_category_tree() -> list[CategoryNode]:
    """Return all categories depth first, siblings by name. One query."""
    children: dict[int | None, list[tuple[int, str]]] = {}
    for pk, name, parent in Category.objects.order_by("search_text", "pk").values_list("pk", "name", "parent"):
        children.setdefault(parent, []).append((pk, name))
    nodes: list[CategoryNode] = []
    stack = [CategoryNode(pk, name, 0, ()) for pk, name in reversed(children.get(None, []))]
    while stack:
        node = stack.pop()
        nodes.append(node)
        ancestors = (*node.ancestors, node.name)[-MAX_ANCESTORS:]
        stack += [CategoryNode(pk, name, node.depth + 1, ancestors) for pk, name in reversed(children.get(node.pk, []))]
    return nodes


def load_category_paths() -> dict[int, str]:
    """Return the paths of all categories by id, which distinguish categories with the same name. One query."""
    return {node.pk: node.path for node in load_category_tree()}
