"""``python -m tests.fuzz.emulated``: random functions through ``isel opt`` for AArch64, and both
versions under qemu, one start of it for each module of many functions.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from semantics import isa_named
from semantics.emulated import Emulated
from semantics.execution import NotRun
from tests.emulated import Buffers, emulate, padded
from tests.fuzz.case import Batch, Call, Case, Pointer
from tests.fuzz.check import isel_opt
from tests.fuzz.clang import ARM_TRIPLE, MARCHES, arm_batch
from tests.fuzz.generate import NAME, Generated, generate
from tests.fuzz.generators import carried_batch, reductions_batch
from tests.fuzz.harness import first_difference
from tests.fuzz.modules import changed, only
from tests.fuzz.small import small

CPU: Final = "neoverse-v1"
FEATURES: Final = "+dotprod,+i8mm,-sve,-sve2"
FLAGS: Final = ("--cache=off", "--effort=0", "-j1", "--strict")
_CALLS: Final = 4
_SMALL: Final = 50  # small functions of a module
_TRIPLE: Final = re.compile(r"^target triple = .*$", re.MULTILINE)
_DECLARED: Final = re.compile(r"^declare .*$", re.MULTILINE)
_DEFINED: Final = re.compile(r"^define .*?^}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Checked:
    """How many functions there were, how many were rewritten and how many of these LLVM cannot
    compile or link; and what is wrong.
    """

    functions: int
    rewritten: int
    unrunnable: int
    wrong: tuple[str, ...]


def function(seed: int) -> Generated:
    """Return the function of a seed, in vectors of 64 or of 128 bits or, one in ten, of any."""
    return generate(seed) if seed % 10 == 9 else small(seed, bits=128 if seed % 3 else 64)


def small_batch(seed: int) -> Batch:
    """Return one module of many small functions, each under its seed."""
    functions = [function(seed * _SMALL + k) for k in range(_SMALL)]
    declared: dict[str, None] = {}
    bodies: list[str] = []
    cases: list[Case] = []
    for g in functions:
        declared.update(dict.fromkeys(_DECLARED.findall(g.text)))
        (body,) = _DEFINED.findall(_TRIPLE.sub("", g.text))
        bodies.append(body.replace(f"@{NAME}(", f"@f{g.seed}(").replace(") #0 {", ") nounwind {"))
        calls = [
            Call(tuple(regions), tuple(Pointer(i) for i, _ in enumerate(regions)), high=False)
            for regions in g.buffers(_CALLS)
        ]
        cases.append(Case(f"f{g.seed}", tuple(calls)))
    text = "\n\n".join(['target triple = ""', *bodies, *declared, ""])
    return Batch("small", seed, text, tuple(cases))


GENERATORS: Final[dict[str, Callable[[int], Batch]]] = {
    "small": small_batch,
    "carried": lambda seed: carried_batch(seed, tuple(MARCHES)),
    "reductions": lambda seed: reductions_batch(seed, tuple(MARCHES)),
    "c": arm_batch,
}


def made(name: str, seed: int) -> Batch:
    """Return a batch for AArch64; what is C says for itself which CPU it is for."""
    batch = GENERATORS[name](seed)
    text = _TRIPLE.sub(f'target triple = "{ARM_TRIPLE}"', batch.text)
    return replace(batch, text=text, cpu="" if batch.source else CPU)


def check(batch: Batch, emulated: Emulated) -> Checked:
    """Rewrite the functions of a batch and run both versions, each as LLVM compiles it."""
    before = binding.normalise(batch.text)
    features = (f"-mattr={FEATURES}",) if batch.cpu else ()
    done = isel_opt((*FLAGS, *features), before, batch.cpu)
    if done.status:
        return Checked(len(batch.cases), 0, 0, (f"exit status {done.status}: {done.said}",))
    after = binding.normalise(done.text)
    differ = changed(before, after)
    cases = [c for c in batch.cases if c.name in differ]
    run = partial(_run, emulated=emulated, optimised=batch.seed % 2 == 1)
    found = list(_compared(run, before, after, cases))
    wrong = [f"@{n} was changed and not reported" for n in sorted(differ - done.rewritten)]
    wrong += [what for what in found if isinstance(what, str) and what]
    return Checked(len(batch.cases), len(cases), sum(x is None for x in found), tuple(wrong))


def _compared(
    run: Callable[[str, Sequence[Case]], list[list[Buffers]] | NotRun],
    before: str,
    after: str,
    cases: Sequence[Case],
) -> Iterator[str | None]:
    """Yield for each case what is wrong, empty if nothing is, None where the first version cannot
    be run.
    """
    if not cases:
        return
    names = {c.name for c in cases}
    mine = run(only(before, names), cases)
    yours = mine if isinstance(mine, NotRun) else run(only(after, names), cases)
    if isinstance(yours, NotRun) and len(cases) > 1:
        for c in cases:
            yield from _compared(run, before, after, [c])
    elif isinstance(mine, NotRun):
        yield None
    elif isinstance(yours, NotRun):
        yield f"@{cases[0].name}: the rewritten version does not run: {yours.reason}"
    else:
        for c, a, b in zip(cases, mine, yours, strict=True):
            inputs = [tuple(map(padded, call.regions)) for call in c.calls]
            what = first_difference(inputs, a, b)
            yield f"@{c.name}: {what}" if what else ""


def _run(
    text: str, cases: Sequence[Case], *, emulated: Emulated, optimised: bool
) -> list[list[Buffers]] | NotRun:
    if optimised:
        with LlvmWorker() as worker:
            better = worker.optimise(
                text, triple=emulated.machine.triple, cpu=CPU, features=FEATURES
            )
        if isinstance(better, WorkerFailed):
            return NotRun(better.reason)
        text = better
    return emulate(emulated, text, cases, cpu=CPU, features=FEATURES)


def main() -> int:
    """Obey; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.emulated", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many functions")
    parser.add_argument("--seed", type=int, default=1, help="the first batch's")
    parser.add_argument(
        "--generators",
        default=",".join(GENERATORS),
        help=f"in turn, with commas: {', '.join(GENERATORS)}",
    )
    options = parser.parse_args()
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    lacking = emulated.lacks(frozenset())
    if lacking:
        print(f"this machine {lacking}", file=sys.stderr)
        return 1
    names, seed = options.generators.split(","), options.seed
    done = rewritten = unrunnable = wrong = 0
    while done < options.count:
        name = names[seed % len(names)]
        found = check(made(name, seed), emulated)
        done, rewritten = done + found.functions, rewritten + found.rewritten
        unrunnable, wrong = unrunnable + found.unrunnable, wrong + len(found.wrong)
        for what in found.wrong:
            print(f"{name} {seed}: {what}", flush=True)
        print(
            f"{done} functions, {rewritten} rewritten, {unrunnable} not run, {wrong} findings",
            flush=True,
        )
        seed += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
