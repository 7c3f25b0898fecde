"""The trees of ASL, as far as vector instructions use it; ``at`` is a line of the file, from 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from semantics.importing.syntax import Apply, Assign, Binary, Conditional, Num, Return, Unary, Var


@dataclass(frozen=True, slots=True)
class BitString:
    """A bit string, ``x`` where a pattern does not care."""

    text: str
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """One part in brackets: an index (``low`` alone), a slice ``high:low`` or ``low +: width``."""

    low: Expression
    high: Expression | None = None
    width: Expression | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """A slice of a value, or an array with its arguments."""

    base: Expression
    places: tuple[Place, ...]
    at: int = field(compare=False)


@dataclass(frozen=True, slots=True)
class Tuple:
    """Values in parentheses; bits side by side where ``bits`` says so."""

    items: tuple[Expression, ...]
    bits: bool
    at: int = field(compare=False)


Expression: TypeAlias = (
    "Num | BitString | Var | Unary[Expression] | Binary[Expression] | Conditional[Expression] "
    "| Apply[Expression] | Bracket | Tuple"
)


@dataclass(frozen=True, slots=True)
class Declare:
    """Variables with a type: ``bits`` of a width, or another name."""

    type: str
    width: Expression | None
    names: tuple[str, ...]
    value: Expression | None
    at: int


@dataclass(frozen=True, slots=True)
class If:
    """Branches by conditions, the last of which may be None."""

    arms: tuple[tuple[Expression | None, tuple[Statement, ...]], ...]
    at: int


@dataclass(frozen=True, slots=True)
class For:
    """A loop over a range, both ends included."""

    variable: str
    first: Expression
    last: Expression
    down: bool
    body: tuple[Statement, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Case:
    """Branches by patterns of a value; no patterns for what is left."""

    selector: Expression
    arms: tuple[tuple[tuple[Expression, ...], tuple[Statement, ...]], ...]
    at: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """The encoding is another instruction's, or nobody's."""

    at: int


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure, which has no effect on registers, or an assertion."""

    at: int


Statement: TypeAlias = (
    "Declare | Assign[Expression] | If | For | Case | Return[Expression] | Refuse | Call"
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function; ``width`` is of its type ``bits``."""

    name: str
    width: Expression | None


@dataclass(frozen=True, slots=True)
class Function:
    """A function that returns ``bits`` of a width, or something else."""

    name: str
    width: Expression | None
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    at: int
