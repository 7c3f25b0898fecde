"""Ten terms of different kinds, each one or two instructions on some target, terms that are
combined of widened sums, shifts and clamps, and terms of terms: a lane of each as a term, and a
function of LLVM IR whose vectors have such lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, product
from typing import Final

from isel.ir.build import add, ashr, band, bor, ite, lshr, mul, sext, slt, sub, trunc, ult, zext
from isel.ir.canon import instantiate, rename
from isel.ir.expr import Expr, const, elem, leaves, postorder, var
from isel.ir.ops import signed


@dataclass(frozen=True, slots=True)
class Term:
    """A term by name; ``lane`` makes it for elements of so many bits."""

    name: str
    lane: Callable[[int], Expr]


def _smin(a: Expr, b: Expr) -> Expr:
    return ite(slt(a, b), a, b)


def _smax(a: Expr, b: Expr) -> Expr:
    return ite(slt(b, a), a, b)


def _umin(a: Expr, b: Expr) -> Expr:
    return ite(ult(a, b), a, b)


def _umax(a: Expr, b: Expr) -> Expr:
    return ite(ult(b, a), a, b)


def _x(w: int) -> Expr:
    return var("x", w)


def _y(w: int) -> Expr:
    return var("y", w)


def _z(w: int) -> Expr:
    return var("z", w)


def saturating_sum(w: int) -> Expr:
    """Return a signed sum that stays within ``w`` bits."""
    least, most = const(-(1 << (w - 1)), 2 * w), const((1 << (w - 1)) - 1, 2 * w)
    total = add(sext(_x(w), 2 * w), sext(_y(w), 2 * w))
    low = _smin(total, most)
    return trunc(ite(slt(least, low), low, least), w)


def average(w: int) -> Expr:
    """Return an unsigned average, rounded up."""
    total = add(add(zext(_x(w), 2 * w), zext(_y(w), 2 * w)), const(1, 2 * w))
    return trunc(lshr(total, const(1, 2 * w)), w)


def absolute_difference(w: int) -> Expr:
    """Return an unsigned absolute difference."""
    return ite(ult(_x(w), _y(w)), sub(_y(w), _x(w)), sub(_x(w), _y(w)))


def dot_product(w: int) -> Expr:
    """Return two products of neighbouring signed elements, added to twice the width."""
    parts = [sext(elem(n, k * w, w), 2 * w) for k in range(2) for n in ("x", "y")]
    return add(var("acc", 2 * w), add(mul(parts[0], parts[1]), mul(parts[2], parts[3])))


def rounding_shift(w: int) -> Expr:
    """Return an eighth of a signed element, rounded to nearest."""
    return trunc(ashr(add(sext(_x(w), 2 * w), const(4, 2 * w)), const(3, 2 * w)), w)


def high_half(w: int) -> Expr:
    """Return the high half of an unsigned product."""
    product = mul(zext(_x(w), 2 * w), zext(_y(w), 2 * w))
    return trunc(lshr(product, const(w, 2 * w)), w)


def clamp(w: int) -> Expr:
    """Return the greater of two, but no more than a third."""
    return _umin(_umax(_x(w), _y(w)), _z(w))


def majority(w: int) -> Expr:
    """Return the bits that two of three have."""
    x, y, z = _x(w), _y(w), _z(w)
    return bor(bor(band(x, y), band(x, z)), band(y, z))


def multiply_add(w: int) -> Expr:
    """Return an unsigned product, added to twice the width."""
    return add(var("acc", 2 * w), mul(zext(_x(w), 2 * w), zext(_y(w), 2 * w)))


def halving_difference(w: int) -> Expr:
    """Return half of an unsigned difference."""
    return trunc(lshr(sub(zext(_x(w), 2 * w), zext(_y(w), 2 * w)), const(1, 2 * w)), w)


TERMS: Final = tuple(
    Term(lane.__name__.replace("_", " "), lane)
    for lane in (
        saturating_sum,
        average,
        absolute_difference,
        dot_product,
        rounding_shift,
        high_half,
        clamp,
        majority,
        multiply_add,
        halving_difference,
    )
)
_EXTENSIONS: Final = (("s", sext), ("u", zext))
_SUMS: Final[tuple[tuple[str, int, int, int], ...]] = (  # name, factors of x and y, constant
    ("x+y", 1, 1, 0),
    ("x+y+1", 1, 1, 1),
    ("x-y", 1, -1, 0),
    ("2x+y", 2, 1, 0),
    ("2x-y", 2, -1, 0),
    ("3x", 3, 0, 0),
    ("x+1", 1, 0, 1),
    ("x+2", 1, 0, 2),
)
_SHIFTS: Final = (0, 1, 2)
_CUTS: Final = ("low", "signed", "unsigned")


def sums(every: int) -> Iterator[Term]:
    """Yield every so-manieth of the combinations: a sum of extended elements, shifted to the
    right, of which the low half is taken or which is clamped.
    """
    found = product(_EXTENSIONS, _SUMS, _SHIFTS, _CUTS)
    for (sign, extend), (name, a, b, c), shift, cut in islice(found, 0, None, every):
        yield Term(
            f"{cut}({sign}: {name} >> {shift})",
            partial(_sum, extend=extend, factors=(a, b, c), shift=shift, cut=cut),
        )


def _sum(
    w: int,
    extend: Callable[[Expr, int], Expr],
    factors: tuple[int, int, int],
    shift: int,
    cut: str,
) -> Expr:
    wide, (a, b, c) = 2 * w, factors
    total = mul(extend(_x(w), wide), const(a, wide))
    if b:
        total = add(total, mul(extend(_y(w), wide), const(b, wide)))
    total = ashr(add(total, const(c, wide)), const(shift, wide))
    if cut == "low":
        return trunc(total, w)
    least, most = (-(1 << (w - 1)), (1 << (w - 1)) - 1) if cut == "signed" else (0, (1 << w) - 1)
    return trunc(_smin(_smax(total, const(least, wide)), const(most, wide)), w)


_NESTED: Final = (
    saturating_sum,
    average,
    absolute_difference,
    rounding_shift,
    high_half,
    clamp,
    halving_difference,
)


def nests(every: int) -> Iterator[Term]:
    """Yield every so-manieth of the terms of terms: one of two others, of ``x`` and ``y`` and of
    ``y`` and ``z``.
    """
    for found in islice(product(_NESTED, repeat=3), 0, None, every):
        outer, first, second = (lane.__name__.replace("_", " ") for lane in found)
        yield Term(f"{outer}({first}, {second})", partial(_nest, found))


def _nest(found: Sequence[Callable[[int], Expr]], w: int) -> Expr:
    outer, first, second = (lane(w) for lane in found)
    right = rename(second, {_x(w): _y(w), _y(w): _z(w)})
    return instantiate(outer, {_x(w): first, _y(w): right})


_COMPARES: Final = ("eq", "ult", "ule", "slt", "sle")


def function(name: str, lane: Expr, lanes: int) -> str:
    """Return a function that computes a lane ``lanes`` times over: vectors in, a vector out.

    The elements of an operand that one lane takes several of lie side by side.
    """
    inputs = leaves(lane)
    counts = {e.source: 1 + max(_place(x) for x in inputs if x.source == e.source) for e in inputs}
    kinds = {e.source: f"<{lanes * counts[e.source]} x i{e.width}>" for e in inputs}
    lines, words = list[str](), dict[Expr, str]()
    for e in postorder([lane]):
        if e.is_const:
            words[e] = f"splat (i{e.width} {signed(e.value, e.width)})"
        elif e.is_leaf and counts[e.source] == 1:
            words[e] = f"%{e.source}"
        else:
            said = _strided(e, kinds, counts, lanes) if e.is_leaf else _operation(e, words, lanes)
            words[e] = f"%v{len(lines)}"
            lines.append(f"  {words[e]} = {said}")
    arguments = ", ".join(f"{kind} noundef %{source}" for source, kind in kinds.items())
    kind = f"<{lanes} x i{lane.width}>"
    head = f"define {kind} @{name}({arguments}) {{"
    return "\n".join([head, *lines, f"  ret {kind} {words[lane]}", "}", ""])


def _place(e: Expr) -> int:
    return e.offset // e.width if e.op == "elem" else 0


def _strided(e: Expr, kinds: Mapping[str, str], counts: Mapping[str, int], lanes: int) -> str:
    kind, count = kinds[e.source], counts[e.source]
    mask = ", ".join(f"i32 {count * k + _place(e)}" for k in range(lanes))
    return f"shufflevector {kind} %{e.source}, {kind} poison, <{lanes} x i32> <{mask}>"


def _operation(e: Expr, words: Mapping[Expr, str], lanes: int) -> str:
    kind = f"<{lanes} x i{e.args[0].width}>"
    args = [words[a] for a in e.args]
    if e.op in ("zext", "sext", "extract"):
        assert e.op != "extract" or e.int_attr(0) == 0
        word = "trunc" if e.op == "extract" else e.op
        return f"{word} {kind} {args[0]} to <{lanes} x i{e.width}>"
    if e.op in _COMPARES:
        return f"icmp {e.op} {kind} {args[0]}, {args[1]}"
    if e.op == "ite":
        value = f"<{lanes} x i{e.width}>"
        return f"select {kind} {args[0]}, {value} {args[1]}, {value} {args[2]}"
    assert len(args) == 2
    return f"{e.op} {kind} {args[0]}, {args[1]}"
