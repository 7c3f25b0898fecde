"""From the bodies at every legal immediate to one emission: sections of immediates, each with
lines over ``$<immediate>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from isel.spec.emission import emitted
from semantics.emission import fit
from semantics.emission.body import Body, natural_types, retyped
from semantics.emission.sections import Learned, Section
from semantics.emission.shuffles import canonical, mask_of

_HOLE: Final = re.compile(
    r"<(?P<n>\d+) x i32> <(?P<mask>(?:i32 (?:\d+|poison)(?:, "
    r")?)+)>|(?<![\w.%$-])(?P<int>-?\d+)(?![\w.]| x )"
)
Covers = Callable[[Sequence[tuple[Body, Body]]], Sequence[bool]]


def unified(bodies: Mapping[int, Body], scalars: Collection[str]) -> dict[int, Body]:
    """Return the bodies with one type for each operand and the result (``r``), in one spelling;
    scalars of C stay scalars.
    """
    kinds, result = natural_types(bodies.values())
    some = next(iter(bodies.values()))
    own = dict(some.operands)
    kinds = {
        name: "" if name in scalars else _flat(kind, own[name]) for name, kind in kinds.items()
    }
    result = "" if "r" in scalars else _flat(result, some.result)
    return {v: canonical(retyped(b, kinds, result)) for v, b in bodies.items()}


def _flat(kind: str, own: str) -> str:
    """Return a type, that of its element for a vector of one."""
    m = re.fullmatch(r"<1 x (i\d+)>", kind or own)
    return m[1] if m else kind


def learn(
    immediate: str, bodies: Mapping[int, Body], covers: Covers, scalars: Collection[str] = ()
) -> Learned:
    """Return the emission of bodies by immediate (``{0: body}`` without one); ``scalars`` are
    operands (and ``r``) that C has as integers.

    ``covers`` tells which pairs of bodies LLVM optimises to the same: a section then holds for the
    second's immediate too.
    """
    same = unified(bodies, scalars)
    some = next(iter(same.values()))
    if not immediate:
        return Learned(some.operands, some.result, "", 1, 1, (Section((), _holed(some.lines)),))
    legal = max(same) + 1
    period = 1 if 0 in same else legal
    while period < legal and any(same[v].lines != same[v % period].lines for v in same):
        period *= 2
    left = {v: b for v, b in same.items() if v < period}
    name = immediate if period >= legal else f"({immediate} & {period - 1})"
    found: list[tuple[list[int], tuple[str, ...]]] = []
    while left:
        values, lines = _best(left, name)
        rest = [v for v in left if v not in values]
        pairs = [(left[v], _at(some, lines, immediate, v)) for v in rest]
        held = covers([(a, b) for a, b in pairs if b is not None])
        more = iter(held)
        values = [
            *values,
            *(v for v, (_, b) in zip(rest, pairs, strict=True) if b is not None and next(more)),
        ]
        found.append((values, lines))
        left = {v: b for v, b in left.items() if v not in values}
    sections = tuple(Section(tuple(sorted(values)), lines) for values, lines in found)
    return Learned(some.operands, some.result, immediate, legal, min(period, legal), sections)


def _at(some: Body, lines: Sequence[str], immediate: str, value: int) -> Body | None:
    try:
        return Body(some.operands, some.result, emitted(lines, {immediate: value}))
    except Exception:  # an expression that has no value here, as a shift by a negative number
        return None


def _best(bodies: Mapping[int, Body], m: str) -> tuple[list[int], tuple[str, ...]]:
    """Return the most frequent shape's lines and the values at which they are exact."""
    shapes: dict[str, list[int]] = {}
    for v, b in bodies.items():
        shapes.setdefault(_HOLE.sub(_shape, "\n".join(b.lines)), []).append(v)
    values = max(shapes.values(), key=len)
    while True:
        lines = _fitted({v: bodies[v] for v in values}, m)
        if lines is not None:
            return values, lines
        values = values[: (len(values) + 1) // 2]


def _shape(m: re.Match[str]) -> str:
    return f"<{m['n']}>" if m["n"] else "#"


def _holed(lines: Sequence[str]) -> tuple[str, ...]:
    done = _fitted({0: Body((), "", tuple(lines))}, "")
    assert done is not None
    return done


def _fitted(bodies: Mapping[int, Body], m: str) -> tuple[str, ...] | None:
    values = list(bodies)
    texts = ["\n".join(b.lines) for b in bodies.values()]
    columns: list[tuple[re.Match[str], ...]] = list(
        zip(*([*_HOLE.finditer(t)] for t in texts), strict=True)
    )
    pieces: list[str] = []
    at = 0
    for column in columns:
        hole = _hole(values, column, m)
        if hole is None:
            return None
        pieces.extend((texts[0][at : column[0].start()], hole))
        at = column[0].end()
    return tuple("".join([*pieces, texts[0][at:]]).split("\n"))


def _hole(values: Sequence[int], column: Sequence[re.Match[str]], m: str) -> str | None:
    first = column[0]
    if first["n"] is None:
        results = [int(c["int"]) for c in column]
        if first.string[: first.start()].endswith("i8 "):  # the same bits
            results = [x & 255 for x in results] if len(set(results)) > 1 else results
        found = fit.scalar(values, results, m)
        plain = found is None or re.fullmatch(r"-?\d+", found)
        if found is None or plain:
            return found
        return f"${found}" if re.fullmatch(r"\w+", found) else f"${{{found}}}"
    form = fit.mask(values, [mask_of(c["mask"]) for c in column], m)
    if form is None:
        return first[0] if all(c[0] == first[0] for c in column) else None
    return f"$[i < {first['n']}: {form}]"
