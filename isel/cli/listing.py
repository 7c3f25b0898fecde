"""Which instructions a list is to show, and what it tells of each as JSON."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Self

from frontends.llvm.refine.report import Answer
from isel.errors import UnknownName, UsageProblem
from isel.json_text import print_json
from isel.spec.instruction import Instruction
from isel.spec.sem_show import ranges
from isel.spec.target import Target
from semantics.coverage import named

_WILD = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Filter:
    """What instructions must have: the features, a register of ``width`` bits as their widest
    (0: any), the class (empty: any).
    """

    features: frozenset[str] = frozenset()
    width: int = 0
    equiv_class: str = ""

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Self:
        """Return what the command line asks for."""
        return cls(
            frozenset(arguments.feature or ()),
            arguments.width or 0,
            getattr(arguments, "equiv_class", None) or "",
        )

    def __bool__(self) -> bool:
        return self != Filter()

    def takes(self, i: Instruction) -> bool:
        """Tell whether an instruction is to be shown."""
        if self.width and self.width != i.widest:
            return False
        return self.features <= i.features and (
            not self.equiv_class or any(m.name == self.equiv_class for m in i.classes)
        )


def matches(i: Instruction, pattern: str) -> bool:
    """Tell whether the name or the mnemonic is one that a pattern of shells stands for."""
    return fnmatchcase(i.name, pattern) or fnmatchcase(i.mnemonic, pattern)


def _called(target: Target, name: str) -> Sequence[Instruction]:
    if not is_pattern(name):
        return named(target, name)
    some = [i for i in target.instructions() if matches(i, name)]
    if not some:
        raise UsageProblem(f"no instruction of {target.name} is called like '{name}'")
    return some


def choose(target: Target, names: Sequence[str], wanted: Filter) -> list[Instruction]:
    """Return the instructions of names, mnemonics and patterns (none: all) that a filter takes;
    raises :class:`UnknownName` for what names none.
    """
    every = target.instructions()
    check(wanted, every)
    asked = [i for name in names for i in _called(target, name)] if names else every
    found = {i.name: i for i in asked}
    return [i for i in found.values() if wanted.takes(i)]


def is_pattern(name: str) -> bool:
    """Tell whether a name is a pattern."""
    return not _WILD.isdisjoint(name)


def check(wanted: Filter, every: Sequence[Instruction]) -> None:
    """Raise :class:`UnknownName` for a feature or class that no instruction has."""
    known = {f for i in every for f in i.features}
    for feature in sorted(wanted.features - known):
        raise UnknownName("feature", feature, tuple(sorted(known)))
    classes = {m.name for i in every for m in i.classes}
    if wanted.equiv_class and wanted.equiv_class not in classes:
        raise UnknownName("class", wanted.equiv_class, tuple(sorted(classes)))


def verdicts(answers: Sequence[Answer]) -> list[dict[str, str]]:
    """Return answers about functions as a value fit for ``json.dumps``."""
    return [
        {"function": a.name, "verdict": type(a.verdict).__name__.lower(), "line": a.line}
        for a in answers
    ]


def tell_verdicts(answers: Sequence[Answer], *, json: bool) -> None:
    """Print answers about functions, a line each or as JSON."""
    if json:
        print_json(verdicts(answers))
    else:
        sys.stdout.writelines(f"{a.line}\n" for a in answers)


def check_json(arguments: argparse.Namespace, what: str) -> None:
    """Raise :class:`UsageProblem` where JSON and what is written are for one stream."""
    if arguments.json and arguments.output == "-":
        raise UsageProblem(f"--json is for standard output, expected -o for the {what}")


def as_json(i: Instruction) -> dict[str, object]:
    """Return an instruction as a value fit for ``json.dumps``."""
    return {
        "name": i.name,
        "mnemonic": i.mnemonic,
        "lanes": i.lanes,
        "width": i.width,
        "operands": [
            {"name": o.name, "lanes": o.lanes, "width": o.width, "role": o.role.value}
            for o in i.operands
        ],
        "immediates": [
            {"name": m.name, "width": m.width, "values": ranges(m)} for m in i.immediates
        ],
        "predication": i.predication.kind,
        "features": sorted(i.features),
        "classes": sorted({m.name for m in i.classes}),
        "intrinsic": i.call,
        "emission": list(i.emission),
    }
