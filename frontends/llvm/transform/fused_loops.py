"""Two loops of one block, one behind the other, as one whose passes do one of each.

What the first one has written is read again while it is near, and what both load is loaded once.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import permutations, product

from frontends.llvm.passes.counting import Cycle, loop_that_counts
from frontends.llvm.text.ast import Instr, Operand
from frontends.llvm.text.rewording import copy, spell
from frontends.llvm.text.view import View, labels
from frontends.llvm.transform.site import Change, Opportunity, Scope


def _fuse(scope: Scope, a: Cycle, b: Cycle, _: Iterator[str]) -> Change:
    """Return what the lines of the function become."""
    from frontends.llvm.passes.witness import Exchange
    from frontends.llvm.transform.loop_blocks import changed_lines

    lines = changed_lines(scope, _texts(scope.view, a, b))
    return Change(lines, "two loops as one", exchanges=(Exchange(a.header, b.header),))


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield loops that count alike, the second of which reads what the first one does, or writes,
    in program order.
    """
    loops = (loop_that_counts(scope.view, b.label) for b in scope.view.blocks)
    alone = [c for c in loops if c is not None and c.latch == c.header]
    for a, b in permutations(alone, 2):
        stores = _accesses(scope.view, a, "store")
        meet = {*_pointers(scope.view, a)} & {*_pointers(scope.view, b)}
        if stores and meet and _follows(scope.view, a, b):
            why_not = scope.why_small or _why_not(scope, a, b)
            yield Opportunity(stores[0], partial(_fuse, scope, a, b), why_not)


def _why_not(scope: Scope, first: Cycle, second: Cycle) -> str:
    """Say why it is not known that loops do not meet, where they access several objects."""
    both = (_accesses(scope.view, c, "load", "store") for c in (first, second))
    for pair in product(*both):
        objects = {scope.object(i.operands[-1]) for i in pair}
        apart = len(objects) == 1 or not objects.isdisjoint(scope.noalias)
        if "store" in {i.opcode for i in pair} and not apart:
            return "its loops may meet in memory"
    return ""


def _follows(view: View, first: Cycle, second: Cycle) -> bool:
    """Tell whether one loop comes right behind another one and counts as it does."""
    between = [] if first.out == second.header else [first.out]
    empty = all(labels(i) or i.opcode == "dbg" for b in between for i in view.block(b).instrs)
    counts = [(spell(c.start), spell(c.stop), c.step, c.kind) for c in (first, second)]
    return second.before == [first.header, *between][-1] and empty and counts[0] == counts[1]


def _pointers(view: View, c: Cycle) -> Iterator[Operand]:
    for i in _accesses(view, c, "load", "store"):
        at = i.operands[-1]
        while (step := view.definition(at)) is not None and step.opcode == "getelementptr":
            at = step.operands[1]
        yield at


def _accesses(view: View, c: Cycle, *opcodes: str) -> list[Instr]:
    return [i for i in view.block(c.header).instrs if i.opcode in opcodes]


def _texts(view: View, first: Cycle, second: Cycle) -> Iterator[tuple[str, list[str]]]:
    """Yield the blocks of a function with one loop in place of two."""
    same = {second.counter.name: first.counter.name, second.after.name: first.after.name}
    inner = {**same, second.before: first.before, second.header: first.header}
    outer = {**same, second.header: first.header}
    two = (i for i in view.block(second.header).instrs if _is_own(view, second, i))
    more = [*copy(two, inner)]
    for b in view.blocks:
        names = {first.out: second.out} if b.label == first.header else outer
        lines = [*copy((i for i in b.instrs if i.opcode != "dbg"), names)]
        if b.label == first.header:
            lines[:-1] = sorted([*lines[:-1], *more], key=lambda x: " = phi " not in x)
        if b.label not in (first.out, second.header):
            yield b.label, lines


def _is_own(view: View, c: Cycle, i: Instr) -> bool:
    """Tell whether an instruction does more than count how often its loop runs."""
    ends = i.line == c.test.line and len(view.used_by(i.name)) == 1
    counts = i.line in (c.counter.line, c.after.line, view.end(view.numbers[c.header]).line)
    return i.opcode != "dbg" and not (ends or counts)
