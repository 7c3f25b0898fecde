"""C as LLVM IR, by the user's clang: nothing of it runs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from isel.cli.limits import SERVE_SECONDS
from isel.errors import BadModule, UsageProblem

_NAME: Final = "input.c"
_FLAGS: Final = ("-O3", "-g", "-fno-discard-value-names", "-S", "-emit-llvm", "-o", "-")


def clang_here() -> str | None:
    """Return a clang in $PATH, its own name first, then the newest; None where there is none."""
    names = ("clang", *(f"clang-{n}" for n in range(22, 13, -1)))
    return next((c for c in names if shutil.which(c)), None)


def clang() -> tuple[str, ...]:
    """Return the words that run a clang; raises :class:`UsageProblem` where there is none."""
    found = clang_here()
    if found is not None:
        return (found,)
    zig = (Path(p) / "ziglang" / "zig" for p in sys.path)
    own = next((str(p) for p in zig if p.is_file()), None)
    if own is None:
        raise UsageProblem("there is no clang for C: give LLVM IR, or install isel[clang]")
    return own, "cc"


def compile_c(code: str, triple: str, cpu: str) -> str:
    """Return the IR of C for a CPU; raises :class:`BadModule` with what clang says.

    Which flag names a CPU depends on the target: where it is not the first, clang says so.
    """
    done = _run(code, f"--target={triple}", f"-march={cpu}")
    if done.returncode and "-march=" in done.stderr:
        done = _run(code, f"--target={triple}", f"-mcpu={cpu}")
    if done.returncode:
        raise BadModule(_NAME, 0, 0, f"clang does not compile it\n{done.stderr.strip()}")
    return done.stdout


def _run(code: str, *aimed: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / _NAME).write_text(code)
        try:
            return subprocess.run(
                [*clang(), *aimed, "-ffreestanding", *_FLAGS, _NAME],
                cwd=folder,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SERVE_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise BadModule(_NAME, 0, 0, f"clang takes over {SERVE_SECONDS} s") from None
