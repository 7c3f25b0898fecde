"""Every command that ``--help`` or a page of ``docs`` shows is run as it is written, on small inputs
in a folder of its own; the README's are in ``tests/test_readme.py``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from isel.cli.examples import EXAMPLES
from tests.cli.conftest import ROOT, environment
from tests.cli.modules import EXAMPLES as MODULES
from tests.cli.remarks.builds import ROWS, left
from tests.tools import shared

PAGES: Final = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
_SHOWN: Final = re.compile(
    r"    ((?:[A-Z_]+=(?:'[^']*'|\S+) )*(?:isel|isel-cc|clang|c\+\+|python|\./\w+|ccache|ninja|H=\S+)"
    r"(?: .*|$))"
)  # a line of code
_WITHIN: Final = re.compile(r"`((?:isel|isel-cc)(?: [^\s`]+){2,})`")  # of a sentence
_PATTERN: Final = re.compile(r"…|\[|, |(?<!-)\b[A-Z]+\b(?!=)")  # syntax, no example

# What stands for the reader's own in a line of code.
_OWN: Final = {
    "[-j N]": "-j1",
    "[-mcpu=CPU]": "-mcpu=sapphirerapids",
    "DIR -o OUT": "modules -o out",
    "OUT": "out",
    "-o DIR": "-o imported",
    "FILE.xml": "dup.xml",
    "--host 10.0.0.1 --port 8787": "--port 0",
    "--port 8731": "--port 0",
    "-mcpu=native": "-mcpu=sapphirerapids --no-run",
}
# What is run elsewhere or is no command by itself, and why it is not run here.
LEFT_OUT: Final = {
    "isel batch DIR -o OUT --scheduler tcp://HOST:8786": "a cluster: tests/batch",
    "python -m bench.emulated --target hvx --kernels REGEX": "a benchmark: tests/bench/test_emulated.py",
    "python -m semantics.x86.selection > forms.tsv && mv forms.tsv semantics/x86/forms.tsv": (
        "compiles all instructions: tests/semantics"
    ),
    "isel classes build -o equiv_classes": "makes all classes: tests/equiv_classes",
    "isel semantics fuzz x86": "make fuzz-x86",
    "isel semantics fuzz arm": "make fuzz-arm",
    "isel semantics fuzz hvx": "make fuzz-hvx",
    "isel-cc bisect -- make test": "a project: tests/cli/launcher/test_bisect.py",
    "isel-cc bisect --slower=1.1 -- make bench": "a project: tests/cli/launcher/test_bisect.py",
    "ISEL_REMOTE_CACHE=http://10.0.0.1:8787 ninja": "tests/cli/launcher/test_remote.py",
    "isel compile -- flang-new-19 -O3 -march=native -c hot.f90 -o hot.o": "make doors",
    "isel opt -S": "named, without a module",
    "isel opt -S --emit=autollvm": "named, without a module",
    "isel verify --assume-noundef-memory": "named, without modules",
    "isel cache export --pairs": "named, without a folder",
    "isel cache import": "named, without a cache",
    "isel costs measure": "named: times the machine for minutes",
    "isel semantics coverage": "named, without a set",
}
# Of the vendors' files so many entries; all of them are read in tests/semantics.
_SPECS: Final = {"arm/intr.json": 30, "hvx/hvx_q6_map.json": 4}
_SERVERS: Final = ("isel serve", "isel cache serve")
_TOOLS: Final = (
    "clang ",
    "ccache ",
    "c++ ",
    "isel-cc ",
    "isel port ",
    "ninja",
    "compile_commands",
    "ldc2",
)

_C: Final = """\
#include <stdint.h>
void f(uint8_t *restrict o, const uint8_t *restrict a, const uint8_t *restrict b, int n) {
  for (int i = 0; i < n; i++) o[i] = (uint8_t)((a[i] + b[i] + 1) >> 1);
}
"""
_SSE: Final = """\
#include <emmintrin.h>
void f(unsigned char *o, const unsigned char *a, const unsigned char *b) {
  __m128i x = _mm_loadu_si128((const __m128i *)a), y = _mm_loadu_si128((const __m128i *)b);
  _mm_storeu_si128((__m128i *)o, _mm_avg_epu8(x, y));
}
"""
_NEON: Final = """\
#include <arm_neon.h>
void f(unsigned char *o, const unsigned char *a, const unsigned char *b) {
  vst1q_u8(o, vrhaddq_u8(vld1q_u8(a), vld1q_u8(b)));
}
"""
_BLUR: Final = """\
import halide as hl

