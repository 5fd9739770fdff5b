"""The folders of tests: their modules, the imports of test modules, and the names of shared helpers."""

import ast
from collections import Counter

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


def functions_of(source, is_wanted):
    tree = ast.parse(source)
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_wanted(node)]


def is_fixture(function):
    return any("fixture" in ast.unparse(decorator) for decorator in function.decorator_list)


def is_public(function):
    return not function.name.startswith("_")


def test_fixtures_have_names_of_their_own():
    names = Counter(
        name
        for source in MODULES.values()
        for name in functions_of(source, lambda function: is_fixture(function) and is_public(function))
    )

    assert [name for name, count in names.items() if count > 1] == []


def test_names_of_shared_helpers_are_not_defined_again():
    names = Counter(name for source in MODULES.values() for name in functions_of(source, is_public))
    shared = {
        name
        for path, source in MODULES.items()
        if TESTS / "support" in (ROOT / path).parents
        for name in functions_of(source, is_public)
    }

    assert [name for name in sorted(shared) if names[name] > 1] == []


def test_development_has_the_packages_of_production_in_the_same_versions():
    development = _pinned("requirements-dev.txt")

    assert _pinned("requirements.txt") - development == set()
    assert _pinned("requirements-sentry.txt") - development == set()


def _pinned(name):
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return {line for line in lines if not line.startswith("#")}


# What frameworks look for by these names, in many modules.
COMMON_NAMES = {"Command", "Migration", "Meta", "Media"}


def test_no_two_classes_of_the_service_have_the_same_name():
    modules = [
        path
        for package in ("calendar_site", "events", "venues", "organizers", "taxonomy")
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts
    ]
    names = Counter(
        node.name
        for path in modules
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )

    assert {name for name, count in names.items() if count > 1 and not name.startswith("_")} - COMMON_NAMES == set()
    assert len(names) > 500
