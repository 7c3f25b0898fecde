"""Sizes of tests, by the CPU time that they were measured to take: a plugin of pytest.

``--size small`` runs the tests of at most 0.1 CPU seconds, ``--size medium`` those of at most 3, and
``--size large`` what these leave out: longer ones, and those that need more than Python (the marks
``tools`` and ``shared``). What the search finds (the mark ``findings``) is run with ``small``,
whatever it costs. ``sizes.tsv`` says what is not small; ``--record-sizes`` writes the rows of the
tests that ran. What a shared fixture takes counts in equal parts for the tests that use it.

Where the whole suite is asked for, a row of a test that is not there fails the run, and so does a
test that takes ten times what its size allows: ``make sizes`` measures again.
"""

from __future__ import annotations

import gc
import resource
import time
from collections.abc import Collection, Generator, Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Final

import pytest

TABLE: Final = Path(__file__).with_name("sizes.tsv")
FINDINGS: Final = "findings"
OUTSIDE: Final = "tools", "shared"  # marks of tests that need more than Python
_HEADER: Final = (
    "# CPU time of tests that are not small: medium is above 0.1 s, large above 3 s; a name without\n"
    "# brackets stands for all its parameters. Written by `make sizes`.\n"
)
_SLACK: Final = 10  # times what a size allows, before a run fails


class Size(IntEnum):
    """How long a test takes."""

    SMALL = 0
    MEDIUM = 1
    LARGE = 2

    @property
    def word(self) -> str:
        """Return the name in the table and on the command line."""
        return self.name.lower()


MOST: Final[Mapping[Size, float]] = {Size.SMALL: 0.1, Size.MEDIUM: 3.0}  # CPU seconds


def size_of(seconds: float) -> Size:
    """Return the size of a test that takes ``seconds`` of CPU time."""
    return next((s for s, most in MOST.items() if seconds <= most), Size.LARGE)


def function_of(node: str) -> str:
    """Return the name of a test without its parameters."""
    return node.partition("[")[0]


def file_of(node: str) -> str:
    """Return the file of a test."""
    return node.partition("::")[0]


def read_table(text: str) -> dict[str, Size]:
    """Return the sizes by test, or by function for all its parameters."""
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {node: Size[word.upper()] for word, node in rows}


def write_table(table: Mapping[str, Size]) -> str:
    """Return the table as text."""
    lines = (f"{s.word}\t{n}\n" for n, s in sorted(table.items()) if s is not Size.SMALL)
    return _HEADER + "".join(lines)


def by_function(sizes: Mapping[str, Size]) -> dict[str, Size]:
    """Return sizes of tests with one row for a function whose parameters all have one size."""
    functions: dict[str, dict[str, Size]] = {}
    for node, size in sizes.items():
        functions.setdefault(function_of(node), {})[node] = size
    found: dict[str, Size] = {}
    for function, nodes in functions.items():
        several = len(set(nodes.values())) > 1
        found |= nodes if several else {function: next(iter(nodes.values()))}
    return found


def known(table: Mapping[str, Size], node: str) -> Size:
    """Return the size of a test by the table; what it does not have is small."""
    return table.get(node, table.get(function_of(node), Size.SMALL))


def merge(
    table: Mapping[str, Size], seconds: Mapping[str, float], collected: Collection[str]
) -> str:
    """Return the table with what was measured; rows of tests that were not collected stay."""
    functions = {function_of(node) for node in collected}
    others = {node: size for node, size in table.items() if function_of(node) not in functions}
    sizes = {n: size_of(seconds[n]) if n in seconds else known(table, n) for n in collected}
    return write_table(others | by_function(sizes))


_BEFORE: Final = pytest.StashKey[float]()
_SPENT: Final = "cpu seconds"
_SHARED: Final = "cpu seconds of "  # before the name of a fixture that was set up
_USES: Final = "uses "
_OUTPUT: Final = "collected"


