"""``isel compile -- COMPILER ARGS``: what ldc2, flang or zig makes of one source, and in its place
the object of its LLVM IR where that is rewritten.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from isel.cli.files import read_module, write_file
from isel.cli.foreign import object_of
from isel.cli.launcher import counters
from isel.errors import IselError, UnknownName, UsageProblem, file_problem


class Door(NamedTuple):
    """How a compiler is asked: the word for an object, the expression for its name, the words for
    IR in a file instead, and what its sources end in.  Words are joined by null characters.
    """

    wants: str
    output: str
    asked: str
    source: tuple[str, ...]


_FLANG: Final = Door(
    "-c",
    "-o\0?([^\0]+)\0",
    "-S\0-emit-llvm\0-o\0{}.ll",
    (".f90", ".f", ".F90", ".F", ".f95", ".f08"),
)
_LDC: Final = Door("-c", "--?of=([^\0]+)\0", "-c\0-output-bc\0-of={}.bc", (".d",))
_ZIG: Final = Door(
    "build-obj",
    "-femit-bin=([^\0]+)\0",
    "build-obj\0-fno-emit-bin\0-femit-llvm-ir={}.ll",
    (".zig",),
)
DOORS: Final = {"flang": _FLANG, "flang-new": _FLANG, "ldc2": _LDC, "ldmd2": _LDC, "zig": _ZIG}
_OBJECT: Final = b"\x7fELF"
_LEVELS: Final = {"1": 1, "3": 3, "fast": 3, "ReleaseFast": 3, "ReleaseSafe": 3}


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel compile``: the exit code is the compiler's."""
    words: list[str] = arguments.command
    if not words:
        raise UsageProblem("no compiler, expected isel compile -- COMPILER ARGS")
    name = "zig" if words[1:3] == ["-m", "ziglang"] else os.path.basename(words[0])
    door = DOORS.get(re.sub(r"-\d+$", "", name))
    if door is None:
        raise UnknownName("compiler", name, tuple(DOORS))
    started = int(time.time())  # files' times lag behind
    try:
        code = subprocess.run(words, check=False).returncode
    except OSError as error:
        raise file_problem(words[0], error) from None
    if code:
        return code if code > 0 else 128 - code
    try:
        _improve(words, door, started)
    except (OSError, IselError, subprocess.SubprocessError) as problem:
        _leave(words, str(problem))
    return 0


def _leave(words: list[str], why: str) -> None:
    counters.log(f"{' '.join(words)}: unchanged: {why}")


def _improve(words: list[str], door: Door, started: int) -> None:
    """Put the object of rewritten IR in the place of the one made since ``started``."""
    line, wants = "\0".join([*words, ""]), f"\0{door.wants}\0"
    sources = [w for w in words if w.endswith(door.source)]
    level = next(reversed(re.findall("\0-O\0?(\\w*)\0", line)), "0")
    if len(sources) != 1 or wants not in line or level in ("0", "Debug"):
        return _leave(words, "no compile of one source with -O")
    found = re.search(f"\0{door.output}", line)
    output = Path(found[1] if found else f"{Path(sources[0]).stem}.o")
    if output.stat().st_mtime < started or not output.read_bytes().startswith(_OBJECT):
        return _leave(words, f"{output} is no object that was made")
    asked = re.sub(f"\0{door.output}", "\0", line).replace(wants, f"\0{door.asked}\0", 1)
    text = _ir_of(asked)
    new = object_of(text, words, sources[0], str(output), _LEVELS.get(level, 2))
    return write_file(str(output), new) if new else None


def _ir_of(asked: str) -> str:
    """Return the IR of a command that names its file ``{}``."""
    with tempfile.TemporaryDirectory(prefix="isel-") as folder:
        words = asked.replace("{}", os.path.join(folder, "ir")).split("\0")[:-1]
        subprocess.run(words, check=True, capture_output=True)
        return read_module(next(map(str, Path(folder).glob("ir.*")))).text
