"""Check that landed migrations are unchanged, and that new ones are safe while old code still runs.

    python .ci/migrations.py check     fail if a landed migration has changed, or a new one is unsafe
    python .ci/migrations.py freeze    add new migrations to the list, before they land

`landed-migrations.txt` has a line for each migration: its SHA-256 and its path. Lines are only added: the check fails
if any commit changed or removed a line.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LANDED = ROOT / ".ci" / "landed-migrations.txt"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("check", "freeze"))
    if parser.parse_args().command == "freeze":
        freeze()
        return 0
    errors = [*changed_migrations(), *rewritten_lines(), *unsafe_columns()]
    for error in errors:
        print(error, file=sys.stderr)
    return bool(errors)


def freeze() -> None:
    lines = [f"{digest} {path}\n" for path, digest in current().items() if path not in landed()]
    with LANDED.open("a") as file:
        file.writelines(lines)
    print(f"Added {len(lines)} to {LANDED.relative_to(ROOT)}.")


def current() -> dict[str, str]:
    """Return the digests of all migrations in the tree by their paths."""
    files = sorted(path for path in ROOT.glob("**/migrations/[0-9]*.py") if ".venv" not in path.parts)
    return {str(path.relative_to(ROOT)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def landed() -> dict[str, str]:
    """Return the digests of the listed migrations by their paths."""
    lines = LANDED.read_text().splitlines() if LANDED.exists() else []
    return {path: digest for digest, path in (line.split() for line in lines)}


def changed_migrations() -> Iterator[str]:
    """Yield an error for each migration that differs from the list."""
    files = current()
    for path, digest in landed().items():
        if path not in files:
            yield f"{path} has landed and must not be deleted. Revert it in a new migration."
        elif files[path] != digest:
            yield f"{path} has landed and must not be changed. Create a new migration instead."
    for path in files.keys() - landed().keys():
        yield f"{path} is not in {LANDED.name}. Run `make freeze-migrations` once it is final."


def rewritten_lines() -> Iterator[str]:
    """Yield an error for each line that a commit removed from the list."""
    command = ["git", "log", "--format=", "--unified=0", "--patch", "--", str(LANDED)]
    history = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if history.returncode:
        print("There is no git history, so removed lines are not detected.", file=sys.stderr)
    for line in history.stdout.splitlines():
        if line.startswith("-") and not line.startswith("---"):
            yield f"A commit removed this line from {LANDED.name}: {line[1:]}"


def unsafe_columns() -> Iterator[str]:
    """Yield an error for each new NOT NULL column without a default in the database.

    During a deployment, processes with the old code insert rows that do not name the new column.
    """
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    import django

    django.setup()
    from django.db import migrations
    from django.db.migrations.loader import MigrationLoader

    modules = {path.removesuffix(".py").replace("/", ".") for path in current()}
    for (app, name), migration in MigrationLoader(None).disk_migrations.items():
        # An initial migration creates its tables, which old code does not use.
        if migration.__module__ not in modules or migration.initial:
            continue
        for operation in migration.operations:
            if isinstance(operation, migrations.AddField) and needs_db_default(operation.field):
                column = f"{operation.model_name}.{operation.name}"
                yield f"{app} {name}: the new column {column} is NOT NULL and has no db_default."


def needs_db_default(field: Any) -> bool:
    return not (field.many_to_many or field.null or field.has_db_default())


if __name__ == "__main__":
    sys.exit(main())
