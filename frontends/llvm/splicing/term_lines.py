"""Terms of lanes as LLVM IR: lanes that are one function are computed together, and where a lane is
not defined it is poison.

IR leaves undefined what a term defines (an oversized shift, a division by zero), so these are
guarded; what has no counterpart is refused.  No line carries flags: :class:`isel.model.window.Root`
says in ``defined`` what flags had said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Final

from frontends.llvm.splicing.emit import EmissionError, constant_text, type_text
from frontends.llvm.text.rewording import shuffle
from isel.ir.canon import canonical
from isel.ir.expr import Expr, postorder, term
from isel.smt.query import in_primitives

_PLAIN: Final = {
    **{op: f"{op} {{type}} {{a}}, {{b}}" for op in ("add", "sub", "mul", "and", "or", "xor")},
    "not": "xor {type} {a}, {ones}",
    "neg": "sub {type} {zero}, {a}",
    **{op: f"icmp {op} {{type}} {{a}}, {{b}}" for op in ("eq", "ult", "ule", "slt", "sle")},
    "zext": "zext {type} {a} to {result}",
    "sext": "sext {type} {a} to {result}",
    "ite": "select {type} {a}, {result} {b}, {result} {c}",
}
_SHIFTS: Final = frozenset({"shl", "lshr", "ashr"})
_DIVISIONS: Final = frozenset({"udiv", "urem", "sdiv", "srem"})


@dataclass(frozen=True, slots=True)
class Source:
    """A parameter: what the elements of a leaf or of a region are elements of."""

    name: str
    lanes: int
    width: int

    @property
    def type(self) -> str:
        """Its IR type."""
        return type_text(self.lanes, self.width)


@dataclass(slots=True)
class TermWriter:
    """Writes lines; ``value`` has the text of each source, ``prefix`` begins the names that are
    made.
    """

    sources: Mapping[str, Source]
    value: Mapping[str, str]
    prefix: str
    lines: list[str] = field(default_factory=list)
    _made: dict[str, str] = field(default_factory=dict)

    def define(self, body: str) -> str:
        """Return the name of a line's value; equal lines are written once."""
        if body not in self._made:
            self._made[body] = f"%{self.prefix}{len(self._made)}"
            self.lines.append(f"{self._made[body]} = {body}")
        return self._made[body]

    def lanes(self, values: Sequence[Expr | None], defined: Sequence[Expr], width: int) -> str:
        """Return the text of a vector of lanes, each poison where its bit of ``defined`` is 0
        or where it has no value.
        """
        groups: dict[Expr, list[tuple[int, tuple[Expr, ...]]]] = {}
        for i, (e, d) in enumerate(zip(values, defined, strict=True)):
            if e is not None:
                form, holes = canonical(term("concat", d, e))
                groups.setdefault(form, []).append((i, holes))
        parts = [
            ([i for i, _ in found], self._group(form, [holes for _, holes in found], width))
            for form, found in groups.items()
        ]
        return self._place(parts, len(values), width)

    def _group(self, form: Expr, holes: Sequence[tuple[Expr, ...]], width: int) -> str:
        """Compute one function in as many lanes as there are tuples of leaves."""
        n = len(holes)
        leaves = canonical(form)[1]
        texts = {leaf: self.gather([h[k] for h in holes]) for k, leaf in enumerate(leaves)}
        defined, value = map(in_primitives, form.args)
        for e in postorder([value, defined]):
            if not e.is_leaf:
                texts[e] = (
                    constant_text([e.value] * n, e.width)
                    if e.is_const
                    else self._operation(e, texts, n)
                )
        if defined.is_const and defined.value:
            return texts[value]
        kind = type_text(n, width)
        return self.define(
            f"select {type_text(n, 1)} {texts[defined]}, {kind} {texts[value]}, {kind} poison"
        )

    def _operation(self, e: Expr, texts: Mapping[Expr, str], n: int) -> str:
        a = e.args[0]
        kind = type_text(n, a.width)

        def splat(value: int, width: int = a.width) -> str:
            return constant_text([value % (1 << width)] * n, width)

        if e.op == "extract":
            low = e.int_attr(0)
            shifted = self.define(f"lshr {kind} {texts[a]}, {splat(low)}") if low else texts[a]
            return (
                shifted
                if e.width == a.width
                else self.define(f"trunc {kind} {shifted} to {type_text(n, e.width)}")
            )
        if e.op == "concat":
            wide = type_text(n, e.width)
            high, low_part = (
                self.define(f"zext {type_text(n, x.width)} {texts[x]} to {wide}") for x in e.args
            )
            moved = self.define(f"shl {wide} {high}, {splat(e.args[1].width, e.width)}")
            return self.define(f"or {wide} {moved}, {low_part}")
        if e.op in _SHIFTS:
            return self._shift(e, texts, n, splat)
        if e.op in _DIVISIONS:
            by = e.args[1]
            if not by.is_const or by.value in (0, (1 << by.width) - 1):
                raise EmissionError("a division by what may be 0 or -1")
            return self.define(f"{e.op} {kind} {texts[a]}, {texts[by]}")
        b, c = (*(texts[x] for x in e.args[1:]), "", "")[:2]
        text = _PLAIN[e.op].format(
            type=kind,
            result=type_text(n, e.width),
            a=texts[a],
            b=b,
            c=c,
            ones=splat(-1),
            zero=splat(0),
        )
        return self.define(text)

    def _shift(
        self, e: Expr, texts: Mapping[Expr, str], n: int, splat: Callable[[int], str]
    ) -> str:
        a, by = e.args
        kind = type_text(n, e.width)
        if by.is_const and by.value < e.width:
            return self.define(f"{e.op} {kind} {texts[a]}, {texts[by]}")
        small = self.define(f"icmp ult {kind} {texts[by]}, {splat(e.width)}")
        flags = type_text(n, 1)
        if e.op == "ashr":
            most = self.define(
                f"select {flags} {small}, {kind} {texts[by]}, {kind} {splat(e.width - 1)}"
            )
            return self.define(f"ashr {kind} {texts[a]}, {most}")
        moved = self.define(f"{e.op} {kind} {texts[a]}, {texts[by]}")
        return self.define(f"select {flags} {small}, {kind} {moved}, {kind} {splat(0)}")

    def gather(self, elements: Sequence[Expr]) -> str:
        """Return the vector of some elements of sources; raises :class:`EmissionError` for what
        is no element.
        """
        width = elements[0].width
        by_source: dict[str, list[int]] = {}
        for k, e in enumerate(elements):
            if e.op != "elem" or e.source not in self.sources:
                raise EmissionError("a value that is no element of an operand")
            by_source.setdefault(e.source, []).append(k)
        parts = [
            (where, self._of_one([elements[k] for k in where], width))
            for where in by_source.values()
        ]
        return self._place(parts, len(elements), width)

    def _of_one(self, elements: Sequence[Expr], width: int) -> str:
        """Return some elements of one source, seen in pieces that all their places are
        multiples of.
        """
        source = self.sources[elements[0].source]
        piece = gcd(width, source.width, *(e.offset for e in elements))
        count = source.lanes * source.width // piece
        text, per = self._view(source, piece), width // piece
        mask = [e.offset // piece + j for e in elements for j in range(per)]
        if not all(0 <= m < count for m in mask):
            raise EmissionError("an element outside of its operand")
        if mask == list(range(count)):
            picked = text
        elif count == 1:
            picked = self._spread(type_text(1, piece), text, len(mask), piece)
        elif len(mask) == 1:
            picked = self.define(f"extractelement {type_text(count, piece)} {text}, i64 {mask[0]}")
        else:
            picked = self._shuffle(type_text(count, piece), text, "poison", mask)
        return self._cast(picked, (len(mask), piece), (len(elements), width))

    def _view(self, source: Source, width: int) -> str:
        return self._cast(
            self.value[source.name],
            (source.lanes, source.width),
            (source.lanes * source.width // width, width),
        )

    def _cast(self, text: str, old: tuple[int, int], new: tuple[int, int]) -> str:
        return (
            text
            if old == new
            else self.define(f"bitcast {type_text(*old)} {text} to {type_text(*new)}")
        )

    def _spread(self, kind: str, text: str, lanes: int, width: int) -> str:
        first = self.define(f"insertelement {type_text(lanes, width)} poison, {kind} {text}, i64 0")
        return self._shuffle(type_text(lanes, width), first, "poison", [0] * lanes)

    def _shuffle(self, kind: str, a: str, b: str, mask: Sequence[int | None]) -> str:
        return self.define(shuffle(kind, a, b, mask))

    def _place(self, parts: Sequence[tuple[Sequence[int], str]], lanes: int, width: int) -> str:
        """Return one vector of parts, each with the lanes where its elements go; lanes of no
        part are poison.
        """
        if not parts:
            return "poison"
        whole = type_text(lanes, width)
        if len(parts) == 1 and list(parts[0][0]) == list(range(lanes)):
            return parts[0][1]
        result = "poison"
        for where, text in parts:
            if len(where) == 1:
                result = self.define(
                    f"insertelement {whole} {result}, {type_text(1, width)} {text}, i64 {where[0]}"
                )
                continue
            at = {lane: k for k, lane in enumerate(where)}
            spread = self._shuffle(
                type_text(len(where), width), text, "poison", [at.get(i) for i in range(lanes)]
            )
            result = (
                spread
                if result == "poison"
                else self._shuffle(
                    whole, result, spread, [lanes + i if i in at else i for i in range(lanes)]
                )
            )
        return result
