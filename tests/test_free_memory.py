"""Processes return the memory of large responses."""

import subprocess
import sys

import pytest

from tests.support.programs import ROOT

# Blocks in use between freed ones, as after responses of different sizes.
PROGRAM = """
import os
from calendar_site.serving.free_memory import return_large_blocks

def resident_megabytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

return_large_blocks()
blocks = [b"x" * (100_000 + number % 7) for number in range(1000)]
kept = blocks[::100]
before = resident_megabytes()
blocks.clear()
print(before - resident_megabytes())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Only Linux tells the resident memory in /proc.")
def test_memory_of_large_blocks_is_returned_when_they_are_freed():
    command = [sys.executable, "-c", PROGRAM]

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603

    assert float(done.stdout) > 80
