"""``isel halide``: what it writes, and one line for whatever is wrong."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from frontends.halide.buffers import Call
from frontends.halide.package import Parameter, Signature
from isel.cache import store
from isel.cli import main
from tests.cli.conftest import Ran, environment

PIPELINES = Path(__file__).with_name("pipelines.py")
Run = Callable[..., Ran]


@pytest.fixture
def isel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run ``isel halide`` in this process, with an empty cache and no seed."""
    monkeypatch.setenv("ISEL_CACHE", str(tmp_path / "own-cache"))
    monkeypatch.setattr(store, "seed_path", lambda: tmp_path / "no-seed")
    monkeypatch.chdir(tmp_path)

    def run(*words: str | Path) -> Ran:
        capfd.readouterr()
        code = main(["halide", *(str(w) for w in words)])
        return Ran(code, *capfd.readouterr())

    return run


def place(name: str) -> str:
    return f"{PIPELINES}:{name}"


OUT = ("--target", "x86", "-o", "out")


def test_object_header_and_text(isel: Run, tmp_path: Path) -> None:
    ran = isel(place("mix"), *OUT, "--report", "-mcpu=sapphirerapids", "--no-run", "--effort", "0")
    assert ran.code == 0, ran.err
    assert re.fullmatch(
        r"mix: (own|generic) \+ isel, by the model \(not run\); \d+ windows, [1-9]\d* rewritten; out.o, out.h, out.ll\n",
        ran.out,
    )
    assert re.search(r"^(own|generic) \+ isel .* <- chosen: the cheapest$", ran.err, re.MULTILINE)
    assert "@mix %" in ran.err and "proved for all inputs" in ran.err
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["out.h", "out.ll", "out.o"]
    assert (
        "int16_t _p, int16_t _q, struct halide_buffer_t *_out_buffer);"
        in (tmp_path / "out.h").read_text()
    )
    assert "@llvm.x86.avx512.vpdpwssd.512" in (tmp_path / "out.ll").read_text()
    assert (tmp_path / "out.o").read_bytes()[:4] == b"\x7fELF"


TWO = """\
import halide as hl

def two():
    a, b = (hl.ImageParam(hl.UInt(8), 2, name=n) for n in ("a", "b"))
    x, y = hl.Var("x"), hl.Var("y")
    mean, gap = hl.Func("mean"), hl.Func("gap")
    mean[x, y] = hl.u8((hl.u16(a[x, y]) + hl.u16(b[x, y]) + 1) >> 1)
    gap[x, y] = hl.absd(a[x, y], b[x, y])
    mean.vectorize(x, 64)
    gap.vectorize(x, 64)
    return [mean, gap], [a, b]
"""


