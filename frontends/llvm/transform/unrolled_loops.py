"""A loop of one block in the shape that instructions want: several passes as one.

What multiplies and adds neighbours needs several steps of a sum at once: a loop that adds one
product by a scalar in each pass has four.  Where lanes are wider inside than what is stored, LLVM
stores half a register in a pass: two passes store all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Final

from frontends.llvm.passes.counting import Cycle, Loop, is_value, loop_that_counts
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.text.syntax import number
from frontends.llvm.text.view import incoming
from frontends.llvm.transform.joined_windows import is_half
from frontends.llvm.transform.site import Change, Opportunity, Scope

_TIMES: Final = (4, 2)
_WIDER: Final = ("zext", "sext")


def write_passes(scope: Scope, c: Cycle, times: int, names: Iterator[str]) -> Change:
    """Return what the lines of a loop become of which so many passes are one."""
    from frontends.llvm.passes.unroll import unroll

    block = c.header
    if isinstance(c, Loop) and len(c.numbers) % times == 0:
        lines = unroll(scope.view, c, times, names)
    else:
        lines, block = _double(scope, c, names)
    return Change(lines, f"{times} passes as one", passes={block: times})


def _double(scope: Scope, c: Cycle, names: Iterator[str]) -> tuple[dict[int, tuple[str, ...]], str]:
    """Return what lines become where a loop is doubled, and its block of two passes."""
    from frontends.llvm.passes.doubling import double
    from frontends.llvm.transform.loop_blocks import lines_of

    found = double(scope.view, c, names)
    return lines_of(scope, found), found.blocks[1][0]


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the loops of one block that would have another shape, in program order."""
    for b in scope.view.blocks:
        c = loop_that_counts(scope.view, b.label)
        one = c is not None and c.latch == c.header
        if c is not None and one and (found := _lack(scope, c)) is not None:
            root, times = found
            why_not = _why_not(scope, c, times)
            site = Opportunity(root, partial(write_passes, scope, c, times), why_not)
            yield site if why_not else site.attempt(scope)


def _lack(scope: Scope, c: Cycle) -> tuple[Instr, int] | None:
    """Return what wants several passes of a loop as one, and how many, None where nothing does."""
    sums = list(_sums(scope, c))
    if not sums:
        store = _half(scope, c)
        return None if store is None else (store, 2)
    if not isinstance(c, Loop) or not all(_is_product(scope, c, i) for i in sums):
        return None
    return sums[0], next((n for n in _TIMES if len(c.numbers) % n == 0), 0)


def _why_not(scope: Scope, c: Cycle, times: int) -> str:
    if isinstance(c, Loop) and not 0 < times < len(c.numbers):
        return scope.why_small or "the number of its passes is odd, or small"
    instrs = scope.view.block(c.header).instrs
    calm = all(i.opcode == "store" or not scope.may_write(i) for i in instrs)
    return scope.why_small or ("" if calm else "it does more than load, compute and store")


def _half(scope: Scope, c: Cycle) -> Instr | None:
    """Return the first store of a loop if all are halves of registers, of which no two are
    neighbours, and something is wider.  A loop that goes on where another one ended has few passes.
    """
    instrs = scope.view.block(c.header).instrs
    stores = [i for i in instrs if i.opcode == "store"]
    wider = any(i.opcode in _WIDER and isinstance(i.type, VectorType) for i in instrs)
    wanted = wider and number(c.start) is not None and all(is_half(scope, i) for i in stores)
    return stores[0] if stores and wanted and not _has_neighbours(scope, stores) else None


def _has_neighbours(scope: Scope, stores: Sequence[Instr]) -> bool:
    """Tell whether two halves of a register lie side by side."""
    pairs = ((a.operands[1], b.operands[1]) for a, b in combinations(stores, 2))
    return any(abs(scope.distance(a, b) or 0) == scope.bits // 16 for a, b in pairs)


def _sums(scope: Scope, c: Cycle) -> Iterator[Instr]:
    """Yield what vectors that a loop carries are next."""
    for i in scope.view.block(c.header).instrs:
        if i.opcode == "phi" and isinstance(i.type, VectorType):
            new = scope.definition(incoming(i)[c.latch])
            yield i if new is None or not any(is_value(o, i) for o in new.operands) else new


def _is_product(scope: Scope, c: Cycle, i: Instr) -> bool:
    """Tell whether a value is a sum with a product of extended lanes by what is in all lanes."""
    products = [d for d in _above(scope, i) if d.opcode == "mul"]
    if i.opcode != "add" or [scope.view.label(d.name) for d in products] != [c.header]:
        return False
    factors = {d.opcode: d for d in _above(scope, products[0])}
    splat = factors.pop("shufflevector", None)
    return splat is not None and len({*splat.mask}) == 1 and not factors.keys().isdisjoint(_WIDER)


def _above(scope: Scope, i: Instr) -> list[Instr]:
    return [d for o in i.operands if (d := scope.definition(o)) is not None]
