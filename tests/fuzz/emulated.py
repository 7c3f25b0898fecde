"""``python -m tests.fuzz.emulated``: random functions through ``isel opt`` for AArch64 or Hexagon, and
both versions under qemu, one start of it for each module of many functions.
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
from tests.fuzz.clang import ARM_TRIPLE, HVX_TRIPLE, MARCHES, arm_batch, hvx_batch
from tests.fuzz.generate import NAME, Generated, generate
from tests.fuzz.generators import carried_batch, reductions_batch
from tests.fuzz.harness import first_difference
from tests.fuzz.lookups import lookup_loop, tables
from tests.fuzz.masks import masks
from tests.fuzz.modules import changed, only
from tests.fuzz.moves import moves
from tests.fuzz.small import small
from tests.fuzz.squares import squares

FLAGS: Final = ("--cache=off", "--effort=0", "-j1", "--strict")
_CALLS: Final = 4
_SMALL: Final = 50  # small functions of a module
_PREDICATES: Final = (8,)  # LLVM's code of the bits of wider lanes as an integer is wrong on HVX
_TRIPLE: Final = re.compile(r"^target triple = .*$", re.MULTILINE)
_DECLARED: Final = re.compile(r"^declare .*$", re.MULTILINE)
_DEFINED: Final = re.compile(r"^define .*?^}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Processor:
    """What functions are for: an ISA's name, and what LLVM calls it."""

    isa: str
    triple: str
    cpu: str
    features: str

    @property
    def emulated(self) -> Emulated:
        """The emulator of it."""
        found = isa_named(self.isa).executor()
        assert isinstance(found, Emulated)
        return found


ARM: Final = Processor("arm", ARM_TRIPLE, "neoverse-v1", "+dotprod,+i8mm,-sve,-sve2")
HVX: Final = Processor("hvx", HVX_TRIPLE, "hexagonv66", "+hvxv66,+hvx-length128b")
PROCESSORS: Final = {p.isa: p for p in (ARM, HVX)}


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


def _seeded(name: str, seed: int, functions: Sequence[Generated]) -> Batch:
    """Return one module of many functions, each under its seed."""
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
    return Batch(name, seed, text, tuple(cases))


def small_batch(seed: int) -> Batch:
    """Return small functions."""
    return _seeded("small", seed, [function(seed * _SMALL + k) for k in range(_SMALL)])


def vectors(name: str, one: Callable[[int], Generated]) -> Callable[[int], Batch]:
    """Return the generator of batches of what is made of one seed each."""
    return lambda seed: _seeded(name, seed, [one(seed * _SMALL + k) for k in range(_SMALL)])


def registers(*sizes: int) -> dict[str, Callable[[int], Batch]]:
    """Return the generators of functions on registers of so many bytes, by name."""
    return {
        "tables": vectors("tables", partial(tables, lanes=sizes, x86=False)),
        "masks": vectors("masks", partial(masks, registers=sizes)),
        "moves": vectors("moves", partial(moves, registers=sizes)),
        "squares": vectors("squares", partial(squares, registers=sizes)),
    }


GENERATORS: Final[dict[str, dict[str, Callable[[int], Batch]]]] = {
    "arm": {
        "small": small_batch,
        "carried": lambda seed: carried_batch(seed, tuple(MARCHES)),
        "reductions": lambda seed: reductions_batch(seed, tuple(MARCHES)),
        "c": arm_batch,
        "lookups": lambda seed: arm_batch(seed, lookup_loop),
        **registers(8, 16),
    },
    "hvx": {
        "lookups": lambda seed: hvx_batch(seed, lookup_loop),
        **registers(128),
        "masks": vectors("masks", partial(masks, registers=(128,), widths=_PREDICATES)),
    },
}


def made(name: str, seed: int, processor: Processor = ARM) -> Batch:
    """Return a batch for a processor; what is C says for itself which CPU it is for."""
    batch = GENERATORS[processor.isa][name](seed)
    text = _TRIPLE.sub(f'target triple = "{processor.triple}"', batch.text)
    return replace(batch, text=text, cpu="" if batch.source else processor.cpu)


def check(batch: Batch, processor: Processor = ARM) -> Checked:
    """Rewrite the functions of a batch and run both versions, each as LLVM compiles it."""
    before = binding.normalise(batch.text)
    features = (f"-mattr={processor.features}",) if batch.cpu else ()
    done = isel_opt((*FLAGS, *features), before, batch.cpu)
    if done.status:
        return Checked(len(batch.cases), 0, 0, (f"exit status {done.status}: {done.said}",))
    after = binding.normalise(done.text)
    differ = changed(before, after)
    cases = [c for c in batch.cases if c.name in differ]
    run = partial(_run, processor=processor, optimised=batch.seed % 2 == 1)
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
    text: str, cases: Sequence[Case], *, processor: Processor, optimised: bool
) -> list[list[Buffers]] | NotRun:
    cpu, features = processor.cpu, processor.features
    if optimised:
        with LlvmWorker() as worker:
            better = worker.optimise(text, triple=processor.triple, cpu=cpu, features=features)
        if isinstance(better, WorkerFailed):
            return NotRun(better.reason)
        text = better
    return emulate(processor.emulated, text, cases, cpu=cpu, features=features)


def main() -> int:
    """Obey; return 1 if anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.emulated", description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="how many functions")
    parser.add_argument("--seed", type=int, default=1, help="the first batch's")
    parser.add_argument("--isa", default="arm", choices=PROCESSORS, help="what they are for")
    parser.add_argument("--generators", help="in turn, with commas; all of the ISA if not given")
    options = parser.parse_args()
    processor = PROCESSORS[options.isa]
    lacking = processor.emulated.lacks(frozenset())
    if lacking:
        print(f"this machine {lacking}", file=sys.stderr)
        return 1
    names = (options.generators or ",".join(GENERATORS[options.isa])).split(",")
    seed = options.seed
    done = rewritten = unrunnable = wrong = 0
    while done < options.count:
        name = names[seed % len(names)]
        found = check(made(name, seed, processor), processor)
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
