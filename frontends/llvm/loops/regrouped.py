"""A regrouped web as lines of IR in place of its members."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from frontends.llvm.limits import REGROUPED_LANES
from frontends.llvm.loops.code import Changes, Code
from frontends.llvm.loops.regroup import (
    Parts,
    Plan,
    Reader,
    Shape,
    cast_of,
    differences,
    in_memory_order,
    joined_constant,
    narrow_products,
    nonnegative,
    source_widths,
)
from frontends.llvm.passes.left import Left, require
from frontends.llvm.passes.numbers import Numbers
from frontends.llvm.splicing.emit import Value, constant_text, operand_text, type_text
from frontends.llvm.splicing.write import location
from frontends.llvm.text.ast import Function, Instr, Literal, Local, Operand
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.windows.webs import Bundle, reduction_of
from isel.ir.joins import JOINS


@dataclass
class Regrouped:
    """A web of one function in a shape; raises :class:`Left`."""

    function: Function
    plan: Plan
    shape: Shape
    register: int
    numbers: Numbers | None
    fresh: Callable[[], str]
    changes: Changes = field(default_factory=Changes)

    def __post_init__(self) -> None:
        self.view, self.web = self.function.view, self.plan.web
        self.reader = Reader(self.plan)
        self.width = shape_of(self.web.root.type)[1]
        self._size(self.register)
        self.new: dict[Bundle, tuple[Value, ...]] = {
            b: tuple(
                Value(f"%{self.fresh()}", self.lanes, self.shape.width) for _ in range(self.count)
            )
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
        self._add(self.changes.after, at, code.lines)

    def _code(self) -> Code:
        return Code(self.fresh, self.changes.declarations)

    def _together(self, code: Code, parts: Parts, slots: int) -> tuple[Value, ...]:
        """Return the accumulators that hold what ``parts`` are together."""
        for b in parts.bundles:
            if b not in self.new:
                self._chain(b)
        made: list[Value] = []
        for j in range(self.count):
            given = [o for o, k in parts.given if k * self.count // slots == j]
            values = [self.new[b][j] for b in parts.bundles]
            new = self._regroup(code, given)
            values += [code.join(self.shape.join, new)] if new else []
            made.append(code.join(self.shape.join, values) if values else self._neutral())
        return tuple(made)

    def _neutral(self) -> Value:
        value = JOINS[self.shape.join].neutral(self.shape.width)
        return self._constant((value,) * self.lanes)

    def _constant(self, lanes: Sequence[int]) -> Value:
        return Value(constant_text(lanes, self.shape.width), self.lanes, self.shape.width)

    def _regroup(self, code: Code, given: Sequence[Operand]) -> list[Value]:
        """Return contributions as vectors of the new shape."""
        values, literals = _sort(given)
        whole = len(values) + len(literals) == len(given)
        require(whole, "a contribution that is no vector of integers")
        made = [self._literal(literals)] if literals else []
        terms = self._terms(code, [o for o in values if _lanes(o) > 1])
        scalars = values if terms is None else [o for o in values if _lanes(o) == 1]
        made += [code.join(self.shape.join, terms)] if terms else []
        return [*made, self._scalar(code, scalars)] if scalars else made

    def _terms(self, code: Code, vectors: Sequence[Operand]) -> list[Value] | None:
        """Return vectors in groups, None where lanes are left over."""
        if self.numbers is not None:
            vectors = in_memory_order(self.view, vectors, self.numbers)
        plus, minus = differences(self.view, vectors)
        if self.web.join != "add" or self.shape.group <= 2 or not plus:
            return self._group_all(code, vectors, self.sign)
        sides = [self._group_all(code, side, "zext") for side in (plus, minus)]
        a, b = (code.join("add", terms) if terms else None for terms in sides)
        if a is None or b is None:
            return None
        return [code.define(f"sub {a.typed}, {b.text}", a.lanes, a.width)]

    def _group_all(self, code: Code, vectors: Sequence[Operand], sign: str) -> list[Value] | None:
        products = narrow_products(self.view, vectors)
        rows = self._rows(code, products or vectors)
        if rows is None:
            return None
        pairs = bool(products) and self.web.join == "add" and self.shape.group % 2 == 0
        return [v for row, start in rows for v in self._groups(code, row, start, sign, pairs)]

    def _rows(self, code: Code, vectors: Sequence[Operand]) -> list[tuple[Value, int]] | None:
        """Return vectors, and lanes from which on, that fill the new lanes one after the other;
        None where lanes are left over.
        """
        whole = self.shape.group * self.lanes
        sizes = set(map(_lanes, vectors))
        if len(sizes) > 1:
            return None
        size = next(iter(sizes), whole)
        most = min(self.shape.width, self.width)
        parts = [code.cast("trunc", v, min(most, v.width)) for v in map(_value, vectors)]
        if size % whole == 0:
            return [(v, at) for v in parts for at in range(0, size, whole)]
        if whole % size or len(parts) % (whole // size):
            return None
        count = whole // size
        return [(code.concat(parts[k : k + count]), 0) for k in range(0, len(parts), count)]

    def _groups(
        self, code: Code, row: Value, start: int, sign: str, pairs: bool
    ) -> Iterator[Value]:
        """Yield the sums of groups of a row; ``pairs`` are added before they are extended."""
        s = self.shape
        ends = [range(start + g, start + g + self.lanes * s.group, s.group) for g in range(s.group)]
        lanes = [code.shuffle(row, None, mask) for mask in ends]
        if pairs:
            lanes = [code.join("add", two) for two in zip(lanes[::2], lanes[1::2], strict=True)]
        yield code.join(s.join, [code.cast(sign, v, s.width) for v in lanes])

    def _literal(self, literals: Sequence[Literal]) -> Value:
        """Return constants as one of the new shape."""
        lanes = [x for o in literals for x in o.lanes]
        neutral = JOINS[self.web.join].neutral(self.width)
        known = [x if isinstance(x, int) else neutral for x in lanes]
        total = joined_constant(self.web.join, known, self.width)
        return self._spread(total)

    def _spread(self, total: int) -> Value:
        s = self.shape
        if s.width < self.width:
            narrow = total & ((1 << s.width) - 1)
            sign = s.cast == "sext" and narrow >> (s.width - 1)
            wide = narrow | (((1 << self.width) - (1 << s.width)) if sign else 0)
            require(wide == total, "an accumulator starts beyond the width of what is joined to it")
            total = narrow
        if JOINS[s.join].once:
            return self._constant((total, *(0,) * (self.lanes - 1)))
        return self._constant((total,) * self.lanes)

    def _scalar(self, code: Code, values: Sequence[Operand]) -> Value:
        """Return vectors of any length, reduced, as one of the new shape."""
        s, how = self.shape, f"vector.reduce.{self.web.join}"
        if s.width < self.width and any(cast_of(self.view, o, s.width) != s.cast for o in values):
            raise Left("an accumulator starts with what may be beyond the width of the rest")
        one = code.join(
            self.web.join,
            [
                code.call(how, (1, self.width), (_value(o),)) if _lanes(o) > 1 else _value(o)
                for o in values
            ],
        )
        one = code.cast("zext" if s.width > self.width else "trunc", one, s.width)
        kind = type_text(self.lanes, s.width)
        once = JOINS[s.join].once
        base = "zeroinitializer" if once else "poison"
        made = code.define(f"insertelement {kind} {base}, {one.typed}, i64 0", self.lanes, s.width)
        return made if once else code.shuffle(made, None, [0] * self.lanes)

    def _phis(self, bundle: Bundle) -> None:
        rows: list[list[str]] = [[] for _ in range(self.count)]
        for (b, label), row in self.plan.edges.items():
            if b != bundle:
                continue
            for j, v in enumerate(self._incoming(label, row)):
                rows[j].append(f"[ {v.text}, %{label} ]")
        at = min(self.web.members[n].line for n in bundle)
        for v, texts in zip(self.new[bundle], rows, strict=True):
            kind = type_text(v.lanes, v.width)
            self._add(self.changes.after, at, [f"{v.text} = phi {kind} {', '.join(texts)}"])

    def _incoming(self, label: str, row: Sequence[Operand]) -> tuple[Value, ...]:
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
        self._add(self.changes.before, end.line, code.lines)
        return found

    def _start(self, code: Code, parts: Parts) -> tuple[Value, ...]:
        """Return accumulators that start with values, the first with all of them."""
        values, literals = _sort([o for o, _ in parts.given])
        start = [self._scalar(code, values), *([self._literal(literals)] if literals else [])]
        once = JOINS[self.shape.join].once
        made: list[Value] = []
        for j in range(self.count):
            own = [self.new[b][j] for b in parts.bundles]
            own += start if j == 0 or not once else []
            made.append(code.join(self.shape.join, own) if own else self._neutral())
        return tuple(made)

    def _result(self) -> None:
        root = self.web.root
        code = self._code()
        self._reduce(code, self._bundle(root))
        to, at = self._place_of_result(root)
        name, _, last = code.lines.pop().partition(" = ")
        if root.name.isdigit() and at != root.line:  # values without a name are in order
            self.changes.renamed[root.name] = name[1:]
        else:
            name = f"%{root.name}"
        code.lines.append(f"{name} = {last}")
        self._add(to, at, code.lines)

    def _reduce(self, code: Code, bundle: Bundle) -> None:
        """Add what all accumulators are together; scalars are joined behind the reduction, for
        which a loop need not wait then.
        """
        s, parts = self.shape, Parts((bundle,), ()) if bundle else self.reader.root()
        given = [o for o, _ in parts.given]
        scalars = [o for o in given if isinstance(o, Local) and _lanes(o) == 1]
        rest = [o for o in given if o not in scalars]
        values = sum((self.new[b] for b in parts.bundles), tuple[Value, ...]())
        whole = code.join(s.join, [*values, *self._regroup(code, rest)])
        one = code.call(f"vector.reduce.{s.join}", (1, s.width), (whole,))
        one = code.cast("trunc" if s.width > self.width else s.cast, one, self.width)
        code.join(self.web.join, [one, *map(_value, scalars)])

    def _bundle(self, root: Instr) -> Bundle:
        return next((b for b in (*self.new, *self.plan.chains) if b == (root.name,)), ())

    def _place_of_result(self, root: Instr) -> tuple[dict[int, list[str]], int]:
        """Return where the root goes: behind the phis of its block, or to the one block where it
        is used.
        """
        own = self.view.place(root.name)
        if root.opcode == "phi":
            last = [i for i in self.view.blocks[own].instrs if i.opcode == "phi"][-1]
            return self.changes.later, last.line
        if reduction_of(root) and not self._bundle(root):
            return self.changes.before, root.line
        block = self._block_of_use(root, own)
        if block is None:
            return self.changes.later, root.line
        first = next(i for i in self.view.blocks[block].instrs if i.opcode != "phi")
        return self.changes.before, first.line

    def _block_of_use(self, root: Instr, own: int) -> int | None:
        """Return the one block, other than its own, in which the root is used; None if it is not
        so, or if a phi is among what uses it.
        """
        users = [u for u in self.view.used_by(root.name) if u.name not in self.web.members]
        where = {self.view.places[u.line] for u in users}
        if len(where) != 1 or own in where or any(u.opcode == "phi" for u in users):
            return None
        return where.pop()

    def _add(self, to: dict[int, list[str]], at: int, lines: Sequence[str]) -> None:
        where = location(self.web.root)
        to.setdefault(at, []).extend(f"  {x}{where}" for x in lines)


def _sort(given: Sequence[Operand]) -> tuple[list[Operand], list[Literal]]:
    """Return the values and the literals among operands."""
    literals = [o for o in given if isinstance(o, Literal)]
    return [o for o in given if isinstance(o, Local)], literals


def _lanes(o: Operand) -> int:
    return shape_of(o.type)[0]


def _value(o: Operand) -> Value:
    return Value(operand_text(o), *shape_of(o.type))
