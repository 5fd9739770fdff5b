"""The package diagram in `docs/architecture.md`, drawn from the imports in the code: `make architecture`.

Each box is a package with its modules and lines. An arrow leads from a package to one that it imports; imports that
follow from others are left out, so that the eye can follow the rest. Boxes stand as low as their imports allow.
"""

import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path
from typing import NamedTuple

import grimp

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURE = ROOT / "docs" / "architecture.svg"
SHARED, APPS = "calendar_site", ("events", "organizers", "taxonomy", "venues")
# Modules of `calendar_site` that are not packages: settings, URLs, middleware.
WIRING = "wiring"
WIDTH, MARGIN = 880, 20
BOX_WIDTH, BOX_HEIGHT, ROW_HEIGHT = 160, 52, 96

Imports = dict[str, set[str]]


class Box(NamedTuple):
    """A package in the diagram; `x` and `y` are the middle of its upper edge."""

    package: str
    size: str
    x: float
    y: float


def draw() -> str:
    """Return the diagram as SVG. Reads the imports of the whole project."""
    imports = package_imports()
    boxes = place(levels(imports))
    height = MARGIN * 2 + ROW_HEIGHT * len(set(levels(imports).values())) - (ROW_HEIGHT - BOX_HEIGHT)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="title">',
        '<title id="title">The packages and their imports, from top to bottom</title>',
        f"<style>{STYLE}</style>",
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 8 4 0 8z"/></marker></defs>',
        *(arrow(boxes[upper], boxes[lower]) for upper, lower in sorted(necessary(imports))),
        *(rectangle(box) for box in boxes.values()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


STYLE = (
    "rect{fill:#f5f8fc;stroke:#5b7aa8;rx:6}text{font:600 14px system-ui,sans-serif;fill:#16263d;text-anchor:middle}"
    ".size{font:12px system-ui,sans-serif;fill:#46566d}path{fill:none;stroke:#8296b3}"
    "marker path{fill:#8296b3;stroke:none}"
    "@media(prefers-color-scheme:dark){rect{fill:#1b2635;stroke:#7f9cc9}text{fill:#e6edf7}.size{fill:#aebbd0}}"
)


def package_imports() -> Imports:
    """Return the direct imports of each package."""
    graph = grimp.build_graph(SHARED, *APPS, cache_dir=None)
    imports: Imports = {}
    for module in graph.modules:
        package = package_of(module)
        imports.setdefault(package, set())
        for imported in graph.find_modules_directly_imported_by(module):
            if package_of(imported) != package:
                imports[package].add(package_of(imported))
    # Importing a module imports its package, too, which contains no code.
    imports.pop(SHARED, None)
    return {package: found - {SHARED} for package, found in imports.items()}


def package_of(module: str) -> str:
    top, _dot, rest = module.partition(".")
    if top != SHARED or not rest:
        return top
    name = rest.partition(".")[0]
    return name if (ROOT / SHARED / name).is_dir() else WIRING


def levels(imports: Imports) -> dict[str, int]:
    """Return the row of each package, 0 for the lowest: above all that it imports. Raises CycleError."""
    rows: dict[str, int] = {}
    for package in TopologicalSorter(imports).static_order():
        rows[package] = 1 + max((rows[lower] for lower in imports[package]), default=-1)
    return rows


def necessary(imports: Imports) -> Iterator[tuple[str, str]]:
    """Yield the imports that do not follow from others."""
    for package, found in imports.items():
        for lower in found:
            if not any(lower in reachable(other, imports) for other in found - {lower}):
                yield package, lower


def reachable(package: str, imports: Imports) -> set[str]:
    found = set(imports[package])
    for lower in imports[package]:
        found |= reachable(lower, imports)
    return found


def place(rows: dict[str, int]) -> dict[str, Box]:
    highest = max(rows.values())
    boxes = {}
    for row in range(highest + 1):
        packages = sorted(package for package, its_row in rows.items() if its_row == row)
        for number, package in enumerate(packages, start=1):
            x = WIDTH * number / (len(packages) + 1)
            boxes[package] = Box(package, size(package), x, MARGIN + ROW_HEIGHT * (highest - row))
    return boxes


def size(package: str) -> str:
    if package == WIRING:
        files = list((ROOT / SHARED).glob("*.py"))
    else:
        folder = ROOT / package if package in APPS else ROOT / SHARED / package
        files = [file for file in folder.rglob("*.py") if "migrations" not in file.parts]
    files = [file for file in files if file.read_text().strip()]
    lines = sum(len(file.read_text().splitlines()) for file in files)
    return f"{len(files)} modules, {lines:,} lines"


def arrow(upper: Box, lower: Box) -> str:
    start, end = upper.y + BOX_HEIGHT, lower.y - 2
    bend = (end - start) / 2
    return (
        f'<path d="M{upper.x:.0f} {start}C{upper.x:.0f} {start + bend:.0f} {lower.x:.0f} {end - bend:.0f} '
        f'{lower.x:.0f} {end}" marker-end="url(#head)"/>'
    )


def rectangle(box: Box) -> str:
    return (
        f'<rect x="{box.x - BOX_WIDTH / 2:.0f}" y="{box.y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}"/>'
        f'<text x="{box.x:.0f}" y="{box.y + 22}">{escape(box.package)}</text>'
        f'<text class="size" x="{box.x:.0f}" y="{box.y + 40}">{box.size}</text>'
    )


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    PICTURE.write_text(draw())
    print(PICTURE.relative_to(ROOT))
