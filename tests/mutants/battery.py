"""The tests that are run against a mutant, in one forked child: those that ended others first,
until one fails.
"""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.mutants.cover import NOTE, Notes, Seen, file_of, in_order, lines_by_test, noting
from tests.sizes import TABLE, Size, known, read_table
from tests.transplant import source_of, transplant

ROOT: Final = Path(__file__).parents[2]
_VERIFY, _LLVM = "tests/verify/", "tests/frontends/llvm/"
_REFINE: Final = tuple(
    _VERIFY + f"test_{n}.py" for n in ("refine", "refine_undef", "pairs", "refine_random")
)
_REWRITE: Final = tuple(
    _LLVM + f"test_{n}.py"
    for n in (
        "made", "splice_memory", "splice_check", "regions", "windows", "opt", "neighbouring_loads",
        "spread_loads", "shared_values",
    )
)  # fmt: skip
_LOOPS: Final = (
    *(
        _LLVM + f"test_{n}.py"
        for n in (
            "cut_alias", "follow", "follow_refused", "inferred", "permute", "packed_factors", "narrow_lanes",
            "fused_loops", "jammed_loops", "peeled_passes", "many_passes", "whole_loops", "unrolled_loops",
            "doubled_loops", "passes_as_lanes", "checked_blocks", "frozen_addresses",
            "frozen_loads", "settled", "addresses", "spread", "sums", "flow", "table_loads",
            "reused_columns", "carried",
        )
    ),
    *(_VERIFY + f"test_{n}.py" for n in ("guards", "steps", "table_loads")),
)  # fmt: skip
_MODULES: Final = tuple(
    _VERIFY + f"test_{n}.py" for n in ("machines", "names", "near", "across", "assumed", "narrow")
)
_LEAST: Final = 6  # seconds of processor time that any test may take
_TIMES: Final = 6  # as long as without the mutant
_PLANTED: Final = ("tests/planted",)

# By the start of a module's name, the most specific first: the files that look at it, the fastest
# first.
_TESTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    (
        "isel.verify.prove",
        (
            *(_VERIFY + f"test_{n}.py" for n in ("prove", "sums")),
            "tests/smt/test_products.py",
            "tests/smt/test_enumeration.py",
            _LLVM + "test_regions.py",
            *_REFINE,
        ),
    ),
    ("isel.verify.windows", (_VERIFY + "test_prove.py", _LLVM + "test_regions.py", *_REFINE)),
    ("isel.verify.choices", (_VERIFY + "test_choices.py", _VERIFY + "test_lookups.py", *_REFINE)),
    (
        "isel.verify.recorded",
        (_VERIFY + "test_prove.py", "tests/cache/test_cached.py", _LLVM + "test_opt.py"),
    ),
    ("isel.verify.partition", (_VERIFY + "test_partition.py", *_REFINE)),
    ("isel.verify.read", (_VERIFY + "test_read.py", *_REFINE)),
    *(
        (module, (*_LOOPS, *_REFINE))
        for module in ("frontends.llvm.cuts", "frontends.llvm.function")
    ),
    ("frontends.llvm.passes.load_lanes", (*_LOOPS, *_REFINE, *_REWRITE)),
    ("frontends.llvm.refine", (*_MODULES, *_REFINE, "tests/cli/test_commands.py")),
    ("frontends.llvm.splicing.printed", (*_REWRITE, _LLVM + "test_carried.py")),
    ("frontends.llvm.splicing.check", (*_REWRITE, *_PLANTED, _LLVM + "test_windows.py")),
    ("frontends.llvm.splicing.loads", (*_REWRITE, *_PLANTED)),
    ("frontends.llvm.windows.regions", (*_REWRITE, *_PLANTED)),
    ("frontends.llvm.meaning.border", (_LLVM + "test_border.py", *_REFINE)),
    ("frontends.llvm.paths", (*_MODULES, *_LOOPS, *_REFINE, "tests/cli/test_commands.py")),
    (
        "frontends.llvm.text.identity",
        (
            *(_LLVM + f"test_border{n}.py" for n in ("", "_alike")),
            _VERIFY + "test_identity_random.py",
            *_MODULES,
            *_LOOPS,
            *_REFINE,
        ),
    ),
    ("frontends.llvm.text.layout", (_LLVM + "test_layout.py", *_REFINE, *_REWRITE)),
    *(
        (f"frontends.llvm.meaning.{module}", (*_MODULES, *_LOOPS, *_REFINE, *_REWRITE))
        for module in ("choice", "executor")
    ),
    (
        "frontends.llvm.meaning.lower",
        (_LLVM + "test_lower.py", _LLVM + "test_lower_refused.py", *_REFINE, *_REWRITE),
    ),
    (
        "frontends.llvm.meaning.lanes",
        (_LLVM + "test_lower.py", _LLVM + "test_lower_refused.py", *_REFINE, *_REWRITE),
    ),
    ("semantics.importing", ("tests/semantics/importer",)),
    ("semantics.x86.importer", ("tests/semantics/importer",)),
)


