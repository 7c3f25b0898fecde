"""From the bits of a result to lanes over elements of operands: the widths of elements, and
what immediates may be.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Final

from isel.ir import build
from isel.ir.expr import Expr, const, elem, leaves, substitute, term
from isel.ir.ops import Attr
from isel.spec.instruction import Immediate, Operand, Role
from semantics.importing.lookups import lookup, reads
from semantics.importing.prototype import Parameter, Prototype
from semantics.importing.simplify import instantiate

_TRIED: Final = (64, 32, 16, 8)  # element widths of a result whose elements the guide does not name
_SAMPLED: Final = 5


@dataclass(frozen=True, slots=True)
class LaneForm:
    """What an intrinsic computes: lanes of ``width`` bits over elements of ``operands`` and bits of
    the immediates.

    ``lanes[i]`` is a term over ``elem(operand, offset, width)``, where immediates are leaves as
    well; :meth:`lane` substitutes them.
    """

    operands: tuple[Operand, ...]
    immediates: tuple[Immediate, ...]
    width: int
    lanes: tuple[Expr, ...]

    def lane(self, i: int, immediates: Mapping[str, int]) -> Expr:
        """Return lane ``i`` for values of the immediates."""
        root = self.lanes[i]
        if not self.immediates:
            return root
        return regridded(
            instantiate(root, fixed(root, immediates)), {o.name: o.width for o in self.operands}
        )


def fixed(root: Expr, immediates: Mapping[str, int]) -> dict[Expr, Expr]:
    """Return what the bits of immediates in a term are replaced by."""
    read = (e for e in leaves(root) if e.source in immediates)
    return {e: const(immediates[e.source] >> e.offset, e.width) for e in read}


def lane_form(
    entry: Prototype, read: Callable[[int, int], Expr], pieces: Collection[int]
) -> LaneForm:
    """Return the lane form of a result whose slices ``read(offset, width)`` gives; it was
    assigned in ``pieces`` of these widths.
    """
    names = frozenset(p.name for p in entry.parameters if p.is_immediate)
    width = _result_width(entry, read, names, pieces)
    lanes = [read(at, width) for at in range(0, entry.result.bits, width)]
    if entry.result.is_mask:
        while (
            len(lanes) > 1
            and lanes[-1].op == "const"
            and lanes[-1].value == 0
            and not _all_constant(lanes)
        ):
            lanes.pop()
        lanes.extend(const(0, 1) for _ in range(_power(len(lanes)) - len(lanes)))
    immediates = tuple(_immediate(p, lanes) for p in entry.parameters if p.is_immediate)
    everything = _sampled(lanes, immediates)
    operands = tuple(_operand(p, everything, width) for p in entry.parameters if not p.is_immediate)
    grid = {o.name: o.width for o in operands}
    return LaneForm(operands, immediates, width, tuple(regridded(e, grid) for e in lanes))


def _all_constant(lanes: Sequence[Expr]) -> bool:
    return all(e.op == "const" for e in lanes)


def _power(n: int) -> int:
    return 1 << (n - 1).bit_length()


def _result_width(
    entry: Prototype,
    read: Callable[[int, int], Expr],
    names: frozenset[str],
    pieces: Collection[int],
) -> int:
    if entry.result.is_mask:
        return 1
    if not entry.result.is_vector:
        return entry.result.bits
    named = entry.result.element[1]
    if 8 <= named <= 64:
        return 8 if set(pieces) == {8} else named
    for width in _TRIED:
        lanes = [read(at, width) for at in range(0, entry.result.bits, width)]
        found = _sampled(
            lanes, tuple(_immediate(p, lanes) for p in entry.parameters if p.name in names)
        )
        if all(
            e.offset % width == 0 and e.width % width == 0
            for e in reads(*found)
            if e.source not in names
        ):
            return width
    return _TRIED[0]


def _sampled(lanes: Sequence[Expr], immediates: tuple[Immediate, ...]) -> list[Expr]:
    """Return the lanes for a few values of the immediates."""
    if not immediates:
        return list(lanes)
    found: list[Expr] = []
    total = prod(len(m.values) for m in immediates)
    for k in {0, 1, 2, total // 2, total - 1} if total >= _SAMPLED else range(total):
        chosen: dict[str, int] = {}
        for m in immediates:
            k, at = divmod(k, len(m.values))
            chosen[m.name] = m.values[at]
        found.extend(instantiate(e, fixed(e, chosen)) for e in lanes)
    return found


def _immediate(p: Parameter, lanes: Iterable[Expr]) -> Immediate:
    """Return an immediate and its values: those that differ in bits that the operation reads,
    where the vendor does not say.
    """
    if p.legal:
        return Immediate(p.name, 32, tuple(p.legal))
    used = 0
    for e in reads(*lanes):
        if e.source == p.name:
            used |= ((1 << e.width) - 1) << e.offset
    if p.immwidth:
        used &= (1 << p.immwidth) - 1
    return Immediate(p.name, 32, tuple(v for v in range(used + 1) if v & ~used == 0))


def _operand(p: Parameter, lanes: Sequence[Expr], result: int) -> Operand:
    found = {(e.offset, e.width) for e in reads(*lanes) if e.source == p.name}
    if p.is_mask:
        used = max((at + width for at, width in found), default=1)
        return Operand(p.name, 1, _power(used), Role.MASK)
    if not p.is_vector:
        return Operand(p.name, p.bits, 1, Role.SCALAR)
    natural = 0
    for at, width in found:
        natural = gcd(natural, gcd(at, width))
    named = p.element[1] or result
    width = min(natural, 64)
    if width < 8 or (
        width < named <= 64 and len({at // width for at, _ in found}) * width < p.bits
    ):
        width = named if 8 <= named <= 64 else 64  # parts of elements are read
    return Operand(p.name, width, p.bits // width)


def regridded(root: Expr, grid: Mapping[str, int]) -> Expr:
    """Return a term whose leaves are elements of the operands' widths, or slices and rows of
    them.
    """
    read = (e for e in leaves(root) if e.source in grid or lookup(e.source) is not None)
    mapping = {e: _on_grid(e, grid) for e in read}
    if all(e is new for e, new in mapping.items()):
        return root
    return substitute(root, mapping, _plain)


def _plain(op: str, args: tuple[Expr, ...], attr: Attr) -> Expr:
    return term(op, *args, attr=attr)


def _on_grid(e: Expr, grid: Mapping[str, int]) -> Expr:
    entry = lookup(e.source)
    if entry is not None:
        whole = replace(entry, index=regridded(entry.index, grid)).leaf
        return build.extract(whole, e.offset, e.width)
    width = grid[e.source]
    first, last = e.offset // width, (e.offset + e.width - 1) // width
    whole = elem(e.source, first * width, width)
    for k in range(first + 1, last + 1):
        whole = build.concat(elem(e.source, k * width, width), whole)
    return build.extract(whole, e.offset - first * width, e.width)
