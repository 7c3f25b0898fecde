"""A regrouped web as lines of IR in place of its members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import reduce

from frontends.llvm.function.addresses import Addresses
from frontends.llvm.limits import REGROUPED_LANES
from frontends.llvm.meaning.intrinsics import REDUCTIONS
from frontends.llvm.passes.left import Left, require
from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, IntType, Literal, Local, Operand
from frontends.llvm.text.lines import Lines, tree
from frontends.llvm.text.rewording import locals_in, rename, spell
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.transform.moved import BEFORE, BEHIND, LAST, Changes
from frontends.llvm.transform.regroup import (
    Parts,
    Plan,
    Reader,
    Shape,
    cast_of,
    differences,
    in_memory_order,
    narrow_products,
    nonnegative,
    source_widths,
)
from frontends.llvm.windows.webs import Bundle, reduction_of
from isel.ir.expr import const
from isel.ir.joins import JOINS


@dataclass
class Regrouped:
    """A web of one function in a shape; raises :class:`Left`."""

    function: Function
    plan: Plan
    shape: Shape
    register: int
    addresses: Addresses | None
    names: Iterator[str]
    changes: Changes = field(default_factory=Changes)

    def __post_init__(self) -> None:
        self.view, self.web = self.function.view, self.plan.web
        self.reader = Reader(self.plan)
        self.width = shape_of(self.web.root.type)[1]
        self._size(self.register)
        kind = build.integers(self.lanes, self.shape.width)
        self.new: dict[Bundle, tuple[Operand, ...]] = {
            b: tuple(Local(next(self.names), kind) for _ in range(self.count))
            for b in self.plan.phis
        }
        self._write()

    def _size(self, register: int) -> None:
        """Choose how many accumulators there are, and how many lanes each has."""
        slots, values = self._widest()
        self.sign = "zext" if all(nonnegative(self.view, o) for o in values) else "sext"
        least = min(self.width, *(source_widths(self.view, o) for o in values))
        lanes = sum(_lanes(o) for o in values)
        require(lanes <= REGROUPED_LANES, "too many lanes to be regrouped")
        self.count = max(1, min(slots, lanes * least // register))
        while slots % self.count:
            self.count -= 1
        self.lanes = min(register // self.shape.width, lanes // self.count // self.shape.group)
        require(self.lanes > 1, "too few lanes to be regrouped")

    def _widest(self) -> tuple[int, list[Local]]:
        """Return the slots of the bundle that most lanes are joined to, and what they are of."""
        rows = [(len(b), self.reader.chain(b).given) for b in self.plan.chains]
        if not any(given for _, given in rows):
            rows = [(1, self.reader.root().given)]
        slots, given = max(rows, key=lambda r: sum(_lanes(o) for o, _ in r[1]))
        values = [o for o, _ in given if isinstance(o, Local) and _lanes(o) > 1]
        require(bool(values), "only constants are reduced")
        return slots, values

    def _write(self) -> None:
        self.changes.gone.update({i.line: i.name for i in self.web.members.values()})
        for bundle in self.plan.chains:
            self._chain(bundle)
        for bundle in self.plan.phis:
            self._phis(bundle)
        self._result()

    def _chain(self, bundle: Bundle) -> None:
        if bundle in self.new:
            return
        parts = self.reader.chain(bundle)
        code = self._code()
        at = max(self.web.members[n].line for n in bundle)
        self.new[bundle] = self._together(code, parts, len(bundle))
        self._add(at, BEHIND, code.lines)

    def _code(self) -> Lines:
        return Lines(self.names, declarations=self.changes.declarations)

    def _together(self, code: Lines, parts: Parts, slots: int) -> tuple[Operand, ...]:
        """Return the accumulators that hold what ``parts`` are together."""
        for b in parts.bundles:
            if b not in self.new:
                self._chain(b)
        made: list[Operand] = []
        for j in range(self.count):
            given = [o for o, k in parts.given if k * self.count // slots == j]
            values = [self.new[b][j] for b in parts.bundles]
            new = self._regroup(code, given)
            values += [code.total(self.shape.join, new)] if new else []
            made.append(code.total(self.shape.join, values) if values else self._neutral())
        return tuple(made)

    def _neutral(self) -> Operand:
        value = JOINS[self.shape.join].neutral(self.shape.width)
        return build.constant((value,) * self.lanes, self.shape.width)

    def _regroup(self, code: Lines, given: Sequence[Operand]) -> list[Operand]:
        """Return contributions as vectors of the new shape."""
        values, literals = _sort(given)
        whole = len(values) + len(literals) == len(given)
        require(whole, "a contribution that is no vector of integers")
        made = [self._literal(literals)] if literals else []
        terms = self._terms(code, [o for o in values if _lanes(o) > 1])
        scalars = values if terms is None else [o for o in values if _lanes(o) == 1]
        made += [code.total(self.shape.join, terms)] if terms else []
        return [*made, self._scalar(code, scalars)] if scalars else made

    def _terms(self, code: Lines, vectors: Sequence[Operand]) -> list[Operand] | None:
        """Return vectors in groups, None where lanes are left over."""
        if self.addresses is not None:
            vectors = in_memory_order(self.view, vectors, self.addresses)
        plus, minus = differences(self.view, vectors)
        if self.web.join != "add" or self.shape.group <= 2 or not plus:
            return self._group_all(code, vectors, self.sign)
        sides = [self._group_all(code, side, "zext") for side in (plus, minus)]
        a, b = (code.total("add", terms) if terms else None for terms in sides)
        if a is None or b is None:
            return None
        return [code.add(build.binary("sub", a, b))]

    def _group_all(
        self, code: Lines, vectors: Sequence[Operand], sign: str
    ) -> list[Operand] | None:
        products = narrow_products(self.view, vectors)
        rows = self._rows(code, products or vectors)
        if rows is None:
            return None
        pairs = bool(products) and self.web.join == "add" and self.shape.group % 2 == 0
        return [v for row, start in rows for v in self._groups(code, row, start, sign, pairs)]

    def _rows(self, code: Lines, vectors: Sequence[Operand]) -> list[tuple[Operand, int]] | None:
        """Return vectors, and lanes from which on, that fill the new lanes one after the other;
        None where lanes are left over.
        """
        whole = self.shape.group * self.lanes
        sizes = set(map(_lanes, vectors))
        if len(sizes) > 1:
            return None
        size = next(iter(sizes), whole)
        most = min(self.shape.width, self.width)
        parts = [code.cast("trunc", o, min(most, shape_of(o.type)[1])) for o in vectors]
        if size % whole == 0:
            return [(v, at) for v in parts for at in range(0, size, whole)]
        if whole % size or len(parts) % (whole // size):
            return None
        count = whole // size
        return [(tree(parts[k : k + count], code.pair), 0) for k in range(0, len(parts), count)]

    def _groups(
        self, code: Lines, row: Operand, start: int, sign: str, pairs: bool
    ) -> Iterator[Operand]:
        """Yield the sums of groups of a row; ``pairs`` are added before they are extended."""
        s = self.shape
        ends = [range(start + g, start + g + self.lanes * s.group, s.group) for g in range(s.group)]
        lanes = [code.pick(row, mask) for mask in ends]
        if pairs:
            lanes = [code.join("add", a, b) for a, b in zip(lanes[::2], lanes[1::2], strict=True)]
        yield code.total(s.join, [code.cast(sign, v, s.width) for v in lanes])

    def _literal(self, literals: Sequence[Literal]) -> Operand:
        """Return constants as one of the new shape."""
        lanes = [x for o in literals for x in o.lanes]
        neutral = JOINS[self.web.join].neutral(self.width)
        known = [const(x if isinstance(x, int) else neutral, self.width) for x in lanes]
        return self._spread(reduce(REDUCTIONS[self.web.join], known).value)

    def _spread(self, total: int) -> Operand:
        s = self.shape
        if s.width < self.width:
            narrow = total & ((1 << s.width) - 1)
            sign = s.cast == "sext" and narrow >> (s.width - 1)
            wide = narrow | (((1 << self.width) - (1 << s.width)) if sign else 0)
            require(wide == total, "an accumulator starts beyond the width of what is joined to it")
            total = narrow
        if JOINS[s.join].once:
            return build.constant((total, *(0,) * (self.lanes - 1)), s.width)
        return build.constant((total,) * self.lanes, s.width)

    def _scalar(self, code: Lines, values: Sequence[Operand]) -> Operand:
        """Return vectors of any length, reduced, as one of the new shape."""
        s, how = self.shape, f"vector.reduce.{self.web.join}"
        if s.width < self.width and any(cast_of(self.view, o, s.width) != s.cast for o in values):
            raise Left("an accumulator starts with what may be beyond the width of the rest")
        one = code.total(
            self.web.join,
            [code.call(how, (o,), IntType(self.width)) if _lanes(o) > 1 else o for o in values],
        )
        one = code.cast("zext" if s.width > self.width else "trunc", one, s.width)
        if not JOINS[s.join].once:
            return code.gather([one] * self.lanes)
        return code.add(build.insert(build.constant((0,) * self.lanes, s.width), one, 0))

    def _phis(self, bundle: Bundle) -> None:
        rows: list[list[tuple[str, str]]] = [[] for _ in range(self.count)]
        for (b, label), row in self.plan.edges.items():
            if b != bundle:
                continue
            for j, v in enumerate(self._incoming(label, row)):
                rows[j].append((spell(v), label))
        at = min(self.web.members[n].line for n in bundle)
        for v, edges in zip(self.new[bundle], rows, strict=True):
            assert isinstance(v, Local)
            self._add(at, BEHIND, [build.phi(v.type, edges).line(v.name)])

    def _incoming(self, label: str, row: Sequence[Operand]) -> tuple[Operand, ...]:
        names = tuple(o.name for o in row if isinstance(o, Local))
        if names in self.plan.chains and len(names) == len(row):
            return self.new[names]
        parts = self.reader.parts(list(zip(row, range(len(row)), strict=True)))
        end = self.view.block(label).instrs[-1]
        if any(isinstance(o, Local) and o.name == end.name for o, _ in parts.given):
            raise Left("an accumulator starts with what ends the block before its loop")
        code = self._code()
        if all(isinstance(o, Literal) for o, _ in parts.given):
            found = self._together(code, parts, len(row))
        else:
            found = self._start(code, parts)
        self._add(end.line, BEFORE, code.lines)
        return found

    def _start(self, code: Lines, parts: Parts) -> tuple[Operand, ...]:
        """Return accumulators that start with values, the first with all of them."""
        values, literals = _sort([o for o, _ in parts.given])
        start = [self._scalar(code, values), *([self._literal(literals)] if literals else [])]
        once = JOINS[self.shape.join].once
        made: list[Operand] = []
        for j in range(self.count):
            own = [self.new[b][j] for b in parts.bundles]
            own += start if j == 0 or not once else []
            made.append(code.total(self.shape.join, own) if own else self._neutral())
        return tuple(made)

    def _result(self) -> None:
        root = self.web.root
        code = self._code()
        self._reduce(code, self._bundle(root))
        at, order = self._place_of_result(root)
        last = locals_in(code.lines[-1])[0]
        if root.name.isdigit() and at != root.line:  # values without a name are in order
            self.changes.renamed[root.name] = last
        else:
            code.lines[-1] = rename(code.lines[-1], {last: root.name})
        self._add(at, order, code.lines)

    def _reduce(self, code: Lines, bundle: Bundle) -> None:
        """Add what all accumulators are together; scalars are joined behind the reduction, for
        which a loop need not wait then.
        """
        s, parts = self.shape, Parts((bundle,), ()) if bundle else self.reader.root()
        given = [o for o, _ in parts.given]
        scalars = [o for o in given if isinstance(o, Local) and _lanes(o) == 1]
        rest = [o for o in given if o not in scalars]
        values = sum((self.new[b] for b in parts.bundles), tuple[Operand, ...]())
        whole = code.total(s.join, [*values, *self._regroup(code, rest)])
        narrow = code.call(f"vector.reduce.{s.join}", (whole,), IntType(s.width))
        one = code.cast("trunc" if s.width > self.width else s.cast, narrow, self.width)
        code.total(self.web.join, [one, *scalars])

    def _bundle(self, root: Instr) -> Bundle:
        return next((b for b in (*self.new, *self.plan.chains) if b == (root.name,)), ())

    def _place_of_result(self, root: Instr) -> tuple[int, int]:
        """Return where the root goes: behind the phis of its block, or to the one block where it
        is used.
        """
        own = self.view.place(root.name)
        if root.opcode == "phi":
            last = [i for i in self.view.blocks[own].instrs if i.opcode == "phi"][-1]
            return last.line, LAST
        if reduction_of(root) and not self._bundle(root):
            return root.line, BEFORE
        block = self._block_of_use(root, own)
        if block is None:
            return root.line, LAST
        first = next(i for i in self.view.blocks[block].instrs if i.opcode != "phi")
        return first.line, BEFORE

    def _block_of_use(self, root: Instr, own: int) -> int | None:
        """Return the one block, other than its own, in which the root is used; None if it is not
        so, or if a phi is among what uses it.
        """
        users = [u for u in self.view.used_by(root.name) if u.name not in self.web.members]
        where = {self.view.places[u.line] for u in users}
        if len(where) != 1 or own in where or any(u.opcode == "phi" for u in users):
            return None
        return where.pop()

    def _add(self, at: int, order: int, lines: Sequence[str]) -> None:
        where = location(self.web.root)
        self.changes.placed += ((at, order, f"{x}{where}") for x in lines)


def _sort(given: Sequence[Operand]) -> tuple[list[Operand], list[Literal]]:
    """Return the values and the literals among operands."""
    literals = [o for o in given if isinstance(o, Literal)]
    return [o for o in given if isinstance(o, Local)], literals


def _lanes(o: Operand) -> int:
    return shape_of(o.type)[0]
