"""From pressure per port back to port groups: pure instructions fill a group until it bounds
the block, and tell who else uses it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bench.costs.mca import Fact, Mca
from isel.cost.ports import Usage

_NEAR = 0.004  # tables print thirds with many digits; sums of them are this exact
_LONGEST = 400  # instructions in one probing block


@dataclass(frozen=True, slots=True)
class Probe:
    """A port group and an instruction that uses nothing else."""

    ports: int
    line: str


def pure_groups(lines: Sequence[str], facts: Sequence[Fact]) -> tuple[Probe, ...]:
    """Return one single-use instruction per port group that has one, smallest groups first."""
    found: dict[int, str] = {}
    for line, fact in zip(lines, facts, strict=True):
        values = [v for _, v in fact.pressure]
        if (
            fact.uops == 1
            and values
            and max(values) - min(values) < _NEAR
            and abs(sum(values) - 1) < _NEAR
        ):
            found.setdefault(_mask(p for p, _ in fact.pressure), line)
    return tuple(Probe(m, found[m]) for m in sorted(found, key=lambda m: (m.bit_count(), m)))


def decompose(
    lines: Sequence[str],
    facts: Sequence[Fact],
    units: Sequence[int],
    probes: Sequence[Probe],
    mca: Mca,
    cpu: str,
    dispatch: int,
) -> tuple[list[tuple[Usage, ...]], int]:
    """Return the group uses of each line, and how many lines needed a guess.

    ``units`` are the port masks of resources with several units, which are always used evenly.
    """
    some = [(i, fact) for i, fact in enumerate(facts) if not mca.endless.match(lines[i])]
    asked = [
        (i, probe)
        for i, fact in some
        for probe in probes
        if _may_use(fact, probe) and _length(fact, probe, dispatch)
    ]
    blocks = [[probe.line] * _length(facts[i], probe, dispatch) + [lines[i]] for i, probe in asked]
    answers = mca.block_throughputs(blocks, cpu) if blocks else []
    used: dict[int, dict[int, float]] = {}
    for (i, probe), block, answer in zip(asked, blocks, answers, strict=True):
        cycles = answer * probe.ports.bit_count() - (len(block) - 1)
        if cycles > _NEAR:
            used.setdefault(i, {})[probe.ports] = round(cycles, 2)
    results = [_complete(fact, units, used.get(i, {})) for i, fact in enumerate(facts)]
    return [uses for uses, _ in results], sum(guessed for _, guessed in results)


def _may_use(fact: Fact, probe: Probe) -> bool:
    pressure = dict(fact.pressure)
    share = 1 / probe.ports.bit_count()
    return len(pressure) > 1 and all(
        pressure.get(p, 0.0) > share - _NEAR for p in _bits(probe.ports)
    )


def _length(fact: Fact, probe: Probe, dispatch: int) -> int:
    """How many copies make the probed group the bound for sure; 0 where no number does."""
    size = probe.ports.bit_count()
    if size >= dispatch:
        return 0
    busiest = max(v for _, v in fact.pressure)
    needed = max(fact.uops * size // (dispatch - size) + 1, int(busiest * size) + 1, 4)
    return needed if needed <= _LONGEST else 0


def _complete(
    fact: Fact, units: Sequence[int], used: Mapping[int, float]
) -> tuple[tuple[Usage, ...], bool]:
    """Take what is known off the pressure; ports with equal remains are one group (a guess
    where several are left).
    """
    rest = dict(fact.pressure)
    uses: dict[int, float] = {}
    for mask in [*used, *units]:
        cycles = used.get(
            mask, min((rest.get(p, 0.0) for p in _bits(mask)), default=0.0) * mask.bit_count()
        )
        if cycles > _NEAR and all(
            rest.get(p, 0.0) > cycles / mask.bit_count() - _NEAR for p in _bits(mask)
        ):
            uses[mask] = uses.get(mask, 0.0) + cycles
            rest = {
                p: v - (cycles / mask.bit_count() if mask >> p & 1 else 0.0)
                for p, v in rest.items()
            }
    rest = {p: v for p, v in rest.items() if v > _NEAR}
    levels = sorted({round(v, 2) for v in rest.values()})
    for level in levels:
        ports = [p for p, v in rest.items() if abs(v - level) < 2 * _NEAR]
        mask = _mask(ports)
        uses[mask] = uses.get(mask, 0.0) + sum(rest[p] for p in ports)
    return tuple(Usage(m, round(uses[m], 2)) for m in sorted(uses)), len(levels) > 1


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _mask(ports: Iterable[int]) -> int:
    mask = 0
    for p in ports:
        mask |= 1 << p
    return mask
