"""What ``isel measure`` prints: a line a function, as it is known, and how many there were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from bench.measure.verdict import FLOOR, Timed, Verdict, row_of


def tell(found: Iterable[tuple[str, Verdict]], *, json: bool) -> None:
    """Print a line for each function, and the counts; or an object for each."""
    counts: Counter[str] = Counter()
    for name, verdict in found:
        slower = isinstance(verdict, Timed) and verdict.loses
        counts["slower" if slower else type(verdict).__name__] += 1
        print(row_of(name, verdict) if json else f"@{name}: {verdict}", flush=True)
    if not json:
        print(
            f"{counts.total()} functions changed, {counts['slower']} below {FLOOR:g} in both runs, "
            f"{counts['Noisy']} noisy, {counts['NotRun']} not measured"
        )
