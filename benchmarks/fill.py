"""Fill an empty database with several years of events, and print the parameters of the benchmark as JSON.

    python benchmarks/fill.py --events 1000000 --database postgres://postgres@127.0.0.1/large

The same number of events always produces the same rows, relative to today. A PostgreSQL database is created if it does
not exist. Derived data is rebuilt.
"""

from __future__ import annotations

import argparse
import json
import os
import sys

from server import ROOT, create_database


def main() -> int:
    arguments = parse_arguments()
    os.environ["DATABASE_URL"] = arguments.database
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "calendar_site.settings")
    if not os.environ.get("SECRET_KEY"):
        os.environ.setdefault("DEBUG", "true")
    create_database(arguments.database)
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    # Needs the settings.
    from calendar_database import fill

    json.dump(fill(arguments.events), sys.stdout)
    print()
    return 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=10_000, help="the number of events")
    parser.add_argument(
        "--database",
        default=os.environ.get("DATABASE_URL") or f"sqlite:///{ROOT / 'var' / 'benchmark.sqlite3'}",
        help="the URL of an empty database (DATABASE_URL, or var/benchmark.sqlite3)",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