def test_two_outputs_are_decided(isel: Run, tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(TWO)
    ran = isel("two.py:two", *OUT, "--report", "-mcpu=sapphirerapids", "--no-run", "--effort", "0")
    assert ran.code == 0, ran.err
    assert (
        "struct halide_buffer_t *_mean_buffer, struct halide_buffer_t *_gap"
        in Path("out.h").read_text()
    )
    rows = [line for line in ran.err.splitlines() if line.startswith(("own", "generic"))]
    (chosen,) = (r for r in rows if r.endswith("  <- chosen: the cheapest"))
    compared = [r for r in rows if "not compared" not in r]
    assert float(chosen[27:35]) == min(float(r[27:35]) for r in compared)
    assert all("<- chosen" in r or "not c" in r for r in rows)


def test_compare_writes_all_candidates(isel: Run, tmp_path: Path) -> None:
    ran = isel(
        place("average"), "--target", "x86", "-o", "sub.o", "--compare", "--effort", "0", "--no-run"
    )
    assert ran.code == 0, ran.err
    kinds = [
        "h",
        *(
            f"{name}{kind}"
            for name in ("", "own.", "own-isel.", "isel.", "plain.")
            for kind in ("ll", "o", "s")
        ),
    ]
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == sorted(
        f"sub.{k}" for k in kinds
    )
    assert ran.out.startswith(
        "average: own, by the model (not run); "
    )  # Halide selects vpavgb, too
    assert (tmp_path / "sub.o").read_bytes() == (tmp_path / "sub.own.o").read_bytes()
    assert "vpavgb" in (tmp_path / "sub.own.s").read_text()
    assert "@llvm.x86" not in (tmp_path / "sub.plain.ll").read_text()


def test_the_candidates_are_measured(isel: Run) -> None:
    ran = isel(
        place("average"), *OUT, "-mcpu=native", "--effort", "0", "--size", "4096", "--report"
    )
    assert ran.code == 0, ran.err
    assert re.match(r"average: (own|own \+ isel|generic \+ isel), measured", ran.out)
    assert "measured with a 4096, b 4096, out 4096\n" in ran.err


def test_a_size_is_needed_to_measure(isel: Run) -> None:
    ran = isel(place("average"), *OUT, "-mcpu=native", "--effort", "0")
    assert ran.code == 0, ran.err
    assert (
        ", by the model (no size is given or estimated for dimension 0 of the output 'out')"
        in ran.out
    )


def test_it_links_with_the_run_time_library(isel: Run, tmp_path: Path) -> None:
    ran = isel(place("two_stages"), *OUT, "--runtime", "--effort", "0", "-mcpu=native")
    assert ran.code == 0, ran.err
    subprocess.run(
        [
            sys.executable,
            "-m",
            "ziglang",
            "cc",
            "-shared",
            "-o",
            "out.so",
            "out.o",
            "out.runtime.o",
            "-lpthread",
            "-ldl",
            "-lm",
        ],
        cwd=tmp_path,
        check=True,
    )
    signature = Signature(
        "two_stages", (Parameter("image", "uint8", 2), Parameter("out", "uint8", 2, output=True))
    )
    image, out = np.full((34, 130), 7, np.uint8), np.zeros((32, 128), np.uint8)
    library = ctypes.CDLL(str(tmp_path / "out.so"))
    library.two_stages_argv.argtypes = [ctypes.c_void_p]
    assert library.two_stages_argv(Call(signature, (image, out)).address) == 0
    assert (out == 7).all()
    library.halide_shutdown_thread_pool()


def test_the_same_bytes_however_it_is_run(tmp_path: Path) -> None:
    """Two hash seeds, one and two workers; run-time library and comparison included."""
    found = []
    for seed, jobs in (("1", "1"), ("2", "2")):
        folder = tmp_path / seed
        folder.mkdir()
        words = [
            "halide",
            place("average"),
            "--target",
            "x86",
            "-mcpu=sapphirerapids",
            "-o",
            "out",
            "--compare",
            "--runtime",
            "--no-run",
            "-j",
            jobs,
            "--cache",
            "off",
            "--strict",
        ]
        done = subprocess.run(
            [sys.executable, "-m", "isel", *words],
            cwd=folder,
            env=environment(PYTHONHASHSEED=seed),
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found.append({p.name: p.read_bytes() for p in folder.iterdir()})
    assert len(found[0]) == 17
    assert found[0] == found[1]


FILES = {
    "syntax.py": "def broken(:\n    pass\n",
    "raises.py": "import os\n\n\nraise RuntimeError('not\\ntoday')\n",
    "imports.py": "import no_such_module_at_all\n",
    "leaves.py": "raise SystemExit(3)\n",
}
WRONG = {
    "no file": (("missing.py:f", *OUT), "isel: missing.py: error: no such file or directory"),
    "no place": (
        ("pipelines.py", *OUT),
        "isel: error: 'pipelines.py' names no pipeline, expected FILE.py:PIPELINE",
    ),
    "no Python": (
        ("pipelines.cpp:f", *OUT),
        "isel: error: 'pipelines.cpp:f' names no pipeline, expected FILE.py:PIPELINE",
    ),
    "syntax": (
        ("syntax.py:f", *OUT),
        "isel: syntax.py:1:12: error: does not import: invalid syntax",
    ),
    "raises": (
        ("raises.py:f", *OUT),
        "isel: raises.py:4: error: does not import: RuntimeError: not today",
    ),
    "imports": (
        ("imports.py:f", *OUT),
        "isel: imports.py:1: error: does not import: ModuleNotFoundError: No module named 'no_such_module_at_all'",
    ),
    "leaves": (("leaves.py:f", *OUT), "isel: leaves.py:1: error: does not import: SystemExit: 3"),
    "no such name": (
        (place("sobel3x"), *OUT),
        "isel: error: unknown pipeline 'sobel3x', did you mean 'sobel3x3'?",
    ),
    "a number": (
        (place("NUMBER"), *OUT),
        f"isel: error: 'NUMBER' of {PIPELINES} is no pipeline: expected a function, it is int",
    ),
    "returns a number": (
        (place("number"), *OUT),
        "isel: error: 'number' is no pipeline: expected a function that returns (Func, [ImageParam, ...]), it returns int",
    ),
    "a wrong argument": (
        (place("no_parameter"), *OUT),
        "isel: error: 'no_parameter' is no pipeline: expected a function that returns (Func, [ImageParam, ...]), an argument is int",
    ),
    "undefined": (
        (place("undefined"), *OUT),
        "isel: error: 'undefined' is no pipeline: its Func 'nothing' is not defined",
    ),
    "fails": ((place("failing"), *OUT), "isel: error: 'failing' fails: ValueError: two lines"),
    "target": (
        (place("dot2"), "--target", "x68", "-o", "out"),
        "isel: error: unknown target 'x68', did you mean 'x86'?",
    ),
    "no semantics": (
        (place("dot2"), "--target", "mips", "-o", "out"),
        "isel: error: unknown target 'mips'",
    ),
    "CPU": (
        (place("dot2"), *OUT, "-mcpu=saphirerapids"),
        "isel: error: unknown CPU 'saphirerapids', did you mean 'sapphirerapids'?",
    ),
    "Halide feature": (
        (place("dot2"), *OUT, "--halide-features", "no_bounds"),
        "isel: error: unknown Halide feature 'no_bounds', did you mean 'no_bounds_query'?",
    ),
    "size": (
        (place("dot2"), *OUT, "--size", "4x"),
        "isel: error: argument -size/--size: invalid size value: '4x' (see 'isel halide --help')",
    ),
    "parameter": (
        (place("dot2"), *OUT, "-p", "by"),
        "isel: error: argument -p: invalid NAME=VALUE value: 'by' (see 'isel halide --help')",
    ),
    "no generator": (
        (place("dot2"), *OUT, "-p", "by=3"),
        "isel: error: 'dot2' is a function, -p by is for generators",
    ),
    "autoscheduler": (
        (place("dot2"), *OUT, "--autoscheduler", "Li2019"),
        "isel: error: unknown autoscheduler 'Li2019', did you mean 'Li2018'?",
    ),
    "no stem": (
        (place("dot2"), "--target", "x86", "-o", "./"),
        "isel: error: -o ./ names no file, expected the stem of the files to write",
    ),
    "folder": (
        (place("dot2"), "--target", "x86", "-o", "no/out"),
        "isel: no/out.o: error: no such file or directory",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_one_line(case: str, isel: Run, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    words, message = WRONG[case]
    ran = isel(*words)
    assert (ran.code, ran.out, ran.err) == (1, "", message + "\n")
    assert not list(tmp_path.glob("out*"))


def test_what_halide_refuses(isel: Run) -> None:
    ran = isel(place("too_wide"), *OUT)
    assert ran.code == 1
    assert ran.err.startswith("isel: error: ")
    assert "could not find split dimension: y" in ran.err
    assert ran.err.count("\n") == 1
