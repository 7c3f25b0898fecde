"""What LLVM makes of an emission compiled alone; the forms price the instruction."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Final, Protocol

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.shipped import rows_of
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics.harness import function_text
from semantics.machine import Machine
from semantics.samples import immediate_choices

_FUNCTION: Final = re.compile(r"^(f\d+):[^\n]*\n(.*?)^\.Lfunc_end", re.DOTALL | re.MULTILINE)
_BATCH: Final = 48
_IMMEDIATES: Final = 6
_SMALL: Final[tuple[int, ...]] = (1, 2, 3, 4, 5, 7)
Text = Callable[[Instruction, Mapping[str, int], str], str]


@lru_cache(maxsize=2)
def _same_names(isa: str) -> tuple[tuple[str, str], ...]:
    return tuple((wanted, printed) for wanted, printed in rows_of(__file__, isa, "same_names.tsv"))


def is_same(isa: str, wanted: str, printed: str) -> bool:
    """Tell whether a mnemonic is the one wanted, or names the same operation."""
    return wanted == printed or any(
        re.fullmatch(m.expand(names), printed)
        for pattern, names in _same_names(isa)
        if (m := re.fullmatch(pattern, wanted))
    )


class Printed(Protocol):
    """How a target prints what it selects."""

    @property
    def machine(self) -> Machine:
        """What emissions are compiled for."""
        ...

    def body(self, lines: Sequence[str]) -> list[tuple[str, str]]:
        """Return the form and the mnemonic of each instruction of a function's lines, without the
        glue of the calling convention.
        """
        ...

    def equivalent(self, expected: str, printed: str) -> bool:
        """Tell whether a printed mnemonic names the expected operation."""
        ...


@dataclass(frozen=True, slots=True)
class Selected:
    """What one instruction with fixed immediates becomes: forms and mnemonics without the glue
    of the calling convention.
    """

    name: str
    immediates: Mapping[str, int]
    forms: tuple[str, ...]
    mnemonics: tuple[str, ...]
    failure: str = ""

    def is_one(self, mnemonic: str, printed: Printed) -> bool:
        """Tell whether that is one machine instruction which is ``mnemonic`` by this or an
        equivalent name.
        """
        return len(self.mnemonics) == 1 and printed.equivalent(mnemonic, self.mnemonics[0])


def select(
    cases: Sequence[tuple[Instruction, Mapping[str, int]]],
    worker: LlvmWorker,
    printed: Printed,
    extra: frozenset[str] = frozenset(),
    text: Text | None = None,
) -> list[Selected]:
    """Compile each emission alone with its own features (and ``extra``) by LLVM's ``-O3`` and code
    generator.

    ``text`` writes the function of one instruction with fixed immediates, under a name.
    """
    function = text or partial(function_text, machine=printed.machine)
    found: list[Selected] = []
    for start in range(0, len(cases), _BATCH):
        found.extend(_batch(cases[start : start + _BATCH], worker, printed, extra, function))
    return found


def _batch(
    cases: Sequence[tuple[Instruction, Mapping[str, int]]],
    worker: LlvmWorker,
    printed: Printed,
    extra: frozenset[str],
    function: Text,
) -> Iterator[Selected]:
    text = "".join(
        function(replace(i, features=i.features | extra), imm, f"f{k}")
        for k, (i, imm) in enumerate(cases)
    )
    machine = compiled(text, worker, printed.machine)
    if isinstance(machine, WorkerFailed):
        if len(cases) == 1:
            yield Selected(cases[0][0].name, cases[0][1], (), (), machine.reason)
            return
        for case in cases:
            yield from _batch([case], worker, printed, extra, function)
        return
    bodies = functions_of(machine)
    for k, (i, imm) in enumerate(cases):
        yield read_selected(bodies[f"f{k}"], i, imm, printed)


def read_selected(
    body: str, i: Instruction, immediates: Mapping[str, int], printed: Printed
) -> Selected:
    """Return what the lines of a function show that an instruction with fixed immediates became."""
    kept = printed.body(body.splitlines())
    return Selected(i.name, immediates, tuple(f for f, _ in kept), tuple(m for _, m in kept))


def functions_of(assembly: str) -> dict[str, str]:
    """Return the lines of each function ``f<number>`` of an assembly."""
    return dict(_FUNCTION.findall(assembly))


def compiled(text: str, worker: LlvmWorker, machine: Machine) -> str | WorkerFailed:
    """Return the assembly of a module after ``-O3``."""
    optimised = worker.optimise(text, triple=machine.triple, cpu=machine.cpu, features="")
    if isinstance(optimised, WorkerFailed):
        return optimised
    return worker.assembly(optimised, triple=machine.triple, cpu=machine.cpu, features="")


def best(cases: Iterable[tuple[Instruction, Selected]], printed: Printed) -> Selected | None:
    """Return the selection that shows the instruction itself: one instruction of its name if
    any is, else the shortest.
    """
    ranked = sorted(
        ((not s.is_one(i.mnemonic, printed), s.mnemonics != (i.mnemonic,), len(s.forms), k), s)
        for k, (i, s) in enumerate(cases)
        if s.forms
    )
    return ranked[0][1] if ranked else None


def tried(i: Instruction, most: int = _IMMEDIATES) -> list[dict[str, int]]:
    """Return immediates that show what an instruction becomes: ``most`` of the legal ones, and
    small ones (large shifts give constants).
    """
    every = immediate_choices(i.immediates, most, 0)
    if len(i.immediates) == 1:
        (m,) = i.immediates
        every.extend({m.name: v} for v in _SMALL if v in m.values and {m.name: v} not in every)
    return every


def selections(
    target: Target, worker: LlvmWorker, printed: Printed, extra: frozenset[str]
) -> dict[str, list[Selected]]:
    """Return what each instruction becomes, for some values of its immediates."""
    cases = [(i, imm) for i in target.instructions() for imm in tried(i)]
    found: dict[str, list[Selected]] = {}
    for s in select(cases, worker, printed, extra):
        found.setdefault(s.name, []).append(s)
    return found


def table(target: Target, printed: Printed, extra: frozenset[str] = frozenset()) -> str:
    """Return the text of ``forms.tsv`` (:mod:`semantics.forms`): what each instruction becomes
    where that shows it best; nothing behind the name of one that is none, as a part of a register.
    """
    asked = f"# what LLVM {binding.llvm_version()} selects for each emission, as forms of the price"
    lines = [f"{asked} tables: python -m semantics.{target.name}.selection"]
    with LlvmWorker() as worker:
        found = selections(target, worker, printed, extra)
    for i in target.instructions():
        chosen = best(((i, s) for s in found[i.name]), printed)
        if chosen is not None:
            lines.append("\t".join([i.name, *chosen.forms]))
        elif not any(s.failure for s in found[i.name]):
            lines.append(i.name)
    return "\n".join(lines) + "\n"
