"""``isel explain``: what is known of an instruction, tested as it is told."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from equiv_classes.describe import formula_lines, parameters_of
from equiv_classes.dictionary import dictionary
from frontends.llvm.binding import host_cpu
from isel.errors import UnknownName
from semantics import targets
from semantics.coverage import Explanation, explain

_DEFAULT_CPU = "sapphirerapids"


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel explain``."""
    cpu = host_cpu() if arguments.mcpu == "native" else arguments.mcpu or _DEFAULT_CPU
    told = _found(arguments.name, cpu)
    sys.stdout.write("\n".join("\n".join(_lines(e)) + "\n" for e in told))
    return 0


def _found(name: str, cpu: str) -> tuple[Explanation, ...]:
    """Look in every instruction set; raises :class:`UnknownName` with the nearest name of any."""
    known: list[str] = []
    for target in targets():
        target.features(cpu, "")
        try:
            return explain(target, name, cpu)
        except UnknownName as problem:
            known.extend(problem.known)
    raise UnknownName("instruction", name, tuple(known))


def _lines(e: Explanation) -> Iterator[str]:
    yield from e.semantics.rstrip("\n").splitlines()
    yield f"  intrinsic  {e.intrinsic or 'none: LLVM has generic IR for it'}"
    for k, line in enumerate(e.emission):
        yield f"  {'emission' if k == 0 else '':10} {line}"
    yield f"  selected   {'; '.join(e.selected) or 'nothing'}"
    yield f"  needs      {' '.join(e.features) or 'nothing beyond the base'}"
    yield from _classes(e.name)
    yield f"  cost       {e.cost:.2f} cycles of reciprocal throughput on {e.cpu}"
    yield f"  tested     {e.tested}"
    for name, reason in e.corrections:
        yield f"  corrected  {name}: {reason}"


def _classes(name: str) -> Iterator[str]:
    """Tell of each class of an instruction: its parameters, its predication, and the formula."""
    of = [(c, m) for c in dictionary().classes for m in c.members if m.name == name]
    for c, m in of:
        if c.reason:
            yield f"  class      its own, without a formula: {c.reason}"
            continue
        yield f"  class      {c.name}: {'' if m.mode == 'none' else m.mode + ', '}{parameters_of(c, m)}".rstrip(": ")
        yield from (f"             {line}" for line in formula_lines(c))
