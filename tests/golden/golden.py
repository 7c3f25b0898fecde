"""A golden file: a module of LLVM IR, and what the search of each of its windows answers.

The first line names target, CPU and the register's bits, ``; x86 znver4 512``.  What was found stands behind
the module, one comment a line: for each window its root, the price of its program in cycles, and
the steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.model.answer import Options, Result, Synthesizer
from isel.model.machine import Machine
from isel.synth.synthesize import make_synthesizer
from semantics import target_named

WINDOWS: Final = Path(__file__).parent / "windows"
MARK: Final = "; found "
_CYCLE: Final = 100  # prices of programs are hundredths of a cycle


def found(module: str) -> str:
    """Return the lines that say what the search finds for the windows of a module."""
    isa, cpu, bits = module.partition("\n")[0].removeprefix(";").split()
    parsed = parse_module(normalise(module))
    lines: list[str] = []
    for function in parsed.functions:
        scene = Scene(parsed, function, target_named(isa))
        for place in places(scene, Limits(register=int(bits))):
            answer = _synthesizer(isa, cpu, int(bits)).search(place.sites[0].window)
            lines += [MARK + line for line in (f"%{place.root.name}", *_shown(answer))]
    return "".join(line + "\n" for line in lines)


def without_answers(text: str) -> str:
    """Return a golden file's module."""
    return "".join(x for x in text.splitlines(keepends=True) if not x.startswith(MARK))


def answers(text: str) -> str:
    """Return what a golden file says was found."""
    return "".join(x for x in text.splitlines(keepends=True) if x.startswith(MARK))


def _shown(answer: Result) -> Iterator[str]:
    if not answer.candidates:
        yield f"    nothing: {answer.reason}"
        return
    program = answer.candidates[0].program
    yield f"    price {program.cost / _CYCLE:.2f}"
    yield from ("    " + line for line in program.text().splitlines())


@cache
def _synthesizer(isa: str, cpu: str, bits: int) -> Synthesizer:
    target = target_named(isa)
    machine = Machine(target, cpu, target.features(cpu, ""), bits)
    return make_synthesizer(machine, Options(), None)
