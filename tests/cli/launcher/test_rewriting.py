"""What is rewritten, for which clang, with which flags, and what is remembered of it."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.launcher.running import PROJECT, Launcher, Ran, compilers, files_in

FLAGS = ("-O2", "-ftree-vectorize", "-march=haswell")

HIT = """
import sys
from isel.cli.launcher import order as orders, rewriter as rewriting
if sys.argv[1:]:
    from isel.cli.launcher import searching
    searching.search = lambda *_: (orders.Result(1, 1, 1, "new text"), True)
order = orders.Order("a.ll", "out.ll", "a.c", 19, 3, "--effort=0")
hits = rewriting.rewrite(order, rewriting.decide)[0]["hits"]
unused = ("argparse", "logging", "tempfile", "numpy", "llvmlite", "z3", "rich")
print(hits, [name for name in unused if name in sys.modules])
"""


def code(launcher: Launcher, path: Path) -> int:
    """Return how many saturating subtractions of bytes an object or assembly file has."""
    text = (
        path.read_text()
        if path.suffix == ".s"
        else launcher.plain("objdump", "-d", path, cwd=path.parent).out
    )
    return text.count("vpsubusb")


@pytest.mark.tools
@pytest.mark.parametrize("compiler", ["isel-clang", "clang-14", "clang-15", "clang-16", "clang-19"])
def test_what_clang_does_not_find(compiler: str, launcher: Launcher, tmp_path: Path) -> None:
    """A clamped difference: rewritten by each version that does not find it by itself, and
    known the second time.
    """
    c, _ = compilers(compiler)
    launcher("--zero-stats", cwd=tmp_path)
    for name in ("a.o", "b.o"):
        ran = launcher(
            *c, *FLAGS, "-g", "-I", PROJECT, "-c", PROJECT / "hot.c", "-o", name, cwd=tmp_path
        )
        assert (ran.code, ran.err) == (0, "")
        assert code(launcher, tmp_path / name)
    stats = launcher.stats(tmp_path)
    assert stats["rewritten"] >= 2
    assert (
        compiler == "clang-14" or stats["files known from an earlier run"] >= 1
    )  # an object of LLVM 22 is not kept
    assert (tmp_path / "a.o").read_bytes() == (tmp_path / "b.o").read_bytes()


@pytest.mark.tools
def test_kinds_of_output(launcher: Launcher, tmp_path: Path) -> None:
    for name in ("hot.c", "hot.h", "main.c"):
        shutil.copy(PROJECT / name, tmp_path)
    compile_ = ("clang-19", *FLAGS, "-c", "hot.c")
    assert launcher("clang-19", *FLAGS, "-S", "hot.c", cwd=tmp_path).code == 0
    assert code(launcher, tmp_path / "hot.s")
    assert launcher(*compile_, "-ffunction-sections", "-o", "sections.o", cwd=tmp_path).code == 0
    assert code(launcher, tmp_path / "sections.o")
    before = files_in(tmp_path)
    (tmp_path / "out").mkdir()
    assert launcher(*compile_, "-save-temps=obj", "-o", "out/hot.o", cwd=tmp_path).code == 0
    assert files_in(tmp_path / "out") == ["hot.bc", "hot.i", "hot.o", "hot.s"]
    assert code(launcher, tmp_path / "out" / "hot.s")
    assert launcher(*compile_, "-save-temps", "-o", "out/other.o", cwd=tmp_path).code == 0
    assert sorted(set(files_in(tmp_path)) - set(before)) == sorted(
        [f"out/{n}" for n in ("hot.bc", "hot.i", "hot.o", "hot.s", "other.o")] + ["hot.bc", "hot.i"]
    )


@pytest.mark.tools
@pytest.mark.parametrize("flag", ["-flto", "-flto=thin"])
def test_linking_late(flag: str, launcher: Launcher, tmp_path: Path) -> None:
    for name in ("hot.c", "main.c"):
        ran = launcher(
            "clang-19", *FLAGS, flag, "-DONLY_C", "-I", PROJECT, "-c", PROJECT / name, cwd=tmp_path
        )
        assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "hot.o").read_bytes()[:2] == b"BC"
    linked = launcher("clang-19", *FLAGS, flag, "hot.o", "main.o", "-o", "main", cwd=tmp_path)
    assert linked.code == 0, linked
    assert (
        code(launcher, tmp_path / "main") or flag == "-flto=thin"
    )  # which vectorises when it links
    plain = launcher.plain(
        "clang-19", "-DONLY_C", PROJECT / "hot.c", PROJECT / "main.c", "-o", "plain", cwd=tmp_path
    )
    assert plain.code == 0, plain
    assert launcher.plain(tmp_path / "main", cwd=tmp_path) == launcher.plain(
        tmp_path / "plain", cwd=tmp_path
    )


@pytest.mark.tools
def test_clang_14_makes_what_only_it_can(launcher: Launcher, tmp_path: Path) -> None:
    words = (
        "clang-14",
        *FLAGS,
        "-ffunction-sections",
        "-I",
        PROJECT,
        "-c",
        PROJECT / "hot.c",
        "-o",
        "a.o",
    )
    launcher("--zero-stats", cwd=tmp_path)
    assert launcher(*words, cwd=tmp_path).code == 0
    launched = (tmp_path / "a.o").read_bytes()
    assert launcher.plain(*words, cwd=tmp_path).code == 0
    assert (tmp_path / "a.o").read_bytes() == launched
    assert launcher.stats(tmp_path)["clang 14 with -ffunction-sections"] == 1


@pytest.mark.tools
def test_processor_time(launcher: Launcher, tmp_path: Path) -> None:
    """Of children, the least of several runs: what a launcher costs beside the compiler, against
    what Python costs to start.

    The limits (80 and 200 ms, where Python starts in 20) are scaled by how long Python takes:
    machines are busy.
    """

    def least(*words: str | Path) -> float:
        found = []
        for _ in range(7):
            before = os.times()
            assert launcher.plain(*words, cwd=tmp_path).code == 0
            after = os.times()
            found.append(
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
        return min(found)

    (tmp_path / "scalar.c").write_text("int f(int x) { return x + 1; }\n")
    start = least(shutil.which("python3") or "python3", "-c", "pass")
    rows = {}
    for source, limit in ((tmp_path / "scalar.c", 4.0), (PROJECT / "hot.c", 10.0)):
        words = ("clang-19", *FLAGS, "-I", PROJECT, "-c", source, "-o", "a.o")
        assert launcher(*words, cwd=tmp_path).code == 0
        rows[source.name] = (least(launcher.path, *words) - least(*words), limit * start)
    assert all(more < limit for more, limit in rows.values()), (start, rows)


def test_what_is_known_needs_few_modules(launcher: Launcher, tmp_path: Path) -> None:
    (tmp_path / "a.ll").write_text("<4 x i32>")
    python = (sys.executable, "-c", HIT)
    assert launcher.plain(*python, "search", cwd=tmp_path).out.startswith("0 ")
    (tmp_path / "out.ll").unlink()
    assert launcher.plain(*python, cwd=tmp_path) == Ran(0, "1 []\n", "")
    assert (tmp_path / "out.ll").read_text() == "new text"


@pytest.mark.tools
@pytest.mark.parametrize("compiler", ["clang-15", "clang-19"])
def test_the_command_line_is_recorded_as_the_plain_compile_does(
    compiler: str, launcher: Launcher, tmp_path: Path
) -> None:
    record = ("-g", "-grecord-gcc-switches", "-frecord-gcc-switches")
    words = (compiler, *FLAGS, *record, "-I", PROJECT, "-c", PROJECT / "hot.c", "-o", "a.o")
    found, lines = [], []
    for start in ((), (launcher.path,)):
        assert launcher.plain(*start, *words, cwd=tmp_path).code == 0
        found.append(code(launcher, tmp_path / "a.o"))
        data = (tmp_path / "a.o").read_bytes()
        lines.append(re.findall(rb"[ -~]*bin/clang -[ -~]*", data))
    assert found[0] < found[1]
    assert lines[0] == lines[1]
    assert len(lines[0]) == 2


@pytest.mark.tools
@pytest.mark.parametrize("compiler", ["clang++-14", "clang++-16"])
def test_a_file_with_a_table_of_virtual_functions(
    compiler: str, launcher: Launcher, tmp_path: Path
) -> None:
    """Its address is said in a word that newer LLVMs do not read."""
    (tmp_path / "a.cpp").write_text(
        "struct A { A(); virtual ~A(); int k; };\n"
        "A::A() : k(3) {}\n"
        f'#define restrict __restrict\n#include "{PROJECT / "hot.c"}"\n'
    )
    assert launcher(compiler, *FLAGS, "-c", "a.cpp", "-o", "a.o", cwd=tmp_path).code == 0
    assert code(launcher, tmp_path / "a.o")
