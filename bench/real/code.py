"""Machine code of functions, compared between objects that were made in two ways."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

_SYMBOL: Final = re.compile(r"[0-9a-f]+ <(?P<name>.*)>:$")
_ADDRESS: Final = re.compile(r"\b[0-9a-f]+ (?=<)")
_PLACE: Final = re.compile(r"(R_\w+\s+\.[\w.]+)[-+]0x[0-9a-f]+$")

Code = Mapping[str, tuple[str, ...]]


def code_of(path: Path) -> Code:
    """Return the instructions of each function in an object, places in sections left out."""
    listing = subprocess.run(
        ["objdump", "-dr", "--no-show-raw-insn", str(path)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in listing.splitlines():
        symbol = _SYMBOL.match(line)
        if symbol:
            lines = found.setdefault(symbol["name"], [])
        elif "\t" in line:
            text = _ADDRESS.sub("", line.split("\t", 1)[1]).strip()
            lines.append(_PLACE.sub(r"\1", re.sub(r"^[0-9a-f]+: (?=R_)", "", text)))
    return {name: tuple(_unpadded(lines)) for name, lines in found.items()}


def _unpadded(lines: list[str]) -> list[str]:
    """Return a function without what fills the space behind it."""
    end = len(lines)
    while end and (
        "nop" in lines[end - 1] or lines[end - 1].startswith(("int3", "cs nop", "data16"))
    ):
        end -= 1
    return lines[:end]


def functions_that_differ(plain: Path, build: Path, objects: Path, library: str) -> Iterator[str]:
    """Yield how many functions of `LIBRARY-*.after.o` have the same code in a build's objects, how
    many neither way changes, and the names of the others.

    Text without orders of uses, as `LIBRARY-*.before.o` is made of, is other code at times.
    """
    made = {path.relative_to(build): code_of(path) for path in sorted(build.rglob("*.o"))}
    first = {name: code_of(plain / name) for name in made if (plain / name).exists()}
    same = untouched = 0
    different: list[str] = []
    for path in sorted(objects.glob(f"{library}-*.after.o")):
        wanted = code_of(path)
        before = code_of(path.with_name(path.name.replace(".after.", ".before.")))
        there = [
            k for k, code in made.items() if len(wanted.keys() & code.keys()) > len(wanted) / 2
        ]
        for name, lines in wanted.items():
            ours = [(k, made[k][name]) for k in there if name in made[k]]
            if any(code == lines for _, code in ours):
                same += 1
            elif before.get(name) == lines and any(
                first.get(k, {}).get(name) == code for k, code in ours
            ):
                untouched += 1
            else:
                different.append(f"{path.name}: {name}")
    yield (
        f"functions with the machine code of {objects.name}: {same}, "
        f"changed neither there nor here: {untouched}, others: {len(different)}"
    )
    yield from (f"  {what}" for what in different)