def divided(
    seconds: Mapping[str, float], shared: Mapping[str, float], users: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Return the seconds by test, with those of shared fixtures in equal parts for their users."""
    found = dict(seconds)
    for name, spent in shared.items():
        for node in users[name]:
            found[node] += spent / len(users[name])
    return found


def _shared_fixtures(item: pytest.Item) -> list[str]:
    """Return the fixtures that tests share, by name, that a test uses."""
    info: Mapping[str, Sequence[pytest.FixtureDef[object]]]
    info = item._fixtureinfo.name2fixturedefs if isinstance(item, pytest.Function) else {}
    defs = (d for several in info.values() for d in several if d.scope != "function")
    return sorted({f"{d.baseid}:{d.argname}" for d in defs})


class _Collections:
    """CPU time of the garbage collector, which looks at what earlier tests left: no test's own."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._before = 0.0
        gc.callbacks.append(self._count)

    def _count(self, phase: str, _: dict[str, int]) -> None:
        now = time.process_time()
        if phase == "start":
            self._before = now
        else:
            self.seconds += now - self._before


_COLLECTIONS = _Collections()


def _cpu_seconds() -> float:
    """Return the CPU time of this process, but for collections, and of the children that it has
    waited for.
    """
    return (
        sum(
            used.ru_utime + used.ru_stime
            for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        )
        - _COLLECTIONS.seconds
    )


class Sizes:
    """The hooks of one run, in a controller, in its workers, or in a process alone."""

    def __init__(self, config: pytest.Config) -> None:
        wanted = config.option.size
        self.config = config
        self.wanted = None if wanted is None else Size[wanted.upper()]
        self.table = read_table(TABLE.read_text(encoding="utf-8"))
        self.seconds: dict[str, float] = {}
        self.shared: dict[str, float] = {}  # seconds by fixture
        self.users: dict[str, list[str]] = {}  # tests by fixture
        self.set_up: list[tuple[str, float]] = []  # fixtures set up by the present test
        self.collected: frozenset[str] = frozenset()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave the tests of the size that is wanted."""
        self.collected = frozenset(item.nodeid for item in items)
        left = [item for item in items if not self._is_chosen(item)]
        self.config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if self._is_chosen(item)]

    def _is_chosen(self, item: pytest.Item) -> bool:
        if self.wanted is None:
            return True
        outside = any(item.get_closest_marker(mark) for mark in OUTSIDE)
        found = item.get_closest_marker(FINDINGS) is not None
        size = Size.SMALL if found else known(self.table, item.nodeid)
        if self.wanted is Size.LARGE:
            return outside or size is Size.LARGE
        return not outside and size <= self.wanted

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin to count."""
        item.stash[_BEFORE] = _cpu_seconds()
        self.set_up.clear()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[object]
    ) -> Generator[None, object, object]:
        """Count apart what tests share; a fixture that asks for another has that one's as well."""
        before, inner = _cpu_seconds(), len(self.set_up)
        value = yield
        if fixturedef.scope != "function":
            spent = _cpu_seconds() - before - sum(s for _, s in self.set_up[inner:])
            self.set_up.append((f"{fixturedef.baseid}:{fixturedef.argname}", spent))
        return value

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say in the last report of a test what it took: that reaches a controller."""
        report = yield
        if call.when == "teardown":
            spent = _cpu_seconds() - item.stash[_BEFORE] - sum(s for _, s in self.set_up)
            report.user_properties.append((_SPENT, spent))
            report.user_properties += [(_SHARED + name, s) for name, s in self.set_up]
            report.user_properties += [(_USES + name, 1) for name in _shared_fixtures(item)]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep what a test took."""
        for name, value in report.user_properties:
            if name == _SPENT:
                self.seconds[report.nodeid] = float(str(value))
            elif name.startswith(_SHARED):
                fixture = name.removeprefix(_SHARED)
                self.shared[fixture] = max(float(str(value)), self.shared.get(fixture, 0.0))
            elif name.startswith(_USES):
                self.users.setdefault(name.removeprefix(_USES), []).append(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """Take from a worker which tests there are."""
        output: Mapping[str, Collection[str]] = getattr(node, "workeroutput", {})
        self.collected |= frozenset(output.get(_OUTPUT, ()))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the table, if asked; else fail where a test is not of its size by far."""
        output: dict[str, list[str]] | None = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[_OUTPUT] = sorted(self.collected)
        elif self.config.option.record_sizes:
            TABLE.write_text(merge(self.table, self._divided(), self.collected), encoding="utf-8")
        elif (self._beyond() or self._gone()) and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _divided(self) -> dict[str, float]:
        return divided(self.seconds, self.shared, self.users)

    def _beyond(self) -> list[tuple[float, str]]:
        if self.wanted is None or self.wanted not in MOST:
            return []
        most = MOST[self.wanted] * _SLACK
        beyond = [(s, n) for n, s in self._divided().items() if s > most]
        return sorted((x for x in beyond if known(self.table, x[1]) <= self.wanted), reverse=True)

    def _gone(self) -> list[str]:
        """Return the rows of tests that are not there, where all tests were asked for: a file that
        is there and was not collected (it needs what is missing, or the run was interrupted) may
        have its tests.
        """
        partial = self.config.getoption("lf", default=False)  # files are collected in part
        if partial or self.config.args != self.config.getini("testpaths"):
            return []
        names = self.collected | {function_of(node) for node in self.collected}
        files = {file_of(node) for node in self.collected}
        rows = sorted(set(self.table) - names)
        root = self.config.rootpath
        return [r for r in rows if file_of(r) in files or not (root / file_of(r)).exists()]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the tests that take far more than their size allows, and the sum of all."""
        terminalreporter.write_line(f"{sum(self._divided().values()):.0f} CPU seconds in tests")
        for seconds, node in self._beyond():
            terminalreporter.write_line(f"{seconds:.1f} CPU seconds, run `make sizes`: {node}")
        for node in [] if self.config.option.record_sizes else self._gone():
            terminalreporter.write_line(f"no test, remove it from {TABLE.name}: {node}")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("sizes of tests")
    group.addoption("--size", choices=[s.word for s in Size], help="which tests are run")
    group.addoption("--record-sizes", action="store_true", help=f"write {TABLE.name}")


def pytest_configure(config: pytest.Config) -> None:
    """Register the hooks."""
    config.pluginmanager.register(Sizes(config), "sizes of tests")
