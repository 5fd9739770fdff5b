"""The architecture page: its diagram matches the current imports, and it names every package."""

import re
from pathlib import Path

from docs._sphinx import architecture

PAGE = (architecture.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_picture_shows_the_imports_of_the_code():
    assert architecture.PICTURE.read_text(encoding="utf-8") == architecture.draw(), "Run `make architecture`."


def test_packages_import_downwards_only():
    rows = architecture.levels({"app": {"shared", "core"}, "shared": {"core"}, "core": set()})

    assert rows == {"core": 0, "shared": 1, "app": 2}


def test_every_package_has_its_sentences():
    drawn = set(architecture.package_imports())

    table = PAGE[PAGE.index("| Package |") : PAGE.index("## Inside an app")]
    named = set(re.findall(r"`([\w/]+)`", re.sub(r"(?m)^\|([^|]*)\|.*$", r"\1", table))) | {architecture.WIRING}
    core = Path(architecture.ROOT, "calendar_site", "core")
    assert named == drawn | {f"core/{path.parent.name}" for path in core.glob("*/__init__.py")}


def test_every_file_that_is_named_exists():
    root = architecture.ROOT
    places = (root, root / "calendar_site", *(root / app for app in architecture.APPS))

    named = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    assert {name for name in named if not any((place / name).exists() for place in places)} == set()


def test_sizes_count_the_modules_that_hold_code():
    modules, lines = re.fullmatch(r"(\d+) modules, ([\d,]+) lines", architecture.size("core")).groups()

    files = [
        path for path in Path(architecture.ROOT, "calendar_site", "core").rglob("*.py") if path.read_text().strip()
    ]
    assert (int(modules), int(lines.replace(",", ""))) == (
        len(files),
        sum(len(path.read_text().splitlines()) for path in files),
    )
