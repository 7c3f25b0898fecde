"""The three answers of the verifier.  Only this package makes a :class:`Proved`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from isel.ir.expr import Expr


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was asked and who said no counterexample exists: one entry a distinct query.

    ``queries`` are SHA-256 hashes of SMT-LIB texts (or ``identity``), ``solvers`` name and version.
    """

    queries: tuple[str, ...]
    solvers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Proved:
    """The target refines the source."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Refuted:
    """It does not: an assignment of leaves under which they differ, and where."""

    model: Mapping[Expr, int]
    where: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing was shown; never a yes and never a no: only that it stayed open may be kept, for
    these solvers and steps.
    """

    reason: str


Verdict: TypeAlias = Proved | Refuted | Unknown
