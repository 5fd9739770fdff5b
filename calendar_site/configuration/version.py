"""The version of this service, which pyproject.toml has."""

from __future__ import annotations

import tomllib
from pathlib import Path

PROJECT_FILE = Path(__file__).resolve().parents[2] / "pyproject.toml"


def read_version() -> str:
    return str(tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["project"]["version"])


VERSION = read_version()