def blur():
    x, y, image = hl.Var("x"), hl.Var("y"), hl.ImageParam(hl.UInt(8), 2, "image")
    out = hl.Func("out")
    wide = [hl.cast(hl.UInt(16), image[x + k, y]) for k in range(2)]
    out[x, y] = hl.cast(hl.UInt(8), (wide[0] + wide[1] + 1) / 2)
    return out.vectorize(x, 32), [image]
"""
_GENERATOR: Final = """\
#include "Halide.h"
struct Blur : Halide::Generator<Blur> {
  Input<Buffer<uint8_t, 2>> in{"in"};
  Output<Buffer<uint8_t, 2>> out{"out"};
  Halide::Var x, y;
  void generate() {
    using Halide::cast;
    out(x, y) = cast<uint8_t>((cast<uint16_t>(in(x, y)) + in(x + 1, y) + 1) / 2);
    out.vectorize(x, 32);
  }
};
HALIDE_REGISTER_GENERATOR(Blur, blur)
"""
_NINJA: Final = """\
rule cc
  command = isel-cc clang -O2 -c $in -o $out
build hot.o: cc hot.c
"""


def bare(line: str) -> str:
    """Return a command without what is said of it behind ``#``."""
    return re.split(r" +# ", line)[0].strip()


def blocks(page: Path) -> list[tuple[str, ...]]:
    """Return the commands of a page: those on lines that follow each other are run in order."""
    text = page.read_text(encoding="utf-8")
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        shown = _SHOWN.match(line)
        if shown:
            found[-1].append(bare(shown[1]))
        elif found[-1]:
            found.append([])
    named = ([c] for c in _WITHIN.findall(" ".join(text.split())) if not _PATTERN.search(c))
    return [tuple(b) for b in (*found, *named) if b]


def helps() -> list[tuple[str, ...]]:
    return [(line,) for line in EXAMPLES.values()]


EVERY: Final = sorted({*(b for page in PAGES for b in blocks(page)), *helps()})
RUN: Final = [b for b in (tuple(c for c in b if c not in LEFT_OUT) for b in EVERY) if b]


def marks(block: tuple[str, ...]) -> list[pytest.MarkDecorator]:
    """Say what a block needs beside Python."""
    words = " ".join(block)
    found = [pytest.mark.tools] if any(t in words for t in _TOOLS) else []
    return [*found, *([pytest.mark.shared] if "intr.json" in words or "q6_map" in words else [])]


def test_what_is_left_out_is_there() -> None:
    assert set(LEFT_OUT) <= {c for b in EVERY for c in b}


def test_commands_are_found() -> None:
    """On every page that has code of them, and each one of the README's (they begin with $)."""
    assert {page.name for page in PAGES if blocks(page)} >= {
        "adding-an-instruction.md", "arm-import.md", "batch.md", "halide.md", "hvx-import.md",
        "launcher.md", "porting.md", "x86-import.md",
    }  # fmt: skip
    assert ("isel rules show 'sat_*'",) in RUN and len(RUN) > 30


