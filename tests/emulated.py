"""Functions compiled for another machine and run in its emulator on regions of memory."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final, TypeAlias

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.text.ast import Argument, IntType
from frontends.llvm.text.parse import parse_module
from semantics.emulated import MOVES, Emulated
from semantics.execution import NotRun
from tests.fuzz.case import Call, Case, Pointer

Buffers: TypeAlias = tuple[bytes, ...]
_AROUND: Final = bytes([0xA5]) * 128  # what lies on both sides of a region


def emulate(
    emulated: Emulated, module: str, cases: Sequence[Case], *, cpu: str, features: str
) -> list[list[Buffers]] | NotRun:
    """Return the regions, with what lies around them, after each call of each function of a module,
    as it stands.
    """
    given = b"".join(map(padded, _regions(cases)))
    text = "".join([module, "\n", MOVES, *_runner(module, cases)])
    with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
        found = emulated.output(
            text, given, len(given), worker, Path(folder), cpu=cpu, features=features
        )
    return found if isinstance(found, NotRun) else _split(found, cases)


def padded(region: bytes) -> bytes:
    """Return a region and what lies around it."""
    return _AROUND + region + _AROUND


def _regions(cases: Sequence[Case]) -> Iterator[bytes]:
    return (r for c in cases for call in c.calls for r in call.regions)


def _split(data: bytes, cases: Sequence[Case]) -> list[list[Buffers]]:
    at = 0
    results: list[list[Buffers]] = []
    for c in cases:
        rows: list[Buffers] = []
        for call in c.calls:
            row: list[bytes] = []
            for size in (len(padded(r)) for r in call.regions):
                row.append(data[at : at + size])
                at += size
            rows.append(tuple(row))
        results.append(rows)
    return results


def _runner(module: str, cases: Sequence[Case]) -> Iterator[str]:
    """Yield ``main``, which reads the regions of each call, makes it, and writes them."""
    calls = [call.regions for c in cases for call in c.calls]
    for j, column in enumerate(zip_longest(*calls, fillvalue=b"")):
        size = max(len(padded(r)) for r in column)
        yield f"@isel.m{j} = internal global [{size} x i8] zeroinitializer, align {len(_AROUND)}\n"
    yield "define i32 @main() {\n"
    arguments = {f.name: f.arguments for f in parse_module(module).functions}
    for c in cases:
        for call in c.calls:
            moved = [
                f"(ptr @isel.m{j}, i64 {len(padded(r))})\n" for j, r in enumerate(call.regions)
            ]
            yield from (f"  call void @get{m}" for m in moved)
            yield f"  call void @{c.name}({', '.join(_given(call, arguments[c.name]))})\n"
            yield from (f"  call void @put{m}" for m in moved)
    yield "  ret i32 0\n}\n"


def _given(call: Call, arguments: Sequence[Argument]) -> Iterator[str]:
    for x, a in zip(call.arguments, arguments, strict=True):
        if isinstance(x, Pointer):
            at = len(_AROUND) + x.offset
            yield f"ptr getelementptr (i8, ptr @isel.m{x.region}, i64 {at})"
        else:
            assert isinstance(a.type, IntType)
            yield f"{a.type} {x % (1 << a.type.bits)}"
