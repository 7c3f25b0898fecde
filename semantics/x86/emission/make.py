"""Learn the emissions: ``python -m semantics.x86.emission.make intel-intrinsics.xml [jobs]`` prints
the table ``emissions.tsv``.

Needs the clang of the package ``ziglang``; takes some minutes.  The result is the same bytes every
time.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from frontends.llvm import binding
from frontends.llvm.worker import LlvmWorker
from semantics.x86.emission.alone import accepted, become, is_single, optimised_same
from semantics.x86.emission.body import Body, NotOneBlock, read_body
from semantics.x86.emission.clang import Case, bodies, legal
from semantics.x86.emission.entries import SCALARS, Entry, read_guide
from semantics.x86.emission.learn import Learned, learn
from semantics.x86.emission.table import Emission, write

_SECONDS = 600.0


def compiled(
    entries: Sequence[Entry], jobs: int = 1
) -> tuple[dict[Entry, dict[int, Body]], dict[Entry, str]]:
    """Return the body at each legal immediate of each entry, and why others have none."""
    first = [Case(e, 0 if e.immediates else None) for e in entries if len(e.immediates) <= 1]
    _, failed = bodies(first, jobs)
    reasons = {c.entry: why for c, why in failed.items()}
    left = [e for e in entries if e not in reasons]
    values = legal(left)
    done, failed = bodies([Case(e, v) for e in left for v in _tried(values.get(e))], jobs)
    reasons.update({c.entry: why for c, why in failed.items()})
    found: dict[Entry, dict[int, Body]] = {}
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


def learned(found: Mapping[Entry, Mapping[int, Body]], worker: LlvmWorker) -> dict[Entry, Learned]:
    """Return the emissions, each accepted as it stands by the linked LLVM at every section."""
    done: dict[Entry, Learned] = {}
    for e, at in found.items():
        scalars = {p.name for p in e.parameters if p.type in SCALARS} | (
            {"r"} if e.result in SCALARS else set()
        )
        done[e] = learn(
            e.immediates[0].name if e.immediates else "",
            at,
            lambda pairs: optimised_same(worker, pairs),
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


def main(arguments: Sequence[str]) -> int:
    """Print the table; what has no emission goes to standard error with its reason."""
    guide = Path(arguments[0])
    entries = read_guide(guide)
    found, reasons = compiled(entries, int(arguments[1]) if len(arguments) > 1 else 1)
    with LlvmWorker(seconds=_SECONDS) as worker:
        made = learned(found, worker)
        became = become(worker, made)
    every = [
        Emission(e.key, made[e], is_single(e, became[e]), became[e]) for e in entries if e in made
    ]
    digest = hashlib.sha256(guide.read_bytes()).hexdigest()
    head = [
        (
            f"how LLVM {binding.llvm_version()} says each intrinsic: python -m "
            "semantics.x86.emission.make"
        ),
        f"input: sha256 {digest}",
        (
            f"entries {len(entries)}, emitted {len(every)}, one instruction "
            f"{sum(e.single for e in every)}"
        ),
    ]
    sys.stdout.write(write(every, head))
    for e in entries:
        if e not in made:
            sys.stderr.write(
                f"{e.name} ({' '.join(e.cpuids)}): {reasons.get(e, 'two immediates')}" + "\n"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
