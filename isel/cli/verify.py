"""``isel verify``: one line a function, and an exit code that says whether all was proved."""

from __future__ import annotations

import argparse
import sys
from typing import assert_never

from frontends.llvm.binding import host_triple
from frontends.llvm.parse import parse_module
from frontends.llvm.refine import verify_modules
from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import Source, read_module
from isel.errors import FileProblem, UnknownName
from isel.spec.target import Target
from isel.verify.verdict import Proved, Refuted, Unknown, Verdict
from semantics import target_for


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel verify``."""
    first = read_module(arguments.first)
    second = read_module(arguments.second) if arguments.second is not None else None
    a = parse_module(first.text)
    b = parse_module(second.text) if second is not None else None
    answers = verify_modules(a, b, _isa(arguments.mtriple or a.triple or host_triple()))
    if not answers:
        raise FileProblem(first.name, _nothing(second))
    for name, verdict in answers:
        sys.stdout.write(f"@{name}: {_words(verdict)}\n")
    verdicts = [v for _, v in answers]
    if any(isinstance(v, Refuted) for v in verdicts):
        return REFUTED
    return OK if all(isinstance(v, Proved) for v in verdicts) else NOT_PROVED


def _isa(triple: str) -> Target | None:
    """Return the target of a triple; without one its intrinsics are not understood, everything else is."""
    try:
        return target_for(triple)
    except UnknownName:
        return None


def _nothing(second: Source | None) -> str:
    if second is None:
        return "no pair of functions @src and @tgt in it, expected one or a second file"
    return f"no function that {second.name} defines too"


def _words(verdict: Verdict) -> str:
    match verdict:
        case Proved(certificate):
            queries = len(certificate.queries)
            by = ", ".join(sorted(set(certificate.solvers)))
            return f"proved ({queries} distinct {'query' if queries == 1 else 'queries'}; {by})" if queries else "proved"
        case Refuted(model, where):
            at = f" at {where}" if where else ""
            values = ", ".join(f"{leaf!r} = {value:#x}" for leaf, value in sorted(model.items(), key=lambda item: repr(item[0])))
            return f"refuted{at}" + (f" with {values}" if values else "")
        case Unknown(reason):
            return f"unknown: {reason}"
        case _:
            assert_never(verdict)
