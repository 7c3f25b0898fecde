"""C kernels through ziglang's clang: LLVM IR at -O3, as users have it."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from isel.errors import IselError

_COMMON: Final = (
    "-std=c11",
    "-O3",
    "-g0",
    "-fno-stack-protector",
    "-S",
    "-emit-llvm",
)
_WIDE: Final = "-mprefer-vector-width=512"
_UNTIL: Final = 180.0  # seconds


class NoClang(IselError):
    """The compiler is not installed, or does not accept a kernel."""


def cpu_name(cpu: str) -> str:
    """Return what ``zig cc`` calls a CPU of LLVM: a hyphen would begin a feature there."""
    return cpu.replace("-", "_")


def ir_of(source: Path, cpu: str, *, wide: bool, variant: int = 0) -> str:
    """Return the LLVM IR of a C file for an x86 CPU; ``wide`` prefers 512-bit vectors, ``variant``
    1 does not unroll loops.

    Raises :class:`NoClang`.
    """
    flags = ["-target", "x86_64-linux-gnu", f"-march={cpu_name(cpu)}"]
    flags += [_WIDE] * wide + ["-fno-unroll-loops"] * bool(variant)
    return ir_with(source, flags)


def ir_with(source: Path, flags: Sequence[str]) -> str:
    """Return the LLVM IR of a C file at -O3 and with ``flags``; raise :class:`NoClang`."""
    if find_spec("ziglang") is None:
        raise NoClang("C kernels need clang: pip install 'isel[clang]'")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "kernel.ll"
        command = [sys.executable, "-m", "ziglang", "cc"]
        command += [*_COMMON, *flags, source.name, "-o", str(made)]
        try:
            done = subprocess.run(
                command,
                cwd=source.parent,
                capture_output=True,
                text=True,
                timeout=_UNTIL,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise NoClang(f"clang did not end within {_UNTIL:g} s") from None
        if done.returncode:
            raise NoClang(f"clang rejects the kernel: {_complaint(done.stderr)}")
        return _nameless(made.read_text())


def _complaint(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next(
        (line for line in lines if "error:" in line), lines[-1] if lines else "it said nothing"
    )


def _nameless(text: str) -> str:
    """Leave out what names the compiler's build."""
    return re.sub(r"^(; ModuleID|!llvm\.ident).*\n", "", text, flags=re.MULTILINE)
