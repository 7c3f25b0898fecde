"""The rewrite that breaks a program is found in few builds, and nothing stays switched off."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, field
from pathlib import Path

import pytest

from isel.cli.launcher import switched
from isel.cli.launcher.bisect import Bisect, Ended, seconds
from isel.cli.launcher.limits import BISECT_RUNS
from isel.cli.launcher.order import Order, Result
from isel.cli.remarks.findings import REWRITTEN, Finding
from isel.json_text import to_json
from tests.cli.launcher.homes import home_in
from tests.cli.launcher.running import Launcher

WINDOWS = 4
OLD = 1  # the time of an object that is to be made


def source(k: int, functions: int) -> str:
    """Return a module of functions with windows, one a line."""
    lines = "".join(f"  old {n}\n" for n in range(WINDOWS))
    return "".join(f"define void @f{k}.{j}() {{\n{lines}}}\n" for j in range(functions))


def decide(order: Order, text: str) -> tuple[Result, bool]:
    """Rewrite windows, as flags limit it."""
    only = re.search(r"--only-function=(\S+)", order.flags)
    limit = re.search(r"--bisect-limit=(\d+)", order.flags)
    chosen = shlex.split(only[1])[0] if only else ".*"
    left, new, rows = int(limit[1]) if limit else 999, "", []
    name = ""
    for line in text.splitlines(keepends=True):
        if head := re.match(r"define void @([\w.]+)", line):
            name = head[1]
        if line.startswith("  old") and left and re.fullmatch(chosen, name):
            left -= 1
            root = line.split()[1]
            rows.append(astuple(Finding(REWRITTEN, f"window {root}", name, root, order.source, 7)))
            line = line.replace("old", "new")
        new += line
    return Result(1, len(rows), len(rows), new if rows else "", remarks=to_json([rows, ""])), False


@dataclass
class Project:
    """A build by time stamps, of files with rewrites of which some are wrong."""

    folder: Path
    wrong: tuple[tuple[str, int], ...] = ()
    files: int = 60
    functions: int = 1
    fails: Callable[[list[tuple[str, int]]], bool] = bool
    made: list[int] = field(default_factory=list)

    def object_of(self, k: int) -> Path:
        return self.folder / f"{k}.o"

    def build(self) -> list[tuple[str, int]]:
        """Make what is old; return the wrong rewrites that the program has."""
        self.made.append(0)
        for k in range(self.files):
            path = self.object_of(k)
            if path.exists() and path.stat().st_mtime != OLD:
                continue
            self.made[-1] += 1
            order = Order("", "", f"{k:02}.c", 19, 3, "", "remarks", True, str(path))
            text = source(k, self.functions)
            path.write_text(switched.choose(order, text)[0].new or text)  # type: ignore[arg-type]
        linked = "".join(self.object_of(k).read_text() for k in range(self.files))
        bodies = {x.partition("(")[0]: x for x in linked.split("define void @")}
        return [(name, n) for name, n in self.wrong if f"  new {n}\n" in bodies[name]]

    def measure(self) -> float:
        return float(self.fails(self.build()))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of modules."""
    made = tmp_path / "switched"
    made.mkdir()
    monkeypatch.setenv("ISEL_BISECT", str(made))
    monkeypatch.setattr(switched, "decide", decide)
    return made


@pytest.mark.parametrize(("file", "window"), [(0, 0), (17, 2), (31, 1), (59, 3)])
def test_one_of_sixty_files(file: int, window: int, folder: Path, tmp_path: Path) -> None:
    project = Project(tmp_path, ((f"f{file}.0", window),))
    search = Bisect(str(folder), project.measure)
    found = list(search.run())
    assert search.builds == len(project.made) <= 12
    assert found[:5] == [
        f"{file:02}.c: @f{file}.0 in {tmp_path}/{file}.o",
        f"%{window} at {file:02}.c:7: window {window}",
        "--- before",
        "+++ after",
        found[4],
    ]
    assert [x for x in found[5:] if x[0] in "+-"] == [f"-  old {window}", f"+  new {window}"]
    only = shlex.quote(f"--only-function=(?!f{file}.0$).*")
    assert found[-2:] == [
        f"without this function COMMAND passes: ISEL_FLAGS={only}",
        "please report it, with this text and the source",
    ]
    assert project.made[:3] == [60, 0, 60]


def test_one_of_many_functions(folder: Path, tmp_path: Path) -> None:
    project = Project(tmp_path, (("f3.9", 1),), files=5, functions=12)
    found = list(Bisect(str(folder), project.measure).run())
    assert found[:2] == [f"03.c: @f3.9 in {tmp_path}/3.o", "%1 at 03.c:7: window 1"]


