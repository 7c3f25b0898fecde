"""What a row's instruction costs: the cheapest program known that contains it, and the least
that any could cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from typing import Final

from frontends.halide.expr.code import Code, Compiler, contains
from frontends.halide.expr.lower import Spelling, lower
from frontends.halide.expr.rows import Row
from isel.cost.code import Dialect
from isel.cost.ports import port_bound
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from semantics.pricing import Pricing

_CALL: Final = re.compile(r"@(llvm\.[\w.]+)\(")
SPELLINGS: Final = (Spelling(otherwise=True), Spelling(apart=True))


def source_text(row: Row, triple: str, spelling: Spelling) -> str:
    """Return a row's function as a module; raises
    :class:`frontends.halide.expr.places.NotLowered`.
    """
    spelling = replace(spelling, loaded=row.loads)
    return f'target triple = "{triple}"\n{lower(row.node, row.lanes, spelling).text}'


def spelled(row: Row, compilers: Sequence[Compiler]) -> Iterator[tuple[Code, Spelling]]:
    """Return the code that LLVM makes of every spelling for every CPU, as far as it holds the
    instruction and has a price.
    """
    turned = (Spelling(backwards=True), Spelling(otherwise=True, backwards=True))
    for spelling in (Spelling(), *SPELLINGS, *turned):
        for compiler in compilers:
            for c in compiler.codes(source_text(row, compiler.triple, spelling)):
                if c.cost is not None and contains(c.lines, row.instruction):
                    yield c, spelling


def twins(code: Code, row: Row, target: Target) -> Iterator[str]:
    """Return the module of ``code`` with one intrinsic replaced by the row's instruction, where
    their operands are alike.

    Whether it still means the same is not known.
    """
    called = (i for i in target.instructions() if i.call)
    named = [i for i in called if contains((f"{i.mnemonic} xmm ymm zmm %k",), row.instruction)]
    for callee in dict.fromkeys(_CALL.findall(code.module)):
        used = target.by_call(callee)
        for i in named if used is not None else ():
            if used is not None and i is not used and _shape(i) == _shape(used):
                yield code.module.replace(f"@{callee}(", f"@{i.call}(")


def _shape(i: Instruction) -> tuple[tuple[int, int], ...]:
    return ((i.width, i.lanes), *((o.width, o.lanes) for o in i.operands))


def least(row: Row, priced: Pricing) -> float | None:
    """Return what the row's instruction alone costs, as often as the result needs its register,
    in whole packets where there are any; None where it has no price.
    """
    prices, dialect = priced.prices, priced.dialect
    costs: list[float] = []
    for form, price in prices.rows.items():
        if "mem" not in form and _is_of(dialect, form, row.instruction):
            bits = dialect.bits(form)
            times = -(-row.type.bits * row.lanes // bits) if bits else 0
            cost = times * max(port_bound(price.usages), price.uops / prices.dispatch)
            costs.append(float(ceil(cost)) + dialect.before(form) if dialect.named else cost)
    return min((c for c in costs if c), default=None)


def _is_of(dialect: Dialect, form: str, instruction: str) -> bool:
    named = dialect.named
    return contains((form,), instruction) if named is None else named(form, instruction)
