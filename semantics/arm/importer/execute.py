"""Symbolic execution of ASL: loops unrolled, branches on operands merged, integers exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from isel.ir.expr import const
from semantics.arm.importer.builtin import FUNCTIONS
from semantics.arm.importer.operators import compared, looked_up, on_bits, on_integers, within
from semantics.arm.importer.registers import Registers
from semantics.arm.importer.syntax import (
    BitString,
    Bracket,
    Call,
    Case,
    Declare,
    Expression,
    For,
    Function,
    If,
    Place,
    Refuse,
    Statement,
    Tuple,
)
from semantics.arm.importer.values import (
    Asl,
    Bits,
    Fill,
    Symbol,
    Truth,
    Varies,
    as_bits,
    as_integer,
    as_number,
    as_truth,
    bits,
    blank,
    chosen,
    truth,
)
from semantics.importing import indexing
from semantics.importing.simplify import joined, make
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
from semantics.importing.values import Inexact, Val, Value, infix, low_bits, negated

_STEPS: Final = 4096
_ARRAYS: Final = frozenset({"V", "Vpart", "X", "Elem"})
Scope = dict[str, Asl]


class Undefined(Exception):
    """The encoding is another instruction's, or nobody's."""


class Machine:
    """Runs statements over registers; ``functions`` finds those of the ASL files."""

    def __init__(self, registers: Registers, functions: Callable[[str], Function | None]) -> None:
        self.registers = registers
        self.functions = functions

    def run(self, statements: Sequence[Statement], scope: Scope) -> Asl | None:
        """Execute statements; return the value of a ``return``, or None; raise :class:`TextMistake`
        and :class:`Undefined`.
        """
        for s in statements:
            try:
                value = self._statement(s, scope)
            except Inexact as reason:
                raise TextMistake(str(reason), s.at) from None
            if value is not None:
                return value
        return None

    def _statement(self, s: Statement, scope: Scope) -> Asl | None:
        match s:
            case Declare():
                self._declare(s, scope)
            case Assign():
                self._assign(s.target, self._value(s.value, scope), scope)
            case If():
                return self._if(s, 0, scope)
            case For():
                return self._for(s, scope)
            case Case():
                return self._case(s, scope)
            case Return():
                return self._value(s.value, scope)
            case Refuse():
                raise Undefined
            case Call():
                pass
        return None

    def _declare(self, s: Declare, scope: Scope) -> None:
        width = None if s.width is None else as_number(self._value(s.width, scope))
        value = None if s.value is None else self._value(s.value, scope)
        for name in s.names:
            if width is not None:
                scope[name] = blank(width) if value is None else as_bits(value, width)
            elif value is not None:
                scope[name] = as_bits(value, 1) if s.type == "bit" else value
            elif s.type == "bit":
                scope[name] = blank(1)
            else:
                scope.pop(name, None)

    def _if(self, s: If, arm: int, scope: Scope) -> Asl | None:
        if arm == len(s.arms):
            return None
        test, body = s.arms[arm]
        if test is None:
            return self.run(body, scope)
        c = as_truth(self._value(test, scope))
        if c.known is not None:
            return self.run(body, scope) if c.known else self._if(s, arm + 1, scope)
        left, right = dict(scope), dict(scope)
        a, b = self.run(body, left), self._if(s, arm + 1, right)
        if a is not None or b is not None:
            raise Inexact("a return under a condition that depends on an operand")
        for name in dict.fromkeys((*left, *right)):
            x, y = left.get(name), right.get(name)
            if x is None or y is None:
                scope[name] = Varies(name)  # assigned in one branch only
            else:
                scope[name] = chosen(c, x, y)
        return None

    def _for(self, s: For, scope: Scope) -> Asl | None:
        first = as_number(self._value(s.first, scope))
        last = as_number(self._value(s.last, scope))
        steps = range(first, last - 1, -1) if s.down else range(first, last + 1)
        if len(steps) > _STEPS:
            raise Inexact(f"a loop of {len(steps)} steps")
        for k in steps:
            scope[s.variable] = k
            result = self.run(s.body, scope)
            if result is not None:
                return result
        return None

    def _case(self, s: Case, scope: Scope) -> Asl | None:
        selector = self._value(s.selector, scope)
        for patterns, body in s.arms:
            if not patterns or any(self._matches(selector, p, scope) for p in patterns):
                return self.run(body, scope)
        return None

    def _matches(self, selector: Asl, pattern: Expression, scope: Scope) -> bool:
        if isinstance(pattern, BitString) and "x" in pattern.text:
            term = as_bits(selector, len(pattern.text)).term
            if term.op != "const":
                raise Inexact("a choice by a pattern that an operand decides")
            digits = format(term.value, f"0{term.width}b")
            return all(p in ("x", d) for p, d in zip(pattern.text, digits, strict=True))
        known = compared("==", selector, self._value(pattern, scope)).known
        if known is None:
            raise Inexact("a choice by a value that an operand decides")
        return known

    def _value(self, e: Expression, scope: Scope) -> Asl:
        match e:
            case Num(value=v):
                return v
            case BitString(text=t):
                return bits(const(int(t, 2), len(t)))
            case Var():
                return self._variable(e, scope)
            case Unary():
                return self._unary(e, scope)
            case Binary():
                return self._binary(e, scope)
            case Conditional(test=t, yes=y, no=n):
                c = as_truth(self._value(t, scope))
                if c.known is not None:
                    return self._value(y if c.known else n, scope)
                return chosen(c, self._value(y, scope), self._value(n, scope))
            case Apply():
                return self._apply(e, scope)
            case Bracket():
                return self._bracket(e, scope)
            case Tuple(items=items):
                return tuple(self._value(x, scope) for x in items)

    def _variable(self, e: Var, scope: Scope) -> Asl:
        found = scope.get(e.name)
        if isinstance(found, Varies):
            raise Inexact(f"'{e.name}', which depends on an immediate or a condition")
        if found is not None:
            return found
        if e.name in ("TRUE", "FALSE"):
            return truth(e.name == "TRUE")
        if "_" in e.name:
            return Symbol(e.name)
        raise TextMistake(f"unknown name '{e.name}'", e.at)

    def _unary(self, e: Unary[Expression], scope: Scope) -> Asl:
        value = self._value(e.arg, scope)
        if e.op == "-":
            return negated(as_integer(value))
        if e.op == "!":
            return Truth(make("not", (as_truth(value).term,)))
        if isinstance(value, Fill):
            return Fill(make("not", (value.bit,)))
        return bits(make("not", (as_bits(value).term,)))

    def _binary(self, e: Binary[Expression], scope: Scope) -> Asl:
        left = self._value(e.left, scope)
        if e.op in ("&&", "||"):
            known = as_truth(left).known
            if known is (e.op == "||"):
                return left
            right = as_truth(self._value(e.right, scope))
            return Truth(make("and" if e.op == "&&" else "or", (as_truth(left).term, right.term)))
        if e.op == "IN":
            assert isinstance(e.right, Tuple)
            return truth(any(self._matches(left, p, scope) for p in e.right.items))
        right_value = self._value(e.right, scope)
        if e.op == ":":
            if isinstance(right_value, Bits) and not right_value.width:
                return left
            return bits(joined(as_bits(left).term, as_bits(right_value).term))
        if e.op in ("==", "!=", "<", "<=", ">", ">="):
            return compared(e.op, left, right_value)
        if isinstance(left, (Bits, Fill)) or isinstance(right_value, (Bits, Fill)):
            return on_bits(e.op, left, right_value)
        return on_integers(e.op, as_integer(left), as_integer(right_value))

    def _apply(self, e: Apply[Expression], scope: Scope) -> Asl:
        args = [self._value(a, scope) for a in e.args]
        if e.name.startswith("Have"):
            return truth(True)
        if e.name == "NOT":
            return self._unary(Unary("NOT", e.args[0], e.at), scope)
        builtin = FUNCTIONS.get(e.name)
        if builtin is not None:
            try:
                return builtin(*args)
            except TypeError:
                raise TextMistake(f"{len(args)} arguments of '{e.name}'", e.at) from None
        function = self.functions(e.name)
        if function is None or len(function.parameters) != len(args):
            raise TextMistake(f"unknown function '{e.name}' of {len(args)}", e.at)
        own: Scope = {}
        for p, a in zip(function.parameters, args, strict=True):
            if isinstance(p.width, Var) and p.width.name not in own:
                own[p.width.name] = as_bits(a).width
            width = None if p.width is None else as_number(self._value(p.width, own))
            own[p.name] = a if width is None else as_bits(a, width)
        result = self.run(function.body, own)
        if result is None:
            raise TextMistake(f"'{e.name}' returns nothing", e.at)
        if function.width is None:
            return result
        return as_bits(result, as_number(self._value(function.width, own)))

    def _bracket(self, e: Bracket, scope: Scope) -> Asl:
        if isinstance(e.base, Var) and e.base.name in _ARRAYS and e.base.name not in scope:
            return self._element(e.base.name, [self._value(p.low, scope) for p in e.places])
        base = self._value(e.base, scope)
        found: Bits | None = None
        for p in e.places:
            at, width = self._extent(p, scope)
            part = self._part(e.base, base, at, width)
            found = part if found is None else bits(joined(found.term, part.term))
        assert found is not None
        return found

    def _part(self, source: Expression, base: Asl, at: Value, width: int) -> Bits:
        if isinstance(base, Bits):
            if isinstance(at, int):
                return base.part(at, width)
            table = base.cell.whole() if base.width > 512 else None
            if isinstance(table, int) and isinstance(source, Var):
                return looked_up(source.name, table, base.width, at, width)
            return bits(low_bits(indexing.chosen(base.cell, at, width), width))
        low = as_number(at)
        whole = low_bits(as_integer(base), low + width)
        return bits(make("extract", (whole,), (low, width)))

    def _extent(self, p: Place, scope: Scope) -> tuple[Value, int]:
        low = as_integer(self._value(p.low, scope))
        if p.width is not None:
            return low, as_number(self._value(p.width, scope))
        if p.high is None:
            return low, 1
        size = infix("-", as_integer(self._value(p.high, scope)), low)
        if not isinstance(size, int):
            terms = difference(p.high, p.low)  # ends that depend on an immediate alike
            size = sum(sign * as_number(self._value(e, scope)) for e, sign in terms)
        return low, size + 1

    def _element(self, name: str, args: Sequence[Asl]) -> Asl:
        if name == "Elem":
            base, size = as_bits(args[0]), as_number(args[2])
            at = infix("*", within(as_integer(args[1]), base.width // size), size)
            if isinstance(at, int):
                return base.part(at, size)
            return bits(low_bits(indexing.chosen(base.cell, at, size), size))
        if name == "Vpart":
            return self.registers.half(as_number(args[0]), as_number(args[1]))
        return self.registers.read(name, as_number(args[0]))

    def _assign(self, target: Expression, value: Asl, scope: Scope) -> None:
        match target:
            case Var(name=name):
                if "." in name or name == "-":
                    return  # a flag
                old = scope.get(name)
                scope[name] = as_bits(value, old.width) if isinstance(old, Bits) else value
            case Tuple(items=items, bits=True):
                self._side_by_side(items, as_bits(value), scope)
            case Tuple(items=items):
                if not isinstance(value, tuple) or len(value) != len(items):
                    raise Inexact(f"a value, expected {len(items)}")
                for item, v in zip(items, value, strict=True):
                    self._assign(item, v, scope)
            case Bracket():
                self._store(target, value, scope)
            case _:
                raise TextMistake("what is assigned to, expected a variable", target.at)

    def _side_by_side(self, items: Sequence[Expression], value: Bits, scope: Scope) -> None:
        at = 0
        for item in reversed(items):
            old = self._value(item, scope)
            width = as_bits(old).width
            self._assign(item, value.part(at, width), scope)
            at += width

    def _store(self, target: Bracket, value: Asl, scope: Scope) -> None:
        assert isinstance(target.base, Var)
        name = target.base.name
        if name in _ARRAYS and name not in scope:
            args = [self._value(p.low, scope) for p in target.places[name == "Elem" :]]
            if name == "Elem":
                self._store_element(target.places[0].low, args, value, scope)
            elif name == "Vpart":
                self.registers.write_half(as_number(args[0]), as_number(args[1]), as_bits(value))
            else:
                self.registers.write(name, as_number(args[0]), as_bits(value))
            return
        (place,) = target.places
        at, width = self._extent(place, scope)
        self._write(name, at, width, value, scope)

    def _store_element(
        self, vector: Expression, args: Sequence[Asl], value: Asl, scope: Scope
    ) -> None:
        if not isinstance(vector, Var):
            raise TextMistake("an element of what is no variable", vector.at)
        size = as_number(args[1])
        self._write(vector.name, infix("*", as_integer(args[0]), size), size, value, scope)

    def _write(self, name: str, at: Value, width: int, value: Asl, scope: Scope) -> None:
        old = scope.get(name)
        if not isinstance(old, Bits):
            raise Inexact(f"'{name}', expected a variable of bits")
        term = as_bits(value, width).term
        new = Val(term, (0, (1 << width) - 1)) if term.op != "const" else int(term.value)
        if isinstance(at, int):
            scope[name] = Bits(old.width, old.cell.written(at, width, new))
        else:
            scope[name] = Bits(old.width, indexing.chosen_written(old.cell, at, width, new))
