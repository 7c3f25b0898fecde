"""Run instructions in an emulator: drivers out of the emissions, whose objects are LLVM's and whose
linker is that of the package ``ziglang``; operands and results go over pipes.

A driver that dies or prints too little is a failure of its runs.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import numpy as np

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import BadModule
from semantics.execution import Bytes, NotRun, Run, in_halves
from semantics.harness import element_bytes, loop_text
from semantics.machine import Machine
from semantics.samples import pool_bytes

_SECONDS: Final = 600.0
_MOVED: Final = """
define internal void @{name}(ptr %memory, i64 %size) {{
entry:
  br label %loop
loop:
  %at = phi i64 [ 0, %entry ], [ %next, %more ]
  %left = sub i64 %size, %at
  %p = getelementptr i8, ptr %memory, i64 %at
  %n = call i64 @{call}(i32 {stream}, ptr %p, i64 %left)
  %bad = icmp slt i64 %n, 1
  br i1 %bad, label %die, label %more
die:
  call void @_exit(i32 {code})
  unreachable
more:
  %next = add i64 %at, %n
  %again = icmp ult i64 %next, %size
  br i1 %again, label %loop, label %exit
exit:
  ret void
}}
"""
MOVES: Final = """
declare i64 @read(i32, ptr, i64)
declare i64 @write(i32, ptr, i64)
declare void @_exit(i32)
""" + "".join(
    _MOVED.format(name=name, call=call, stream=stream, code=code)
    for name, call, stream, code in (("get", "read", 0, 3), ("put", "write", 1, 4))
)


@dataclass(frozen=True, slots=True)
class Emulated:
    """Implements :class:`semantics.execution.Executor`: an emulator of user programs, the triple of
    the linker, and a C file that starts ``main`` and has ``read``, ``write`` and ``_exit``.
    """

    emulator: str
    options: tuple[str, ...]
    linked: str
    start: Path
    machine: Machine

    @property
    def name(self) -> str:
        """See :class:`semantics.execution.Executor`."""
        return " ".join((self.emulator, *self.options))

    def lacks(self, features: frozenset[str]) -> str:
        """See :class:`semantics.execution.Executor`; the emulated CPU has every feature."""
        if shutil.which(self.emulator) is None:
            return f"lacks {self.emulator}: install qemu-user"
        return "" if find_spec("ziglang") else "lacks ziglang: install isel[clang]"

    def run(self, runs: Sequence[Run], size: int, seed: int) -> list[Bytes | NotRun]:
        """See :class:`semantics.execution.Executor`."""
        with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
            return in_halves(
                runs, lambda some: self._together(some, size, seed, worker, Path(folder))
            )

    def _together(
        self, runs: Sequence[Run], size: int, seed: int, worker: LlvmWorker, folder: Path
    ) -> list[Bytes] | NotRun:
        """Return the results of all runs out of one program, or why there is none."""
        bits = self.machine.mask_bits
        given = b"".join(_given(r, k, size, seed, bits) for r in runs for k in range(_operands(r)))
        sizes = [r.count * _result_bytes(r, bits) for r in runs]
        written = self.output(driver(runs, self.machine), given, sum(sizes), worker, folder)
        if isinstance(written, NotRun):
            return written
        results: list[Bytes] = []
        at = 0
        for r, length in zip(runs, sizes, strict=True):
            part = np.frombuffer(written[at : at + length], dtype=np.uint8).reshape(r.count, -1)
            packed = bits > 1 and r.instruction.width == 1 and r.instruction.lanes > 1
            results.append(np.packbits(part, axis=1, bitorder="little") if packed else part)
            at += length
        return results

    def output(
        self,
        module: str,
        given: bytes,
        size: int,
        worker: LlvmWorker,
        folder: Path,
        *,
        cpu: str = "",
        features: str = "",
        beside: bytes = b"",
    ) -> bytes | NotRun:
        """Return the ``size`` bytes that ``main`` of a module writes when it reads what is given;
        see :meth:`program`.
        """
        program = self.program(module, worker, folder, cpu=cpu, features=features, beside=beside)
        if isinstance(program, NotRun):
            return program
        try:
            command = [self.emulator, *self.options, str(program)]
            done = subprocess.run(command, input=given, capture_output=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            return NotRun("the driver does not end")
        if done.returncode or len(done.stdout) != size:
            said = f"status {done.returncode}, {len(done.stdout)} of {size} bytes"
            return NotRun(f"the driver fails: {said}")
        return done.stdout

    def program(
        self,
        module: str,
        worker: LlvmWorker,
        folder: Path,
        *,
        cpu: str = "",
        features: str = "",
        beside: bytes = b"",
    ) -> Path | NotRun:
        """Return a program of a module, which holds :data:`MOVES` and is compiled as it stands,
        linked with the object ``beside``, if there is one; files are in ``folder``.
        """
        machine = replace(self.machine, cpu=cpu or self.machine.cpu)
        try:
            made = worker.run(partial(_object, module, machine, features), seconds=_SECONDS)
        except BadModule as problem:
            return NotRun(str(problem))
        if isinstance(made, WorkerFailed):
            return NotRun(made.reason)
        program = folder / "driver"
        objects = {"driver.o": made} | ({"beside.o": beside} if beside else {})
        for name, data in objects.items():
            (folder / name).write_bytes(data)
        wrong = self._link([folder / name for name in objects], program)
        return NotRun(wrong) if wrong else program

    def _link(self, objects: Sequence[Path], program: Path) -> str:
        """Link objects; return what the linker says against them."""
        command = [
            sys.executable, "-P", "-m", "ziglang", "cc", "-target", self.linked, "-O1", "-static",
            "-ffreestanding", "-nostdlib", "-fno-sanitize=all", "-o", str(program),
            str(self.start), *map(str, objects),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        return f"the linker fails: {done.stderr.strip()[-200:]}" if done.returncode else ""


def driver(runs: Sequence[Run], machine: Machine) -> str:
    """Return a module whose ``main`` reads the operands of each run, applies it, and writes the
    results.
    """
    text = [MOVES]
    lines: list[str] = []
    for k, r in enumerate(runs):
        text.append(loop_text(r.instruction, r.immediates, f"f{k}", machine))
        bits = machine.mask_bits
        sizes = [r.count * element_bytes(o.lanes, o.width, bits) for o in r.instruction.operands]
        names = [f"@in{k}.{j}" for j in range(len(sizes))]
        out, size = f"@out{k}", r.count * _result_bytes(r, bits)
        for name, n in zip((*names, out), (*sizes, size), strict=True):
            text.append(f"{name} = internal global [{n} x i8] zeroinitializer, align 128\n")
        lines += [f"call void @get(ptr {n}, i64 {s})" for n, s in zip(names, sizes, strict=True)]
        given = ", ".join([f"ptr {out}", *(f"ptr {n}" for n in names), f"i64 {r.count}"])
        lines += [f"call void @f{k}({given})", f"call void @put(ptr {out}, i64 {size})"]
    body = "\n  ".join(lines)
    text.append(f"define i32 @main() {{\n  {body}\n  ret i32 0\n}}\n")
    return "".join(text)


def _object(text: str, machine: Machine, features: str) -> bytes:
    every = ",".join(filter(None, (machine.base, features)))
    return binding.object_code(text, triple=machine.triple, cpu=machine.cpu, features=every)


def _operands(r: Run) -> int:
    return len(r.instruction.operands)


def _given(r: Run, k: int, size: int, seed: int, mask_bits: int) -> bytes:
    o = r.instruction.operands[k]
    rows = pool_bytes(o.width, o.lanes, k, size, seed)[r.start : r.start + r.count]
    if mask_bits > 1 and o.width == 1 and o.lanes > 1:  # a byte for each bit
        rows = np.unpackbits(rows, axis=1, count=o.lanes, bitorder="little")
    return rows.tobytes()


def _result_bytes(r: Run, mask_bits: int) -> int:
    return element_bytes(r.instruction.lanes, r.instruction.width, mask_bits)
