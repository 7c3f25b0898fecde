"""``isel verify``: one line a function, and an exit code that says whether all was proved."""

from __future__ import annotations

import argparse
import sys

from frontends.llvm.linked.binding import host_triple
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.parse import parse_module
from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import Source, read_pair, read_pairs
from isel.cli.progress import progress
from isel.errors import FileProblem, UnknownName
from isel.model.verdict import Proved, Refuted
from isel.spec.target import Target
from semantics import target_for


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel verify``."""
    if arguments.second is None:
        first, second = read_pairs(arguments.first), None
        a, b = parse_module(first.text), None
    else:
        first, second = read_pair(arguments.first, arguments.second)
        a, b = parse_module(first.text), parse_module(second.text)
    with progress("comparing"):
        answers = verify_report(a, b, _isa(arguments.mtriple or a.triple or host_triple()))
    if not answers:
        raise FileProblem(first.name, _nothing(second))
    for answer in answers:
        sys.stdout.write(f"{answer.line}\n")
    kinds = {type(answer.verdict) for answer in answers}
    return REFUTED if Refuted in kinds else OK if kinds == {Proved} else NOT_PROVED


def _isa(triple: str) -> Target | None:
    """Return the target of a triple; without one its intrinsics are not understood, everything
    else is.
    """
    try:
        return target_for(triple)
    except UnknownName:
        return None


def _nothing(second: Source | None) -> str:
    if second is None:
        return "no pair of functions @src and @tgt in it, expected one or a second file"
    return f"no function that {second.name} defines too"
