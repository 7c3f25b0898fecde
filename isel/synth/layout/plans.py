"""Plans: program steps interned while the search runs, and the program that a plan becomes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from isel.model.program import Program, Step
from isel.synth.instructions.form import Form


class Plans:
    """Steps numbered in order of first use; equal steps are one, so sharing costs nothing."""

    def __init__(self) -> None:
        self._ids: dict[Step, int] = {}
        self.steps: list[Step] = []
        self.costs: list[int] = []

    def add(self, step: Step, cost: int = 0) -> int:
        """Return the number of ``step``, whose own price is ``cost``."""
        found = self._ids.get(step)
        if found is None:
            found = self._ids[step] = len(self.steps)
            self.steps.append(step)
            self.costs.append(cost)
        return found

    def view(self, plan: int, width: int) -> int:
        """Return the plan seen in elements of ``width`` bits."""
        s = self.steps[plan]
        if s.width == width:
            return plan
        if s.kind == "view" and self.steps[s.args[0]].width == width:
            return s.args[0]
        if s.kind == "undef":
            return self.add(Step("undef", width, s.width * s.lanes // width))
        return self.add(Step("view", width, s.width * s.lanes // width, (plan,)))

    def with_zeros(self, plan: int) -> int:
        """Return the plan with zeros where anything will do."""
        s = self.steps[plan]
        args = tuple(map(self.with_zeros, s.args))
        if s.kind in ("const", "undef"):
            values = tuple(v or 0 for v in s.values) or (0,) * s.lanes
            return self.add(replace(s, kind="const", values=values), self.costs[plan])
        return self.add(replace(s, args=args), self.costs[plan])

    def apply(self, form: Form, plans: Sequence[int]) -> int:
        """Return the plan of an instruction of others, each seen in the elements of its operand."""
        i = form.instruction
        args = tuple(self.view(p, o.width) for p, o in zip(plans, i.operands, strict=True))
        return self.add(Step("apply", i.width, i.lanes, args, i.name, form.immediates), form.cost)

    def join(self, width: int, plans: Sequence[int], price: int = 0) -> int:
        """Return the plan of registers side by side, in elements of ``width`` bits; of one, it."""
        parts = tuple([self.view(p, width) for p in plans])
        lanes = sum(self.steps[p].lanes for p in parts)
        return self.add(Step("join", width, lanes, parts), price) if parts[1:] else parts[0]

    def part(self, width: int, plan: int, first: int, lanes: int, price: int = 0) -> int:
        """Return the plan of some neighbouring elements of ``width`` bits of a register."""
        args = (self.view(plan, width),)
        return self.add(Step("slice", width, lanes, args, first=first), price)

    def cost(self, roots: Sequence[int]) -> int:
        """Return the price of the steps that ``roots`` need, each once."""
        return sum(self.costs[i] for i in self._needed(roots))

    def _needed(self, roots: Sequence[int]) -> list[int]:
        seen: set[int] = set()
        stack = list(roots)
        while stack:
            i = stack.pop()
            if i not in seen:
                seen.add(i)
                stack.extend(self.steps[i].args)
        return sorted(seen)

    def program(self, roots: Sequence[int]) -> Program:
        """Return the steps that ``roots`` need, renumbered in order."""
        needed = self._needed(roots)
        new: Mapping[int, int] = {old: i for i, old in enumerate(needed)}
        own = (self.steps[i] for i in needed)
        steps = tuple(replace(s, args=tuple(new[a] for a in s.args)) for s in own)
        return Program(steps, tuple(new[r] for r in roots), self.cost(roots))


def cheapest(ways: Iterable[tuple[int, int] | None]) -> tuple[int, int] | None:
    """Return the first of the cheapest ways, each a price and a plan, None where there is none."""
    return min((way for way in ways if way is not None), key=itemgetter(0), default=None)
