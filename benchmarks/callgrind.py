"""Count the instructions of parts of this process, if it runs under `valgrind --tool=callgrind --instr-atstart=no`.

Instructions vary by less than a per cent between runs, also on a busy machine. Callgrind takes its orders from a
sequence of instructions that has no effect elsewhere, with the address of the order and its arguments in a register;
see "The Client Request mechanism" in the manual of Valgrind. Only for x86-64.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import re
import shutil
from collections.abc import Callable
from pathlib import Path

# The numbers of the orders in callgrind.h.
_CALLGRIND = ord("C") << 24 | ord("T") << 16
_ZERO, _DUMP, _START, _STOP = (_CALLGRIND + number for number in (1, 0, 4, 5))
# mov rax, rdi; xor edx, edx; rol rdi by 3, 13, 61 and 51; xchg rbx, rbx; mov rax, rdx; ret
_ORDER = bytes.fromhex("4889f8 31d2 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")


def is_available() -> bool:
    return platform.machine() == "x86_64" and shutil.which("valgrind") is not None


def command(program: list[str], folder: Path) -> list[str]:
    """Return the command that runs a program so that `Counter(folder)` counts in it."""
    return [
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        "--instr-atstart=no",
        f"--callgrind-out-file={folder}/counts",
        *program,
    ]


class Counter:
    """Counts the instructions of a function."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._code.write(_ORDER)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._code))
        self._call = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(address)

    def count(self, function: Callable[[], object]) -> int:
        """Return the number of instructions that the function takes."""
        self._order(_START)
        self._order(_ZERO)
        function()
        self._order(_DUMP)
        self._order(_STOP)
        (dump,) = self._folder.glob("counts.*")
        found = re.search(r"^totals: (\d+)", dump.read_text(), re.MULTILINE)
        dump.unlink()
        if not found:
            raise RuntimeError("Callgrind counted nothing.")
        return int(found[1])

    def _order(self, number: int) -> None:
        order = (ctypes.c_uint64 * 6)(number)
        self._call(ctypes.addressof(order))
