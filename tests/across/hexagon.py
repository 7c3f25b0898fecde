"""Kernels for HVX: a loop in C, which clang makes vectors of, and Q6 intrinsics;
``python -m tests.across.hexagon`` prints a line a pair.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.assumed import with_any_alignment, with_defined_loads
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.ast import PtrType
from frontends.llvm.text.parse import parse_module
from semantics import isa_named, target_named
from semantics.emulated import Emulated
from semantics.execution import NotRun
from tests.emulated import emulate
from tests.fuzz.case import Call, Case, Pointer

KERNELS: Final = Path(__file__).parent / "hvx"
NAMES: Final = tuple(sorted(p.stem for p in KERNELS.glob("*.c")))
CALLS: Final = 100
_SIZE: Final = 512  # bytes of a region, of which a kernel uses two registers at most
_CLANG: Final = (
    sys.executable, "-m", "ziglang", "cc", "-target", "hexagon-linux-musl",
    "-mcpu=hexagonv66+hvxv66+hvx_length128b", "-ffreestanding", "-w", "-g0", "-O3",
    "-fno-sanitize=all", "-mllvm", "-hexagon-autohvx", "-S", "-emit-llvm",
)  # fmt: skip


@cache
def compiled(path: Path, version: str) -> str:
    """Return a file for HVX as LLVM 22 prints it: ``C``, ``HAND`` or ``WRONG``."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ll"
        command = [*_CLANG, f"-D{version}", str(path), "-o", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        return normalise(out.read_text())


def answers(path: Path, version: str) -> list[Answer]:
    """Decide of each function whether a version refines the loop in C, memory being defined and
    as aligned as C says.
    """
    hvx = target_named("hvx")
    a = parse_module(with_defined_loads(compiled(path, "C")))
    b = parse_module(with_any_alignment(compiled(path, version)))
    found = verify_report(a, b, hvx, Options(isas=(hvx, hvx), defined_memory=True))
    return [x for x in found if x.name]


def compare(name: str, version: str) -> Answer:
    """Decide whether a version of a kernel refines the loop in C."""
    (answer,) = answers(KERNELS / f"{name}.c", version)
    return answer


def executed(path: Path, version: str) -> list[list[tuple[bytes, ...]]] | NotRun:
    """Return the memory after each of :data:`CALLS` calls of each function with random regions."""
    text = compiled(path, version)
    cases = [
        Case(f.name, tuple(_call([isinstance(a.type, PtrType) for a in f.arguments], n)
                           for n in range(CALLS)))
        for f in parse_module(compiled(path, "C")).functions
    ]  # fmt: skip
    isa = isa_named("hvx")
    emulated = isa.executor()
    assert isinstance(emulated, Emulated)
    bare = re.sub(r"^declare .*@memcpy.*\n", "", text, flags=re.MULTILINE)
    return emulate(emulated, bare, cases, cpu=isa.usual.cpu, features=isa.usual.features)


def _call(pointers: list[bool], seed: int) -> Call:
    r = random.Random(seed)
    regions = tuple(_region(r) for p in pointers if p)
    where = iter(range(len(regions)))
    given = tuple(Pointer(next(where)) if p else r.randrange(1 << 16) for p in pointers)
    return Call(regions, given, high=False)


def _region(r: random.Random) -> bytes:
    """Return halfwords at random, many of them corners."""
    corners = (0x8000, 0x7FFF, 0xFFFF, 0, 0x00FF, 0x8080)
    halves = (r.choice(corners) if r.random() < 0.3 else r.randrange(1 << 16) for _ in range(256))
    return b"".join(x.to_bytes(2, "little") for x in halves)


def main() -> int:
    """Compare all of them; returns 1 where a wrong one is proved."""
    wrong = False
    for name in NAMES:
        for version in ("HAND", "WRONG"):
            start = time.process_time()
            answer = compare(name, version)
            line = answer.line.partition(": ")[2]
            spent = time.process_time() - start
            sys.stdout.write(f"{name:16} {version:5} {spent:5.1f} s  {line[:120]}\n")
            wrong |= version == "WRONG" and line.startswith("proved")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
