"""``python -m tests.fuzz.emulated``: random functions through ``isel opt`` for AArch64, and both
versions under qemu, one start of it for each module of many functions.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from semantics import isa_named
from semantics.emulated import Emulated
from semantics.execution import NotRun
from tests.emulated import Buffers, Called, emulate
from tests.fuzz.check import isel_opt
from tests.fuzz.generate import NAME, Generated, generate
from tests.fuzz.harness import first_difference
from tests.fuzz.small import small

CPU: Final = "neoverse-v1"
FEATURES: Final = "+dotprod,+i8mm,-sve,-sve2"
FLAGS: Final = (f"-mattr={FEATURES}", "--cache=off", "--effort=0", "-j1", "--strict")
_CALLS: Final = 4
_TRIPLE: Final = re.compile(r"^target triple = .*$", re.MULTILINE)
_DECLARED: Final = re.compile(r"^declare .*$", re.MULTILINE)
_DEFINED: Final = re.compile(r"^define .*?^}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    """How many functions there were and how many were rewritten, and what is wrong."""

    functions: int
    rewritten: int
    wrong: tuple[str, ...]


def function(seed: int) -> Generated:
    """Return the function of a seed, in vectors of 64 or of 128 bits or, one in ten, of any."""
    return generate(seed) if seed % 10 == 9 else small(seed, bits=128 if seed % 3 else 64)


def together(functions: Sequence[Generated], triple: str) -> str:
    """Return one module of many functions, each under its seed."""
    declared: dict[str, None] = {}
    bodies: list[str] = []
    for g in functions:
        declared.update(dict.fromkeys(_DECLARED.findall(g.text)))
        (body,) = _DEFINED.findall(_TRIPLE.sub("", g.text))
        bodies.append(body.replace(f"@{NAME}(", f"@f{g.seed}(").replace(") #0 {", ") nounwind {"))
    return "\n\n".join([f'target triple = "{triple}"', *bodies, *declared, ""])


def check(functions: Sequence[Generated], emulated: Emulated) -> Checked:
    """Rewrite the functions as one module and run both versions, each as LLVM compiles it."""
    before = binding.normalise(together(functions, emulated.machine.triple))
    done = isel_opt(FLAGS, before, CPU)
    if done.status:
        return Checked(len(functions), 0, (f"exit status {done.status}: {done.said}",))
    changed = [g for g in functions if f"f{g.seed}" in done.rewritten]
    if not changed:
        return Checked(len(functions), 0, ())
    called = [Called(f"f{g.seed}", tuple(map(tuple, g.buffers(_CALLS)))) for g in changed]
    mine, yours = (
        _run(text, called, emulated, optimised=functions[0].seed % 100 < 50)
        for text in (before, done.text)
    )
    if isinstance(mine, NotRun) or isinstance(yours, NotRun):
        why = [x.reason for x in (mine, yours) if isinstance(x, NotRun)]
        return Checked(len(functions), len(changed), tuple(why))
    wrong = (
        f"@{c.name}: {what}"
        for c, a, b in zip(called, mine, yours, strict=True)
        if (what := first_difference(c.calls, a, b))
    )
    return Checked(len(functions), len(changed), tuple(wrong))


def _run(
    text: str, called: Sequence[Called], emulated: Emulated, *, optimised: bool
) -> list[list[Buffers]] | NotRun:
    run = partial(emulate, emulated, called=called, cpu=CPU, features=FEATURES)
    if not optimised:
        return run(text)
    with LlvmWorker() as worker:
        better = worker.optimise(text, triple=emulated.machine.triple, cpu=CPU, features=FEATURES)
    return NotRun(better.reason) if isinstance(better, WorkerFailed) else run(better)


def batches(count: int, seed: int, size: int) -> Iterator[list[Generated]]:
    """Yield ``count`` functions in modules of ``size``; those that LLVM cannot read are none."""
    for first in range(seed, seed + count, size):
        yield [function(k) for k in range(first, min(first + size, seed + count))]


def main() -> int:
    """Obey; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.emulated", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many functions")
    parser.add_argument("--seed", type=int, default=1, help="the first function's")
    parser.add_argument("--size", type=int, default=50, help="functions of a module")
    options = parser.parse_args()
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    lacking = emulated.lacks(frozenset())
    if lacking:
        print(f"this machine {lacking}", file=sys.stderr)
        return 1
    done = rewritten = wrong = 0
    for batch in batches(options.count, options.seed, options.size):
        found = check(batch, emulated)
        done, rewritten = done + found.functions, rewritten + found.rewritten
        wrong += len(found.wrong)
        for what in found.wrong:
            print(f"functions {batch[0].seed} to {batch[-1].seed}: {what}", flush=True)
        print(f"{done} functions, {rewritten} rewritten, {wrong} findings", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
