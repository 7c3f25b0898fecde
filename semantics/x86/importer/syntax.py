"""Abstract syntax of the operation language; every node carries its position in the operation's
text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from semantics.importing.syntax import Apply, Assign, Binary, Conditional, Num, Return, Unary, Var


@dataclass(frozen=True, slots=True)
class Slice:
    """``base[high:low]``; a single bit has ``high`` equal to ``low``."""

    base: Expression
    high: Expression
    low: Expression
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class View:
    """``base.dword[index]``: element ``index`` of ``width`` bits (``index`` is absent in
    ``tmp.dword``).
    """

    base: Expression
    width: int
    index: Expression | None
    at: int = field(compare=False)


Expression: TypeAlias = (
    "Num | Var | Slice | View | Binary[Expression] | Unary[Expression] | Conditional[Expression] "
    "| Apply[Expression]"
)


@dataclass(frozen=True, slots=True)
class For:
    """``FOR variable := first to last``, down with ``step`` -1."""

    variable: str
    first: Expression
    last: Expression
    step: int
    body: tuple[Statement, ...]
    at: int


@dataclass(frozen=True, slots=True)
class While:
    """``DO WHILE test … OD``."""

    test: Expression
    body: tuple[Statement, ...]
    at: int


@dataclass(frozen=True, slots=True)
class If:
    """``IF test … ELSE … FI``."""

    test: Expression
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Case:
    """``CASE selector OF 0: … ESAC``."""

    selector: Expression
    arms: tuple[tuple[int, tuple[Statement, ...]], ...]
    at: int


@dataclass(frozen=True, slots=True)
class Define:
    """``DEFINE name(parameters) { … }``."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[Statement, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Table:
    """``BYTE name[N] = { … }``: constants of ``width`` bits."""

    name: str
    width: int
    values: tuple[int, ...]
    at: int


Statement: TypeAlias = (
    "Assign[Expression] | For | While | If | Case | Return[Expression] | Define | Table"
)