def test_two_that_are_wrong_together(folder: Path, tmp_path: Path) -> None:
    """The second is named, without which all is well."""
    project = Project(tmp_path, (("f3.0", 1), ("f7.0", 2)), 9, fails=lambda x: len(x) == 2)
    found = list(Bisect(str(folder), project.measure).run())
    assert found[1] == "%2 at 07.c:7: window 2"
    assert found[-2].startswith("without this function COMMAND passes")


def test_two_that_are_wrong(folder: Path, tmp_path: Path) -> None:
    project = Project(tmp_path, (("f3.0", 1), ("f7.0", 2)), 9)
    found = list(Bisect(str(folder), project.measure).run())
    assert found[1] == "%1 at 03.c:7: window 1"
    assert found[-2].startswith("without this function COMMAND fails")


def fails_at_times(answers: Iterator[float]) -> Callable[[object], bool]:
    return lambda _: bool(next(answers))


@pytest.mark.parametrize(
    ("answers", "files", "why"),
    [
        ([0], 2, "COMMAND passes with all rewrites"),
        ([1, 0], 2, "COMMAND fails at times"),
        ([1, 1], 0, "COMMAND compiled nothing that was rewritten; it must build from scratch"),
        ([1, 1, 1], 2, "COMMAND fails without any rewrite"),
    ],
)
def test_what_is_not_looked_for(
    answers: list[float], files: int, why: str, folder: Path, tmp_path: Path
) -> None:
    project = Project(tmp_path, files=files, fails=fails_at_times(iter(answers)))
    with pytest.raises(Ended) as ended:
        list(Bisect(str(folder), project.measure).run())
    assert str(ended.value) == why


def test_a_function_that_is_wrong_beside_another(folder: Path, tmp_path: Path) -> None:
    """Alone it is not, so its windows are not told apart."""
    both = (("f3.0", 1), ("f3.1", 2))
    project = Project(tmp_path, both, 5, 3, fails=lambda x: len(x) == 2)
    found = list(Bisect(str(folder), project.measure).run())
    assert found[0] == f"03.c: @f3.1 in {tmp_path}/3.o"
    assert [x.partition(" ")[0] for x in found[1 : 1 + WINDOWS]] == ["%0", "%1", "%2", "%3"]


