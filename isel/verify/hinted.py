"""Those who help proofs, each loaded when it is first asked: few are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from isel.model.hints import Hints
from isel.verify.saturated import steps_of

if TYPE_CHECKING:
    from isel.ir.expr import Expr


def _near(failing: Expr) -> dict[Expr, int] | None:
    from isel.verify.near import near_model

    return near_model(failing)


def _solve(
    source: Expr,
    wanted: Expr,
    choices: frozenset[Expr],
    base: Mapping[Expr, Expr],
    found: dict[Expr, Expr],
) -> None:
    from isel.verify.invert import solve

    solve(source, wanted, choices, base, found)


HINTS: Final = Hints(steps_of, _near, _solve)
