"""Parameters of a class: columns that never vary become literals, and those that others
determine become expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

Values: TypeAlias = tuple[int, ...]
Partial: TypeAlias = tuple[int | None, ...]  # None where any value will do
K = TypeVar("K", bound=Hashable)
_FACTORS: Final = (2, 4, 8, 16, 32, 64, 128, 256, 512)
_NEAR: Final = (1, 2, -1, -2)


@dataclass(frozen=True, slots=True)
class Reduced:
    """``parameters`` by name with a value for each member, and every column as an expression
    over them.
    """

    parameters: Mapping[str, Values]
    expressions: Mapping[Hashable, str]


def reduce(
    columns: Mapping[K, Partial],
    name: Callable[[K], str],
    given: Mapping[str, Values] | None = None,
) -> Reduced:
    """Express each column by literals and parameters, in the order given; what cannot be expressed
    is a new parameter.

    ``name`` proposes a parameter's name (made unique by a number); ``given`` are parameters that
    exist already.
    """
    parameters: dict[str, Values] = dict(given or {})
    fresh: dict[str, Values] = {}
    known: dict[Partial, str] = {v: k for k, v in parameters.items()}
    found: dict[Hashable, str] = {}
    for column, values in columns.items():
        distinct = {v for v in values if v is not None}
        if len(distinct) <= 1:
            found[column] = str(distinct.pop()) if distinct else "0"
            continue
        text = known.get(values)
        if text is None:
            text = _expressed(values, parameters)
            if text is None:
                text = _unique(name(column), parameters)
                parameters[text] = fresh[text] = tuple(0 if v is None else v for v in values)
            known[values] = text
        found[column] = text
    return Reduced(fresh, found)


def _unique(wanted: str, taken: Mapping[str, Values]) -> str:
    k = 2
    text = wanted
    while text in taken:
        text = f"{wanted}{k}"
        k += 1
    return text


def _expressed(values: Partial, parameters: Mapping[str, Values]) -> str | None:
    at = next(k for k, v in enumerate(values) if v is not None)
    for text, made in _candidates(parameters, at, values[at] or 0):
        if made[at] == values[at] and all(
            v is None or v == x for v, x in zip(values, made, strict=True)
        ):
            return text
    return None


def _candidates(
    parameters: Mapping[str, Values], at: int, wanted: int
) -> Iterator[tuple[str, Values]]:
    """Yield the parameters, simple functions of one, then of two; sums are those that give
    ``wanted`` for member ``at``.
    """
    yield from parameters.items()
    for p, v in parameters.items():
        for f in _FACTORS:
            yield f"{f}*{p}", tuple(x * f for x in v)
        for f in _FACTORS:
            if all(x % f == 0 for x in v):
                yield f"{p}//{f}", tuple(x // f for x in v)
        for d in _NEAR:
            yield _plus(p, d), tuple(x + d for x in v)
            yield _plus(f"2*{p}", d), tuple(2 * x + d for x in v)
        if 0 not in v:
            for f in _FACTORS:
                if all(f % x == 0 for x in v):
                    yield f"{f}//{p}", tuple(f // x for x in v)
        first = wanted - v[at]
        yield _plus(p, first), tuple(x + first for x in v)
        first = wanted + v[at]
        yield f"{first}-{p}", tuple(first - x for x in v)
    for p, v in parameters.items():
        for q, u in parameters.items():
            yield from _pairs(p, v, q, u)


def _pairs(p: str, v: Sequence[int], q: str, u: Sequence[int]) -> Iterator[tuple[str, Values]]:
    both = list(zip(v, u, strict=True))
    if p <= q:
        yield f"{p}*{q}", tuple(x * y for x, y in both)
        yield f"{p}+{q}", tuple(x + y for x, y in both)
        for f in (2, 4, 8):
            if all(x * y % f == 0 for x, y in both):
                yield f"{p}*{q}//{f}", tuple(x * y // f for x, y in both)
    yield f"{p}-{q}", tuple(x - y for x, y in both)
    if 0 not in u and all(x % y == 0 for x, y in both):
        yield f"{p}//{q}", tuple(x // y for x, y in both)


def _plus(text: str, d: int) -> str:
    return f"{text}+{d}" if d > 0 else f"{text}-{-d}"
