"""How the swizzles that compute instructions call for are done with a target's own instructions:
found by the search, proved.

After MISAAL (PLDI 2025) section 3.3, where such lowerings are what a swizzle of a program becomes.
The file has a block for every distinct swizzle of a target::

    lowering x86 sapphirerapids 2.00       target, CPU, cycles of reciprocal throughput
      for _mm_madd_epi16.a …               who calls for it
      %0 = leaf 4x16 x0                    the program, as :mod:`isel.model.program` writes it
      …

A swizzle for which nothing was found has ``none: REASON`` in place of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from equiv_classes.swizzles import Swizzle
from isel.ir.expr import const
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import Program, read_program
from isel.model.window import Leaf, Root, Window
from isel.spec.instruction import Role
from isel.spec.target import Target
from isel.synth.synthesize import make_synthesizer
from isel.workers import Failed, Pool

FILE: Final = "lowerings.txt"
_CENTS: Final = 100


@dataclass(frozen=True, slots=True)
class Lowering:
    """A swizzle, who calls for it, and the cheapest proved program (None, and the reason), with
    its price in hundredths of a cycle.
    """

    target: str
    cpu: str
    callers: tuple[str, ...]
    program: Program | None
    reason: str = ""

    @property
    def cost(self) -> int:
        """The price of the program; 0 where there is none."""
        return 0 if self.program is None else self.program.cost

    @property
    def instructions(self) -> tuple[str, ...]:
        """The instructions of the program in order."""
        return (
            ()
            if self.program is None
            else tuple(s.name for s in self.program.steps if s.kind == "apply")
        )


def least_register(target: Target) -> int:
    """Return the bits of the smallest register of lanes that a target has."""
    indices = (o for i in target.instructions() for o in i.operands if o.role is Role.INDEX)
    return min(o.bits for o in indices)


def window_of(swizzle: Swizzle, least: int) -> Window:
    """Return the swizzle as a window of at least ``least`` bits, and no fewer than a source
    has; places that do not matter are lanes that are never used.
    """
    movement = swizzle.as_instruction("swizzle")
    places = {place for place, _, _ in swizzle.moves}
    count = max(swizzle.count, swizzle.lanes, least // swizzle.width)
    lanes = tuple(movement.lane(i, {}) if i in places else None for i in range(count))
    leaves = tuple(Leaf(o.name, o.width, o.lanes) for o in movement.operands)
    return Window(leaves, (Root(swizzle.width, lanes, (const(1, 1),) * count),))


def lowerings_of(
    target: Target, calls: Iterable[tuple[str, Swizzle]], cpu: str, jobs: int = 1
) -> tuple[Lowering, ...]:
    """Search a lowering for every distinct swizzle in ``calls`` with all registers of ``cpu``;
    the answers do not depend on ``jobs``.
    """
    machine = Machine(
        target, cpu, target.features(cpu, ""), max(i.bits for i in target.instructions())
    )
    synthesizer = make_synthesizer(machine, Options())
    called: dict[Swizzle, list[str]] = {}
    for caller, swizzle in calls:
        called.setdefault(swizzle, []).append(caller)
    least = least_register(target)
    windows = [window_of(s, least) for s in called]
    synthesizer.prepare(windows)
    results = Pool(jobs).map(synthesizer.search, windows)
    made: list[Lowering] = []
    for callers, result in zip(called.values(), results, strict=True):
        if isinstance(result, Failed) or not result.candidates:
            made.append(
                Lowering(
                    target.name,
                    cpu,
                    tuple(callers),
                    None,
                    reason=result.reason or "no program found",
                )
            )
        else:
            made.append(Lowering(target.name, cpu, tuple(callers), result.candidates[0].program))
    return tuple(made)


def write(found: Sequence[Lowering], head: str) -> str:
    """Return the text of the file; ``head`` are its comment lines."""
    return head + "".join(f"\n{_text(x)}" for x in found)


def _text(x: Lowering) -> str:
    lines = [f"lowering {x.target} {x.cpu} {x.cost / _CENTS:.2f}", f"  for {' '.join(x.callers)}"]
    lines += (
        [f"  none: {x.reason}"]
        if x.program is None
        else [f"  {line}" for line in x.program.text().splitlines()]
    )
    return "\n".join(lines) + "\n"


def read(text: str) -> tuple[Lowering, ...]:
    """Read what :func:`write` wrote; raises ``ValueError`` for anything else."""
    return tuple(_lowering(block) for block in _blocks(text))


def _blocks(text: str) -> Iterator[list[str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    starts = [k for k, line in enumerate(lines) if line.startswith("lowering ")]
    for start, end in zip(starts, (*starts[1:], len(lines)), strict=True):
        yield lines[start:end]


def _lowering(block: Sequence[str]) -> Lowering:
    _, target, cpu, cycles = block[0].split()
    callers = tuple(block[1].split()[1:])
    first = block[2].strip()
    if first.startswith("none: "):
        return Lowering(target, cpu, callers, None, reason=first.removeprefix("none: "))
    plain = read_program("\n".join(line.strip() for line in block[2:]))
    return Lowering(
        target, cpu, callers, Program(plain.steps, plain.roots, round(float(cycles) * _CENTS))
    )


@cache
def lowerings() -> tuple[Lowering, ...]:
    """Return the shipped lowerings, read once; none where none were generated."""
    file = files("equiv_classes").joinpath(FILE)
    return read(file.read_text(encoding="utf-8")) if file.is_file() else ()


def by_caller(found: Sequence[Lowering]) -> Mapping[tuple[str, str], tuple[Lowering, ...]]:
    """Return lowerings by target and the name of a caller, which may call for several swizzles."""
    made: dict[tuple[str, str], list[Lowering]] = {}
    for x in found:
        for name in dict.fromkeys(x.callers):
            made.setdefault((x.target, name), []).append(x)
    return {key: tuple(rows) for key, rows in made.items()}
