"""Send valid and invalid requests, generated from the OpenAPI document, with and without credentials.

Fail on a server error, and on a response whose status, headers or body contradict the document. Schemathesis generates
the requests; the seed is fixed, so that a failure can be reproduced.
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
# A run takes much less time, unless something hangs.
MAX_SECONDS = 600
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
# Testing every boundary value of every argument takes long, so operations that duplicate others are left out.
SYSTEMATIC = ("--phases", "examples,coverage", "--exclude-operation-id-regex", "WithPut|WithPost|BySlug")
RANDOM = ("--phases", "fuzzing", "--max-examples", "10")


def main() -> int:
    arguments = parse()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "document.json"
        file.write_text(json.dumps(document(arguments.base)))
        account = ("--auth", f"{arguments.user}:{arguments.password}")
        trials = ((*account, *SYSTEMATIC), (*account, *RANDOM), RANDOM)
        # All are run, even if one fails; a process that was killed has a negative exit code.
        codes = [run(folder, arguments.base, trial) for trial in trials]
        return int(any(codes))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="The base URL of the API.")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    return parser.parse_args()


def run(folder: str, base: str, options: tuple[str, ...]) -> int:
    command = [sys.executable, "-m", "schemathesis.cli", "run", "document.json", "--url", base, *options]
    command += ["--checks", ",".join(CHECKS), "--seed", str(SEED), "--generation-database", "none"]
    # One worker: Python 3.11 may fail while two threads compile code, as generators do (python/cpython#106905).
    command += ["--workers", "1", "--warnings", "off"]
    return subprocess.run(command, cwd=folder, check=False, timeout=MAX_SECONDS).returncode


def document(base: str) -> dict[str, Any]:
    """Return the OpenAPI document, with the ids and slugs of existing records as possible values of path parameters.

    Leave out `_fields`, because its responses have fewer keys than their schemas require.
    """
    described = fetch(f"{base}/doc")
    for path, item in described["paths"].items():
        known = fetch(f"{base}/{path.split('/')[1]}?per_page=20") if "{" in path else {}
        records = next(iter(known.values()), [])
        for operation in item.values():
            operation["parameters"] = [part for part in operation["parameters"] if "$ref" not in part]
            for parameter in operation["parameters"]:
                if parameter["in"] == "path":
                    existing = {"enum": [record[parameter["name"]] for record in records]}
                    parameter["schema"] = {"anyOf": [existing, parameter["schema"]]}
    return described


def fetch(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(url) as response:  # noqa: S310 - the URL of our own service
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main())
