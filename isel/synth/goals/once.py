"""What a window computes of invariant leaves alone: values that are there before its loop.

Each such part of a lane is a leaf of the search, as narrow as its range, whose register is made
once by a program of its own.  The proof of the whole program knows nothing of that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from isel.ir.build import extract, make, sext, sle, ule, zext
from isel.ir.canon import instantiate
from isel.ir.domain import Range, full
from isel.ir.expr import Expr, const, leaves, nodes, substitute
from isel.ir.ops import natural
from isel.ir.ranges import Ranges
from isel.model.program import Program, Step
from isel.model.window import Leaf, Root
from isel.synth.goals.registers import PASSES
from isel.synth.values.counterexamples import value_in

_MOST: Final = 12  # parts that a window may have
_WIDTHS: Final = (8, 16, 32, 64)
Making: TypeAlias = Callable[[Leaf, Sequence[Expr]], Program | None]


@dataclass(frozen=True)
class Once:
    """Roots over leaves, of which those in ``parts`` are new, with what each holds lane by lane;
    and what is known of them.
    """

    roots: list[Root]
    parts: Mapping[Leaf, tuple[Expr, ...]] = field(default_factory=dict)
    facts: tuple[Expr, ...] = ()

    def extended(self, model: Mapping[Expr, int]) -> Mapping[Expr, int]:
        """Return a counterexample with the values of the new leaves."""
        found = dict(model)
        for leaf, held in self.parts.items():
            for k, part in enumerate(held):
                given = {x: const(value_in(x, model) or 0, x.width) for x in leaves(part)}
                at = leaf.element(k * leaf.width, leaf.width)
                found[at] = instantiate(part, given).value
        return found

    def completed(self, program: Program, making: Making) -> Program | None:
        """Return a program in which the new leaves are computed; None where one cannot be."""
        steps: list[Step] = []
        new: list[int] = []
        cost = program.cost
        known = {leaf.name: (leaf, part) for leaf, part in self.parts.items()}
        for s in program.steps:
            if s.kind == "leaf" and s.name in known:
                made = making(*known[s.name])
                if made is None:
                    return None
                cost += made.cost // PASSES
                at = len(steps)
                steps += [replace(x, args=tuple(at + a for a in x.args)) for x in made.steps]
                new.append(at + made.roots[0])
            else:
                steps.append(replace(s, args=tuple(new[a] for a in s.args)))
                new.append(len(steps) - 1)
        return Program(tuple(steps), tuple(new[r] for r in program.roots), cost)


def once(roots: list[Root], given: Sequence[Leaf], ranges: Ranges, bits: int) -> Once:
    """Return roots in which what is made of the invariant ones among ``given`` alone are leaves, in
    registers of ``bits`` bits where all lanes have the same; as they are where there are many.
    """
    sources = {x.source for x in given if x.invariant}
    if not sources:
        return Once(roots)
    roots = [_prepare(r, sources) for r in roots]
    parts: dict[Leaf, tuple[Expr, ...]] = {}
    mapping: dict[Expr, Expr] = {}
    facts: dict[Expr, None] = {}
    for column in (c for r in roots for c in _columns(r, sources)):
        if all(x in mapping for x in column):
            continue
        extend, held = _narrowed(column, [ranges.of(x) for x in column])
        if any(x.args for x in held):
            leaf = _leaf(f"once{len(parts)}", held[0].width, held, bits)
            parts[leaf] = held
            held = tuple(leaf.element(k * leaf.width, leaf.width) for k in range(len(held)))
            for x, part in zip(held, parts[leaf], strict=True):
                facts.update(dict.fromkeys(_within(x, ranges.of(part))))
        mapping.update((x, extend(new, x.width)) for x, new in zip(column, held, strict=True))
    if not parts or len(parts) > _MOST:
        return Once(roots)
    return Once([_replaced(r, mapping) for r in roots], parts, tuple(facts))


def _narrowed(
    column: tuple[Expr, ...], known: Sequence[Range]
) -> tuple[Callable[[Expr, int], Expr], tuple[Expr, ...]]:
    """Return the fewest bits that say what terms are, and what extends these."""
    signed = max(r.signed_bits for r in known)
    width = min(natural(min(signed, max(r.unsigned_bits for r in known))), column[0].width)
    return sext if signed <= width else zext, tuple(extract(x, 0, width) for x in column)


def _prepare(root: Root, sources: set[str]) -> Root:
    from isel.synth.goals.invariants import preparer  # where a loop does not change something

    new, rows = preparer(sources), zip(root.lanes, root.defined, strict=True)
    return replace(root, lanes=tuple(e and new(e, d) for e, d in rows))


def _leaf(name: str, width: int, held: Sequence[Expr], bits: int) -> Leaf:
    """Return a leaf for values of lanes; a register of one that all lanes have."""
    if len(set(held)) == 1:
        return Leaf(name, width, bits // width, name, 0, width, invariant=True)
    return Leaf(name, width, len(held), name, invariant=True)


def _within(x: Expr, known: Range) -> list[Expr]:
    """Return what a range says of a term, as terms."""
    w, anything = x.width, full(x.width)
    said: list[Expr] = []
    for order, span, whole in (
        (ule, known.unsigned, anything.unsigned),
        (sle, known.signed, anything.signed),
    ):
        if span != whole:
            said += [order(const(span[0], w), x), order(x, const(span[1], w))]
    return said


def _replaced(root: Root, mapping: Mapping[Expr, Expr]) -> Root:
    def new(e: Expr) -> Expr:
        return substitute(e, mapping, make)

    lanes = tuple(None if e is None else new(e) for e in root.lanes)
    return Root(root.width, lanes, tuple(map(new, root.defined)))


def _columns(root: Root, sources: set[str]) -> list[tuple[Expr, ...]]:
    """Return the parts of a root's lanes that are computed of ``sources`` alone, lane by lane; none
    where lanes have different ones.
    """
    rows = [_parts(e, sources) for e in root.lanes if e is not None]
    shapes = {tuple(x.width for x in row) for row in rows}
    if len(shapes) != 1 or None in root.lanes:
        return []
    return list(zip(*rows, strict=True))


def _parts(lane: Expr, sources: set[str]) -> list[Expr]:
    """Return the largest parts of a lane, as wide as registers' elements, that are computed of
    ``sources`` alone; not the lane itself.
    """
    fixed: dict[Expr, bool | None] = {}  # None: a literal
    found: dict[Expr, None] = {}
    for e in nodes(lane):
        if not e.args:
            fixed[e] = None if e.is_const else e.source in sources
            continue
        of = {fixed[a] for a in e.args} - {None}
        fixed[e] = all(of) if of else None
        if not fixed[e]:
            found.update((a, None) for a in e.args if fixed[a])
    return [x for e in found for x in _natural(e) if x.args]


def _natural(e: Expr) -> list[Expr]:
    """Return the largest parts of a term that are as wide as elements."""
    if e.width in _WIDTHS:
        return [e]
    return [x for a in e.args if not a.is_const for x in _natural(a)]
