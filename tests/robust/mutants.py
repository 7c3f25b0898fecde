"""Mutated modules through ``isel opt`` and ``isel verify``: exit codes as documented, no trace,
no hang, nothing left.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import chain, repeat
from pathlib import Path
from typing import Final

from frontends.llvm.linked import binding
from isel.cli import main
from isel.smt.portfolio import default_portfolio
from tests.robust.mutate import mutated, mutated_bitcode
from tests.robust.run import Child, Ended

ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = (
    "tests/frontends/llvm/opt",
    "tests/verify/pairs",
    "examples",
    "examples/avx2",
)
_CPUS: Final = ("sapphirerapids", "haswell", "x86-64", "znver4")
_HUGE: Final = re.compile(
    rb"<1048576 x|i8388607"
)  # `isel verify` has no limits yet: such lanes take it hours
_LARGEST: Final = 8_000  # bytes of a module
_SECONDS: Final = 120.0  # after which a command hangs
_POLL: Final = 0.002
_OPT: Final = (0, 1)
_VERIFY: Final = (0, 1, 2, 3)


@dataclass(frozen=True, slots=True)
class Case:
    """One command on a mutated module; ``original`` is what was mutated."""

    name: str
    words: tuple[str, ...]
    data: bytes
    original: bytes

    @property
    def codes(self) -> tuple[int, ...]:
        """The exit codes that it may have."""
        return _OPT if self.words[0] == "opt" else _VERIFY


@dataclass(slots=True)
class Totals:
    """How many commands ended with each exit code, by kind, and what was wrong with which."""

    codes: Counter[tuple[str, int | None]] = field(default_factory=Counter)
    problems: list[tuple[Case, str]] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """Yield the totals, then a line a problem."""
        for kind in sorted({k for k, _ in self.codes}):
            counts = ", ".join(
                f"{n} with {code}"
                for (k, code), n in sorted(self.codes.items(), key=str)
                if k == kind
            )
            yield f"{kind}: {sum(n for (k, _), n in self.codes.items() if k == kind)} commands, exit codes: {counts}"
        yield f"{len(self.problems)} problems"
        yield from (
            f"  {case.name} ({' '.join(case.words)}): {what}" for case, what in self.problems
        )


@cache
def corpus(folder: str) -> tuple[tuple[str, str], ...]:
    """Return the modules of a folder that are mutated, by name."""
    paths = [p for p in sorted((ROOT / folder).glob("*.ll")) if p.stat().st_size <= _LARGEST]
    return tuple((p.stem, p.read_text()) for p in paths)


def cases(count: int, seed: int) -> Iterator[Case]:
    """Yield ``count`` mutants: a fifth bitcode, two fifths as text through ``isel verify`` too."""
    for k in range(count):
        rng = random.Random(f"{seed} {k}")
        folder = rng.choice(_FOLDERS)  # each as often as the others
        name, text = rng.choice(corpus(folder))
        original = text.encode()
        flags = (
            f"-mcpu={rng.choice(_CPUS)}",
            f"--effort={rng.choice((0, 0, 0, 1))}",
            f"-j{rng.choice((1, 1, 1, 2))}",
            "--cache=off",
        )
        opt = ("opt", "in.ll", "--strict", "-S", "-o", "out.ll", *flags)
        if k % 5 == 4:
            yield Case(f"{k} {name} bitcode", opt, mutated_bitcode(rng, _bitcode(text)), original)
            continue
        data = mutated(rng, text).encode(errors="surrogateescape")
        yield Case(f"{k} {name}", opt, data, original)
        if k % 5 in (1, 3) and not _HUGE.search(data):
            pair = (
                (("in.ll",),)
                if folder == "tests/verify/pairs"
                else (("was.ll", "in.ll"), ("in.ll", "was.ll"), ("in.ll", "in.ll"))
            )
            yield Case(f"{k} {name}", ("verify", *rng.choice(pair)), data, original)


@cache
def _bitcode(text: str) -> bytes:
    return binding.text_to_bitcode(text)


def warm() -> None:
    """Import and read what most commands need, before they are forked."""
    words = (
        "opt",
        str(ROOT / "examples" / "multiply_round.ll"),
        "-S",
        "-o",
        os.devnull,
        f"-mcpu={_CPUS[0]}",
        "-j1",
        "--cache=off",
        "--effort=0",
        "--strict",
    )
    assert main(words) == 0
    default_portfolio()


def _started(case: Case, folder: Path) -> Child:
    folder.mkdir()
    (folder / "in.ll").write_bytes(case.data)
    (folder / "was.ll").write_bytes(case.original)
    return Child(folder, partial(main, case.words), seconds=_SECONDS)


def _count(totals: Totals, case: Case, ended: Ended, keep: Path | None) -> None:
    totals.codes[case.words[0], ended.code] += 1
    wanted = ("in.ll", "was.ll") + (
        ("out.ll",) if ended.code == 0 and case.words[0] == "opt" else ()
    )
    problem = ended.problem(case.codes, wanted)
    if not problem:
        return
    totals.problems.append((case, problem))
    if keep is not None:
        place = keep / f"{case.name} {case.words[0]}".replace(" ", "_")
        place.mkdir(parents=True, exist_ok=True)
        (place / "in.ll").write_bytes(case.data)
        (place / "was.ll").write_bytes(case.original)
        (place / "problem.txt").write_text(f"isel {' '.join(case.words)}\n{problem}\n{ended.err}")


def run(
    count: int,
    seed: int,
    folder: Path,
    *,
    jobs: int = 2,
    keep: Path | None = None,
    progress: bool = False,
) -> Totals:
    """Run ``count`` mutants, ``jobs`` at a time; what was wrong is copied to ``keep``."""
    warm()
    totals, running = Totals(), list[tuple[Case, Child]]()
    for k, case in enumerate(chain(cases(count, seed), repeat(None, jobs))):
        while len(running) >= jobs or (case is None and running):
            running = [(c, child) for c, child in running if not _ended(totals, c, child, keep)]
            time.sleep(_POLL)
        if case is not None:
            running.append((case, _started(case, folder / str(k))))
        if progress and k and k % 100 == 0:
            print(f"{k} started, {len(totals.problems)} problems", file=sys.stderr, flush=True)
    return totals


def _ended(totals: Totals, case: Case, child: Child, keep: Path | None) -> bool:
    ended = child.ended()
    if ended is None:
        return False
    _count(totals, case, ended, keep)
    shutil.rmtree(child.folder)
    return True
