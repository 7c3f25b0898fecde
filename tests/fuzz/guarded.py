"""Running compiled functions on memory between pages that cannot be touched: a byte too far
ends the process.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from frontends.llvm.linked import binding
from frontends.llvm.linked.buffer import OutOfBounds
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fuzz.case import Call, Case, Pointer

PAGE: Final = mmap.PAGESIZE
_FILL: Final = 0xA5
_NONE: Final = 0
_LIBC: Final = ctypes.CDLL(None, use_errno=True)

After: TypeAlias = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Code:
    """How a module becomes machine code: LLVM's pipeline first or not, and the level of both."""

    level: int = 2
    pipeline: bool = False


@contextmanager
def guarded(contents: bytes, *, high: bool) -> Iterator[tuple[int, mmap.mmap, int]]:
    """Yield the address of a copy of ``contents``, its map and its place there; a guard page
    follows at once if ``high``, else one precedes.
    """
    pages = max(1, -(-len(contents) // PAGE))
    memory = mmap.mmap(-1, (pages + 2) * PAGE)
    base = ctypes.addressof(view := ctypes.c_char.from_buffer(memory))
    start = (pages + 1) * PAGE - len(contents) if high else PAGE
    try:
        memory[:] = bytes([_FILL]) * len(memory)
        memory[start : start + len(contents)] = contents
        for guard in (base, base + (pages + 1) * PAGE):
            _protect(guard, _NONE)
        yield base + start, memory, start
    finally:
        for guard in (base, base + (pages + 1) * PAGE):
            _protect(guard, mmap.PROT_READ | mmap.PROT_WRITE)
        del view
        memory.close()


def _protect(address: int, how: int) -> None:
    if _LIBC.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(PAGE), ctypes.c_int(how)):
        raise OSError(ctypes.get_errno(), "mprotect")


def call(address: int, given: Call) -> After:
    """Call the code at an address; return every region afterwards, and raise
    :class:`OutOfBounds` if something beside them has changed.
    """
    with ExitStack() as stack:
        maps = [stack.enter_context(guarded(r, high=given.high)) for r in given.regions]
        words = [
            maps[a.region][0] + a.offset if isinstance(a, Pointer) else a for a in given.arguments
        ]
        ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * len(words))(address)(*words)
        found: list[bytes] = []
        for (_, memory, start), before in zip(maps, given.regions, strict=True):
            end = start + len(before)
            around = memory[PAGE:start] + memory[end : len(memory) - PAGE]
            if around.strip(bytes([_FILL])):
                raise OutOfBounds("a function wrote beside its memory")
            found.append(memory[start:end])
        return tuple(found)


def execute(text: str, cases: Sequence[Case], code: Code) -> list[list[After]]:
    """Compile once, and run every call of every case."""
    native = binding.NativeModule(text, level=code.level, pipeline=code.pipeline)
    return [[call(native.address(case.name), c) for c in case.calls] for case in cases]


def run(
    worker: LlvmWorker, text: str, cases: Sequence[Case], code: Code
) -> list[list[After]] | WorkerFailed:
    """Run in a process that may die."""
    return worker.run(partial(execute, text, tuple(cases), code))
