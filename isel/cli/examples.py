"""One command line for each command: the end of its ``--help``."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final = {
    "opt": "isel opt loop.ll -S -o fast.ll -mcpu=sapphirerapids --report",
    "halide": "isel halide blur.py:blur --target x86 -o blur",
    "verify": "isel verify before.ll after.ll",
    "lower": "isel lower kernel.ll -mtriple=aarch64-unknown-linux-gnu -o neon.ll",
    "port": "isel port kernel.c --to aarch64 -o kernel.o",
    "compile": "isel compile -- ldc2 -O3 -mcpu=haswell -c hot.d",
    "select": 'isel select "uint8x32((uint16x32(a) + uint16x32(b) + 1) / 2)" -mcpu=haswell',
    "explain": "isel explain psadbw",
    "why-not": "isel why-not vpavgb loop.ll:34 -mcpu=sapphirerapids",
    "measure": "isel measure before.ll after.ll",
    "serve": "isel serve --port 8731",
    "semantics": "isel semantics list x86 'vpadd*' --feature avx512bw --width 512",
    "classes": "isel classes list 'vpavg*'",
    "costs": "isel costs compare sapphirerapids znver4 psadbw",
    "rules": "isel rules show 'sat_*'",
    "cache": "isel cache export --pairs pairs",
    "batch": "isel batch build/compile_commands.json -o rewritten -mcpu=sapphirerapids",
    "remarks": "isel remarks build/remarks -o build.sarif build.html",
    "passes": "isel passes",
    "doctor": "isel doctor",
}


def example(prog: str) -> str:
    """Return the last lines of a command's help."""
    line = EXAMPLES.get(prog.removeprefix("isel "), "")
    return f"example:\n  {line}" if line else ""
