"""What may help a proof and is not believed: somebody says it, and it is looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from isel.ir.domain import Range
    from isel.ir.expr import Expr
    from isel.model.steps import Steps

# Finds steps by which two terms are equal where leaves are in ranges, in so many steps of its own.
Finder: TypeAlias = "Callable[[Expr, Expr, dict[Expr, Range], int], Steps | None]"
# Finds an assignment under which a one-bit term is 1.
Near: TypeAlias = "Callable[[Expr], dict[Expr, int] | None]"
# Adds what choices have to be, so that the first term is the second one, to others.
Solve: TypeAlias = (
    "Callable[[Expr, Expr, frozenset[Expr], Mapping[Expr, Expr], dict[Expr, Expr]], None]"
)


@dataclass(frozen=True, slots=True)
class Hints:
    """Who says something: steps, which are replayed; assignments, under which a term is evaluated;
    and choices, with which it is proved.
    """

    steps: Finder | None = None
    near: Near = lambda _: None
    solve: Solve = lambda *_: None


SILENT = Hints()
