"""``isel opt``: read a module, rewrite it, write it and whatever reports were asked for."""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from frontends.llvm.dialect.older import NEWEST, say_for
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.text.isolate import defined_name
from frontends.llvm.text.windowless import has_no_windows
from isel.api.asked import check_pattern
from isel.cli.files import Outputs, Source, check_writable, read_module, write_file
from isel.cli.kinds import Kind, code_of, kind_of
from isel.cli.target import target_flags, tell_no_vectors

if TYPE_CHECKING:  # solvers and tables are loaded where there is something to rewrite
    from frontends.llvm.pipeline.options import Options, Rewritten


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
        rows = [
            f"  {s:8.4f}  {100 * s / (total or 1):5.1f} %  {name}"
            for name, s in self.seconds.items()
        ]
        head, last = "===- isel: wall-clock seconds by phase -===", f"{total:8.4f}  100.0 %  total"
        return "\n".join([head, *rows, f"  {last}", ""])


@dataclass(frozen=True, slots=True)
class _Machine:
    """The target that the command line names; empty where it names none."""

    triple: str
    cpu: str
    features: str


_REPORTS: Final = ("report", "remarks", "stats_json", "print_changed", "html")


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel opt``."""
    phases = Phases()
    check_pattern(arguments.only_function or "", "--only-function")
    kind = kind_of(arguments)
    for path in (arguments.output, arguments.remarks, arguments.stats_json, arguments.html):
        if path is not None:
            check_writable(path)
    source = read_module(arguments.input)
    if arguments.only_function:
        _look_for(arguments.only_function, source)
    machine = _Machine(*target_flags(arguments, source.text))
    tell_no_vectors(source.name, source.text, machine.triple)
    phases.end("read")
    reports = any(getattr(arguments, name) not in (None, False) for name in _REPORTS)
    if has_no_windows(source.text) and not reports:
        write_file(arguments.output, _module_bytes(arguments, source, None, kind, machine))
    else:
        _rewrite(arguments, source, kind, machine, phases)
    phases.end("write")
    if arguments.print_rules:
        from isel.cli.rules import count_up

        sys.stderr.write(count_up())
    if arguments.time_passes:
        sys.stderr.write(phases.text())
    return 0


def _rewrite(
    arguments: argparse.Namespace, source: Source, kind: Kind, machine: _Machine, phases: Phases
) -> None:
    from frontends.llvm.pipeline.options import Options
    from isel.api.tools import make_tools, rewrite
    from isel.cli.failures import tell_failures
    from isel.cli.progress import progress
    from isel.workers import processors

    options = Options(
        triple=machine.triple,
        cpu=machine.cpu,
        features=machine.features,
        effort=1 if arguments.effort is None else arguments.effort,
        jobs=1 if arguments.print_rules else arguments.jobs or processors(),
        time_limit=arguments.time_limit,
        vector_width=arguments.vector_width,
        only_function=arguments.only_function or "",
        bisect_limit=arguments.bisect_limit,
        verify_each=arguments.verify_each,
        assume_no_undef=arguments.assume_no_undef,
        llvm_version=arguments.llvm_version or NEWEST,
        strict=arguments.strict,
        disabled=arguments.disabled or (),
        detailed=any((arguments.html, arguments.emit == "lifted")),
    )
    again = arguments.cache_verify

    def watch(stage: str, text: Callable[[], str]) -> None:
        phases.end(stage)
        if stage in arguments.print_after:
            sys.stderr.write(f"; *** after {stage} ***\n{text()}\n")
            phases.end("print")

    with (
        progress("reading the module") as tell,
        LlvmWorker() as worker,
        make_tools(
            worker, options, arguments.cache, prove_again=again, tell=tell, watch=watch
        ) as tools,
    ):
        phases.end("set up")
        given = "" if source.is_bitcode else source.data.decode(errors="surrogateescape")
        done = rewrite(source.own, options, tools, source.name, given)
        page = _page(done, options, worker) if options.detailed else ""
    phases.end("rewrite")
    reproduced = tell_failures(done.report, arguments.words)
    _write(arguments, source, done, kind, machine, reproduced, page)
    if arguments.time_passes:
        sys.stderr.write(_searches(done))


def _page(done: Rewritten, options: Options, worker: LlvmWorker) -> str:
    from isel.cli.opt_page import names_in, opt_page

    return opt_page(done.report, options, worker, names_in(done.before))


def _look_for(pattern: str, source: Source) -> None:
    """Warn where a module defines no function whose name a regular expression matches."""
    headers = re.findall(r"^define .*$", source.text, re.MULTILINE)
    if not any(re.fullmatch(pattern, defined_name(h).strip('"')) for h in headers):
        sys.stderr.write(
            f"isel: warning: --only-function '{pattern}' matches no function of {source.name}\n"
        )


def _write(
    arguments: argparse.Namespace,
    source: Source,
    done: Rewritten,
    kind: Kind,
    machine: _Machine,
    reproduced: str,
    page: str,
) -> None:
    with Outputs() as outputs:
        outputs.add(arguments.output, _module_bytes(arguments, source, done, kind, machine))
        if arguments.remarks is not None:
            from frontends.llvm.report.remarks import remarks

            outputs.add(arguments.remarks, remarks(done.report).encode())
        if arguments.stats_json is not None:
            from frontends.llvm.report.tried import stats

            outputs.add(arguments.stats_json, stats(done.report).encode())
        if arguments.html is not None:
            outputs.add(arguments.html, page.encode(errors="replace"))
        if arguments.print_changed:
            from frontends.llvm.pipeline.printing import show_changes
            from frontends.llvm.text.parse import parse_module

            before, after = parse_module(done.before), parse_module(done.text)
            as_diff = arguments.print_changed == "diff"
            sys.stderr.write(show_changes(before, after, diff=as_diff))
        if arguments.report:
            from frontends.llvm.pipeline.options import Options
            from frontends.llvm.report.text import table
            from isel.api.report import notes

            sys.stderr.write(table(done.report, reproduced))
            options = Options(triple=machine.triple, cpu=machine.cpu, features=machine.features)
            sys.stderr.writelines(notes(done, options))
        outputs.commit()


def _module_bytes(
    arguments: argparse.Namespace,
    source: Source,
    done: Rewritten | None,
    kind: Kind,
    machine: _Machine,
) -> bytes:
    """Return what to write, in the words that were asked for; a module without a rewrite (``done``
    may be None) is the input's own bytes where the kind is the same.
    """
    if arguments.emit == "autollvm":
        from isel.cli.autollvm import autollvm_text

        return autollvm_text(source.text if done is None else done.text, machine.triple).encode()
    if arguments.emit == "lifted":
        from isel.cli.lifted import lifted_text

        return ("" if done is None else lifted_text(done.report)).encode()
    own = Kind.BITCODE if source.is_bitcode else Kind.TEXT
    if kind is own and arguments.llvm_version is None and (done is None or not done.changed):
        return source.data
    version = arguments.llvm_version or NEWEST
    text = say_for(source.own, source.text, version) if done is None else done.written
    return code_of(kind, text, source.name, level=arguments.level, **asdict(machine))


def _searches(done: Rewritten) -> str:
    rows = sorted(done.report.windows, key=lambda w: -w.seconds)[:10]
    lines = [f"  {w.seconds:8.4f}  {w.place}" for w in rows]
    head = "===- isel: seconds of the longest searches -==="
    return "\n".join([head, *lines, ""]) if lines else ""
