"""How Alive2's tests say what they expect: file names, ``; ERROR:`` lines and the flags of
``; TEST-ARGS:``.

The rules are those of ``tests/lit/lit/formats/alive2test.py`` and ``tests/README.md`` of its
repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

_ERROR: Final = re.compile(r";\s*ERROR:\s*(.*?)\s*$", re.MULTILINE)
_XFAIL: Final = re.compile(r";\s*XFAIL:\s*(.*?)\s*$", re.MULTILINE)
_FLAGS: Final = re.compile(r"(?:;|//)\s*TEST-ARGS:(.*)")
_CHECK: Final = re.compile(r"(?:;|//)\s*CHECK(?:-NOT)?:\s*(.*?)\s*$", re.MULTILINE)
_CORRECT: Final = "Transformation seems to be correct!"
_INCORRECT: Final = "Transformation doesn't verify!"

# The starts of messages that mean "the target is no refinement": a counterexample, or attributes
# that are not refined.
_REFUTATIONS: Final = (
    "Value mismatch",
    "Source is more defined",
    "Target is more poisonous",
    "Target's return value is more undefined",
    "Mismatch in memory",
    "Source and target don't have the same return domain",
    "Parameter attributes not refined",
    "Function attributes not refined",
)
# What is no refinement only because the target must not use undefined behaviour of the source.
_STRICTER: Final = (
    "Source has guardable UB",
    "Source returns undef",
    "Source returns poison",
    "Source has reachable unreachable",
    "Target returns undef",
    "Target returns poison",
    "Target has reachable unreachable",
)


class Wanted(Enum):
    """What Alive2 says of a test."""

    PROVED = "proved"
    REFUTED = "refuted"
    # Alive2 gives an error, its answer is known to be wrong, or the test is about something else
    OPEN = "no verdict"


@dataclass(frozen=True, slots=True)
class Case:
    """A test: one file with pairs ``@src``/``@tgt``, or two files (``target`` is then not None)
    with equal names.

    ``why`` is what the test says about what it expects; ``functions`` are those that ``-func``
    selects, all if empty.
    """

    name: str
    source: Path
    target: Path | None
    wanted: Wanted
    why: str
    flags: tuple[str, ...]
    functions: tuple[str, ...] = ()


# flag: the answers of Alive2 under it that hold for fewer, or other, programs than ours do, and
# why.
_EXPLAINS: Final[dict[str, tuple[frozenset[Wanted], str]]] = {
    "disable-undef-input": (frozenset({Wanted.PROVED}), "inputs are not undef there"),
    "disable-poison-input": (frozenset({Wanted.PROVED}), "inputs are not poison there"),
    "src-unroll": (frozenset({Wanted.PROVED}), "loops are unrolled so often and no further"),
    "tgt-unroll": (frozenset({Wanted.PROVED}), "loops are unrolled so often and no further"),
    "max-offset-in-bits": (frozenset({Wanted.PROVED}), "pointer offsets are that short"),
    "tgt-is-asm": (
        frozenset({Wanted.PROVED, Wanted.REFUTED}),
        "the target is assembly there, without poison and with its own undefined behaviour",
    ),
    "disallow-ub-exploitation": (
        frozenset({Wanted.REFUTED}),
        "undefined behaviour of the source may not be used",
    ),
}


def explained(case: Case) -> str:
    """Return the flag, and why, under which Alive2's answer to a test may rightly be another
    than ours; empty if there is none.
    """
    for flag in case.flags:
        name = flag.lstrip("-").partition("=")[0]
        answers, why = _EXPLAINS.get(name, (frozenset(), ""))
        if case.wanted in answers:
            return f"{flag}: {why}"
    return ""


def cases(folder: Path) -> list[Case]:
    """Return the tests below a folder that are pairs, in the order of their names."""
    return sorted(_cases(folder), key=lambda c: c.name)


def _cases(folder: Path) -> Iterator[Case]:
    for path in folder.rglob("*.srctgt.ll"):
        yield read(path, None, folder)
    for path in folder.rglob("*.src.ll"):
        yield read(path, path.with_name(path.name.removesuffix(".src.ll") + ".tgt.ll"), folder)


def read(source: Path, target: Path | None, folder: Path) -> Case:
    """Return what a test asks and expects."""
    text = source.read_bytes().decode(errors="surrogateescape")
    found = _FLAGS.search(text)
    flags = tuple(found[1].split()) if found else ()
    functions = tuple(f.partition("=")[2] for f in flags if f.lstrip("-").startswith("func="))
    wanted, why = _expected(text)
    return Case(
        source.relative_to(folder).as_posix(), source, target, wanted, why, flags, functions
    )


def _expected(text: str) -> tuple[Wanted, str]:
    known = _XFAIL.search(text)
    if known is not None:
        return Wanted.OPEN, f"Alive2 is known to fail: {known[1]}"
    error = _ERROR.search(text)
    if error is not None:
        refuted = error[1].startswith((*_REFUTATIONS, *_STRICTER))
        return Wanted.REFUTED if refuted else Wanted.OPEN, error[1]
    checks = _CHECK.findall(text)
    if _CORRECT in checks or not checks:
        return Wanted.PROVED, _CORRECT
    if _INCORRECT in checks:
        return Wanted.REFUTED, _INCORRECT
    return Wanted.OPEN, f"a test of Alive2's output: {checks[0]}"
