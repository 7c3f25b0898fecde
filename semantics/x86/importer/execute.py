"""Symbolic execution of an operation: loops unrolled, branches on operands merged, every
variable exact.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from isel.ir.expr import Expr, const
from semantics.importing.cells import Cell, merged, truncated
from semantics.importing.indexing import chosen, chosen_written
from semantics.importing.lookups import Lookup
from semantics.importing.syntax import (
    Apply,
    Assign,
    Binary,
    Conditional,
    Num,
    Return,
    TextMistake,
    Unary,
    Var,
    difference,
)
from semantics.importing.values import (
    Inexact,
    Val,
    Value,
    complement,
    infix,
    low_bits,
    negated,
    select,
    signed,
    span,
    truth,
    unsigned,
)
from semantics.x86.importer import builtin
from semantics.x86.importer.syntax import (
    Case,
    Define,
    Expression,
    For,
    If,
    Slice,
    Statement,
    Table,
    View,
    While,
)

_COMPARISONS: Final = ("==", "<", "<=", "", "!=", ">=", ">", "")
_NAMED: Final = {
    f"_MM_CMPINT_{name}": k
    for k, name in enumerate(("EQ", "LT", "LE", "FALSE", "NE", "NLT", "NLE", "TRUE"))
}
_STEPS: Final = 4096
_EVERYTHING: Final = 1 << 30  # what MAX stands for in a slice

Scope = dict[str, Cell]


class Machine:
    """Runs the statements of one operation."""

    def __init__(
        self,
        prelude: Mapping[str, Define],
        tables: Mapping[str, Table],
        sizes: Mapping[str, int],
        elements: Mapping[str, tuple[bool, int]],
    ) -> None:
        self.functions = dict(prelude)
        self.tables = dict(tables)
        self.sizes = sizes  # of the variables that have one, in bits: the result and the parameters
        self.elements = elements  # of vector parameters: whether signed, and how wide

    def run(self, statements: Sequence[Statement], scope: Scope) -> Value | None:
        """Execute statements; return the value of a ``RETURN``, or None."""
        for s in statements:
            try:
                value = self._statement(s, scope)
            except Inexact as reason:
                raise TextMistake(str(reason), s.at) from None
            if value is not None:
                return value
        return None

    def _statement(self, s: Statement, scope: Scope) -> Value | None:
        match s:
            case Assign():
                if self._empty(s.target, scope):
                    return None
                self._assign(s.target, self._value(s.value, scope), scope)
            case For():
                return self._loop(s, scope)
            case While():
                return self._repeat(s, scope)
            case If():
                return self._branch(truth(self._value(s.test, scope)), s.yes, s.no, scope)
            case Case():
                return self._case(s, 0, self._value(s.selector, scope), scope)
            case Return():
                return self._value(s.value, scope)
            case Define():
                if s.name not in builtin.REPLACED:
                    self.functions[s.name] = s
            case Table():
                self.tables[s.name] = s
        return None

    def _empty(self, target: Expression, scope: Scope) -> bool:
        """Tell whether a target is a slice up to a number that begins above it."""
        if (
            not isinstance(target, Slice)
            or not isinstance(target.high, Num)
            or not isinstance(target.low, Var)
        ):
            return False
        return self._value(target.low, scope) == target.high.value + 1

    def _loop(self, s: For, scope: Scope) -> Value | None:
        first, last = self._number(s.first, scope), self._number(s.last, scope)
        here, steps = first, 0
        while here <= last if s.step > 0 else here >= last:
            scope[s.variable] = Cell(here)
            result = self.run(s.body, scope)
            if result is not None:
                return result
            now = scope[s.variable].base
            if not isinstance(now, int):
                raise Inexact("a loop variable that depends on an operand")
            here, steps = now + s.step, steps + 1
            if steps > _STEPS:
                raise Inexact("a loop without end")
        return None

    def _repeat(self, s: While, scope: Scope) -> Value | None:
        for _ in range(_STEPS):
            test = truth(self._value(s.test, scope))
            if not isinstance(test, int):
                raise Inexact("a loop whose length depends on an operand")
            if not test:
                return None
            result = self.run(s.body, scope)
            if result is not None:
                return result
        raise Inexact("a loop without end")

    def _branch(
        self, test: int | Expr, yes: Sequence[Statement], no: Sequence[Statement], scope: Scope
    ) -> Value | None:
        if isinstance(test, int):
            return self.run(yes if test else no, scope)
        left, right = dict(scope), dict(scope)
        a, b = self.run(yes, left), self.run(no, right)
        return self._joined(test, a, b, left, right, scope)

    def _joined(
        self, test: Expr, a: Value | None, b: Value | None, left: Scope, right: Scope, scope: Scope
    ) -> Value | None:
        if (a is None) != (b is None):
            raise Inexact("RETURN in one branch of a condition that depends on an operand")
        for name in dict.fromkeys((*left, *right)):
            x, y = left.get(name), right.get(name)
            scope[name] = x if x is y and x is not None else merged(test, x, y)
        return select(test, a, b) if a is not None and b is not None else None

    def _case(self, s: Case, arm: int, selector: Value, scope: Scope) -> Value | None:
        if arm == len(s.arms):
            return None
        label, body = s.arms[arm]
        test = truth(infix("==", selector, label))
        if isinstance(test, int):
            return self.run(body, scope) if test else self._case(s, arm + 1, selector, scope)
        if (
            not isinstance(selector, int)
            and arm + 1 == len(s.arms)
            and span(selector) == (0, len(s.arms) - 1)
        ):
            return self.run(body, scope)  # the last of all values
        left, right = dict(scope), dict(scope)
        a, b = self.run(body, left), self._case(s, arm + 1, selector, right)
        return self._joined(test, a, b, left, right, scope)

    def _number(self, e: Expression, scope: Scope) -> int:
        value = self._value(e, scope)
        if not isinstance(value, int):
            raise TextMistake("a value that depends on an operand, expected a number", e.at)
        return value

    def _value(self, e: Expression, scope: Scope) -> Value:
        match e:
            case Num(value=v):
                return v
            case Var():
                return self._variable(e, scope)
            case Slice() | View():
                return self._part(e, scope)
            case Binary():
                return self._infix(e, scope)
            case Unary(op=op, arg=arg):
                inner = self._value(arg, scope)
                if op == "-":
                    return negated(inner)
                return complement(inner) if op == "NOT" else infix("==", inner, 0)
            case Conditional(test=t, yes=y, no=n):
                test = truth(self._value(t, scope))
                if isinstance(test, int):
                    return self._value(y if test else n, scope)
                return select(test, self._value(y, scope), self._value(n, scope))
            case Apply():
                return self._apply(e, scope)

    def _variable(self, e: Var, scope: Scope) -> Value:
        cell = scope.get(e.name)
        if cell is not None:
            return cell.whole()
        if e.name in _NAMED:
            return _NAMED[e.name]
        raise TextMistake(f"unknown name '{e.name}'", e.at)

    def _infix(self, e: Binary[Expression], scope: Scope) -> Value:
        left = self._value(e.left, scope)
        if e.op in ("AND", "&&") and left == 0:
            return 0  # what the right side guards against need not have a value
        right = self._value(e.right, scope)
        if e.op == "<<<":
            return builtin.rotated(left, right)
        if e.op != "OP":
            return infix(e.op, left, right)
        which = self._variable(Var("OP", e.at), scope)
        if isinstance(which, int):
            return _compared(which, left, right)
        result = _compared(7, left, right)
        for k in reversed(range(7)):
            test = truth(infix("==", which, k))
            bit = test if isinstance(test, Expr) else const(test, 1)
            result = select(bit, _compared(k, left, right), result)
        return result

    def _apply(self, e: Apply[Expression], scope: Scope) -> Value:
        args = [self._value(a, scope) for a in e.args]
        function = self.functions.get(e.name)
        if function is None:
            found = builtin.function(e.name)
            if found is None:
                raise TextMistake(f"unknown function '{e.name}'", e.at)
            try:
                return found(*args)
            except TypeError:
                raise TextMistake(f"{len(args)} arguments of '{e.name}'", e.at) from None
        if len(args) != len(function.parameters):
            raise TextMistake(
                f"{len(args)} arguments of '{e.name}', expected {len(function.parameters)}", e.at
            )
        result = self.run(
            function.body, {p: Cell(a) for p, a in zip(function.parameters, args, strict=True)}
        )
        if result is None:
            raise TextMistake(f"'{e.name}' returns nothing", e.at)
        return result

    def _part(self, e: Slice | View, scope: Scope) -> Value:
        name, value, at, width = self._place(e, scope)
        if name in self.tables and name not in scope:
            return self._looked_up(self.tables[name], at)
        if value is not None:
            cell = Cell(value)
        else:
            found = scope.get(name)
            if found is None:
                raise TextMistake(f"unknown name '{name}'", e.at)
            cell = found
        if width == 0:
            raise TextMistake("a slice of no bits", e.at)
        read = cell.read(at, width) if isinstance(at, int) else chosen(cell, at, width)
        return self._typed(name, width, read)

    def _typed(self, name: str, width: int, value: Value) -> Value:
        """Return an element of a parameter with the sign that its type says."""
        if self.elements.get(name) != (True, width):
            return value
        if isinstance(value, int):
            return value - (value >> (width - 1) << width)
        return signed(value.term) if isinstance(value, Val) and value.bounds[0] >= 0 else value

    def _place(self, e: Expression, scope: Scope) -> tuple[str, Value | None, Value, int]:
        """Return the variable (or the value of another base), offset and width that a slice or
        view names.
        """
        if isinstance(e, Var):
            return e.name, None, 0, 0
        if isinstance(e, View):
            name, value, at, _ = self._place(e.base, scope)
            index = 0 if e.index is None else self._value(e.index, scope)
            return name, value, infix("+", at, infix("*", index, e.width)), e.width
        if isinstance(e, Slice):
            name, value, at, _ = self._place(e.base, scope)
            if e.high is e.low:
                return name, value, infix("+", at, self._value(e.low, scope)), 1
            lower = self._value(e.low, scope)
            return name, value, infix("+", at, lower), self._extent(e, lower, scope)
        return "", self._value(e, scope), 0, 0

    def _extent(self, e: Slice, lower: Value, scope: Scope) -> int:
        if isinstance(e.high, Var) and e.high.name == "MAX":
            return _EVERYTHING
        if isinstance(lower, int):
            width = self._number(e.high, scope) - lower + 1
        else:
            width = 1 + sum(self._number(t, scope) * sign for t, sign in difference(e.high, e.low))
        if width < 0:
            raise TextMistake(f"a slice of {width} bits", e.at)
        return width

    def _looked_up(self, table: Table, at: Value) -> Value:
        if isinstance(at, int):
            return table.values[at]
        index = low_bits(at, (len(table.values) - 1).bit_length())
        return unsigned(Lookup(table.name, table.width, table.values, index).leaf)

    def _assign(self, target: Expression, value: Value, scope: Scope) -> None:
        if isinstance(target, Var):
            size = self.sizes.get(target.name)
            scope[target.name] = (
                Cell(value) if size is None else Cell(None, {0: (size, truncated(value, size))})
            )
            return
        name, other, at, width = self._place(target, scope)
        if other is not None:
            raise TextMistake("a value, expected a variable to assign to", target.at)
        cell = scope.get(name, Cell())
        if isinstance(at, int):
            size = self.sizes.get(name, 512)
            if width == _EVERYTHING:
                width = size - at
            if width > 0:
                scope[name] = cell.written(at, width, value)
            return
        scope[name] = chosen_written(cell, at, width, value)


def _compared(which: int, a: Value, b: Value) -> Value:
    return infix(_COMPARISONS[which], a, b) if _COMPARISONS[which] else int(which == 7)
