"""Functions of pointers, compiled for another machine and run in its emulator on buffers."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from frontends.llvm.linked.worker import LlvmWorker
from semantics.emulated import MOVES, Emulated
from semantics.execution import NotRun

Buffers: TypeAlias = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Called:
    """A function ``void name(ptr, …)`` and the contents of its buffers, call by call."""

    name: str
    calls: tuple[Buffers, ...]


def emulate(
    emulated: Emulated, module: str, called: Sequence[Called], *, cpu: str, features: str
) -> list[list[Buffers]] | NotRun:
    """Return the buffers after each call of each function of a module, as it stands."""
    given = b"".join(b for c in called for call in c.calls for b in call)
    text = "".join([module, "\n", MOVES, *(_runner(k, c) for k, c in enumerate(called))])
    body = "\n".join(f"  call void @isel.run{k}()" for k, _ in enumerate(called))
    text += f"define i32 @main() {{\n{body}\n  ret i32 0\n}}\n"
    with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
        found = emulated.output(
            text, given, len(given), worker, Path(folder), cpu=cpu, features=features
        )
    return found if isinstance(found, NotRun) else _split(found, called)


def _split(data: bytes, called: Sequence[Called]) -> list[list[Buffers]]:
    at = 0
    results: list[list[Buffers]] = []
    for c in called:
        rows: list[Buffers] = []
        for call in c.calls:
            row: list[bytes] = []
            for b in call:
                row.append(data[at : at + len(b)])
                at += len(b)
            rows.append(tuple(row))
        results.append(rows)
    return results


def _runner(k: int, c: Called) -> str:
    """Return a function that reads the buffers of each call, makes it, and writes them."""
    sizes = [len(b) for b in c.calls[0]]
    assert all([len(b) for b in call] == sizes for call in c.calls)
    names = [f"@isel.b{k}.{j}" for j, _ in enumerate(sizes)]
    made = [
        f"{name} = internal global [{size} x i8] zeroinitializer, align 128"
        for name, size in zip(names, sizes, strict=True)
    ]
    moved = list(zip(names, sizes, strict=True))
    return "\n".join([
        *made,
        f"define internal void @isel.run{k}() {{",
        "entry:",
        "  br label %loop",
        "loop:",
        "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *(f"  call void @get(ptr {name}, i64 {size})" for name, size in moved),
        f"  call void @{c.name}({', '.join(f'ptr {name}' for name in names)})",
        *(f"  call void @put(ptr {name}, i64 {size})" for name, size in moved),
        "  %next = add i64 %i, 1",
        f"  %more = icmp ult i64 %next, {len(c.calls)}",
        "  br i1 %more, label %loop, label %exit",
        "exit:",
        "  ret void",
        "}",
        "",
    ])  # fmt: skip
