"""One of Alive2's tests put to our verifier, as ``isel verify`` does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import host_triple, normalise
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.errors import BadModule
from isel.model.verdict import Refuted, Unknown, Verdict
from isel.spec.target import Target
from semantics import target_named
from tests.alive2.conventions import Case, Wanted, explained
from tests.verdicts import verify_modules

_SUFFIXED: Final = re.compile(r"@(src|tgt)_([\w.]+)")


class Answer(Enum):
    """What we say of a test: all its pairs are proved, one is refuted, or neither."""

    PROVED = "proved"
    REFUTED = "refuted"
    UNKNOWN = "unknown"
    CRASHED = "crashed"


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with its reason: where it is refuted, why it is unknown, how the verifier
    crashed.
    """

    answer: Answer
    reason: str = ""


class Grade(Enum):
    """An answer beside the one that Alive2 gives."""

    AGREED_PROVED = "agreed: proved"
    AGREED_REFUTED = "agreed: refuted"
    UNKNOWN = "unknown"
    OPEN = "without a verdict of Alive2"
    EXPLAINED = "different, as a flag of the test explains"
    WRONG = "wrong"


def grade(case: Case, judged: Judged) -> Grade:
    """Compare; a crash is wrong whatever was expected."""
    if judged.answer is Answer.CRASHED:
        return Grade.WRONG
    if case.wanted is Wanted.OPEN:
        return Grade.OPEN
    if judged.answer is Answer.UNKNOWN:
        return Grade.UNKNOWN
    if judged.answer.value == case.wanted.value:
        return Grade.AGREED_PROVED if case.wanted is Wanted.PROVED else Grade.AGREED_REFUTED
    return Grade.EXPLAINED if explained(case) else Grade.WRONG


def judge(case: Case) -> Judged:
    """Return our answer; every exception but a module that LLVM does not read is the caller's
    to count.
    """
    if case.target is not None and not case.target.is_file():
        return Judged(Answer.UNKNOWN, "the target's file is missing")
    try:
        source = _module(case.source)
        target = _module(case.target) if case.target is not None else None
    except BadModule:
        return Judged(Answer.UNKNOWN, "LLVM does not read the module")
    return combined(_wanted(case, source, target, target_named("x86")))


def _module(path: Path) -> Module:
    return parse_module(normalise(numbered(path.read_bytes().decode(errors="surrogateescape"))))


def numbered(text: str) -> str:
    """Return a module with pairs ``@src_name``/``@tgt_name``, which Alive2 allows, called
    ``@src1000``/``@tgt1000`` and so on.
    """
    numbers: dict[str, int] = {}
    return _SUFFIXED.sub(lambda m: f"@{m[1]}{numbers.setdefault(m[2], 1000 + len(numbers))}", text)


def _wanted(case: Case, source: Module, target: Module | None, isa: Target) -> list[Verdict]:
    triples = {m.triple or host_triple() for m in (source, target) if m is not None}
    x86 = all(t.startswith(("x86_64", "i386", "i686")) for t in triples)
    verdicts = verify_modules(source, target, isa if x86 else None)
    there = {f.name for f in (target or source).functions}
    if target is None:  # what has no partner is none of Alive2's pairs
        return [v for name, v in verdicts if name.replace("src", "tgt", 1) in there]
    return [
        v
        for name, v in verdicts
        if name in there and (not case.functions or name in case.functions)
    ]


def combined(verdicts: Sequence[Verdict]) -> Judged:
    """Return the answer to a test of several pairs: a refuted one decides it."""
    if not verdicts:
        return Judged(Answer.UNKNOWN, "no pair of functions in it")
    for v in verdicts:
        if isinstance(v, Refuted):
            return Judged(Answer.REFUTED, v.where)
    for v in verdicts:
        if isinstance(v, Unknown):
            return Judged(Answer.UNKNOWN, v.reason)
    return Judged(Answer.PROVED)
