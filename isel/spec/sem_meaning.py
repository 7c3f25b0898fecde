"""What expressions of the ``.sem`` language mean: integers while they last, bit-vector terms from
the first operand on.

A literal takes the width of what it meets.  Infix operators on terms are the wrapping ones; shifts
to the right, divisions and comparisons of terms are functions, so that signedness is always said.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, TypeAlias, assert_never

from isel.ir.build import (
    add,
    ashr,
    band,
    bnot,
    bor,
    bxor,
    clmul,
    concat,
    extract,
    ite,
    lshr,
    make,
    mul,
    neg,
    sext,
    shl,
    sub,
    zext,
)
from isel.ir.expr import Expr, const, elem
from isel.ir.ops import WidthError
from isel.rules import derived
from isel.spec.instruction import Operand
from isel.spec.sem_syntax import (
    Binary,
    Call,
    Choice,
    Element,
    Fold,
    Mistake,
    Name,
    Node,
    Number,
    Pick,
    Unary,
)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A table of constants of ``width`` bits."""

    width: int
    values: tuple[int, ...]


Value: TypeAlias = int | Expr
Lazy: TypeAlias = Callable[[], Value]
Entry: TypeAlias = int | str | Expr | Operand | Numbers | Lazy
Env: TypeAlias = Mapping[str, Entry]
Run: TypeAlias = Callable[[Env], Value]

_INTEGER: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
_TERM: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "&": band,
    "|": bor,
    "^": bxor,
    "<<": shl,
}
_TWO: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    **derived.BINARY,
    **derived.COMPARES,
    "shl": shl,
    "lshr": lshr,
    "ashr": ashr,
    "clmul": clmul,
    "udiv": lambda a, b: make("udiv", (a, b)),
    "urem": lambda a, b: make("urem", (a, b)),
}
_RESIZE: Final[dict[str, Callable[[Expr, int], Expr]]] = {
    **derived.NARROWING,
    "sext": sext,
    "zext": zext,
    "mask_of": derived.mask_of,
}
_THREE: Final[dict[str, Callable[[Expr, Expr, Expr], Expr]]] = {
    "fshl": derived.fshl,
    "fshr": derived.fshr,
}
ARITY: Final[Mapping[str, int]] = {
    **dict.fromkeys(derived.UNARY, 1),
    **dict.fromkeys(_TWO, 2),
    **dict.fromkeys(_RESIZE, 2),
    **dict.fromkeys(_THREE, 3),
    "bit": 2,
    "concat": 2,
    "extract": 3,
    "ite": 3,
    "lit": 2,
    "truth": 4,
}
TABLE: Final = "at"  # at(index, v0, v1, …): one of the integers v0, v1, …
FOLDS: Final = frozenset(
    {"+", "*", "&", "|", "^", "umin", "umax", "smin", "smax", "sadd_sat", "uadd_sat", "concat"}
)


def evaluate(node: Node, env: Env) -> Value:
    """Return the value of an expression; raise :class:`Mistake` where it has none."""
    return compiled(node)(env)


@cache
def compiled(node: Node) -> Run:
    """Return the expression as a function of the environment; made once for each node."""
    match node:
        case Number(value=v):
            return lambda env: v
        case Name():
            return _name(node)
        case Element():
            return _element_of(node)
        case Binary():
            return _binary(node)
        case Unary():
            return _unary(node)
        case Choice():
            return _choice(node)
        case Call():
            return _guarded(node, lambda env: _call(node, env))
        case Fold():
            return _guarded(node, lambda env: _fold(node, env))
        case Pick():
            return _guarded(node, lambda env: _pick(node, env))
        case _:
            assert_never(node)


def integer(node: Node, env: Env) -> int:
    """Return the value of an expression that must be an integer."""
    value = compiled(node)(env)
    if not isinstance(value, int):
        raise Mistake(f"a bit-vector of {value.width} bits, expected an integer", node.at)
    return value


def fitted(value: Value, width: int, at: int) -> Expr:
    """Return a value as a term of ``width`` bits; integers must fit, terms must have that width."""
    if isinstance(value, int):
        if not -(1 << (width - 1)) <= value < 1 << width:
            raise Mistake(f"{value} does not fit {width} bits", at)
        return const(value, width)
    if value.width != width:
        raise Mistake(f"a bit-vector of {value.width} bits, expected {width} bits", at)
    return value


def _guarded(node: Node, inner: Run) -> Run:
    def run(env: Env) -> Value:
        try:
            return inner(env)
        except (WidthError, ZeroDivisionError, ValueError) as error:
            raise Mistake(str(error), node.at) from None

    return run


def _name(node: Name) -> Run:
    name = node.name

    def run(env: Env) -> Value:
        found = env.get(name)
        return found if isinstance(found, (int, Expr)) else _other(node, found)

    return run


def _other(node: Name, found: Entry | None) -> Value:
    if found is None:
        raise Mistake(f"unknown name '{node.name}'", node.at)
    if isinstance(found, str):
        raise Mistake(f"'{node.name}' is the word '{found}', expected a number", node.at)
    if isinstance(found, (Operand, Numbers)):
        raise Mistake(f"'{node.name}' is an operand, expected one of its elements", node.at)
    assert not isinstance(found, (int, Expr))
    return found()


def _unary(node: Unary) -> Run:
    inner = compiled(node.arg)
    number, term = (operator.neg, neg) if node.op == "-" else (operator.invert, bnot)

    def run(env: Env) -> Value:
        value = inner(env)
        return number(value) if isinstance(value, int) else term(value)

    return run


