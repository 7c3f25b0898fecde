"""Compiling one C function an intrinsic with the clang of the package ``ziglang``: which compile,
with which constants, to what IR.

Vectors travel through volatile memory, so that nothing depends on how a calling convention passes
wide registers and no operation is merged with a load or store.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from isel.errors import IselError
from semantics.x86.emission.entries import VECTORS, Entry, spelled

_FLAGS: Final = (
    "-target", "x86_64-linux-gnu", "-mcpu=x86_64", "-O1", "-S", "-emit-llvm", "-g0", "-w",
    "-ferror-limit=0", "-fno-strict-aliasing", "-fno-sanitize=all",
)  # fmt: skip
_PRELUDE: Final = "#include <immintrin.h>\n"
_ERROR: Final = re.compile(r"^\S*?:(\d+):\d+: error: (.*)$", re.MULTILINE)
_RANGE: Final = re.compile(r"outside the valid range \[(-?\d+), (-?\d+)\]")
_BODY: Final = re.compile(r"^define [^\n]*@(f\d+)\([^\n]*\{\n(.*?)^\}$", re.DOTALL | re.MULTILINE)
_BEYOND: Final = 1 << 20
_CHUNK: Final = 6000


@dataclass(frozen=True, slots=True)
class Case:
    """An entry with a value for its immediate (None where it has none)."""

    entry: Entry
    immediate: int | None


class NoClang(IselError):
    """Learning needs the optional package."""

    def message(self) -> str:
        """Say what to install."""
        return "learning emissions needs clang: install isel[clang]"


def c_function(case: Case, name: str) -> str:
    """Return a C function, in one line, that stores or returns what the intrinsic computes of
    its parameters.
    """
    e = case.entry
    parameters: list[str] = []
    given: list[str] = []
    for p in e.parameters:
        if p.immediate:
            given.append(str(case.immediate))
        elif p.type in VECTORS:
            parameters.append(f"volatile {p.type} *{p.name}")
            given.append(f"*{p.name}")
        else:
            parameters.append(f"{spelled(p.type)} {p.name}")
            given.append(p.name)
    call = f"{e.name}({', '.join(given)})"
    target = f'__attribute__((target("{",".join(e.features)}")))'
    if e.result in VECTORS:
        parameters.insert(0, f"volatile {e.result} *result")
        return f"{target} void {name}({', '.join(parameters)}) {{ *result = {call}; }}"
    return f"{target} {spelled(e.result)} {name}({', '.join(parameters)}) {{ return {call}; }}"


def _run(text: str) -> tuple[str, Mapping[int, str]]:
    """Return the IR (empty where there are errors) and the first error of each line."""
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "f.c", Path(folder) / "f.ll"
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "ziglang", "cc", *_FLAGS, "-o", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if "No module named" in done.stderr:
            raise NoClang
        errors: dict[int, str] = {}
        for found in _ERROR.finditer(done.stderr):
            errors.setdefault(int(found[1]), found[2])
        if done.returncode and not errors:
            raise RuntimeError(done.stderr.strip()[-400:])
        return (out.read_text(encoding="utf-8") if out.exists() and not errors else ""), errors


def attempt(cases: Sequence[Case]) -> tuple[dict[Case, str], dict[Case, str]]:
    """Return the body of each function that compiles, and the error of each that does not."""
    left = list(cases)
    failed: dict[Case, str] = {}
    while True:
        first = _PRELUDE.count("\n") + 1
        text = _PRELUDE + "".join(c_function(c, f"f{k}") + "\n" for k, c in enumerate(left))
        ir, errors = _run(text)
        if not errors:
            bodies = dict(_BODY.findall(ir))
            return {c: bodies[f"f{k}"] for k, c in enumerate(left)}, failed
        failed.update({c: errors[k + first] for k, c in enumerate(left) if k + first in errors})
        if not failed.keys() & set(left):
            raise RuntimeError(f"clang: {next(iter(errors.values()))}")
        left = [c for c in left if c not in failed]


def legal(entries: Sequence[Entry]) -> dict[Entry, tuple[int, ...]]:
    """Return the values that clang takes for each immediate: its range where it states one,
    else a byte.
    """
    with_one = [e for e in entries if e.immediates]
    _, failed = attempt([Case(e, _BEYOND) for e in with_one])
    found: dict[Entry, tuple[int, ...]] = {}
    for e in with_one:
        stated = _RANGE.search(failed.get(Case(e, _BEYOND), ""))
        low, high = (int(stated[1]), int(stated[2])) if stated else (0, 255)
        found[e] = tuple(range(low, high + 1))
    return found


def bodies(cases: Iterable[Case], jobs: int = 1) -> tuple[dict[Case, str], dict[Case, str]]:
    """Compile many cases, ``jobs`` compilers at a time; the bodies and the errors."""
    every = list(cases)
    chunks = [every[k : k + _CHUNK] for k in range(0, len(every), _CHUNK)]
    done: dict[Case, str] = {}
    failed: dict[Case, str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for good, bad in pool.map(attempt, chunks):
            done.update(good)
            failed.update(bad)
    return done, failed
