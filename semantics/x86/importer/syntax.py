"""Abstract syntax of the operation language; every node carries its position in the operation's
text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


class OperationMistake(Exception):
    """What is wrong with an operation, and where in its text."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.what = what
        self.at = at


@dataclass(frozen=True, slots=True)
class Num:
    """A number."""

    value: int
    at: int


@dataclass(frozen=True, slots=True)
class Var:
    """A variable, a parameter, or a named constant."""

    name: str
    at: int


@dataclass(frozen=True, slots=True)
class Slice:
    """``base[high:low]``; a single bit has ``high`` equal to ``low``."""

    base: Expression
    high: Expression
    low: Expression
    at: int


@dataclass(frozen=True, slots=True)
class View:
    """``base.dword[index]``: element ``index`` of ``width`` bits (``index`` is absent in
    ``tmp.dword``).
    """

    base: Expression
    width: int
    index: Expression | None
    at: int


@dataclass(frozen=True, slots=True)
class Infix:
    """A binary operation."""

    op: str
    left: Expression
    right: Expression
    at: int


@dataclass(frozen=True, slots=True)
class Prefix:
    """``-``, ``NOT`` (bits) or ``!`` (truth)."""

    op: str
    arg: Expression
    at: int


@dataclass(frozen=True, slots=True)
class Ternary:
    """``test ? yes : no``."""

    test: Expression
    yes: Expression
    no: Expression
    at: int


@dataclass(frozen=True, slots=True)
class Apply:
    """``name(arguments)``."""

    name: str
    args: tuple[Expression, ...]
    at: int


Expression: TypeAlias = Num | Var | Slice | View | Infix | Prefix | Ternary | Apply


@dataclass(frozen=True, slots=True)
class Assign:
    """``target := value``."""

    target: Expression
    value: Expression
    at: int


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
class Return:
    """``RETURN value``."""

    value: Expression
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


Statement: TypeAlias = Assign | For | While | If | Case | Return | Define | Table
