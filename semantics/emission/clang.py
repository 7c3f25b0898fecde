"""Compiling one C function an intrinsic with the clang of the package ``ziglang``: which compile,
with which constants, to what IR.

A target says how such a function is written and compiled.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Generic, TypeVar

from isel.errors import IselError
from semantics.emission.prototype import Entry

_FLAGS: Final = (
    "-O1", "-S", "-emit-llvm", "-g0", "-w", "-ferror-limit=0", "-fno-strict-aliasing",
    "-fno-sanitize=all",
)  # fmt: skip
_ERROR: Final = re.compile(r"^\S*?:(\d+):\d+: error: (.*)$", re.MULTILINE)
_RANGE: Final = re.compile(r"outside the valid range \[(-?\d+), (-?\d+)\]")
_BODY: Final = re.compile(r"^define [^\n]*@(f\d+)\([^\n]*\{\n(.*?)^\}$", re.DOTALL | re.MULTILINE)
_BEYOND: Final = 1 << 20
_CHUNK: Final = 6000


E = TypeVar("E", bound=Entry)


@dataclass(frozen=True, slots=True)
class Case(Generic[E]):
    """An entry with a value for its immediate (None where it has none)."""

    entry: E
    immediate: int | None


@dataclass(frozen=True, slots=True)
class Clang(Generic[E]):
    """How functions of a target are compiled: flags, lines before the first, and the C function of
    a case under a name, in one line.
    """

    flags: tuple[str, ...]
    prelude: str
    function: Callable[[Case[E], str], str]


class NoClang(IselError):
    """Learning needs the optional package."""

    def message(self) -> str:
        """Say what to install."""
        return "learning emissions needs clang: install isel[clang]"


def ir_of(text: str, flags: Sequence[str]) -> tuple[str, Mapping[int, str]]:
    """Return the IR of a C file (empty where there are errors) and the first error of each line.

    Raises :class:`NoClang`.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "f.c", Path(folder) / "f.ll"
        source.write_text(text, encoding="utf-8")
        command = [sys.executable, "-P", "-m", "ziglang", "cc", *flags, "-o", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True)
        if "No module named" in done.stderr:
            raise NoClang
        errors: dict[int, str] = {}
        for found in _ERROR.finditer(done.stderr):
            errors.setdefault(int(found[1]), found[2])
        if done.returncode and not errors:
            raise RuntimeError(done.stderr.strip()[-400:])
        return (out.read_text(encoding="utf-8") if out.exists() and not errors else ""), errors


def attempt(
    cases: Sequence[Case[E]], clang: Clang[E]
) -> tuple[dict[Case[E], str], dict[Case[E], str]]:
    """Return the body of each function that compiles, and the error of each that does not."""
    left = list(cases)
    failed: dict[Case[E], str] = {}
    while True:
        first = clang.prelude.count("\n") + 1
        text = clang.prelude + "".join(
            clang.function(c, f"f{k}") + "\n" for k, c in enumerate(left)
        )
        ir, errors = ir_of(text, (*clang.flags, *_FLAGS))
        if not errors:
            bodies = dict(_BODY.findall(ir))
            return {c: bodies[f"f{k}"] for k, c in enumerate(left)}, failed
        failed.update({c: errors[k + first] for k, c in enumerate(left) if k + first in errors})
        if not failed.keys() & set(left):
            raise RuntimeError(f"clang: {next(iter(errors.values()))}")
        left = [c for c in left if c not in failed]


def legal(entries: Sequence[E], clang: Clang[E]) -> dict[E, tuple[int, ...]]:
    """Return the values that clang takes for each immediate: its range where it states one,
    else a byte.
    """
    with_one = [e for e in entries if e.immediates]
    _, failed = attempt([Case(e, _BEYOND) for e in with_one], clang)
    found: dict[E, tuple[int, ...]] = {}
    for e in with_one:
        stated = _RANGE.search(failed.get(Case(e, _BEYOND), ""))
        low, high = (int(stated[1]), int(stated[2])) if stated else (0, 255)
        found[e] = tuple(range(low, high + 1))
    return found


def bodies(
    cases: Iterable[Case[E]], clang: Clang[E], jobs: int = 1
) -> tuple[dict[Case[E], str], dict[Case[E], str]]:
    """Compile many cases, ``jobs`` compilers at a time; the bodies and the errors."""
    every = list(cases)
    chunks = [every[k : k + _CHUNK] for k in range(0, len(every), _CHUNK)]
    done: dict[Case[E], str] = {}
    failed: dict[Case[E], str] = {}
    with ThreadPoolExecutor(jobs) as pool:
        for good, bad in pool.map(partial(attempt, clang=clang), chunks):
            done.update(good)
            failed.update(bad)
    return done, failed
