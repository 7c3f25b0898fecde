"""The results as CSV: one figure a line, ``kernel, version, cache, quantity, unit, value``;
facts come first.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections.abc import Iterator

from bench.harness.records import Compile, Record, Run
from bench.harness.summary import speed_up, summarise
from bench.harness.versions import COMPARED
from isel.timing import Times

HEADER = ("kernel", "version", "cache", "quantity", "unit", "value")


def csv_text(run: Run) -> str:
    """Return the whole run as CSV; facts and geometric means have no kernel."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(("", "", "", name, "", value) for name, value in run.facts)
    for record in run.records:
        writer.writerows((record.name, *row) for row in _rows(record))
    for s in summarise(run.records):
        name = f"{s.comparison.ours} over {s.comparison.base}"
        for quantity, value in (("geomean", s.mean), ("geomean of groups", s.group_mean)):
            writer.writerow(("", name, "", quantity, "ratio", f"{value:.4f}"))
    return out.getvalue()


def _rows(record: Record) -> Iterator[tuple[str, str, str, str, str]]:
    yield "", "", "group", "", record.group
    yield "", "", "failed" if record.error else "checks", "", record.error or str(record.checks)
    for times in record.times:
        yield from _times(times)
    for c in COMPARED:
        value = speed_up(record, c)
        if value is not None:
            yield f"{c.ours} over {c.base}", "", "speed-up", "ratio", f"{value:.4f}"
    for version in record.same_code:
        yield version, "", "same machine code", "", "yes"
    for compile_ in record.compiles:
        yield from _compile(compile_)


def _times(times: Times) -> Iterator[tuple[str, str, str, str, str]]:
    yield times.version, "", "rounds", "", str(len(times.rounds))
    yield times.version, "", "calls a round", "", str(times.repetitions)
    yield times.version, "", "least time", "ns", f"{min(times.rounds):.2f}"
    yield times.version, "", "median time", "ns", f"{statistics.median(times.rounds):.2f}"


def _compile(c: Compile) -> Iterator[tuple[str, str, str, str, str]]:
    yield c.version, c.when, "compile time", "s", f"{c.seconds:.3f}"
    yield c.version, c.when, "processor time", "s", f"{c.cpu_seconds:.3f}"
    yield c.version, c.when, "LLVM's time", "s", f"{c.llvm_seconds:.3f}"
    yield c.version, c.when, "peak memory", "MiB", f"{c.peak_mib:.0f}"
    counts = (
        ("windows", c.found),
        ("rewritten", c.rewritten),
        ("rolled back", c.rolled_back),
        ("searches", c.searches),
        ("searches answered by the cache", c.search_hits),
        ("judgements", c.judgements),
        ("judgements answered by the cache", c.judgement_hits),
    )
    for name, count in counts:
        yield c.version, c.when, name, "", str(count)
