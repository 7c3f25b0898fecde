"""``make ablation``: write ``docs/ablation.md``, what each named mechanism is worth."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.ablation.cases import KINDS, Case, cases
from bench.ablation.grammars import LIMIT, searches
from bench.ablation.grammars import measure as search_all
from bench.ablation.lines import lines
from bench.ablation.page import names_table, page
from bench.ablation.reasons import REASONS
from bench.ablation.worth import NAMES, Study, cheaper, failures, measure, worths
from isel.workers import processors


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write; the exit code is 1 where a run failed."""
    parser = argparse.ArgumentParser(prog="python -m bench.ablation", description=__doc__)
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help=f"steps of a search (default {LIMIT})"
    )
    parser.add_argument(
        "--every", type=int, default=1, help="try every so-manieth case only (default 1)"
    )
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="of cases (default all)"
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
    begun, jobs = time.monotonic(), processors()
    some = list(cases(args.kinds))[:: args.every]
    if args.only:
        return _print_only(some, frozenset(args.only))
    studies = measure(some, jobs)
    print(f"{len(some)} cases: {_said(studies)}")
    asked = searches(limit=args.limit)
    answers = search_all(asked, jobs)
    print(f"grammars: {len(asked)} searches, {sum(t.seconds for t in answers):.0f} s")
    text = page(
        worths(studies),
        Counter(c.kind for c in some),
        sum(r.cheaper for s in studies if (r := s.ran())),
        REASONS,
        lines(),
        cheaper(studies),
        list(zip(asked, answers, strict=True)),
    )
    args.out.write_text(text, encoding="utf-8")
    print(f"wrote {args.out} in {time.monotonic() - begun:.0f} s")
    return _failed(studies)


def _said(studies: Sequence[Study]) -> str:
    runs = sum(len(s.results) for s in studies)
    return f"{runs} runs, {sum(s.seconds for s in studies):.0f} s"


def _failed(studies: Sequence[Study]) -> int:
    lost = failures(studies)
    print(*lost, sep="\n", end="\n" if lost else "")
    return int(bool(lost))


def _print_only(some: Sequence[Case], names: frozenset[str]) -> int:
    """Print the rows of some mechanisms."""
    rows = [row for row in NAMES if row.name in names]
    if len(rows) < len(names):
        unknown = names - {row.name for row in NAMES}
        sys.exit(f"ablation: error: no mechanism is named {', '.join(sorted(unknown))}")
    studies = measure(some, processors(), rows)
    print(names_table(worths(studies, rows), lines()), end="")
    return _failed(studies)


if __name__ == "__main__":
    sys.exit(main())
