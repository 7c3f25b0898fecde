"""``make ablation``: write ``docs/ablation.md``, what each named mechanism is worth."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.ablation.cases import KINDS, Case, cases
from bench.ablation.grammars import LIMIT, TARGETS, searches
from bench.ablation.grammars import measure as search_all
from bench.ablation.page import names_table, page, seconds
from bench.ablation.reasons import REASONS
from bench.ablation.worth import NAMES, failures, measure, worths
from isel.workers import processors
from semantics import isa_named, searched_for


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write; the exit code is 1 where a run failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.ablation", description=__doc__)
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help=f"steps of a search (default {LIMIT})"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="try every so-manieth module only (default 1)"
    )
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="of modules (default all)"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("docs/ablation.md"), help="the page (docs/ablation.md)"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="NAME",
        help="mechanisms to print; no page is written",
    )
    args = parser.parse_args(argv)
    if args.only:
        return _print_only(list(cases(args.kinds))[:: args.every], frozenset(args.only))
    begun, jobs = time.monotonic(), processors()
    for target in TARGETS:
        searched_for(isa_named(target).machine.triple).instructions()
    asked = searches(limit=args.limit)
    answers = search_all(asked, jobs)
    print(f"grammars: {len(asked)} searches, {sum(t.seconds for t in answers):.0f} s")
    some = list(cases(args.kinds))[:: args.every]
    measured = measure(some, jobs, print)
    better = sum(r is not None and r.cheaper for r in map(measured.ran, some))
    found = worths(measured)
    print(seconds(found), end="")
    text = page(
        found,
        Counter(c.kind for c in some),
        better,
        REASONS,
        list(zip(asked, answers, strict=True)),
    )
    args.out.write_text(text, encoding="utf-8")
    lost = failures(measured)
    print(*lost, sep="\n", end="\n" if lost else "")
    print(f"wrote {args.out} in {time.monotonic() - begun:.0f} s")
    return int(bool(lost))


def _print_only(some: Sequence[Case], names: frozenset[str]) -> int:
    """Print the rows of some mechanisms."""
    rows = [row for row in NAMES if row.name in names]
    if len(rows) < len(names):
        unknown = names - {row.name for row in NAMES}
        sys.exit(f"ablation: error: no mechanism is named {', '.join(sorted(unknown))}")
    measured = measure(some, processors(), print, names=rows)
    print(names_table([measured.worth(row.name, row.kind, (row.name,)) for row in rows]), end="")
    lost = failures(measured)
    print(*lost, sep="\n", end="\n" if lost else "")
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
