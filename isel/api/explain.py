"""``isel.explain``: what an instruction computes in one line, its forms with their prices, and all
that is known of one, tested as it is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from equiv_classes.describe import formula_lines, parameters_of
from equiv_classes.dictionary import dictionary
from isel.api.calls import turn
from isel.api.limits import EXPLAIN_LONG
from isel.egraph.words import in_words
from isel.errors import UnknownName
from isel.spec.instruction import Instruction
from isel.spec.sem_plain import plain
from isel.spec.target import Target
from semantics import coverage, target_named, targets
from semantics.coverage import Explanation, forms_of, named
from semantics.pricing import priced_cpus


def explain(name: str, target: str | None = None, *, cpu: str | None = None) -> str:
    """Return what ``isel explain`` prints of an instruction or intrinsic: what it computes, its
    forms with their prices in cycles of reciprocal throughput on each CPU, or on ``cpu`` alone, and
    how all of that was tested.

    ``name`` is looked for in every instruction set, or in that of ``target`` (``isel semantics``
    lists them).  Raises :class:`isel.errors.UnknownName`, with the nearest name of any.
    """
    with turn():
        told, known = known_forms(name, target, cpu=cpu)
        detail = next(e for e in known if e.instruction is told)
        head = f"{told.name} ({', '.join(dict.fromkeys(e.instruction.mnemonic for e in known))})"
        lines = [head, "", *plain(told), "", *_table(known), "", *_details(detail)]
        return "".join(f"{line}\n" for line in lines)


def known_forms(
    name: str, target: str | None = None, *, cpu: str | None = None
) -> tuple[Instruction, Sequence[Explanation]]:
    """Return the form that is told of, and what is known of each; see :func:`explain`."""
    isa, found = _find(name, targets() if target is None else (target_named(target),))
    mnemonics = dict.fromkeys(i.mnemonic for i in found)
    forms = tuple(dict.fromkeys(f for m in mnemonics for f in forms_of(isa, m)))
    known = coverage.explain(isa, forms, (cpu,) if cpu else priced_cpus(isa))
    return found[0] if len(found) == 1 else _plainest(found), known


def _find(name: str, among: Sequence[Target]) -> tuple[Target, tuple[Instruction, ...]]:
    """Look in instruction sets; raises :class:`UnknownName` with the nearest name of any."""
    known: list[str] = []
    for target in among:
        try:
            return target, named(target, name)
        except UnknownName as problem:
            known.extend(problem.known)
    raise UnknownName("instruction", name, tuple(known))


def _plainest(found: Sequence[Instruction]) -> Instruction:
    """Return the narrowest form without a mask."""
    return min(
        found,
        key=lambda i: (i.predication.kind != "none", not i.operands, i.widest, len(i.operands)),
    )


def _table(known: Sequence[Explanation]) -> Iterator[str]:
    """Yield a line a form: its shape, its mask, its price on each CPU, how it was tested and
    what it needs.
    """
    cpus = list(known[0].prices)
    width = max(len(e.instruction.name) for e in known)
    letters = " ".join(f"{letter:>5}" for letter, _ in zip(ascii_uppercase, cpus, strict=False))
    yield f"{'form':{width}} {'lanes':>7} {'masked':6} {letters}  tested        needs"
    for e in known:
        i = e.instruction
        prices = " ".join(f"{'-' if p is None else f'{p:.2f}':>5}" for p in e.prices.values())
        shape = f"{i.lanes}x{i.width}"
        mask = "" if i.predication.kind == "none" else i.predication.kind
        needs = " ".join(sorted(i.features))
        yield f"{i.name:{width}} {shape:>7} {mask:6} {prices}  {_test(e):13} {needs}"
    yield "cycles of reciprocal throughput: " + ", ".join(
        f"{letter} {cpu}" for letter, cpu in zip(ascii_uppercase, cpus, strict=False)
    )


def _test(e: Explanation) -> str:
    on = "run" if e.executed.startswith("agrees") else "DISAGREES"
    if e.executed.startswith("not executed"):
        on = "not run"
    how = "call" if e.instruction.call else "NOT proved" if "NOT" in e.proof else "proved"
    return f"{on}, {how}"


def _details(e: Explanation) -> Iterator[str]:
    i = e.instruction
    yield from e.semantics.rstrip("\n").splitlines()
    yield f"  intrinsic  {i.call or 'none: LLVM has generic IR for it'}"
    for k, line in enumerate(i.emission if i.call else ()):
        yield f"  {'emission' if k == 0 else '':10} {line}"
    yield f"  selected   {'; '.join(e.selected) or 'nothing'}"
    yield from _in_words(i)
    yield f"  needs      {' '.join(sorted(i.features)) or 'nothing beyond the base'}"
    yield from _classes(i.name)
    yield f"  tested     {e.executed}; {e.proof}"
    for name, reason in e.corrections:
        yield f"  corrected  {name}: {reason}"


def _in_words(i: Instruction) -> Iterator[str]:
    said = "" if i.immediates else in_words(i.lane(0, {}))
    if said:
        yield f"  lifted     {said}"


def _classes(name: str) -> Iterator[str]:
    """Tell of each class of an instruction: its parameters, its predication, and the formula."""
    of = [(c, m) for c in dictionary().classes for m in c.members if m.name == name]
    for c, m in of:
        if c.reason:
            yield f"  class      its own, without a formula: {c.reason}"
            continue
        mode = "" if m.mode == "none" else f"{m.mode}, "
        yield f"  class      {c.name}: {mode}{parameters_of(c, m)}".rstrip(": ")
        yield from (f"             {_cut(line)}" for line in formula_lines(c))


def _cut(line: str) -> str:
    return line if len(line) <= EXPLAIN_LONG else f"{line[:EXPLAIN_LONG]} …"
