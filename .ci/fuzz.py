"""Asks a running service what its document allows and much that it does not, as an account and as nobody.

Fails on an answer that is a fault of the service, has a status or a header other than the document says, or a body that
is not as its schema. Schemathesis makes up the requests; the seed is fixed, so that a failure can be seen again.
"""

import argparse
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SEED = 20270310
# A run ends by itself long before that, unless something stands still.
MOST_SECONDS = 600
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
# Every value at the edge of every argument, which takes long: left out is what does the same as another operation.
SYSTEMATIC = ("--phases", "examples,coverage", "--exclude-operation-id-regex", "_with_put|_with_patch|_by_slug")
RANDOM = ("--phases", "fuzzing", "--max-examples", "10")


def main() -> int:
    arguments = parse()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "document.json"
        file.write_text(json.dumps(document(arguments.base)))
        account = ("--auth", f"{arguments.user}:{arguments.password}")
        trials = ((*account, *SYSTEMATIC), (*account, *RANDOM), RANDOM)
        # All are made, whatever the first says; one that was killed has a code below zero.
        codes = [run(folder, arguments.base, trial) for trial in trials]
        return int(any(codes))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="The address of the API.")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    return parser.parse_args()


def run(folder: str, base: str, options: tuple[str, ...]) -> int:
    command = [sys.executable, "-m", "schemathesis.cli", "run", "document.json", "--url", base, *options]
    command += ["--checks", ",".join(CHECKS), "--seed", str(SEED), "--generation-database", "none"]
    # One at a time: Python 3.11 may fail where two threads parse code, as makers of values do (python/cpython#106905).
    command += ["--workers", "1", "--warnings", "off"]
    return subprocess.run(command, cwd=folder, check=False, timeout=MOST_SECONDS).returncode


def document(base: str) -> dict[str, Any]:
    """The service's document, with records that there are among the ids and slugs to ask for.

    Without `_fields`, which cuts answers to less than their schemas.
    """
    described = fetch(f"{base}/doc")
    for path, item in described["paths"].items():
        known = fetch(f"{base}/{path.split('/')[1]}?per_page=20") if "{" in path else {}
        records = next(iter(known.values()), [])
        for operation in item.values():
            operation["parameters"] = [part for part in operation["parameters"] if "$ref" not in part]
            for parameter in operation["parameters"]:
                if parameter["in"] == "path":
                    there = {"enum": [record[parameter["name"]] for record in records]}
                    parameter["schema"] = {"anyOf": [there, parameter["schema"]]}
    return described


def fetch(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(address) as response:  # noqa: S310 - the address of our own service
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main())
