"""``isel measure``: functions that a rewrite changed, run against their originals here."""

from __future__ import annotations

import argparse

from bench.measure.changed import measured
from bench.measure.said import tell
from frontends.llvm.linked.worker import LlvmWorker
from isel.api.tools import make_tools, rewrite
from isel.cli.edge import OK
from isel.cli.files import read_module, read_pair
from isel.cli.target import short_options


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel measure``."""
    before, after = _modules(arguments)
    with LlvmWorker() as worker:
        tell(measured(before, after, worker), json=arguments.json)
    return OK


def _modules(arguments: argparse.Namespace) -> tuple[str, str]:
    """Return both modules; one that is not given is what the rewriter makes of the other."""
    if arguments.second is not None:
        first, second = read_pair(arguments.first, arguments.second)
        return first.text, second.text
    source = read_module(arguments.first)
    options = short_options(arguments, source.text)
    with LlvmWorker() as worker, make_tools(worker, options, arguments.cache) as tools:
        done = rewrite(source.own, options, tools, source.name)
    return done.before, done.text
