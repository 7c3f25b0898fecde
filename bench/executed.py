"""Instructions that a program executes in the emulator, counted by a plugin of qemu
(``executed.c``), which the compiler of the package ``ziglang`` makes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from semantics.execution import NotRun

_SOURCE: Final = Path(__file__).with_name("executed.c")
_COUNT: Final = re.compile(rb"^executed (\d+)$", re.MULTILINE)
_SECONDS: Final = 600.0


@dataclass(frozen=True, slots=True)
class Executed:
    """What a program wrote, and how many instructions it executed."""

    output: bytes
    count: int


def make_plugin(folder: Path) -> Path:
    """Return the plugin, a shared object in ``folder``."""
    plugin = folder / "executed.so"
    flags = ["-target", "x86_64-linux-gnu", "-O2", "-shared", "-fPIC", "-fno-sanitize=all"]
    command = [sys.executable, "-m", "ziglang", "cc", *flags, str(_SOURCE), "-o", str(plugin)]
    subprocess.run(command, check=True, capture_output=True)
    return plugin


def execute(
    emulator: tuple[str, ...], plugin: Path, program: Path, given: bytes
) -> Executed | NotRun:
    """Run a program on what it reads from its standard input, and count."""
    command = [*emulator, "-plugin", str(plugin), str(program)]
    try:
        done = subprocess.run(command, input=given, capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return NotRun("the program does not end")
    found = _COUNT.search(done.stderr)
    if done.returncode or found is None:
        return NotRun(f"the program fails: status {done.returncode}")
    return Executed(done.stdout, int(found[1]))
