"""Integer expressions of rules in the words of the functions that rules become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from isel.ir import spans
from isel.ir.expr import Expr
from isel.ir.ops import signed
from isel.ir.ranges import range_of
from isel.rules.number import FUNCTIONS, Tree, power
from isel.rules.syntax import Rule


def _signed_bounds(e: Expr) -> spans.Span:
    return range_of(e).signed


def _unsigned_bounds(e: Expr) -> spans.Span:
    return range_of(e).unsigned


_RANGES: Final = {"+": "_plus", "-": "_minus", "*": "_times"}
NAMES: Final[Mapping[str, object]] = {
    "__builtins__": {"range": range},
    "_s": lambda e: signed(e.value, e.width),
    "_signed": _signed_bounds,
    "_unsigned": _unsigned_bounds,
    "_plus": spans.TWO["add"],
    "_minus": spans.TWO["sub"],
    "_times": spans.TWO["mul"],
    "_power": power,
    **{f"_{name}": function for name, function in FUNCTIONS.items()},
}


def words(e: Tree, rule: Rule) -> str:
    """Return an expression; integers are called ``n_w``, literals ``t_C`` and terms ``t_x``."""
    match e:
        case int():
            return str(e)
        case str():
            return f"t_{e}.value" if e in rule.literals else f"n_{e}"
        case ("neg", a):
            return f"(-{words(a, rule)})"
        case ("s", a):
            return f"_s(t_{a})"
        case ("ulo" | "uhi" as name, a):
            return f"_unsigned(t_{a})[{int(name == 'uhi')}]"
        case ("lo" | "hi" as name, a):
            return f"{_range(a)}[{int(name == 'hi')}]"
        case (name, a):
            return f"_{name}({words(a, rule)})"
        case ("**", _, b):
            return f"_power({words(b, rule)})"
        case (op, a, b):
            return f"({words(a, rule)} {op} {words(b, rule)})"


def _range(e: Tree) -> str:
    """Return what gives the range of signed terms, or of arithmetic of them."""
    match e:
        case (op, a, b):
            return f"{_RANGES[op]}({_range(a)}, {_range(b)})"
    return f"_signed(t_{e})"


def function(name: str, text: str, names: Mapping[str, object]) -> object:
    """Return the function ``name`` of a text that says nothing else."""
    scope = dict(names)
    exec(compile(text, f"<{name} of a rule>", "exec"), scope)
    return scope[name]
