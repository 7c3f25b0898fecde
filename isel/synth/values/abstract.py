"""What lanes have in common: one term, over literals that vary or leaves of which some coincide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from isel.ir.canon import canonical, formal, instance
from isel.ir.expr import Expr, leaves, term

Instance: TypeAlias = tuple[Expr, tuple[Expr, ...]]  # a lane, and what its leaves stand for


@dataclass(frozen=True, slots=True)
class Abstracted:
    """A term over ``x0, x1, …``, and for each lane what they stand for there: leaves and
    literals.
    """

    term: Expr
    holes: tuple[tuple[Expr, ...], ...]


def instances(lanes: Iterable[Expr | None]) -> dict[Expr, Instance]:
    """Return the lanes that are another one with leaves of which some are the same: that one, and
    what its leaves stand for.
    """
    every = dict.fromkeys(e for e in lanes if e is not None and e.args)
    forms = {canonical(e)[0]: e for e in every}
    general = sorted(forms, key=lambda form: -len(leaves(form)))
    found: dict[Expr, Instance] = {}
    for e in every:
        for form in general[: len(general) - 1]:
            holes = instance(form, e) if len(leaves(form)) > len(leaves(e)) else None
            if holes is not None:
                found.setdefault(e, (forms[form], holes))
    return found


def abstracted(lanes: Sequence[Expr]) -> Abstracted | None:
    """Return what lanes have in common, where only leaves and literals differ; None where operators
    do.

    Leaves are holes; so is each literal that is not the same in all lanes.  Places that hold the
    same in every lane are one hole.
    """
    columns: dict[tuple[Expr, ...], Expr] = {}
    done: dict[tuple[Expr, ...], Expr | None] = {}

    def hole(column: tuple[Expr, ...]) -> Expr:
        return columns.setdefault(column, formal(len(columns), column[0].width))

    def common(column: tuple[Expr, ...]) -> Expr | None:
        if column not in done:
            done[column] = make(column)
        return done[column]

    def make(column: tuple[Expr, ...]) -> Expr | None:
        first = column[0]
        if any(e.width != first.width for e in column):
            return None
        if all(e.is_const for e in column):
            return first if all(e is first for e in column) else hole(column)
        if not first.args:
            return hole(column) if all(not e.args for e in column) else None
        if any(
            e.op != first.op or e.attr != first.attr or len(e.args) != len(first.args)
            for e in column
        ):
            return None
        args: list[Expr] = []
        for k in range(len(first.args)):
            arg = common(tuple(e.args[k] for e in column))
            if arg is None:
                return None
            args.append(arg)
        return term(first.op, *args, attr=first.attr)

    found = common(tuple(lanes))
    if found is None or not found.args:
        return None
    return Abstracted(
        found, tuple(tuple(column[i] for column in columns) for i in range(len(lanes)))
    )
