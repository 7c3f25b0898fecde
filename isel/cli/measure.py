"""``isel measure``: functions that a rewrite changed, run against their originals here."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from bench.measure.changed import measured
from bench.measure.verdict import FLOOR, Timed, row_of
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.opt.options import Options
from isel.cli.edge import OK
from isel.cli.files import read_module, read_pair
from isel.cli.target import target_flags
from isel.cli.tools import make_tools, rewrite
from isel.workers import processors


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel measure``."""
    before, after = _modules(arguments)
    counts: Counter[str] = Counter()
    with LlvmWorker() as worker:
        for name, found in measured(before, after, worker):
            slower = isinstance(found, Timed) and found.loses
            counts["slower" if slower else type(found).__name__] += 1
            sys.stdout.write(f"{row_of(name, found) if arguments.json else f'@{name}: {found}'}\n")
            sys.stdout.flush()
    if not arguments.json:
        sys.stdout.write(
            f"{counts.total()} functions changed, {counts['slower']} below {FLOOR:g} in both runs, "
            f"{counts['Noisy']} noisy, {counts['NotRun']} not measured\n"
        )
    return OK


def _modules(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return both modules; one that is not given is what the rewriter makes of the other."""
    if arguments.second is not None:
        first, second = read_pair(arguments.first, arguments.second)
        return first.text, second.text
    source = read_module(arguments.first)
    triple, cpu, features = target_flags(arguments, source.text)
    effort = 1 if arguments.effort is None else arguments.effort
    jobs = arguments.jobs or processors()
    options = Options(triple, cpu, features, effort, jobs, strict=False)
    with LlvmWorker() as worker, make_tools(worker, options, arguments.cache) as tools:
        done = rewrite(source.own, options, tools, source.name)
    return done.before, done.text
