"""Binds each worker to one processor, which its threads then need not move between (docs/speed.md)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable

# Only Linux has it.
is_supported = hasattr(os, "sched_setaffinity")


def choose_processor(taken: Iterable[int]) -> int:
    """Return the available processor that is taken least often, the first one of several."""
    counts = Counter(taken)
    return min(sorted(os.sched_getaffinity(0)), key=lambda processor: counts[processor])


def bind_to_processor(processor: int) -> None:
    """Let this process, its threads and the processes that it starts run on one processor only."""
    os.sched_setaffinity(0, {processor})
