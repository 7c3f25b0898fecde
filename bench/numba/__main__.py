"""numba with and without isel on twelve kernels: ``python -m bench.numba``.

Each kernel is compiled by numba alone and with isel, run on random arrays of several sizes, which
must agree, and timed in turns by the CPU time of a thread; where no window was rewritten the
machine code must be the same.  Then five of them are loaded from numba's cache by a second process.
Exit code 1 where something differs or a bar is missed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from math import exp, log
from pathlib import Path
from typing import Final

from bench.numba.compare import SIZES, TIMED, Differs, Found, compare
from bench.numba.kernels import KERNELS
from bench.numba.second import second_process

MARKS: Final = "<!-- python -m bench.numba -->", "<!-- end -->"
_MEAN, _MANY, _EACH, _CACHE = 1.6, (9, 1.15), 0.98, 0.3  # the bars
_HEAD: Final = (
    "kernel",
    "numba, µs",
    "with isel, µs",
    "times as fast",
    "windows",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table, and write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench.numba", description=__doc__)
    parser.add_argument("--places", type=int, default=31, help="of arrays in memory, all timed")
    parser.add_argument("--time-limit", type=float, default=120.0, help="seconds for a module")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=[row.name for row in KERNELS])
    parser.add_argument("--plot", type=Path, help="an SVG of the ratios")
    parser.add_argument("--docs", type=Path, help="a page whose table is replaced")
    arguments = parser.parse_args(argv)
    chosen = [row for row in KERNELS if row.name in (arguments.only or row.name)]
    try:
        found = [compare(r, arguments.places, arguments.time_limit, arguments.seed) for r in chosen]
    except Differs as differs:
        print(f"error: {differs}", file=sys.stderr)
        return 1
    extra = second_process([row.name for row in KERNELS[:5]])
    text = "\n".join([*_table(found), "", *_summary(found, extra)])
    print(text)
    for f in found:
        for reason in f.reasons:
            print(f"{f.name}: kept: {reason}")
    if arguments.docs:
        _replace(arguments.docs, text)
    if arguments.plot:
        from bench.numba.plot import draw

        draw(found, arguments.plot)
    return 0 if _passes(found, extra) else 1


def geomean(ratios: Sequence[float]) -> float:
    """Return the geometric mean; 1 of nothing."""
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


def _without_best(found: Sequence[Found]) -> list[float]:
    return sorted(f.ratio for f in found)[:-1]


def _passes(found: Sequence[Found], extra: float) -> bool:
    ratios = [f.ratio for f in found]
    many, bar = _MANY
    return (
        geomean(_without_best(found)) >= _MEAN
        and sum(r > bar for r in ratios) >= many
        and min(ratios) >= _EACH
        and extra <= _CACHE
    )


def _table(found: Sequence[Found]) -> Iterator[str]:
    rows = [_HEAD, tuple("---" if i == 0 else "---:" for i, _ in enumerate(_HEAD))]
    for f in found:
        ratio = "same code" if f.same_code else f"{f.ratio:.2f}"
        windows = f"{f.replaced} of {f.windows}" + (", limited" if f.limited else "")
        times = f"{f.alone / 1000:.3f}", f"{f.rewritten / 1000:.3f}"
        rows.append((f.name, *times, ratio, windows))
    return (f"| {' | '.join(row)} |" for row in rows)


def _summary(found: Sequence[Found], extra: float) -> Iterator[str]:
    ratios = [f.ratio for f in found]
    yield f"Results are equal for {', '.join(map(str, SIZES))} items; times are for {TIMED}."
    best = f"without the best {geomean(_without_best(found)):.2f}"
    many = f"{sum(r > _MANY[1] for r in ratios)} of {len(ratios)} above {_MANY[1]}"
    yield f"Geometric mean {geomean(ratios):.2f}, {best}; {many}."
    yield f"A second process with numba's cache takes {extra:.2f} CPU seconds more with isel."


def _replace(page: Path, text: str) -> None:
    """Replace what stands between the marks of a page."""
    before, _, rest = page.read_text().partition(MARKS[0])
    after = rest.partition(MARKS[1])[2]
    page.write_text(f"{before}{MARKS[0]}\n{text}\n{MARKS[1]}{after}")


if __name__ == "__main__":
    sys.exit(main())
