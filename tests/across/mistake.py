"""``python -m tests.across.mistake``: wrong ports, each a function named for what is wrong, and
what is said of them.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.assumed import with_any_alignment, with_defined_loads
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import Answer, verify_report
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Refuted
from semantics import target_named
from tests.across.compile import ARM, CLANG, X86
from tests.across.hexagon import NAMES, answers, compare

MISTAKES: Final = Path(__file__).parent / "mistakes"
# the machine that the wrong code is for, the one that the right code is for, and the flags of both
_ACROSS: Final = {"neon": ("x86", "arm", X86, ARM), "x86": ("arm", "x86", ARM, X86)}
FILES: Final = (*_ACROSS, "hvx", "kernels")


@cache
def found(file: str) -> tuple[Answer, ...]:
    """Compare the wrong functions of a file with the right ones; ``kernels``: those of HVX."""
    if file == "kernels":
        return tuple(compare(name, "WRONG") for name in NAMES)
    if file == "hvx":
        return tuple(answers(MISTAKES / "hvx.c", "WRONG"))
    source, target, right, wrong = _ACROSS[file]
    a = parse_module(with_defined_loads(_compiled(file, (*right, "-DRIGHT"))))
    b = parse_module(with_any_alignment(_compiled(file, wrong)))
    isas = (target_named(source), target_named(target))
    report = verify_report(a, b, isas[0], Options(isas=isas, defined_memory=True))
    return tuple(x for x in report if x.name)


def _compiled(file: str, flags: tuple[str, ...]) -> str:
    command = [CLANG, *flags, "-O2", "-S", "-emit-llvm", "-o", "-", str(MISTAKES / f"{file}.c")]
    return normalise(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def refuted_with_numbers() -> Iterator[Answer]:
    """Yield the answers that show inputs, none of them poison."""
    for file in FILES:
        yield from (
            x
            for x in found(file)
            if isinstance(x.verdict, Refuted) and " = " in x.line and "poison" not in x.line
        )


def main() -> int:
    """Print what is said of each; returns 1 where one is proved."""
    every = [x for file in FILES for x in found(file)]
    for answer in every:
        sys.stdout.write(f"{answer.line[:150]}\n")
    shown = len(list(refuted_with_numbers()))
    proved = sum(": proved" in x.line for x in every)
    sys.stdout.write(f"{len(every)} wrong ports: {proved} proved, {shown} refuted with numbers\n")
    return int(proved > 0)


if __name__ == "__main__":
    sys.exit(main())
