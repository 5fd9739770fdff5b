"""Compare the pinned packages with the published vulnerabilities, by pip-audit.

Exits with 1 if a package is vulnerable, with 2 if packages could not be checked, usually because the vulnerability data
cannot be reached. `--skip-unreachable` turns the latter into a line of text.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OPTIONS = ("--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off", "--timeout", "15")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", help="the path of pip-audit")
    parser.add_argument("--skip-unreachable", action="store_true")
    arguments = parser.parse_args()
    files = [part for name in ("requirements.txt", "requirements-dev.txt") for part in ("--requirement", ROOT / name)]
    done = subprocess.run([arguments.program, *OPTIONS, *files], capture_output=True, text=True, check=False)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError):
        # pip-audit has no exit code of its own for this.
        packages = []
    # If an index does not know a package, pip-audit skips it and reports success.
    checked = [package for package in packages if "vulns" in package]
    vulnerable = [package for package in checked if package["vulns"]]
    for package in vulnerable:
        for found in package["vulns"]:
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            print(f"{package['name']} {package['version']}: {found['id']}, fixed in {fixed}")
    skipped = len(packages) - len(checked)
    print(f"Dependency audit: {len(checked)} packages checked, {len(vulnerable)} vulnerable, {skipped} not checked.")
    if vulnerable:
        return 1
    if checked and not skipped:
        return 0
    reasons = [package["skip_reason"] for package in packages if "skip_reason" in package]
    reason = (reasons or done.stderr.strip().splitlines() or ["no output"])[-1]
    print(f"The vulnerability data cannot be reached for all packages: {reason[:200]}")
    return 0 if arguments.skip_unreachable else 2


if __name__ == "__main__":
    sys.exit(main())
