"""A question for a solver, its answers, and its SMT-LIB text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Protocol, TypeAlias

from isel.ir import build as b
from isel.ir.expr import Expr, postorder, substitute
from isel.ir.ops import OPS, Attr


def in_primitives(root: Expr) -> Expr:
    """Return a term without products over GF(2), which solvers lack: bits of one choose shifts."""
    return substitute(root, {}, _spell) if any(e.op == "clmul" for e in postorder([root])) else root


def _spell(op: str, args: tuple[Expr, ...], attr: Attr) -> Expr:
    if op != "clmul":
        return b.make(op, args, attr)
    x, y = args
    shifts = (b.ite(b.extract(x, k, 1), b.shl(y, b.lit(k, y)), b.lit(0, y)) for k in range(y.width))
    return reduce(b.bxor, shifts)


@dataclass(frozen=True, slots=True)
class Query:
    """Is there an assignment of the leaves under which every one-bit term of ``assertions`` is
    1?
    """

    assertions: tuple[Expr, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "assertions", tuple(map(in_primitives, self.assertions)))


@dataclass(frozen=True, slots=True)
class Unsat:
    """No assignment exists."""

    solver: str


@dataclass(frozen=True, slots=True)
class Sat:
    """An assignment of every leaf, as unsigned integers."""

    solver: str
    model: Mapping[Expr, int]


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The limits in steps were reached: asked again, the same version gives up again."""

    reason: str


Answer: TypeAlias = Unsat | Sat | GaveUp


class Solver(Protocol):
    """One back end with a repeatable measure of effort."""

    @property
    def name(self) -> str:
        """The solver's name."""
        ...

    def check(self, query: Query, effort: int) -> Answer:
        """Answer within ``effort`` steps (the same on every machine), else give up."""
        ...


def smtlib(query: Query) -> str:
    """Return the query as SMT-LIB 2 text; equal queries give equal text."""
    names: dict[Expr, str] = {}
    lines = ["(set-logic QF_BV)"]
    body: list[str] = []
    for e in postorder(query.assertions):
        if e.op == "const":
            names[e] = f"(_ bv{e.value} {e.width})"
        elif e.is_leaf:
            names[e] = f"|{e.source}|" if e.op == "var" else f"|{e.source}[{e.offset}]:{e.width}|"
            lines.append(f"(declare-const {names[e]} (_ BitVec {e.width}))")
        else:
            names[e] = f"t{len(body)}"
            body.append(f"(define-fun {names[e]} () (_ BitVec {e.width}) {_application(e, names)})")
    lines.extend(body)
    lines.extend(f"(assert (= {names[e]} (_ bv1 1)))" for e in query.assertions)
    lines.append("(check-sat)")
    return "\n".join(lines) + "\n"


def _application(e: Expr, names: Mapping[Expr, str]) -> str:
    row = OPS[e.op]
    args = [names[a] for a in e.args]
    if e.op == "ite":
        return f"(ite (= {args[0]} (_ bv1 1)) {args[1]} {args[2]})"
    head = row.smt
    if e.op == "extract":
        head = f"(_ extract {e.int_attr(0) + e.width - 1} {e.int_attr(0)})"
    elif e.attr:
        head = f"(_ {row.smt} {e.width - e.args[0].width})"
    text = f"({head} {' '.join(args)})"
    return f"(ite {text} (_ bv1 1) (_ bv0 1))" if row.boolean else text