def _choice(node: Choice) -> Run:
    condition, yes, no = compiled(node.condition), compiled(node.yes), compiled(node.no)

    def run(env: Env) -> Value:
        test = condition(env)
        if isinstance(test, int):
            return yes(env) if test else no(env)
        return ite(test, *_like(yes(env), no(env), node.at))

    return _guarded(node, run)


def _element_of(node: Element) -> Run:
    name, index = node.operand, compiled(node.index)

    def run(env: Env) -> Value:
        at = index(env)
        table = env.get(name)
        if isinstance(table, Numbers):
            return _number_of(table, at, node.at)
        if not isinstance(at, int):
            raise Mistake(f"a bit-vector of {at.width} bits, expected an integer", node.index.at)
        return _element(name, at, env, node.at)

    return run


@lru_cache(maxsize=1024)
def _number_of(table: Numbers, index: Value, at: int) -> Expr:
    entries = [const(v, table.width) for v in table.values]
    if isinstance(index, int):
        if not 0 <= index < len(entries):
            raise Mistake(f"entry {index} of a table of {len(entries)}", at)
        return entries[index]
    if len(entries) != 1 << index.width:
        raise Mistake(
            f"a table of {len(entries)} by {index.width} bits, expected {1 << index.width}", at
        )
    return derived.pick(entries, index)


def _element(name: str, index: int, env: Env, at: int) -> Expr:
    operand = env.get(name)
    if not isinstance(operand, Operand):
        raise Mistake(f"'{name}' is no operand", at)
    if not 0 <= index < operand.lanes:
        raise Mistake(f"element {index} of '{name}', which has {operand.lanes}", at)
    return elem(name, index * operand.width, operand.width)


def _like(a: Value, b: Value, at: int) -> tuple[Expr, Expr]:
    if isinstance(a, Expr):
        return a, fitted(b, a.width, at)
    if isinstance(b, Expr):
        return fitted(a, b.width, at), b
    raise Mistake("two integers, expected at least one bit-vector", at)


def _binary(node: Binary) -> Run:
    left, right = compiled(node.left), compiled(node.right)
    number, term = _INTEGER[node.op], _TERM.get(node.op)

    def run(env: Env) -> Value:
        a, b = left(env), right(env)
        if isinstance(a, int) and isinstance(b, int):
            return number(a, b)
        if term is None:
            signs = "a function that says the sign (lshr, ashr, udiv, ult, slt, eq, …)"
            raise Mistake(f"'{node.op}' of bit-vectors, expected {signs}", node.at)
        return term(*_like(a, b, node.at))

    return _guarded(node, run) if node.op in ("/", "%", "<<", ">>") else run


def _call(node: Call, env: Env) -> Value:
    name, args = node.function, node.args
    if name == TABLE:
        return _entry(node, env)
    if name not in ARITY:
        raise Mistake(f"unknown function '{name}'", node.at)
    if len(args) != ARITY[name]:
        raise Mistake(f"{len(args)} arguments of '{name}', expected {ARITY[name]}", node.at)
    if name in derived.UNARY:
        return derived.UNARY[name](_term(args[0], env))
    if name in _RESIZE:
        return _RESIZE[name](_term(args[0], env), integer(args[1], env))
    if name == "bit":
        return _bit(args[0], integer(args[1], env), env)
    if name == "lit":
        return fitted(integer(args[0], env), integer(args[1], env), node.at)
    if name == "extract":
        return extract(_term(args[0], env), integer(args[1], env), integer(args[2], env))
    if name == "concat":
        return concat(_term(args[0], env), _term(args[1], env))
    if name in _TWO:
        return _TWO[name](*_like(evaluate(args[0], env), evaluate(args[1], env), node.at))
    if name == "ite":
        return ite(
            _term(args[0], env), *_like(evaluate(args[1], env), evaluate(args[2], env), node.at)
        )
    if name == "truth":
        return derived.truth(
            _term(args[1], env), _term(args[2], env), _term(args[3], env), integer(args[0], env)
        )
    first = _term(args[0], env)
    return _THREE[name](first, *(fitted(evaluate(a, env), first.width, a.at) for a in args[1:]))


def _entry(node: Call, env: Env) -> Value:
    index, *entries = node.args
    k = integer(index, env)
    if not 0 <= k < len(entries):
        raise Mistake(f"entry {k} of a table of {len(entries)}", node.at)
    return evaluate(entries[k], env)


def _bit(arg: Node, index: int, env: Env) -> Value:
    value = evaluate(arg, env)
    return value >> index & 1 if isinstance(value, int) else extract(value, index, 1)


def _term(node: Node, env: Env) -> Expr:
    value = evaluate(node, env)
    if isinstance(value, int):
        raise Mistake(f"the integer {value}, expected a bit-vector", node.at)
    return value


def _fold(node: Fold, env: Env) -> Value:
    if node.op not in FOLDS:
        raise Mistake(
            f"'{node.op}' cannot be folded, expected one of {' '.join(sorted(FOLDS))}", node.at
        )
    count = integer(node.count, env)
    if count < 1:
        raise Mistake(f"a fold over {count} values, expected at least one", node.at)
    step = (
        (lambda a, b: concat(b, a)) if node.op == "concat" else _TERM.get(node.op) or _TWO[node.op]
    )
    result = _term(node.body, {**env, node.variable: 0})
    for k in range(1, count):
        result = step(result, _term(node.body, {**env, node.variable: k}))
    return result


def _pick(node: Pick, env: Env) -> Value:
    base, count, index = integer(node.base, env), integer(node.count, env), _term(node.index, env)
    if count != 1 << index.width:
        raise Mistake(
            f"a choice of {count} elements by {index.width} bits, expected {1 << index.width}",
            node.at,
        )
    return derived.pick([_element(node.table, base + k, env, node.at) for k in range(count)], index)