def test_what_is_slower(folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The larger part of the time that is lost."""
    project = Project(tmp_path, (("f3.0", 1), ("f7.0", 2)), 9)

    def measure() -> float:
        return 1.0 + sum(3.0 if name == "f7.0" else 0.5 for name, _ in project.build())

    found = list(Bisect(str(folder), measure, 1.1).run())
    assert found[1] == "%2 at 07.c:7: window 2"
    assert found[-2].startswith("without this function COMMAND takes 1.500 s: ")
    assert "build 2, no rewrite: COMMAND takes 1.000 s" in capfd.readouterr().err


def test_what_is_not_slower(folder: Path, tmp_path: Path) -> None:
    project = Project(tmp_path, (("f3.0", 1),), 9)
    with pytest.raises(Ended, match=r"COMMAND takes 1\.000 s without any rewrite"):
        list(Bisect(str(folder), lambda: 1.0 + 0.05 * len(project.build()), 1.1).run())


def test_the_median_counts_and_the_build_does_not() -> None:
    assert BISECT_RUNS == 3
    times = iter([0, 100, 100, 101, 200, 209, 300, 302])
    assert seconds(lambda: 0, lambda: next(times)) == 2
    with pytest.raises(Ended, match="COMMAND fails"):
        seconds(lambda: 1, lambda: 0)


@pytest.mark.parametrize("words", [(), ("--",), ("make",), ("--slower=x", "--", "true")])
def test_usage(words: tuple[str, ...], launcher: Launcher, tmp_path: Path) -> None:
    ran = launcher("bisect", *words, cwd=tmp_path)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("usage: isel-cc bisect [--slower[=RATIO]] -- COMMAND")


def test_a_command_that_is_not_there(launcher: Launcher, tmp_path: Path) -> None:
    ran = launcher("bisect", "--", "./nothing", cwd=tmp_path, TMPDIR=str(tmp_path))
    assert ran.code == 1
    assert ran.err == "isel-cc: bisect: [Errno 2] No such file or directory: './nothing'\n"
    assert list(tmp_path.glob("isel-bisect-*")) == []


PLANTED = """\
#!{python}
import sys
from isel.cli.launcher import entry, rewriter
right = rewriter.decide
def decide(order, text):
    result, known = right(order, text)
    head, start, tail = str(result.new).partition("@subtract_b(")
    body, end, rest = tail.partition("\\n}}\\n")
    return result._replace(new=head + start + body.replace("usub", "uadd") + end + rest), known
rewriter.decide = decide
entry()
"""
SUBTRACT = """\
void subtract_%s(unsigned char *restrict out, const unsigned char *restrict a,
                 const unsigned char *restrict b, long n) {
  for (long i = 0; i < n; ++i) {
    int difference = a[i] - b[i];
    out[i] = difference < 0 ? 0 : difference;
  }
}
"""
MAIN = """\
void subtract_b(unsigned char *, const unsigned char *, const unsigned char *, long);
int main(void) {
  unsigned char a[64], out[64];
  for (int i = 0; i < 64; i++) a[i] = i + 1;
  subtract_b(out, a, a, 64);
  return out[63];
}
"""
MAKE = """\
CFLAGS = -O3 -march=haswell
test: program
\t./program
program: a.o b.o c.o main.o
\tclang-19 $^ -o $@
"""


@pytest.fixture
def planted(launcher: Launcher, tmp_path: Path) -> Launcher:
    """Return a launcher with a wrong rewrite, and a project that has it."""
    home = home_in(tmp_path / "home", launcher, ISEL_FLAGS="--effort=0", TMPDIR=str(tmp_path))
    path = tmp_path / "isel-cc"
    path.write_text(PLANTED.format(python=sys.executable))
    path.chmod(0o755)
    for name in "abc":
        (tmp_path / f"{name}.c").write_text(SUBTRACT % name)
    (tmp_path / "main.c").write_text(MAIN)
    (tmp_path / "Makefile").write_text(MAKE)
    return Launcher(path, home.environment)


def objects(folder: Path) -> dict[str, bytes]:
    """Return the objects by name."""
    return {p.name: p.read_bytes() for p in folder.glob("*.o")}


@pytest.mark.tools
@pytest.mark.parametrize("ccache", [False, True])
def test_a_wrong_rewrite_of_clang(ccache: bool, planted: Launcher, tmp_path: Path) -> None:
    """Objects on the way are those of ordinary builds, and so are those behind it."""
    behind = {"CCACHE_DIR": str(tmp_path / "ccache"), "CCACHE_PREFIX": str(planted.path)}
    key = f"{planted.path} %compiler% --ccache-key"
    planted.environment.update({**behind, "CCACHE_COMPILERCHECK": key} if ccache else {})
    compiler = "ccache clang-19" if ccache else f"{planted.path} clang-19"
    make = ("make", f"CC={compiler}")
    assert planted.plain(*make, cwd=tmp_path).code != 0
    with_all = objects(tmp_path)
    planted.plain(*make, "-B", cwd=tmp_path, ISEL_DISABLE="1")
    plain = objects(tmp_path)
    assert [n for n in plain if plain[n] == with_all[n]] == ["main.o"]
    for name in plain:
        (tmp_path / name).unlink()
    copied = "; s=$?; mkdir -p kept; cp *.o kept; ls kept; exit $s"
    ran = planted("bisect", "--", "sh", "-c", shlex.join(make) + copied, cwd=tmp_path)
    assert ran.code == 0, ran
    assert f"b.c: @subtract_b in {tmp_path}/b.o\n" in ran.out
    assert re.search(r"^%\d+ at b.c:5: .*vpsubusb.*proved for all inputs$", ran.out, re.MULTILINE)
    assert re.search(r"^\+ .*llvm.uadd.sat", ran.out, re.MULTILINE)
    assert "--only-function=(?!subtract_b$).*" in ran.out
    assert "all but this function: COMMAND passes" in ran.err
    assert objects(tmp_path / "kept") == {**with_all, "b.o": plain["b.o"]}
    assert list(tmp_path.glob("isel-bisect-*")) == []
    assert planted.plain(*make, cwd=tmp_path).code != 0
    assert objects(tmp_path) == with_all
    flags = "--effort=0 --only-function=(?!subtract_b$).*"
    assert planted.plain(*make, "-B", cwd=tmp_path, ISEL_FLAGS=flags).code == 0
    assert objects(tmp_path) == {**with_all, "b.o": plain["b.o"]}


@pytest.mark.tools
def test_an_interrupt(planted: Launcher, tmp_path: Path) -> None:
    make = ("make", f"CC={planted.path} clang-19")
    planted.plain(*make, cwd=tmp_path)
    with_all = objects(tmp_path)
    for name in with_all:
        (tmp_path / name).unlink()
    third = f"echo >> runs; {shlex.join(make)}; s=$?; test `wc -l < runs` = 3 && kill -INT $PPID"
    process = subprocess.run(
        [planted.path, "bisect", "--", "sh", "-c", f"{third} && sleep 60; exit $s"],
        cwd=tmp_path,
        env=planted.environment,
        capture_output=True,
        text=True,
        check=False,
        # A process in the background ignores it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.returncode == -signal.SIGINT
    assert "the next build makes 3 objects again, with all rewrites\n" in process.stderr
    assert list(tmp_path.glob("isel-bisect-*")) == []
    assert objects(tmp_path) != with_all
    planted.plain(*make, cwd=tmp_path)
    assert objects(tmp_path) == with_all
