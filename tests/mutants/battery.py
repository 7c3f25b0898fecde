"""The tests that are run against a mutant, in one forked child: those that ended others first, until one fails."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from tests.transplant import transplant

ROOT: Final = Path(__file__).parents[2]
_VERIFY, _LLVM = "tests/verify/", "tests/frontends/llvm/"
_REFINE: Final = tuple(_VERIFY + f"test_{n}.py" for n in ("refine", "refine_undef", "pairs", "refine_random"))
_REWRITE: Final = tuple(_LLVM + f"test_{n}.py" for n in ("made", "regions", "windows", "opt"))
_PLANTED: Final = ("tests/planted",)

# By the start of a module's name, the most specific first: the files that look at it, the fastest first.
_TESTS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("isel.verify.prove", (*(_VERIFY + f"test_{n}.py" for n in ("prove", "products", "enumeration", "sums")), _LLVM + "test_regions.py", *_REFINE)),
    ("isel.verify.choices", ("tests/ir/test_choices.py", *_REFINE)),
    ("isel.verify.recorded", (_VERIFY + "test_prove.py", "tests/cache/test_cached.py", _LLVM + "test_opt.py")),
    ("frontends.llvm.refine", (*_REFINE, "tests/cli/test_commands.py")),
    ("frontends.llvm.splice_check", (*_REWRITE, *_PLANTED)),
    ("frontends.llvm.splice_memory", (*_REWRITE, *_PLANTED)),
    ("frontends.llvm.regions", (*_REWRITE, *_PLANTED)),
    ("frontends.llvm.border", (_LLVM + "test_border.py", *_REFINE)),
    ("frontends.llvm.identity", (_LLVM + "test_border.py", _VERIFY + "test_identity_random.py", *_REFINE)),
    ("frontends.llvm.layout", (_LLVM + "test_layout.py", *_REFINE, *_REWRITE)),
    ("frontends.llvm.lower", (_LLVM + "test_lower.py", *_REFINE, *_REWRITE)),
    ("frontends.llvm.meaning", (_LLVM + "test_lower.py", *_REFINE, *_REWRITE)),
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
    """A mutant as a child needs it: ``first`` are tests that ended other mutants, to be run before the others; ``slow`` ones come last."""

    module: str
    source: str
    first: tuple[str, ...] = ()
    slow: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """``failed`` is the test that noticed, empty if none did; ``count`` how many were run."""

    failed: str
    count: int


@dataclass(slots=True, eq=False)
class _Watch:
    """Puts tests in order and notes the first that fails."""

    first: Sequence[str]
    failed: str = ""
    seen: set[str] = field(default_factory=set)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {name: k for k, name in enumerate(self.first)}
        items.sort(key=lambda i: (i.get_closest_marker("slow") is not None, place.get(i.nodeid, len(place))))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seen.add(report.nodeid)
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid or "collection"


def preload() -> None:
    """Import what tests import and read the instructions, in the parent; prove nothing, since proofs are remembered."""
    from semantics import target_named

    for start, files in _TESTS:
        import_module(start if start != "frontends.llvm.refine" else f"{start}_report")
        for name in files:
            assert (ROOT / name).exists(), name
    for name in ("hypothesis", "numpy", "llvmlite.binding", "z3", "bitwuzla", "isel.cli.opt", "isel.cli.verify", "isel.synth.synthesize", "tests.planted.run"):
        import_module(name)
    target_named("x86").instructions()


def run(job: Job) -> Ran:
    """Put the mutant into this process and run its tests; ends with whatever the mutant does to it."""
    if job.source:
        transplant(import_module(job.module), job.source)
    watch = _Watch(job.first)
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
        "-m",
        "not slow and not shared and not tools",
        *files_for(job.module),
    ]
    code = pytest.main(words, plugins=[watch])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and not watch.failed:
        watch.failed = f"pytest: {pytest.ExitCode(code).name}"
    return Ran(watch.failed, len(watch.seen))
