"""Terms of lanes as LLVM IR: lanes that are one function are computed together, and where a lane is
not defined it is poison.

IR leaves undefined what a term defines (an oversized shift, a division by zero), so these are
guarded; what has no counterpart is refused.  No line carries flags: :class:`isel.model.window.Root`
says in ``defined`` what flags had said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Final

from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.text import build
from frontends.llvm.text.ast import Local, Operand
from frontends.llvm.text.syntax import shape_of
from isel.ir.canon import canonical
from isel.ir.expr import Expr, postorder, term
from isel.smt.query import in_primitives

_BINARY: Final = frozenset(("add", "sub", "mul", "and", "or", "xor"))
_ORDERS: Final = frozenset(("eq", "ult", "ule", "slt", "sle"))
_EXTENSIONS: Final = frozenset(("zext", "sext"))
_SHIFTS: Final = frozenset(("shl", "lshr", "ashr"))
_DIVISIONS: Final = frozenset(("udiv", "urem", "sdiv", "srem"))


def _splat(value: int, bits: int, lanes: int) -> Operand:
    return build.constant([value % (1 << bits)] * lanes, bits)


@dataclass(slots=True)
class TermWriter:
    """Writes lines; ``value`` is what the elements of each leaf or region are elements of,
    ``prefix`` begins the names that are made.
    """

    value: Mapping[str, Operand]
    prefix: str
    lines: list[str] = field(default_factory=list)
    _made: dict[build.Body, Operand] = field(default_factory=dict)

    def define(self, body: build.Body) -> Operand:
        """Return a line's value; equal lines are written once."""
        if body not in self._made:
            name = f"{self.prefix}{len(self._made)}"
            self.lines.append(body.line(name))
            self._made[body] = Local(name, body.type)
        return self._made[body]

    def lanes(self, values: Sequence[Expr | None], defined: Sequence[Expr], width: int) -> Operand:
        """Return a vector of lanes, each poison where its bit of ``defined`` is 0 or where it has
        no value.
        """
        groups: dict[Expr, list[tuple[int, tuple[Expr, ...]]]] = {}
        for i, (e, d) in enumerate(zip(values, defined, strict=True)):
            if e is not None:
                form, holes = canonical(term("concat", d, e))
                groups.setdefault(form, []).append((i, holes))
        parts = [
            ([i for i, _ in found], self._group(form, [holes for _, holes in found]))
            for form, found in groups.items()
        ]
        return self._place(parts, len(values), width)

    def _group(self, form: Expr, holes: Sequence[tuple[Expr, ...]]) -> Operand:
        """Compute one function in as many lanes as there are tuples of leaves."""
        n = len(holes)
        known = {e: self.gather([h[k] for h in holes]) for k, e in enumerate(canonical(form)[1])}
        defined, value = map(in_primitives, form.args)
        for e in postorder([value, defined]):
            if not e.is_leaf:
                known[e] = _splat(e.value, e.width, n) if e.is_const else self._make(e, known, n)
        whole = known[value]
        if defined.is_const and defined.value:
            return whole
        return self.define(build.select(known[defined], whole, build.poison(whole.type)))

    def _make(self, e: Expr, known: Mapping[Expr, Operand], n: int) -> Operand:
        """Write an operation in so many lanes."""
        (a, *more), kind = (known[x] for x in e.args), build.integers(n, e.width)
        width = e.args[0].width
        if e.op == "extract":
            low = e.int_attr(0)
            a = self.define(build.binary("lshr", a, _splat(low, width, n))) if low else a
            return a if e.width == width else self.define(build.cast("trunc", a, kind))
        if e.op == "concat":
            high, low_part = (self.define(build.cast("zext", x, kind)) for x in (a, *more))
            by = _splat(e.args[1].width, e.width, n)
            return self.define(
                build.binary("or", self.define(build.binary("shl", high, by)), low_part)
            )
        if e.op in _SHIFTS:
            return self._shift(e, a, more[0], n)
        if e.op in _DIVISIONS:
            divisor = e.args[1]
            if not divisor.is_const or divisor.value in (0, (1 << divisor.width) - 1):
                raise EmissionError("a division by what may be 0 or -1")
            return self.define(build.binary(e.op, a, more[0]))
        return self.define(_plain(e, a, more, n))

    def _shift(self, e: Expr, a: Operand, by: Operand, n: int) -> Operand:
        if e.args[1].is_const and e.args[1].value < e.width:
            return self.define(build.binary(e.op, a, by))
        small = self.define(build.compare("ult", by, _splat(e.width, e.width, n)))
        if e.op == "ashr":
            most = self.define(build.select(small, by, _splat(e.width - 1, e.width, n)))
            return self.define(build.binary("ashr", a, most))
        moved = self.define(build.binary(e.op, a, by))
        return self.define(build.select(small, moved, _splat(0, e.width, n)))

    def gather(self, elements: Sequence[Expr]) -> Operand:
        """Return the vector of some elements of sources; raises :class:`EmissionError` for what
        is no element.
        """
        width = elements[0].width
        by_source: dict[str, list[int]] = {}
        for k, e in enumerate(elements):
            if e.op != "elem" or e.source not in self.value:
                raise EmissionError("a value that is no element of an operand")
            by_source.setdefault(e.source, []).append(k)
        parts = [
            (where, self._of_one([elements[k] for k in where], width))
            for where in by_source.values()
        ]
        return self._place(parts, len(elements), width)

    def _of_one(self, elements: Sequence[Expr], width: int) -> Operand:
        """Return some elements of one source, seen in pieces that all their places are
        multiples of.
        """
        source = self.value[elements[0].source]
        lanes, bits = shape_of(source.type)
        piece = gcd(width, bits, *(e.offset for e in elements))
        count, per = lanes * bits // piece, width // piece
        whole = self._cast(source, count, piece)
        mask = [e.offset // piece + j for e in elements for j in range(per)]
        if not all(0 <= m < count for m in mask):
            raise EmissionError("an element outside of its operand")
        if mask == list(range(count)):
            picked = whole
        elif count == 1:
            first = self.define(
                build.insert(build.poison(build.integers(len(mask), piece)), whole, 0)
            )
            picked = self.define(build.shuffle(first, mask))
        elif len(mask) == 1:
            picked = self.define(build.extract(whole, mask[0]))
        else:
            picked = self.define(build.shuffle(whole, mask))
        return self._cast(picked, len(elements), width)

    def _cast(self, o: Operand, lanes: int, bits: int) -> Operand:
        kind = build.integers(lanes, bits)
        return o if o.type == kind else self.define(build.cast("bitcast", o, kind))

    def _place(
        self, parts: Sequence[tuple[Sequence[int], Operand]], lanes: int, width: int
    ) -> Operand:
        """Return one vector of parts, each with the lanes where its elements go; lanes of no
        part are poison.
        """
        if len(parts) == 1 and list(parts[0][0]) == list(range(lanes)):
            return parts[0][1]
        result: Operand = build.poison(build.integers(lanes, width))
        for n, (where, part) in enumerate(parts):
            if len(where) == 1:
                result = self.define(build.insert(result, part, where[0]))
                continue
            at = {lane: k for k, lane in enumerate(where)}
            spread = self.define(build.shuffle(part, [at.get(i) for i in range(lanes)]))
            both = [lanes + i if i in at else i for i in range(lanes)]
            result = self.define(build.shuffle(result, both, spread)) if n else spread
        return result


def _plain(e: Expr, a: Operand, more: Sequence[Operand], n: int) -> build.Body:
    """Return an operation that IR has as it is; raises ``KeyError`` for any other."""
    width = e.args[0].width
    if e.op == "not":
        return build.binary("xor", a, _splat(-1, width, n))
    if e.op == "neg":
        return build.binary("sub", _splat(0, width, n), a)
    if e.op == "ite":
        return build.select(a, *more)
    if e.op in _EXTENSIONS:
        return build.cast(e.op, a, build.integers(n, e.width))
    if e.op in _ORDERS:
        return build.compare(e.op, a, more[0])
    if e.op in _BINARY:
        return build.binary(e.op, a, more[0])
    raise KeyError(e.op)
