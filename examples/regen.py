"""``make regen-examples``: make ``examples/*.ll`` and ``examples/avx2/*.ll`` again from their
sources.

Needs the extras ``clang`` and ``halide``; gives the same bytes each time.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from examples.src.windows import WINDOWS

HERE = Path(__file__).parent
ROOT = HERE.parent
LOOPS = ("q15_multiply", "subtract_clamp")
CPUS = {512: ("sapphirerapids", HERE), 256: ("haswell", HERE / "avx2")}
TRIPLE = "x86_64-unknown-linux-gnu"
LAYOUT = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"


def main() -> None:
    """Write every module."""
    for bits, (cpu, folder) in CPUS.items():
        folder.mkdir(exist_ok=True)
        made = {name: from_c(name, cpu, bits) for name in LOOPS}
        made["average_down"] = from_halide()
        made.update((name, make(bits)) for name, make in WINDOWS.items())
        for name, text in sorted(made.items()):
            path = folder / f"{name}.ll"
            path.write_text(text)
            sys.stdout.write(f"wrote {path.relative_to(ROOT)}\n")


def from_c(name: str, cpu: str, bits: int) -> str:
    """Compile a C loop with the clang of ziglang at -O3."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ll"
        flags = [
            "-target",
            "x86_64-linux-gnu",
            f"-march={cpu}",
            f"-mprefer-vector-width={bits}",
            "-O3",
            "-g0",
            "-fno-unroll-loops",
            "-S",
            "-emit-llvm",
        ]
        command = [sys.executable, "-m", "ziglang", "cc", *flags, f"{name}.c", "-o", str(out)]
        subprocess.run(command, cwd=HERE / "src", check=True, capture_output=True)
        return retargeted(out.read_text())


def from_halide() -> str:
    """Compile the pipeline for a target without vector instructions and name ours instead.

    In a process of its own: Halide numbers the values of all pipelines of a process in one row.
    """
    name = "average_down"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out.ll"
        subprocess.run(
            [sys.executable, "-m", f"examples.src.{name}", str(out)],
            cwd=HERE.parent,
            check=True,
            capture_output=True,
        )
        text = re.sub(r' "(?:target-cpu|target-features|tune-cpu)"="[^"]*"', "", out.read_text())
        return without(retargeted(text), f"{name}_argv", f"{name}_metadata")


def retargeted(text: str) -> str:
    """Replace triple and data layout, and leave out what names the compiler or its folders."""
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    text = re.sub(
        r"^target datalayout = .*$", f'target datalayout = "{LAYOUT}"', text, flags=re.MULTILINE
    )
    text = re.sub(r"^(; ModuleID|!llvm\.ident).*\n", "", text, flags=re.MULTILINE)
    return re.sub(
        r'^source_filename = ".*/([^/"]*)"$', r'source_filename = "\1"', text, flags=re.MULTILINE
    )


def without(text: str, *functions: str) -> str:
    """Leave out the definitions of functions that nothing calls."""
    for name in functions:
        text = re.sub(
            rf"^(?:; Function Attrs:[^\n]*\n)?define [^\n]*@{name}\(.*?^}}\n",
            "",
            text,
            flags=re.MULTILINE | re.DOTALL,
        )
    return text


if __name__ == "__main__":
    main()
