"""``isel verify``: one line a function, and an exit code that says whether all was proved."""

from __future__ import annotations

import argparse

from isel.api.verify import Assumptions, compare
from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import Source, read_pair, read_pairs
from isel.cli.listing import tell_verdicts
from isel.cli.progress import progress
from isel.cli.target import tell_no_vectors
from isel.errors import FileProblem
from isel.model.verdict import Proved, Refuted


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel verify``."""
    if arguments.second is None:
        first, second = read_pairs(arguments.first), None
    else:
        first, second = read_pair(arguments.first, arguments.second)
    any(tell_no_vectors(x.name, x.text) for x in filter(None, (first, second)))
    assumed = Assumptions(
        arguments.assume_noundef_memory,
        arguments.assume_noundef_arguments,
        arguments.assume_alignment,
    )
    with progress("comparing"):
        text = None if second is None else second.text
        answers = compare(first.text, text, arguments.mtriple or "", assumed)
    if not answers:
        raise FileProblem(first.name, _nothing(second))
    tell_verdicts(answers, json=arguments.json)
    kinds = {type(answer.verdict) for answer in answers}
    return REFUTED if Refuted in kinds else OK if kinds == {Proved} else NOT_PROVED


def _nothing(second: Source | None) -> str:
    if second is None:
        return "no pair of functions @src and @tgt in it, expected one or a second file"
    return f"no function that {second.name} defines too"
