"""Generate clients from the OpenAPI document of a running service, check their types, and use them.

Also lint the document. The tools are those that `make clients` installs in `var/clients`; they must not need a network.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = HERE.parent.parent / "var" / "clients"
# Below the tools, where node finds its packages. Not deleted at the end, so that a failure can be examined.
WORK = TOOLS / "generated"
PYTHON, NODE_PROGRAMS = TOOLS / "venv" / "bin", TOOLS / "node_modules" / ".bin"
DOCUMENT = "document.json"
# A step takes a few seconds, unless something hangs.
MAX_SECONDS = 120
ENVIRONMENT = {**os.environ, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def main() -> int:
    arguments = parse()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for file in HERE.iterdir():
        shutil.copy(file, WORK)
    (WORK / DOCUMENT).write_text(json.dumps(fetch(f"{arguments.base}/doc")))
    service = (arguments.base, arguments.user, arguments.password)
    steps = {
        "Spectral": (NODE_PROGRAMS / "spectral", "lint", "--ruleset=spectral.yaml", "--fail-severity=warn", DOCUMENT),
        "Redocly": (NODE_PROGRAMS / "redocly", "lint", "--config=redocly.yaml", DOCUMENT),
        "Generate the Python client": (
            PYTHON / "openapi-python-client", "generate", "--path", DOCUMENT, "--config=python-client.yaml",
            "--meta=none", "--output-path=calendar_client", "--fail-on-warning",
        ),
        "Check the types of the Python client": (
            PYTHON / "mypy", "--config-file=mypy.ini", "use_client.py", "calendar_client",
        ),
        "Use the Python client": (PYTHON / "python", "use_client.py", *service),
        "Generate the TypeScript client": (NODE_PROGRAMS / "openapi-typescript", DOCUMENT, "--output=schema.ts"),
        "Check the types of the TypeScript client": (NODE_PROGRAMS / "tsc", "--project", "tsconfig.json"),
        "Use the TypeScript client": ("node", "use_client.js", *service),
        "Read the calendars with ical.js": ("node", "read_calendars.js", *service),
    }  # fmt: skip
    # All are run, even if one fails.
    failed = [name for name, command in steps.items() if not succeeds(name, command)]
    print(f"Failed: {', '.join(failed)}." if failed else "Both clients work, and ical.js reads the calendars.")
    return int(bool(failed))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="The base URL of the API.")
    parser.add_argument("--user", required=True)
    parser.add_argument("--password", required=True)
    return parser.parse_args()


def fetch(url: str) -> object:
    with urllib.request.urlopen(url) as response:  # noqa: S310 - the URL of our own service
        return json.load(response)


def succeeds(name: str, command: tuple[str | Path, ...]) -> bool:
    print(f"- {name}", flush=True)
    return subprocess.run(command, cwd=WORK, env=ENVIRONMENT, check=False, timeout=MAX_SECONDS).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
