"""CEGIS on a scaled lane: what it finds is proved on the real one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

from isel.ir.build import ne
from isel.ir.expr import Expr, const, leaves
from isel.ir.ops import WidthError
from isel.model.verdict import Proved
from isel.smt.portfolio import quick_portfolio
from isel.smt.query import Query, Unsat
from isel.synth.cegis.samples import bank
from isel.synth.cegis.scale import Scale, scale_for
from isel.synth.cegis.search import DEFAULT_EFFORT, Check, cegis
from isel.synth.cegis.types import Component, Found, Grammar, Outcome, OutOfSteps, replay
from isel.synth.limits import READINGS
from isel.verify.prove import Obligation, prove
from isel.verify.saturated import steps_of


def cegis_scaled(
    lane: Expr,
    grammar: Grammar,
    effort: int = DEFAULT_EFFORT,
    premise: Expr | None = None,
    *,
    check: Check | None = None,
    lanes: int = 1,
    thorough: bool = False,
) -> Outcome:
    """Search like :func:`isel.synth.cegis.search.cegis`, on narrower elements where the lane has
    wide ones.

    An answer from the small scale is never called optimal, and that there is none there says
    nothing of the real lane: that is searched itself only where this is to be ``thorough``, or the
    scale does not fit.
    """
    holds = const(1, 1) if premise is None else premise
    scale = scale_for([e.width for e in leaves(lane, holds)])
    readings = None if scale is None else _readings(lane, holds, grammar, scale, check)
    if scale is None or readings is None:
        return cegis(lane, grammar, effort, premise, check=check, lanes=lanes)
    part, small = effort // 2 if thorough else effort, (readings.lane, readings.grammar)
    first = cegis(*small, part, readings.premise, lanes=lanes, accepts=readings.accepts)
    if isinstance(first, Found) and readings.found is not None:
        return replace(readings.found, effort=first.effort)
    if not thorough:
        why = "no program was found for narrower elements"
        return OutOfSteps(grammar.name, grammar.depth, first.effort, why)
    rest = max(effort - first.effort, 0)
    second = cegis(lane, grammar, rest, premise, check=check, lanes=lanes)
    return replace(second, effort=second.effort + first.effort)


def _readings(
    lane: Expr, holds: Expr, grammar: Grammar, scale: Scale, check: Check | None
) -> _Readings | None:
    small, premise = scale.term(lane), scale.term(holds)
    given = leaves(lane, holds)
    try:
        if small is None or premise is None:
            return None
        if leaves(small, premise) != tuple(map(scale.leaf, given)):
            return None
        narrow = scale.grammar(grammar)
    except WidthError:
        return None
    return _Readings(lane, holds, grammar, scale, check, small, premise, narrow)


class _Readings:
    """What a program of the scaled lane may mean for the real one; the best that is proved is
    ``found``.
    """

    def __init__(
        self,
        real: Expr,
        holds: Expr,
        wide: Grammar,
        scale: Scale,
        check: Check | None,
        lane: Expr,
        premise: Expr,
        grammar: Grammar,
    ) -> None:
        self.real, self.holds, self.wide, self.scale = real, holds, wide, scale
        self.lane, self.premise, self.grammar = lane, premise, grammar
        self.found: Found | None = None
        self._check = check
        self._given = (*leaves(real, holds), *wide.constants)
        self._samples = bank(real, holds, leaves(real, holds))
        self._parts = wide.by_name

    def accepts(self, small: Found) -> bool:
        """Prove one of the programs that a scaled one may mean."""
        return any(self._is_right(small, x) for x in islice(self._meanings(small), READINGS))

    def _meanings(self, small: Found) -> Iterator[tuple[Component, ...]]:
        """Return the components that steps may mean, one choice after the other."""
        steps = [
            [self._parts[name]] + [m for m in self._alike(name) if m.name != name]
            for name, _ in small.steps
        ]
        return product(*steps)

    def _alike(self, name: str) -> list[Component]:
        """Return the members beside one that are the same on the small scale."""
        part = self._parts[name]
        family = next((c.members for c in self.wide.components if part in c.members), ())
        fn = self.scale.term(part.fn)
        return [m for m in family if self.scale.term(m.fn) is fn]

    def _is_right(self, small: Found, parts: tuple[Component, ...]) -> bool:
        inputs, numbers = self._given, [n for _, n in small.steps]
        try:
            values = replay(inputs, zip(parts, numbers, strict=True))
        except WidthError:
            return False
        if not self._is_proved(values[-1]):
            return False
        steps = tuple((c.name, n) for c, n in zip(parts, numbers, strict=True))
        cost = sum(c.cost for c in parts)
        before = () if self.found is None else (self.found, *self.found.others)
        least = len(values) == 1
        self.found = Found(self.wide.name, inputs, steps, values, cost, least, 0, before)
        return True

    def _is_proved(self, value: Expr) -> bool:
        if value.width != self.real.width or self._samples.mismatch(value) is not None:
            return False
        if self._check is not None:
            return isinstance(self._check(Query((self.holds, ne(self.real, value)))), Unsat)
        obligation = Obligation(self.holds, self.real, value)
        return isinstance(prove([obligation], checker=quick_portfolio(), steps=steps_of), Proved)
