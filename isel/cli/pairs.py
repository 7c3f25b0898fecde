"""Rules as other provers and LLVM's developers take them: ``isel rules export --pairs``.

A rule at given widths is two functions, ``@src`` and ``@tgt``.  Parameters are what it is of, none
undefined; what it holds under beyond its widths is assumed in ``@src``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.term_lines import TermWriter
from frontends.llvm.text import build
from frontends.llvm.text.ast import Local, Operand
from isel import __version__
from isel.cli.edge import OK
from isel.cli.files import Outputs
from isel.cli.texts import folder_for
from isel.ir.expr import Expr, const, elem, leaves, relabel
from isel.rules.proofs import proofs
from isel.rules.prove import claim
from isel.rules.record import line_of
from isel.rules.syntax import Rule, Sizes

NATURAL: Final = (1, 8, 16, 32, 64)
_YES: Final = const(1, 1)
_ASSUME: Final = "declare void @llvm.assume(i1)"


def export_rules(rules: Sequence[Rule], path: str) -> int:
    """Write a file for each rule and the widths at which it was proved; what cannot be said is
    counted by why.
    """
    folder = folder_for(path)
    left: Counter[str] = Counter()
    written = 0
    with Outputs() as outputs:
        for rule in rules:
            for sizes in sorted(proofs().known(rule)):
                try:
                    text = _head(rule, sizes) + rule_pair(rule, sizes)
                except EmissionError as problem:
                    left[str(problem)] += 1
                    continue
                name = "-".join((rule.name, *map(str, sizes)))
                outputs.add(str(folder / f"{name}.ll"), text.encode())
                written += 1
        outputs.commit()
    sys.stdout.writelines(f"left out {n}: {why}\n" for why, n in sorted(left.items()))
    print(f"wrote {written} pairs to {folder}, left out {left.total()}")
    return OK


def _head(rule: Rule, sizes: Sizes) -> str:
    where = ", ".join(f"{n} = {v}" for n, v in zip(rule.sizes, sizes, strict=True))
    words = "".join(f"; {line}\n" for line in rule.text.splitlines()[:1])
    place = f"{rule.file}:{line_of(rule)}"
    return (
        f"; isel {__version__}, rule {rule.name} of {place} where {where or 'it is of one width'}\n"
        f"{words}; proved: 'isel rules prove {rule.name}', and 'isel verify' on this file\n\n"
    )


def rule_pair(rule: Rule, sizes: Sizes, *, lanes: int = 1, triple: str = "") -> str:
    """Return a module with the pair, of so many lanes each; raises :class:`EmissionError` for what
    cannot be said.
    """
    left, right, premise = _sides(rule, sizes)
    known = {x.source: x for x in leaves(left, right, premise)}
    names = [n for n in (*rule.terms, *rule.literals) if n in known]
    sources = {n: Local(n, build.integers(lanes, known[n].width)) for n in names}
    assumed = _conjuncts(premise)
    if lanes > 1 and assumed:
        raise EmissionError("a condition of lanes")
    parts = [
        f'target triple = "{triple}"\n' if triple else "",
        _function("src", sources, left, assumed, lanes),
        "\n",
        _function("tgt", sources, right, [], lanes),
        f"\n{_ASSUME}\n" if assumed else "",
    ]
    return "".join(parts)


def _function(
    name: str, sources: dict[str, Local], value: Expr, assumed: Sequence[Expr], lanes: int
) -> str:
    writer = TermWriter(sources, "t.")
    for e in assumed:
        writer.lines.append(f"call void @llvm.assume({build.typed(_write(writer, e, 1))})")
    result = _write(writer, value, lanes)
    lines = [*writer.lines, build.give(result)]
    given = ", ".join(f"{s.type} noundef %{s.name}" for s in sources.values())
    body = "".join(f"  {line}\n" for line in lines)
    return f"define {result.type} @{name}({given}) {{\n{body}}}\n"


def _conjuncts(e: Expr) -> list[Expr]:
    """Return what a premise says beside what is so."""
    if e.op == "and":
        return [x for a in e.args for x in _conjuncts(a)]
    return [] if e.is_const else [e]


def _write(writer: TermWriter, e: Expr, lanes: int) -> Operand:
    """Return a value of so many lanes."""
    every = [
        relabel(e, {x: elem(x.source, i * x.width, x.width) for x in leaves(e)})
        for i in range(lanes)
    ]
    return writer.lanes(every, [_YES] * lanes, e.width)


def _sides(rule: Rule, sizes: Sizes) -> tuple[Expr, Expr, Expr]:
    """Return both sides, and what must hold."""
    if rule.defines:
        raise EmissionError("the definition of an operation")
    found = claim(rule, sizes)
    if found is None:
        raise EmissionError("no such widths")
    left = found.lefts[0]
    if not all(x.width in NATURAL for x in (left, *leaves(left, found.right, found.premise))):
        raise EmissionError("widths that no register has")
    return left, found.right, found.premise
