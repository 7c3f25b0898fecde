"""A case as it is and with other names, and what differs."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.cli import main
from isel.model.verdict import Proved, Refuted, Verdict
from semantics import target_named
from tests.names import pools
from tests.names.cases import Case
from tests.names.renaming import NotRenamed, plain, rename
from tests.verdicts import verify_modules

_NAME: Final = re.compile(r'[%@$]("[^"]*"|[-\w$.]+)')
_OPT: Final = ("-S", "-j1", "--cache=off", "--strict")
PROVED, REFUTED, UNKNOWN = "proved", "refuted", "unknown"


@dataclass(frozen=True, slots=True)
class Found:
    """What came of a case: an answer a function with its reason, and a hash of what was asked; or
    the text that was written.
    """

    answers: tuple[tuple[str, str], ...] = ()
    asked: tuple[tuple[str, ...], ...] = ()
    output: str = ""


def renamed(case: Case, seed: int) -> Case:
    """Return a case with other names, those of functions alike in both modules; raises
    :class:`NotRenamed`.
    """
    rng = random.Random(f"{seed} {case.name}")
    taken = {*_NAME.findall(case.text), *_NAME.findall(case.target)}
    draw, known = pools.functions(rng, taken, numbers=not case.target), dict[str, str]()

    def function(old: str) -> str:
        if old not in known:
            known[old] = draw(old)
        return known[old]

    def other(text: str) -> str:
        new = rename(text, lambda: pools.values(rng, taken), function)
        if plain(normalise(new)) != plain(text):
            raise AssertionError(f"{case.name}: the renamed module, seed {seed}, is another one")
        return new

    return replace(case, text=other(case.text), target=other(case.target) if case.target else "")


def judge(case: Case) -> Found:
    """Return the verdicts of a pair."""
    modules = [parse_module(normalise(text)) for text in (case.text, case.target) if text]
    verdicts = verify_modules(modules[0], [*modules, None][1], target_named(case.isa))
    return Found(
        tuple(_answer(v) for _, v in verdicts),
        tuple(v.certificate.queries if isinstance(v, Proved) else () for _, v in verdicts),
    )


def _answer(v: Verdict) -> tuple[str, str]:
    if isinstance(v, Proved):
        return PROVED, ""
    return (REFUTED, v.where) if isinstance(v, Refuted) else (UNKNOWN, v.reason)


def rewrite(case: Case, effort: int = 0) -> Found:
    """Return what ``isel opt`` writes, with numbers for names."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "in.ll", Path(folder) / "out.ll"
        path.write_text(case.text)
        words = [str(path), "-o", str(out), *_OPT, f"--effort={effort}", *case.flags]
        code = main(["opt", *words])
        text = normalise(out.read_text()) if out.exists() else ""
    try:
        return Found(output=f"exit code {code}\n{plain(text)}")
    except NotRenamed:
        return Found(output=f"exit code {code}\n{text}")


@dataclass(frozen=True, slots=True)
class Task:
    """One half of a comparison: ``seed`` names, or none for the case as it is."""

    case: Case
    seed: int | None
    run: Callable[[Case], Found]


def do(task: Task) -> Found:
    """Do a half."""
    return task.run(task.case if task.seed is None else renamed(task.case, task.seed))