def user_s_own(folder: Path) -> None:
    """Write the files that examples name."""
    for name in ("loop.ll", "blur.ll"):
        shutil.copy(MODULES / "q15_multiply.ll", folder / name)
    for name in ("before.ll", "after.ll", "kernel.ll", "a.ll", "modules/m.ll", "lib/b.bc"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(MODULES / "multiply_round.ll", folder / name)
    texts = {"hot.c": _C, "kernel.c": _SSE, "sse.c": _SSE, "neon.c": _NEON, "blur.py": _BLUR}
    texts |= {"blur_generator.cpp": _GENERATOR, "build.ninja": _NINJA}
    entry = {"directory": str(folder), "file": "hot.c", "command": "clang -O3 -c hot.c -o hot.o"}
    (folder / "build").mkdir()
    texts["build/compile_commands.json"] = json.dumps([entry])
    left(folder / "build" / "remarks", {"a": ROWS})
    doors = Path(__file__).parent / "doors"
    shutil.copy(ROOT / "examples" / "d" / "subtract.d", folder / "hot.d")
    shutil.copy(doors / "halve.zig", folder / "hot.zig")
    page = (ROOT / "docs" / "adding-an-instruction.md").read_text()
    code = re.sub(r"(?m)^    ", "", page)
    texts["dup.xml"] = code[code.index("<intrinsics_list") : code.index("`isel semantics import")]
    formula = code[code.index("instruction _mm256") : code.index("A mistake in the text")]
    emission = next(line for line in code.splitlines() if line.startswith("  emit "))
    (folder / "own" / "x86").mkdir(parents=True)
    texts["own/x86/dup.sem"] = f"{formula.rstrip()}\n{emission}\n"
    for name, text in texts.items():
        (folder / name).write_text(text)


def vendors_own(folder: Path) -> None:
    """Write what examples import, the lists cut short, beside what belongs to them."""
    for path, count in ((shared() / "specs" / s, n) for s, n in _SPECS.items()):
        for beside in set(path.parent.iterdir()) - {path}:
            (folder / beside.name).symlink_to(beside.resolve())
        found = json.loads(path.read_text())
        some = list(found.items() if isinstance(found, dict) else found)[:: len(found) // count]
        made = dict(some) if isinstance(found, dict) else some
        (folder / path.name).write_text(json.dumps(made))


def programs(folder: Path) -> None:
    """Write the commands of this checkout, as an installation has them."""
    folder.mkdir()
    entry = "-c 'from isel.cli.launcher import entry; entry()'"
    commands = {"isel": "-m isel", "isel-cc": entry, "python": "", "zig": "-m ziglang"}
    for name, code in commands.items():
        (folder / name).write_text(f"#!/bin/sh\nexec '{sys.executable}' {code} \"$@\"\n")
        (folder / name).chmod(0o755)
    clang = shutil.which("clang-19")  # Debian's packages have no plain name
    if clang is not None:
        (folder / "clang").symlink_to(clang)


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A folder of a user, and the environment in which commands are run there."""
    user_s_own(tmp_path)
    programs(tmp_path / "bin")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    kept = {k: v for k, v in environment().items() if not k.startswith("XDG_")}
    return kept | {"HOME": str(tmp_path)}


def of_the_user(command: str) -> str:
    for ours, own in _OWN.items():
        command = command.replace(ours, own)
    return command


@pytest.mark.parametrize(
    "block",
    [pytest.param(b, id=b[0], marks=marks(b)) for b in RUN if not b[0].startswith(_SERVERS)],
)
def test_an_example_is_what_works(block: tuple[str, ...], around: dict[str, str]) -> None:
    if "_mm256_dupodd_epi32" in block[0]:
        around["ISEL_SEMANTICS"] = "own"
    if any(Path(s).name in block[0] for s in _SPECS):
        vendors_own(Path(around["HOME"]))
    for_all = "set -e\n" + "\n".join(map(of_the_user, block))
    done = subprocess.run(
        ["bash", "-c", for_all],
        env=around,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{for_all}\n{done.stdout}"


@pytest.mark.parametrize("block", [b for b in RUN if b[0].startswith(_SERVERS)], ids=" ".join)
def test_an_example_that_serves(block: tuple[str, ...], around: dict[str, str]) -> None:
    (command,) = block
    words = ["bash", "-c", f"exec {of_the_user(command)}"]
    with subprocess.Popen(words, env=around, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and "http://127.0.0.1:" in child.stdout.readline()
        child.send_signal(signal.SIGINT)
        assert child.wait() in (0, 130)
