"""Faults planted into the importer: a text of a module replaced by a wrong one."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Final

_VALUES: Final = "semantics.importing.values"
_FUNCTIONS: Final = "semantics.importing.functions"
_CELLS: Final = "semantics.importing.cells"
_BUILTIN: Final = "semantics.x86.importer.builtin"
_EXECUTE: Final = "semantics.x86.importer.execute"
_PARSER: Final = "semantics.x86.importer.parser"
_SYNTAX: Final = "semantics.importing.syntax"


@dataclass(frozen=True, slots=True)
class Planted:
    """In ``module`` the only occurrence of ``old`` becomes ``new``."""

    name: str
    module: str
    old: str
    new: str


PLANTED: Final = (
    Planted(
        "operands of a difference swapped",
        _VALUES,
        "    term = make(_TERM[op], (low_bits(a, w), low_bits(b, w)))\n    if op ==",
        "    term = make(_TERM[op], (low_bits(b, w), low_bits(a, w)))\n    if op ==",
    ),
    Planted(
        "operands of a difference swapped where more bits are wanted",
        _VALUES,
        "lambda n: make(_TERM[op], (low_bits(a, n), low_bits(b, n))))",
        "lambda n: make(_TERM[op], (low_bits(b, n), low_bits(a, n))))",
    ),
    Planted("less is greater", _VALUES, 'a, b, op = b, a, "<" if', 'a, b, op = a, b, "<" if'),
    Planted(
        "less is not above",
        _VALUES,
        'compare(sign + "lt", x, y) if op',
        'compare(sign + "le", x, y) if op',
    ),
    Planted(
        "at least is above",
        _VALUES,
        'else compare(sign + "le", y, x))',
        'else compare(sign + "lt", y, x))',
    ),
    Planted(
        "signed compares are unsigned", _VALUES, 'sign = "s" if min(la, lb)', 'sign = "u" if min(la, lb)'
    ),
    Planted("equal is unequal", _VALUES, 'term if op == "=="', 'term if op == "!="'),
    Planted("a selection's sides changed", _VALUES, "    term = choose(c, low_bits(a, w), low_bits(b, w))", "    term = choose(c, low_bits(b, w), low_bits(a, w))"),
    Planted("signed numbers are extended by zeros", _VALUES, "extended(self.term, width, self.bounds[0] < 0)", "extended(self.term, width, False)"),
    Planted("shifted one bit too few", _VALUES, "ranged(bits(term, b, term.width - b)", "ranged(bits(term, b - 1, term.width - b)"),
    Planted("signs are not shifted in", _VALUES, '_shifted("ashr", term, b, fill)', '_shifted("lshr", term, b, fill)'),
    Planted("what is shifted too far stays", _VALUES, "make(op, (term, low(wide, w))), fill)", "make(op, (term, low(wide, w))), term)"),
    Planted("a slice one bit up", _VALUES, "unsigned(bits(v.low(whole), at, width))", "unsigned(bits(v.low(whole + 1), at + 1, width))"),
    Planted("truth of zero", _VALUES, "build.bnot(equal(term, const(0, term.width)))\n    return bit.value", "equal(term, const(0, term.width))\n    return bit.value"),
    Planted("saturation to one bit less", _FUNCTIONS, "derived.sat_s(low_bits(v, wide), width))", "derived.sat_s(low_bits(v, wide), width - 1))"),
    Planted("unsigned saturation of a signed number", _FUNCTIONS, "unsigned(derived.sat_su(low_bits(v, wide), width))", "unsigned(derived.sat_u(low_bits(v, wide), width))"),
    Planted("a saturated difference is turned", _FUNCTIONS, "derived.usub_sat(*pair)", "derived.usub_sat(*pair[::-1])"),
    Planted("an absolute value is not", _FUNCTIONS, "ranged(derived.sabs(term), ", "ranged(term, "),
    Planted("greatest is least", _FUNCTIONS, "choose(less, b, a) if greatest", "choose(less, a, b) if greatest"),
    Planted("extremes are unsigned", _FUNCTIONS, '"slt" if bounds[0] < 0', '"ult" if bounds[0] < 0'),
    Planted("inputs of a table turned", _FUNCTIONS, "((x, 4), (y, 2), (z, 1))", "((x, 1), (y, 2), (z, 4))"),
    Planted("leading zeros are ones", _FUNCTIONS, "derived.ctlz(v.term)", "derived.popcount(v.term)"),
    Planted("an extension by signs takes zeros", _BUILTIN, "return signed(v.term if v.term.width <= width", "return unsigned(v.term if v.term.width <= width"),
    Planted("an extension by zeros takes signs", _BUILTIN, "    if spans.within(v.bounds, spans.unsigned(width)):\n        return v\n    return unsigned(", "    return signed("),
    Planted("rotated to the right", _BUILTIN, "n = count % term.width", "n = -count % term.width"),
    Planted("rotated to the left", _BUILTIN, 'make("lshr", (twice, amount)), 0, n)', 'make("shl", (twice, amount)), n, n)'),
    Planted("least is greatest", _BUILTIN, "extreme(v, w, greatest=False)", "extreme(v, w, greatest=True)"),
    Planted("a branch is turned", _EXECUTE, "a, b = self.run(yes, left), self.run(no, right)", "b, a = self.run(no, left), self.run(yes, right)"),
    Planted("a known branch is turned", _EXECUTE, "self.run(yes if test else no, scope)", "self.run(no if test else yes, scope)"),
    Planted("a loop ends early", _EXECUTE, "while here <= last if", "while here < last if"),
    Planted("signs of elements are not read", _EXECUTE, "!= (True, width)", "!= (False, width)"),
    Planted("a slice is one bit short", _EXECUTE, "self._number(e.high, scope) - lower + 1", "self._number(e.high, scope) - lower"),
    Planted("a slice at a variable is one bit short", _EXECUTE, "width = 1 + sum(", "width = sum("),
    Planted("elements are counted from one", _EXECUTE, 'infix("+", at, infix("*", index, e.width))', 'infix("+", at, infix("*", infix("+", index, 1), e.width))'),
    Planted("a case is taken for the next", _EXECUTE, "self._case(s, arm + 1, selector, right)", "self.run(body, right)"),
    Planted("a question's sides changed", _EXECUTE, "select(test, self._value(y, scope), self._value(n, scope))", "select(test, self._value(n, scope), self._value(y, scope))"),
    Planted("what is written goes to the bits below", _CELLS, "pieces[at] = width, truncated(value, width)", "pieces[max(at - 1, 0)] = width, truncated(value, width)"),
    Planted("pieces are joined in reverse", _CELLS, "result = joined(part, result)", "result = joined(result, part)"),
    Planted("what only one branch writes is not merged", _CELLS, "return select(test, value, before) if own else select(test, before, value)", "return value"),
    Planted("operators are read from the right", _PARSER, "self.binary(own + 1), at)", "self.binary(own), at)"),
    Planted("a prefix is lost", _PARSER, 'return Unary("NOT" if op == "~" else op, self.unary(), at)', "return self.unary()"),
    Planted("high and low end of a slice changed", _PARSER, "base = Slice(base, high, low, at)", "base = Slice(base, low, high, at)"),
    Planted("terms of an index do not cancel", _SYNTAX, "if (e, -sign) in left:", "if False:"),
)  # fmt: skip


@contextmanager
def planted(fault: Planted) -> Iterator[None]:
    """Run with a fault: the functions of its module have the changed code, and their own after."""
    module = importlib.import_module(fault.module)
    text = inspect.getsource(module)
    assert text.count(fault.old) == 1, f"{fault.name}: the text is not there once"
    changed = ModuleType(fault.module)
    changed.__file__ = module.__file__
    exec(
        compile(text.replace(fault.old, fault.new), str(module.__file__), "exec"), changed.__dict__
    )
    pairs = list(_pairs(vars(module), vars(changed), fault.module))
    before = [(f, f.__code__) for f, _ in pairs]
    assert any(_told(f.__code__) != _told(g.__code__) for f, g in pairs), fault.name
    try:
        for f, g in pairs:
            f.__code__ = g.__code__
        yield
    finally:
        for f, code in before:
            f.__code__ = code


def _pairs(
    old: dict[str, object], new: dict[str, object], module: str
) -> Iterator[tuple[FunctionType, FunctionType]]:
    """Return functions, methods and lambdas in tables of a module, each with its changed one."""
    for name, one in old.items():
        other = new.get(name)
        if isinstance(one, FunctionType) and isinstance(other, FunctionType):
            if one.__module__ == module:
                yield one, other
        elif isinstance(one, dict) and isinstance(other, dict) and name != "__builtins__":
            yield from _pairs(one, other, module)
        elif isinstance(one, type) and isinstance(other, type) and one.__module__ == module:
            yield from _pairs(dict(vars(one)), dict(vars(other)), module)


def _told(code: CodeType) -> object:
    """Return what a function's code does, without where it stands."""
    inner = tuple(_told(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts)
    return code.co_code, code.co_names, inner
