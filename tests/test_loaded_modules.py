"""The main process loads what its workers need before they fork, and nothing else."""

import os
import subprocess
import sys

import pytest

from tests.support.programs import ROOT

PROGRAM = """
import sys
import calendar_site.wsgi
print([name for name in ("redis", "events.views") if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("redis_url", "loaded"), [("", ["events.views"]), ("redis://127.0.0.1:1/0", ["redis", "events.views"])]
)
def test_views_are_loaded_and_redis_if_the_site_uses_it(redis_url, loaded):
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "calendar_site.settings", "REDIS_URL": redis_url}
    environment.pop("CACHE_URL", None)
    command = [sys.executable, "-c", PROGRAM]

    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout == f"{loaded}\n"
