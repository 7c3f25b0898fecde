"""``isel costs measure``: time what the search can emit, and write a table of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.cost.prices import Prices
from semantics.forms import forms
from semantics.x86.costs.fitted import fitted, probes
from semantics.x86.costs.timed import Timed, can_be_timed, timed

_TOGETHER: Final = 40  # forms in a module
_SECONDS: Final = 120.0  # for such a module
_SETTLED: Final = 0.5  # of the forms must have settled

_Pair = tuple[str, str]


class NotSettled(Exception):
    """Timing on this machine says nothing: how many of how many forms settled."""


@dataclass(frozen=True, slots=True)
class Measured:
    """The table, what was timed, and the forms that this machine does not run."""

    prices: Prices
    times: Mapping[str, Timed]
    missing: tuple[str, ...]


def emitted_forms(base: Prices) -> tuple[str, ...]:
    """Return the forms of the search's emissions and the same with an operand in memory, as far
    as the table has them and they can be timed.
    """
    found = dict.fromkeys(form for some in forms("x86").values() for form in some)
    for form in tuple(found):
        mnemonic, _, operands = form.rpartition(" ")
        first, *others = operands.split(",")
        for k, operand in enumerate(others):
            if operand in ("xmm", "ymm", "zmm"):
                loaded = ",".join([first, *others[:k], "mem", *others[k + 1 :]])
                found.setdefault(f"{mnemonic} {loaded}")
    return tuple(sorted(f for f in found if f in base.rows and can_be_timed(f)))


def measure(base: Prices, wanted: Sequence[str], say: Callable[[int, int], None]) -> Measured:
    """Time forms and return the table with them; raises :class:`NotSettled`.

    ``say`` hears how many forms have been timed, of how many.
    """
    times: dict[str, Timed] = {}
    missing: list[str] = []
    with LlvmWorker(seconds=_SECONDS) as worker:
        for k in range(0, len(wanted), _TOGETHER):
            some, _, lacking = _tried(worker, wanted[k : k + _TOGETHER], ())
            times.update(some)
            missing += lacking
            say(min(k + _TOGETHER, len(wanted)), len(wanted))
        settled = [f for f, t in times.items() if t.throughput is not None]
        if len(settled) < _SETTLED * len(times):
            raise NotSettled(f"{len(settled)} of {len(times)}")
        pairs = _pairs(worker, base, times, settled)
    return Measured(fitted(base, times, pairs), times, tuple(missing))


def _pairs(
    worker: LlvmWorker, base: Prices, times: Mapping[str, Timed], settled: Sequence[str]
) -> dict[_Pair, float]:
    found: dict[_Pair, float] = {}
    chosen = probes(base, {f: times[f] for f in settled})
    wanted = [(f, p) for f in settled for p in chosen if len(base.rows[f].usages) == 1]
    for k in range(0, len(wanted), 4 * _TOGETHER):
        _, pairs, _ = _tried(worker, (), wanted[k : k + 4 * _TOGETHER])
        found.update(pairs)
    return found


def _tried(
    worker: LlvmWorker, some: Sequence[str], pairs: Sequence[_Pair]
) -> tuple[dict[str, Timed], dict[_Pair, float], list[str]]:
    """Time forms together, and one by one where that ends the process."""
    done = worker.run(partial(timed, tuple(some), tuple(pairs)))
    if not isinstance(done, WorkerFailed):
        return *done, []
    if len(some) <= 1:
        return {}, {}, list(some)
    middle = len(some) // 2
    left, right = (_tried(worker, part, ()) for part in (some[:middle], some[middle:]))
    return {**left[0], **right[0]}, {}, left[2] + right[2]
