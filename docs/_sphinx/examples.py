"""Group consecutive code blocks in several languages into a box with a tab for each language.

Without JavaScript, the blocks are shown below each other, each with the name of its language.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LANGUAGES = {"sh": "curl", "python": "Python", "javascript": "JavaScript"}


def group_examples(app: Sphinx, document: nodes.document) -> None:
    for block in list(document.findall(nodes.literal_block)):
        language = block.get("language")
        box = _sibling(block, -1)
        if language in LANGUAGES:
            block["classes"].append(f"example-{language}")
            if not _is_box(box):
                box = nodes.container(classes=["examples"])
                block.parent.insert(block.parent.index(block), box)
            block.parent.remove(block)
            box.append(block)
        elif language in ("json", "text") and _is_box(box):
            block["classes"].append("answer")


def _sibling(node: nodes.Node, distance: int) -> Any:
    place = node.parent.index(node) + distance
    return node.parent[place] if place >= 0 else None


def _is_box(node: Any) -> bool:
    return isinstance(node, nodes.container) and "examples" in node["classes"]


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("doctree-read", group_examples)
    return {"parallel_read_safe": True}
