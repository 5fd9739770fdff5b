"""The folders of tests: which modules they hold, and what test modules import."""

import ast

from tests.support.programs import ROOT

TESTS = ROOT / "tests"
MODULES = {path.relative_to(ROOT): path.read_text(encoding="utf-8") for path in sorted(TESTS.rglob("*.py"))}
# What test modules may import of the tests.
SHARED = ("tests.support", "tests.factories")


def imports_of(source):
    """Return the names of the modules that a module imports, and of what it imports from packages."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = "." * node.level + (node.module or "")
            names |= {f"{package}.{alias.name}" for alias in node.names}
    return names


def is_shared(name):
    return name.startswith(tuple(f"{module}." for module in SHARED)) or name in SHARED


def test_modules_import_only_shared_helpers_from_the_tests():
    found = {
        f"{path}: {name}"
        for path, source in MODULES.items()
        for name in imports_of(source)
        if name.startswith(("tests.", ".")) and not is_shared(name)
    }

    assert found == set()


def test_shared_helpers_stay_in_support():
    found = {
        str(path)
        for path in MODULES
        if not path.name.startswith("test_")
        and path.name not in ("__init__.py", "conftest.py")
        and TESTS / "support" not in (ROOT / path).parents
    }

    assert found == {"tests/factories.py"}
