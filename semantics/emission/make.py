"""Learning as a whole: entries compiled at every legal immediate, emissions accepted by the linked
LLVM, the table of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import TypeVar

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from semantics.emission.alone import accepted, become, is_single, optimised_same
from semantics.emission.body import Body, NotOneBlock, read_body
from semantics.emission.clang import Case, Clang, bodies, legal
from semantics.emission.learn import learn
from semantics.emission.prototype import Entry, Kind
from semantics.emission.sections import Learned
from semantics.emission.table import Emission
from semantics.emission.writer import write
from semantics.machine import Machine
from semantics.selection import Printed

_SECONDS = 600.0
E = TypeVar("E", bound=Entry)


def compiled(
    entries: Sequence[E], clang: Clang[E], jobs: int = 1
) -> tuple[dict[E, dict[int, Body]], dict[E, str]]:
    """Return the body at each legal immediate of each entry, and why others have none."""
    some = [e for e in entries if len(e.immediates) <= 1]
    values = legal(some, clang)
    first = [Case(e, values[e][0] if e.immediates else None) for e in some]
    _, failed = bodies(first, clang, jobs)
    reasons = {c.entry: why for c, why in failed.items()}
    left = [e for e in some if e not in reasons]
    done, failed = bodies([Case(e, v) for e in left for v in _tried(values.get(e))], clang, jobs)
    reasons.update({c.entry: why for c, why in failed.items()})
    found: dict[E, dict[int, Body]] = {}
    for case, text in done.items():
        if case.entry in reasons:
            continue
        try:
            found.setdefault(case.entry, {})[case.immediate or 0] = read_body(case.entry, text)
        except NotOneBlock as problem:
            reasons[case.entry] = f"is no straight line of values: {problem}"
    return {e: b for e, b in found.items() if e not in reasons}, reasons


def _tried(values: Sequence[int] | None) -> Sequence[int | None]:
    return (None,) if values is None else values


def learned(
    found: Mapping[E, Mapping[int, Body]], worker: LlvmWorker, machine: Machine
) -> dict[E, Learned]:
    """Return the emissions, each accepted as it stands by the linked LLVM at every section."""
    done: dict[E, Learned] = {}
    for e, at in found.items():
        scalars = {p.name for p in e.parameters if p.c.kind is Kind.SCALAR} | (
            {"r"} if e.returned.kind is Kind.SCALAR else set()
        )
        done[e] = learn(
            e.immediates[0].name if e.immediates else "",
            at,
            lambda pairs: optimised_same(worker, pairs, machine),
            scalars,
        )
    wrong = accepted(
        worker, [m.at(s.values[0] if s.values else 0) for m in done.values() for s in m.sections]
    )
    if wrong:
        raise ValueError(
            f"LLVM {binding.llvm_version()} does not keep {', '.join(sorted(set(wrong)))}"
        )
    return done


def table(
    entries: Sequence[E], clang: Clang[E], printed: Printed, head: tuple[str, bytes], jobs: int
) -> tuple[str, dict[E, str]]:
    """Return the table of the entries' emissions, and why others have none; ``head`` is the command
    that makes it and what it is made from.
    """
    command, data = head
    found, reasons = compiled(entries, clang, jobs)
    with LlvmWorker(seconds=_SECONDS) as worker:
        made = learned(found, worker, printed.machine)
        became = become(worker, made, printed)
    own = [e for e in entries if e in made]
    every = [Emission(e.key, made[e], is_single(e, became[e], printed), became[e]) for e in own]
    single = sum(e.single for e in every)
    lines = [
        f"how LLVM {binding.llvm_version()} says each intrinsic: {command}",
        f"input: sha256 {hashlib.sha256(data).hexdigest()}",
        f"entries {len(entries)}, emitted {len(every)}, one instruction {single}",
    ]
    missing = {e: reasons.get(e, "two immediates") for e in entries if e not in made}
    return write(every, lines), missing