def files_for(module: str) -> tuple[str, ...]:
    """Return the test files for a module; raise ``KeyError`` where none are named."""
    for start, files in _TESTS:
        if module.startswith(start):
            return files
    raise KeyError(module)


@dataclass(frozen=True, slots=True)
class Job:
    """A mutant as a child needs it: ``tests`` are run in this order; with ``others`` all others,
    with ``slow`` slow ones too, come behind.

    ``tests`` gives the seconds that each takes without a mutant: one that takes many times as much
    ends the process.
    """

    module: str
    source: str
    tests: Mapping[str, float] = field(default_factory=dict)
    others: bool = True
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """``failed`` is the test that noticed, empty if none did; ``count`` how many were run."""

    failed: str
    count: int


@dataclass(frozen=True, slots=True)
class Sound:
    """What came of the tests without a mutant: the first that failed, else empty, and what each
    executes.
    """

    failed: str
    seen: dict[str, Seen]


@dataclass(slots=True, eq=False)
class _Watch:
    """Puts tests in order, notes the first that fails and how long they take."""

    job: Job
    notes: Notes | None = None
    failed: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = in_order(tuple(self.job.tests))
        behind = len(self.job.tests)
        items[:] = [i for i in items if self.job.others or place(i.nodeid) < behind or _is_slow(i)]
        items.sort(key=lambda i: (_is_slow(i), place(i.nodeid)))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.notes is not None:
            self.notes.test(nodeid)
        if self.job.source:
            most = time.process_time() + _LEAST + _TIMES * self.job.tests.get(nodeid, _LEAST)
            resource.setrlimit(
                resource.RLIMIT_CPU, (int(most) + 1, resource.RLIM_INFINITY)
            )  # SIGXCPU behind it

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid or "collection"


def _is_slow(item: pytest.Item) -> bool:
    return known(_sizes(), item.nodeid) is not Size.SMALL


@cache
def _sizes() -> Mapping[str, Size]:
    return read_table(TABLE.read_text(encoding="utf-8"))


def preload() -> None:
    """Import what tests import and read the instructions, in the parent; prove nothing, since
    proofs are remembered.
    """
    from semantics import target_named

    for start, files in _TESTS:
        import_module(start)
        for name in files:
            assert (ROOT / name).exists(), name
    for name in (
        "hypothesis",
        "numpy",
        "llvmlite.binding",
        "z3",
        "bitwuzla",
        "isel.cli.opt",
        "frontends.llvm.pipeline.module",
        "frontends.llvm.refine.report",
        "isel.api.tools",
        "isel.cli.verify",
        "isel.synth.synthesize",
        "tests.planted.run",
    ):
        import_module(name)
    target_named("x86").instructions()


def run(job: Job) -> Ran:
    """Put the mutant into this process and run its tests; ends with whatever the mutant does to
    it.
    """
    transplant(import_module(job.module), job.source)
    named = {file_of(t) for t in job.tests}
    files = [
        f
        for f in files_for(job.module)
        if job.others or job.slow or any(n.startswith(f) for n in named)
    ]
    watch = _Watch(job)
    if files:
        _pytest(files, watch)
    return Ran(watch.failed, len(watch.seconds))


def sound(modules: Sequence[str]) -> Sound:
    """Run all tests of these modules, which are as they are, and note which of their statements
    each executes.
    """
    with tempfile.TemporaryDirectory() as folder:
        notes = Notes(Path(folder) / "notes")
        watch = _Watch(Job("", ""), notes)
        for module in map(import_module, modules):
            vars(module)[NOTE] = partial(notes.note, module.__name__)
            transplant(module, noting(source_of(module)))
        _pytest(list(dict.fromkeys(f for m in modules for f in files_for(m))), watch)
        lines = lines_by_test(Path(folder) / "notes")
    return Sound(
        watch.failed, {t: Seen(s, lines.get(t, frozenset())) for t, s in watch.seconds.items()}
    )


def _pytest(files: Sequence[str], watch: _Watch) -> None:
    os.chdir(ROOT)
    words = [
        "-x",
        "-q",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    words += ["--size", "medium" if watch.job.slow else "small"]
    code = pytest.main([*words, *files], plugins=[watch])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not watch.failed:
        watch.failed = f"pytest: {pytest.ExitCode(code).name}"
