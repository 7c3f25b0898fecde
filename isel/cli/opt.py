"""``isel opt``: read a module, rewrite it, write it and whatever reports were asked for."""

from __future__ import annotations

import argparse
import re
import sys
import time
from dataclasses import dataclass, field, replace

from frontends.llvm import binding
from frontends.llvm.given_lines import lines_of
from frontends.llvm.opt import Options, Rewritten
from frontends.llvm.opt_print import changed
from frontends.llvm.parse import parse_module
from frontends.llvm.remarks import remarks
from frontends.llvm.report import stats
from frontends.llvm.report_text import table
from frontends.llvm.worker import LlvmWorker
from isel.cli.failures import tell_failures
from isel.cli.files import Outputs, Source, check_writable, read_module
from isel.cli.progress import progress
from isel.cli.target import target_flags
from isel.cli.tools import make_tools, rewrite
from isel.errors import UsageProblem
from isel.workers import processors


@dataclass(slots=True)
class Phases:
    """Wall-clock seconds by phase."""

    seconds: dict[str, float] = field(default_factory=dict)
    _since: float = field(default_factory=time.perf_counter)

    def end(self, name: str) -> None:
        """Book the time since the last call to ``name``."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now

    def text(self) -> str:
        """Return a table, the total last."""
        total = sum(self.seconds.values())
        rows = [f"  {s:8.4f}  {100 * s / (total or 1):5.1f} %  {name}" for name, s in self.seconds.items()]
        return "\n".join(["===- isel: wall-clock seconds by phase -===", *rows, f"  {total:8.4f}  100.0 %  total"]) + "\n"


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel opt``."""
    phases = Phases()
    pattern = arguments.only_function or ""
    check_pattern(pattern)
    for path in (arguments.output, arguments.remarks, arguments.stats_json, arguments.html):
        if path is not None:
            check_writable(path)
    source = read_module(arguments.input)
    triple, cpu, features = target_flags(arguments, source.text)
    phases.end("read")
    options = Options(
        triple=triple,
        cpu=cpu,
        features=features,
        effort=1 if arguments.effort is None else arguments.effort,
        jobs=arguments.jobs or processors(),
        time_limit=arguments.time_limit,
        vector_width=arguments.vector_width,
        only_function=pattern,
        bisect_limit=arguments.bisect_limit,
        verify_each=arguments.verify_each,
        assume_no_undef=arguments.assume_no_undef,
        strict=arguments.strict,
        detailed=arguments.html is not None,
    )
    again = arguments.cache_verify
    with progress("reading the module") as tell, LlvmWorker() as worker, make_tools(worker, options, arguments.cache, prove_again=again, tell=tell) as tools:
        phases.end("set up")
        done = rewrite(source.text, options, tools, source.name)
        lines = {} if source.is_bitcode else lines_of(done.before, source.data.decode(errors="surrogateescape"))
        done = replace(done, report=done.report.located(lines))
        page = _page(done, options, worker) if options.detailed else ""
    phases.end("rewrite")
    reproduced = tell_failures(done.report, arguments.words, {"stdin": source.data} if arguments.input == "-" else {})
    _write(arguments, source, done, reproduced, page)
    phases.end("write")
    if arguments.time_passes:
        sys.stderr.write(_searches(done) + phases.text())
    return 0


def _page(done: Rewritten, options: Options, worker: LlvmWorker) -> str:
    from isel.cli.opt_page import opt_page

    return opt_page(done.report, options, worker)


def check_pattern(pattern: str) -> None:
    """Raise :class:`isel.errors.UsageProblem` where ``--only-function`` is no regular expression."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageProblem(f"--only-function '{pattern}' is no regular expression: {error}") from None


def _write(arguments: argparse.Namespace, source: Source, done: Rewritten, reproduced: str, page: str) -> None:
    with Outputs() as outputs:
        outputs.add(arguments.output, _module_bytes(arguments, source, done))
        if arguments.remarks is not None:
            outputs.add(arguments.remarks, remarks(done.report).encode())
        if arguments.stats_json is not None:
            outputs.add(arguments.stats_json, stats(done.report).encode())
        if arguments.html is not None:
            outputs.add(arguments.html, page.encode(errors="replace"))
        if arguments.print_changed:
            sys.stderr.write(changed(parse_module(done.before), parse_module(done.text), diff=arguments.print_changed == "diff"))
        if arguments.report:
            sys.stderr.write(table(done.report, reproduced))
        outputs.commit()


def _module_bytes(arguments: argparse.Namespace, source: Source, done: Rewritten) -> bytes:
    to_terminal = arguments.output == "-" and sys.stdout.isatty()
    if arguments.text or arguments.output.endswith(".ll") or to_terminal:
        return done.text.encode()
    if source.is_bitcode and done.text == done.before:
        return source.data
    return binding.text_to_bitcode(done.text, source.name)


def _searches(done: Rewritten) -> str:
    rows = sorted(done.report.windows, key=lambda w: -w.seconds)[:10]
    lines = [f"  {w.seconds:8.4f}  {w.place}" for w in rows]
    return "\n".join(["===- isel: seconds of the longest searches -===", *lines]) + "\n" if lines else ""
