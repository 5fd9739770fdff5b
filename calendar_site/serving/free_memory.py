"""How much freed memory a process keeps."""

from __future__ import annotations

import ctypes

# Options of mallopt(3).
M_MMAP_THRESHOLD = -3
M_ARENA_MAX = -8
# In bytes. Smaller than most lists as JSON.
LARGE_BLOCK = 65_536
ARENAS = 2


def return_large_blocks() -> None:
    """Make glibc return each large block to the system as soon as it is free, and let threads share what is kept.

    Otherwise, each thread would keep the gaps that responses of different sizes leave: about 15 MB in each worker. Call
    it before threads start. Other C libraries have no such options.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)
        mallopt(M_ARENA_MAX, ARENAS)
