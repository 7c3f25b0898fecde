"""Skeletons: a lane term with every number taken out, so that equal skeletons are one formula at
different numbers.

A skeleton is text in which ``{k}`` stands for the k-th number (a width, an offset, an extract
position, a shift amount, a literal) and ``<j>`` for the operand of the j-th hole.  Literals that a
width fixes keep their meaning: ``smax``, ``smin`` and ``umax`` are those of the result, so that
saturation to signed is never saturation to unsigned, and 0 and -1 stay as they are.
One operator over like terms is a fold, whose count is a number (:mod:`equiv_classes.folds`):
``(fold add {0} <0>[{1}+j*{2}]:{3})``.  A lane that is a product of extended factors, or adds such
products up, is a fold even where there is one of them; one that is a comparison is extended to its
own width, as one that fills its lane is.  Folds over the bits of one element, or the entries of one
table, are one operator each: ``popcount``, ``ctlz``, ``cttz`` (as many steps as the element has
bits) and ``pick`` (an index of k bits selects one of 2^k elements); ``truth`` is a boolean function
of three operands by its table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from equiv_classes.folds import JOINING, Like, joined_by, one, operands_of, split_like
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves, postorder
from isel.ir.ops import signed
from isel.ir.transfer import ORDERS

_NUMBER = re.compile(r"\{(\d+)\}")
_HOLE = re.compile(r"<(\d+)>")
_SHIFTS = ("shl", "lshr", "ashr")
_LOGIC = ("and", "or", "xor", "not")
_TRUTH = (0b11110000, 0b11001100, 0b10101010)


@dataclass(frozen=True, slots=True)
class Raw:
    """The skeleton of one lane: text, its numbers, and for each hole the operand and the number
    that is its bit offset.
    """

    key: str
    numbers: tuple[int, ...]
    holes: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Pick:
    """A table lookup: entry ``index`` of ``entries``, all of one width; ``index`` has ``bits``
    bits at ``offset`` of ``source``.
    """

    source: str
    offset: int
    bits: int
    entries: tuple[Expr, ...]


def bits_of(terms: Iterable[Expr]) -> tuple[str, int, int] | None:
    """Return source, lowest offset and count where the terms are neighbouring bits, lowest
    first.
    """
    found = list(terms)
    if any(e.op != "elem" or e.width != 1 for e in found):
        return None
    first = found[0]
    if any(e.source != first.source or e.offset != first.offset + k for k, e in enumerate(found)):
        return None
    return first.source, first.offset, len(found)


def as_pick(e: Expr, known: dict[Expr, Pick | None]) -> Pick | None:
    """Read a balanced tree of choices by the bits of one element as a table lookup with entries
    in one or two rows.
    """
    found = known[e] if e in known else _remember(e, known)
    return found if found is not None and _in_rows(found.entries) else None


def _in_rows(entries: tuple[Expr, ...]) -> bool:
    n = len(entries)
    rows = (
        (entries,)
        if entries[0].source == entries[-1].source
        else (entries[: n // 2], entries[n // 2 :])
    )
    stride = entries[1].offset - entries[0].offset
    return all(
        x.source == row[0].source and x.offset == entries[0].offset + k * stride
        for row in rows
        for k, x in enumerate(row)
    )


def _read_pick(e: Expr, known: dict[Expr, Pick | None]) -> Pick | None:
    if e.op != "ite" or e.args[0].op != "elem":
        return None
    bit, high, low = e.args
    if high.op == low.op == "elem":
        if high.source != low.source or high.width != low.width or high.width == 1:
            return None
        return Pick(bit.source, bit.offset, 1, (low, high))
    p, q = (known[x] if x in known else _remember(x, known) for x in (high, low))
    if (
        p is None
        or q is None
        or (p.source, p.offset, p.bits) != (q.source, q.offset, q.bits)
        or bit.source != p.source
        or bit.offset != p.offset + p.bits
    ):
        return None
    return Pick(p.source, p.offset, p.bits + 1, (*q.entries, *p.entries))


def as_scan(e: Expr) -> tuple[str, str, int, int] | None:
    """Read a chain of choices by bit as a count of leading or trailing zeros: name, source,
    offset, bits.
    """
    bits: list[Expr] = []
    values: list[int] = []
    while e.op == "ite" and e.args[0].op == "elem" and e.args[1].is_const:
        bits.append(e.args[0])
        values.append(e.args[1].value)
        e = e.args[2]
    if len(bits) < 4 or not e.is_const or [*values, e.value] != list(range(len(bits) + 1)):
        return None
    for name, order in (("ctlz", bits[::-1]), ("cttz", bits)):
        found = bits_of(order)
        if found is not None:
            return (name, *found)
    return None


def as_popcount(e: Expr) -> tuple[str, str, int, int] | None:
    """Read a sum of extended neighbouring bits: name, source, offset, bits."""
    bits: list[Expr] = []
    while e.op == "add":
        bits.append(e.args[1])
        e = e.args[0]
    bits.append(e)
    if len(bits) < 4 or any(b.op != "zext" for b in bits):
        return None
    found = bits_of(b.args[0] for b in reversed(bits))
    return None if found is None else ("popcount", *found)


def truth_table(e: Expr, over: tuple[Expr, ...]) -> int | None:
    """Return the table of a bitwise function of three terms, bit ``4a + 2b + c``; None if it is
    no such function.
    """
    if any(x.args and x.op not in _LOGIC for x in postorder([e])) or not set(leaves(e)) <= set(
        over
    ):
        return None
    if any(x.is_const and x.value not in (0, (1 << x.width) - 1) for x in postorder([e])):
        return None
    low = {x: v & ((1 << x.width) - 1) for x, v in zip(over, _TRUTH, strict=True)}
    return None if e.width < 8 else evaluate_all([e], low, Integer())[e] & 255


def _remember(e: Expr, known: dict[Expr, Pick | None]) -> Pick | None:
    known[e] = found = _read_pick(e, known)
    return found


@dataclass(frozen=True, slots=True)
class Folds:
    """What an operator joins: terms of their own, then folds."""

    op: str
    single: tuple[Expr, ...]
    like: tuple[Like, ...]


class Skeletons:
    """Skeletons of lane terms in normal form."""

    def __init__(self, *, folding: bool = True) -> None:
        """Without ``folding`` like terms are written one by one."""
        self._folding = folding
        self._picks: dict[Expr, Pick | None] = {}
        self._done: dict[Expr, Raw] = {}
        self._parts: dict[Expr, Raw] = {}
        self._folds: dict[Expr, Folds | None] = {}

    def __call__(self, root: Expr) -> Raw:
        """Return the skeleton of a lane."""
        found = self._done.get(root)
        if found is None:
            folds = self._of_lane(root) if self._folding else None
            found = _Writer(root, self._picks, self.folds, folds, self._folding).raw()
            self._done[root] = found
        return found

    def _part(self, e: Expr) -> Raw:
        """Return the skeleton of what is part of a lane."""
        found = self._parts.get(e)
        if found is None:
            found = self._parts[e] = _Writer(e, self._picks, self.folds).raw()
        return found

    def _of_lane(self, root: Expr) -> Folds | None:
        """Return what a lane adds up, each product of extended factors as a fold."""
        folds = self.folds(root) or Folds("add", tuple(operands_of(root, "add")), ())
        products = [e for e in folds.single if folds.op == "add" and _is_widening(e)]
        if not products:
            return self.folds(root)
        like = (*folds.like, *(one(self._part(e)) for e in products))
        return Folds("add", tuple(e for e in folds.single if e not in products), like)

    def folds(self, e: Expr) -> Folds | None:
        """Return what an operator joins as single terms and folds, None where it joins none."""
        if e not in self._folds:
            self._folds[e] = self._find_folds(e)
        return self._folds[e]

    def _find_folds(self, e: Expr) -> Folds | None:
        op = joined_by(e) if self._folding else ""
        if not op:
            return None
        single, like = split_like(operands_of(e, op), self._part)
        whole = op in JOINING or (not single and len(like) == 1)
        return Folds(op, tuple(single), tuple(like)) if like and whole else None


def _is_widening(e: Expr) -> bool:
    """Tell whether a term is a product of extended factors."""
    return e.op == "mul" and all(x.op in ("sext", "zext") for x in e.args)


def _is_comparison(e: Expr) -> bool:
    return (e.args[0] if e.op == "not" else e).op in ORDERS


class _Writer:
    def __init__(
        self,
        root: Expr,
        picks: dict[Expr, Pick | None],
        folds: Callable[[Expr], Folds | None],
        whole: Folds | None = None,
        is_lane: bool = False,
    ) -> None:
        self.root = root
        self.picks = picks
        self._folds = folds
        self.whole = whole
        self.is_lane = is_lane
        self.numbers: list[int] = []
        self.holes: list[tuple[int, tuple[str, ...]]] = []
        self.text: dict[Expr, str] = {}
        self.leaf_text: dict[tuple[str, int, int], str] = {}

    def folds(self, e: Expr) -> Folds | None:
        """Return what a term is as folds; of a lane its products are."""
        return self.whole if e is self.root and self.whole is not None else self._folds(e)

    def raw(self) -> Raw:
        uses: dict[Expr, int] = {}
        order = self.visible(uses)
        lets: list[str] = []
        for e in order:
            body = self.write(e)
            if e.args and uses.get(e, 0) > 1:
                name = f"%{len(lets)}"
                lets.append(f"({name} {body})")
                self.text[e] = name
            else:
                self.text[e] = body
        body = self.text[self.root]
        if self.is_lane and _is_comparison(self.root):
            body = f"(sext {self.number(1)} {body})"
        return Raw(
            f"(let ({' '.join(lets)}) {body})" if lets else body,
            tuple(self.numbers),
            tuple(self.holes),
        )

    def visible(self, uses: dict[Expr, int]) -> list[Expr]:
        """Return the terms to write, operands first: those inside folds are not."""
        order: list[Expr] = []
        seen: set[Expr] = set()
        stack: list[tuple[Expr, bool]] = [(self.root, False)]
        while stack:
            e, ready = stack.pop()
            if ready:
                order.append(e)
                continue
            if e in seen:
                continue
            seen.add(e)
            stack.append((e, True))
            inner = tuple(a for a in self.inner(e) if not a.is_const)
            for a in inner:
                uses[a] = uses.get(a, 0) + 1
            stack.extend((a, False) for a in reversed(inner) if a not in seen)
        return order

    def inner(self, e: Expr) -> tuple[Expr, ...]:
        """Return the terms that a term is written with."""
        if (
            as_pick(e, self.picks) is not None
            or as_scan(e) is not None
            or as_popcount(e) is not None
        ):
            return ()
        folds = self.folds(e)
        return e.args if folds is None else folds.single

    def number(self, value: int) -> str:
        self.numbers.append(value)
        return f"{{{len(self.numbers) - 1}}}"

    def hole(self, sources: tuple[str, ...], offset: int) -> str:
        text = self.number(offset)
        self.holes.append((len(self.numbers) - 1, sources))
        return f"<{len(self.holes) - 1}>[{text}]"

    def leaf(self, source: str, offset: int, width: int) -> str:
        key = (source, offset, width)
        if key not in self.leaf_text:
            self.leaf_text[key] = f"{self.hole((source,), offset)}:{self.number(width)}"
        return self.leaf_text[key]

    def write(self, e: Expr) -> str:
        if e.op == "elem":
            return self.leaf(e.source, e.offset, e.width)
        if e.op == "var":
            return self.leaf(e.source, 0, e.width)
        if e.is_const:
            return self.literal(e)
        pick = as_pick(e, self.picks)
        if pick is not None:
            return self.pick(pick)
        fold = as_popcount(e) or as_scan(e)
        if fold is not None:
            name, source, offset, width = fold
            return f"({name} {self.number(e.width)} {self.leaf(source, offset, width)})"
        folds = self.folds(e)
        if folds is not None:
            return self.fold(folds)
        attributes = [self.number(a) for a in e.attr if isinstance(a, int)]
        amount = e.op in _SHIFTS  # a shift amount is a number, whatever it looks like
        args = [self.literal(a, amount) if a.is_const else self.text[a] for a in e.args]
        return f"({' '.join([e.op, *attributes, *args])})"

    def fold(self, folds: Folds) -> str:
        """Write what an operator joins: single terms, then each fold with its count."""
        parts = [self.literal(e) if e.is_const else self.text[e] for e in folds.single]
        parts += [f"(fold {folds.op} {self.number(x.count)} {self.like(x)})" for x in folds.like]
        text = parts[0]
        for part in parts[1:]:
            text = f"({folds.op} {text} {part})"
        return text

    def like(self, x: Like) -> str:
        """Write the term of a fold: each offset with its step times ``j``."""
        offsets = dict(x.holes)
        words: dict[str, str] = {}
        for k, (n, step) in enumerate(zip(x.numbers, x.steps, strict=True)):
            words[str(k)] = self.number(n)
            if k in offsets:
                self.holes.append((len(self.numbers) - 1, offsets[k]))
                words[str(k)] += f"+j*{self.number(step)}"
        text = _NUMBER.sub(lambda m: words[m[1]], x.key)
        first = len(self.holes) - len(x.holes)
        return _HOLE.sub(lambda m: f"<{first + int(m[1])}>", text)

    def pick(self, p: Pick) -> str:
        index = f"{self.hole((p.source,), p.offset)}:{self.number(p.bits)}"
        table = self.hole(tuple(dict.fromkeys(x.source for x in p.entries)), p.entries[0].offset)
        offsets = tuple(x.offset for x in p.entries)
        width, stride = p.entries[0].width, offsets[1] - offsets[0]
        self.numbers.extend((width, stride))
        n = len(self.numbers)
        return f"(pick {index} {table}:{{{n - 2}}} {{{n - 1}}})"

    def literal(self, e: Expr, plain: bool = False) -> str:
        """Write a literal by what it is: an extreme of the result's width, a power of two, a
        run of ones, or any number.
        """
        if plain:
            return f"{self.number(e.value)}:{self.number(e.width)}"
        value, r = signed(e.value, e.width), self.root.width
        return f"{self._payload(value, r)}:{self.number(e.width)}"

    def _payload(self, v: int, r: int) -> str:
        if v in (0, -1):
            return str(v)
        if r > 3 and v in (half := (1 << (r - 1)) - 1, -half - 1, 2 * half + 1):
            return {half: "smax", -half - 1: "smin", 2 * half + 1: "umax"}[v]
        for name, power in (("bit", v), ("ones", v + 1), ("min", -v)):
            if power > 0 and power & (power - 1) == 0:
                return f"{name}({self.number(power.bit_length() - 1)})"
        return self.number(v)
