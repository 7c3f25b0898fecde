"""What there is to show of a request: run as a process of its own, which reads the request as JSON
and writes the parts of the page; on standard error it says how far it is.

Whatever becomes of that process, the page goes on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from frontends.llvm.dialect.inrange import without_inrange
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.pipeline.printing import show_changes
from frontends.llvm.report.tried import ModuleReport
from frontends.llvm.text.given import lines_of
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools
from isel.cli.limits import SERVE_BEAT, SERVE_LADDER, SERVE_LIMIT, SERVE_OPEN
from isel.cli.opt_page import names_in, opt_parts
from isel.cli.serve.front import compile_c
from isel.cli.serve.request import STEP, Request
from isel.errors import IselError
from isel.page import Html, folded, joined, paragraph, preformatted, table, tag, text
from isel.progress import Tell
from semantics import isa_named, isas, target_named
from semantics.pricing import priced_cpus


def cpus() -> dict[str, str]:
    """Return the CPUs that have a table of prices, with the name of their instruction set."""
    return {cpu: isa.name for isa in isas() for cpu in priced_cpus(target_named(isa.name))}


def main() -> int:
    """Answer the request on standard input."""
    request = Request(**json.loads(sys.stdin.read()))
    try:
        parts = Html(joined(answer(request)).replace("<details>", "<details open>", SERVE_OPEN))
    except IselError as problem:
        parts = tag("pre", text(problem.message()), "bad")
    sys.stdout.write(parts)
    return 0


def answer(request: Request) -> Iterator[Html]:
    """Yield the parts of the answer; raises :class:`isel.errors.IselError`."""
    triple = isa_named(cpus()[request.cpu]).machine.triple
    code = request.code if request.is_ir else compile_c(request.code, triple, request.cpu)
    code = without_inrange(code)
    options = Options(
        triple="" if "target triple" in code else triple,
        cpu=request.cpu,
        jobs=1,
        time_limit=min(SERVE_LIMIT, SERVE_LADDER / (request.effort + 1)),
        strict=False,
    )
    with LlvmWorker() as worker, make_tools(worker, options, None) as tools:
        rungs = _ladder(code, request.effort, options, tools)
        done = rungs[-1]
        lines = lines_of(done.before, code) if request.is_ir else {}
        report = done.report.located(lines)
        yield from opt_parts(report, options, worker, names_in(done.before))
    yield from _show_ladder(rungs)
    if done.changed:
        changes = show_changes(parse_module(done.before), parse_module(done.text), diff=True)
        yield folded("What changed in the LLVM IR", preformatted(changes.splitlines()))


def _ladder(code: str, effort: int, options: Options, tools: Tools) -> list[Rewritten]:
    """Rewrite with each effort up to one."""
    rungs = []
    for rung in range(effort + 1):
        setting = replace(options, effort=rung, detailed=rung == effort)
        told = replace(tools, tell=_tell(rung))
        rungs.append(rewrite_module(code, setting, told, "input"))
    return rungs


def _tell(effort: int) -> Tell:
    """Return what says now and then how far the search of an effort is, and at once what is new."""
    said, last = 0.0, ""

    def tell(what: str, done: int, total: int) -> None:
        nonlocal said, last
        if (now := time.monotonic()) - said >= SERVE_BEAT or what != last:
            said, last = now, what
            count = f" {done} of {total}" if total else ""
            print(f"{STEP}effort {effort}: {what}{count}", file=sys.stderr, flush=True)

    return tell


def _show_ladder(rungs: list[Rewritten]) -> Iterator[Html]:
    """Yield what each effort finds."""
    yield tag("h2", text("The ladder of effort"))
    rows = [(str(rung), *_count(done.report)) for rung, done in enumerate(rungs)]
    header = ("effort", "rewritten", "cycles", "steps")
    yield table(header, rows, numbers=(0, 1, 2, 3), marked=(len(rows) - 1,))
    gains = [b[1:3] != a[1:3] for a, b in pairwise(rows)]
    if gains and not gains[-1]:
        yield paragraph("The last step of the ladder found nothing more.", "soft")


def _count(report: ModuleReport) -> tuple[str, str, str]:
    costs = [f.cost for f in report.functions if f.cost is not None]
    before, after = (sum(c[k] for c in costs) for k in (0, 1))
    cycles = f"{before:.1f} → {after:.1f}" if costs else "as before"
    windows = f"{len(report.rewritten)} of {len(report.windows)}"
    return windows, cycles, str(sum(w.steps for w in report.windows))


if __name__ == "__main__":
    sys.exit(main())
