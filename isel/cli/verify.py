"""``isel verify``: one line a function, and an exit code that says whether all was proved."""

from __future__ import annotations

import argparse
import sys

from frontends.llvm.linked.binding import host_triple
from frontends.llvm.refine.assumed import (
    with_any_alignment,
    with_defined_arguments,
    with_defined_loads,
)
from frontends.llvm.refine.options import Options
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import Source, read_pair, read_pairs
from isel.cli.progress import progress
from isel.cli.target import tell_no_vectors
from isel.errors import FileProblem, UnknownName
from isel.model.verdict import Proved, Refuted
from isel.spec.target import Target
from semantics import target_for
from semantics.structures import plain_structures


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel verify``."""
    if arguments.second is None:
        first, second = read_pairs(arguments.first), None
    else:
        first, second = read_pair(arguments.first, arguments.second)
    a, b = _modules(arguments, first, second)
    any(tell_no_vectors(x.name, x.text) for x in filter(None, (first, second)))
    isas = _isas(arguments.mtriple, a.triple, a.triple if b is None else b.triple)
    with progress("comparing"):
        options = Options(isas=isas, defined_memory=arguments.assume_noundef_memory)
        answers = verify_report(a, b, isas[0], options)
    if not answers:
        raise FileProblem(first.name, _nothing(second))
    for answer in answers:
        sys.stdout.write(f"{answer.line}\n")
    kinds = {type(answer.verdict) for answer in answers}
    return REFUTED if Refuted in kinds else OK if kinds == {Proved} else NOT_PROVED


def _modules(
    arguments: argparse.Namespace, first: Source, second: Source | None
) -> tuple[Module, Module | None]:
    """Return the modules as assumptions have them: loads, those of structures among them, and
    arguments of the first, alignments of the second.
    """
    known = arguments.assume_noundef_memory
    sources = "@src" if second is None else "@"
    text = with_defined_loads(plain_structures(first.text, sources)) if known else first.text
    a = parse_module(text)
    if arguments.assume_noundef_arguments:
        a = with_defined_arguments(a)
    if second is None:
        return a, None
    aligned = with_any_alignment if arguments.assume_alignment else str
    return a, parse_module(aligned(plain_structures(second.text) if known else second.text))


def _isas(given: str, first: str, second: str) -> tuple[Target | None, Target | None]:
    """Return what the intrinsics of each module mean: those of the machine that it is for, or of
    the other's where it does not say.
    """
    usual = given or first or second or host_triple()
    return _isa(given or first or usual), _isa(given or second or usual)


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
