"""Integer expressions in the lane number that take given values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from isel.spec.sem_syntax import Binary, Call, Name, Node, Number
from semantics.importing.shapes import tidy

LANE: Final = Name("i")


def fitted(lanes: Sequence[int], values: Sequence[int], total: int) -> Node:
    """Return an expression over ``i`` that is ``values[k]`` in lane ``lanes[k]``; ``total`` is
    the number of all lanes.
    """
    if len(set(values)) == 1:
        return Number(values[0])
    step = (values[1] - values[0]) // (lanes[1] - lanes[0])
    base = values[0] - step * lanes[0]
    if all(v == base + step * i for i, v in zip(lanes, values, strict=True)):
        if step > 0:
            return sum_of(scaled(LANE, step), base)
        return Binary("-", Number(base), scaled(LANE, -step))
    found = _by_bits(lanes, values, total)
    return found if found is not None else _table(lanes, values, total)


def scaled(node: Node, factor: int) -> Node:
    """Return a multiple of an expression."""
    return node if factor == 1 else tidy(Binary("*", node, Number(factor)))


def sum_of(node: Node, base: int) -> Node:
    """Return an expression plus a number."""
    return tidy(Binary("+", node, Number(base)))


def _by_bits(lanes: Sequence[int], values: Sequence[int], total: int) -> Node | None:
    """Fit a number plus, for each bit of ``i``, a number where it is set."""
    bits = max(total - 1, 1).bit_length()
    known = dict(zip(lanes, values, strict=True))
    first = lanes[0]
    weights: dict[int, int] = {}
    for b in range(bits):
        pair = next(
            ((i, i | 1 << b) for i in lanes if not i >> b & 1 and i | 1 << b in known), None
        )
        if pair is not None:
            weights[b] = known[pair[1]] - known[pair[0]]
    base = known[first] - sum(w for b, w in weights.items() if first >> b & 1)
    if any(v != base + sum(w for b, w in weights.items() if i >> b & 1) for i, v in known.items()):
        return None
    groups: list[tuple[int, int, int]] = []  # lowest bit, number of bits, weight of the lowest
    for b in sorted(weights):
        w = weights[b]
        if not w:
            continue
        if groups and groups[-1][0] + groups[-1][1] == b and groups[-1][2] << groups[-1][1] == w:
            low, n, weight = groups[-1]
            groups[-1] = low, n + 1, weight
        else:
            groups.append((b, 1, w))
    result: Node | None = None
    for low, n, weight in reversed(groups):
        node: Node = LANE if low == 0 else Binary("/", LANE, Number(1 << low))
        if low + n < bits:
            node = Binary("%", node, Number(1 << n))
        node = scaled(node, weight)
        if result is None and weight < 0:
            result, base = Binary("-", Number(base), scaled(_positive(low, n, bits), -weight)), 0
        elif result is None:
            result = node
        elif weight < 0:
            result = Binary("-", result, scaled(_positive(low, n, bits), -weight))
        else:
            result = Binary("+", result, node)
    return sum_of(result, base) if result is not None else Number(base)


def _positive(low: int, n: int, bits: int) -> Node:
    node: Node = LANE if low == 0 else Binary("/", LANE, Number(1 << low))
    return Binary("%", node, Number(1 << n)) if low + n < bits else node


def _table(lanes: Sequence[int], values: Sequence[int], total: int) -> Node:
    known = dict(zip(lanes, values, strict=True))
    entries = [known.get(i, 0) for i in range(total)]
    period = next(
        p
        for p in (2, 4, 8, 16, 32, 64, total)
        if p >= total or all(known[i] == entries[i % p] for i in known if i % p in known)
    )
    if period < total and all(i % period in known for i in known):
        return Call(
            "at", (Binary("%", LANE, Number(period)), *(Number(v) for v in entries[:period]))
        )
    return Call("at", (LANE, *(Number(v) for v in entries)))


def condition(group: Sequence[int], rest: Sequence[int], total: int) -> Node:
    """Return a condition over ``i`` that holds in the lanes of ``group`` and in none of
    ``rest``.
    """
    inside = frozenset(group)
    for node, holds in _candidates(group, total):
        if all(holds(i) for i in inside) and not any(holds(i) for i in rest):
            return node
    word = sum(1 << i for i in inside)
    return Binary("&", Binary(">>", Number(word), LANE), Number(1))


def _candidates(group: Sequence[int], total: int) -> Iterator[tuple[Node, Callable[[int], bool]]]:
    top = max(group) + 1
    yield Binary("<", LANE, Number(top)), lambda i: i < top
    least = min(group)
    yield Binary(">=", LANE, Number(least)), lambda i: i >= least
    yield Binary("==", LANE, Number(least)), lambda i: i == least
    period = 2
    while period <= total:
        for step in (1 << k for k in range(period.bit_length() - 1)):
            values = {i % period // step for i in group}
            value = min(values)
            node: Node = Binary("%", LANE, Number(period))
            node = node if step == 1 else Binary("/", node, Number(step))
            if len(values) == 1:
                yield Binary("==", node, Number(value)), partial(_quotient, period, step, value)
            below = max(values) + 1
            if step == 1 and below < period:
                yield Binary("<", node, Number(below)), partial(_below, period, below)
            if step == 1 and value:
                yield Binary(">=", node, Number(value)), partial(_above, period, value)
        period *= 2


def _quotient(period: int, step: int, value: int, i: int) -> bool:
    return i % period // step == value


def _below(period: int, value: int, i: int) -> bool:
    return i % period < value


def _above(period: int, value: int, i: int) -> bool:
    return i % period >= value
