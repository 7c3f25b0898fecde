"""Neighbouring loads that a reduction is computed from, in functions that write memory: one load,
whose bytes are chosen once where they are undef.

What a function has stored may be undef in ways that hang together, so lanes in another order, or
looked at by two reductions, are proved of such bytes once they are frozen (R0).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Local, Operand, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.syntax import shape_of
from frontends.llvm.transform.site import Change, Opportunity, Scope
from frontends.llvm.windows.webs import computed_from, reduction_of


def _freeze(scope: Scope, loads: Sequence[Instr], names: Iterator[str]) -> Change:
    """Return one load, frozen, where the first of some is, and its parts where each was loaded."""
    root = _first(loads)
    count, width = _shape(root)
    kind = build.integers(count * len(loads), width)
    read, frozen = (Local(next(names), kind) for _ in range(2))
    align = max(min(i.align for i in loads), 1)
    where, body = _address(scope, loads, names)
    body += [build.load(kind, where, align).line(read.name), build.freeze(read).line(frozen.name)]
    lines: dict[int, tuple[str, ...]] = {}
    for k, i in enumerate(loads):
        part = build.shuffle(frozen, range(k * count, k * count + count)).line(i.name)
        given = (*(body if i is root else ()), part)
        lines[i.line] = tuple(x + location(i) for x in given)
    addresses = (scope.definition(i.operands[0]) for i in loads)
    return Change(lines, "one load, frozen", tuple(i for i in addresses if i is not None))


def _first(loads: Sequence[Instr]) -> Instr:
    """Return the load that comes first in the block, where all are loaded."""
    return min(loads, key=lambda i: i.line)


def _address(
    scope: Scope, loads: Sequence[Instr], names: Iterator[str]
) -> tuple[Operand, list[str]]:
    """Return the lowest address as it is known where the first load is, and what computes it: it is
    computed anew where it comes later in the block.
    """
    low, root, at = loads[0].operands[0], _first(loads), scope.view.places
    known = scope.definition(low)
    if known is None or known.line < root.line or at[known.line] != at[root.line]:
        return low, []
    count, width = _shape(root)
    lines = Lines(names)
    step = -loads.index(root) * count * width // 8
    return lines.add(build.address(root.operands[0], step)), lines.lines


def _shape(i: Instr) -> tuple[int, int]:
    """Return how many lanes a load has, and the bits of each; none where it is no whole bytes."""
    shape = shape_of(i.type) if isinstance(i.type, VectorType) else (0, 0)
    return (0, 0) if shape[1] % 8 else shape


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield rows of loads under reductions that may read what was written before, in program
    order.
    """
    writers = [i for i in scope.view if scope.may_write(i)]
    below = _below_reductions(scope) if writers else ()
    loads = {i.line: i for i in below if _is_plain(scope, i) and _is_behind(scope, i, writers)}
    loads = _find_written(scope, loads) if loads else loads
    while loads:
        row = _row(scope, loads[min(loads)], loads)
        for i in row:
            del loads[i.line]
        why_not = scope.written_between(*row)
        yield Opportunity(_first(row), partial(_freeze, scope, row), why_not)


def _find_written(scope: Scope, loads: dict[int, Instr]) -> dict[int, Instr]:
    """Return the loads of what the function may have written; what the caller gave needs none."""
    from frontends.llvm.meaning.lanes import Cannot

    found = dict[int, Instr]()
    with suppress(Cannot):
        writes = scope.writes
        for line, i in loads.items():
            at = writes.addresses.of(i.operands[0])
            if at is None or not writes.never(scope.view.label(i.name), at):
                found[line] = i
    return found


def _is_behind(scope: Scope, load: Instr, writers: list[Instr]) -> bool:
    """Tell whether a load may be executed after one of some instructions."""
    at = scope.view.places
    here = at[load.line]
    return any(
        here in scope.view.after[at[i.line]] or (at[i.line] == here and i.line < load.line)
        for i in writers
    )


def _below_reductions(scope: Scope) -> Iterator[Instr]:
    """Yield what reductions of a function are computed from."""
    calls = (i for i in scope.view.defs.values() if reduction_of(i))
    start = (o for i in calls for o in i.operands)
    yield from computed_from(scope.view.defs, start, lambda i: i.known)


def _is_plain(scope: Scope, i: Instr) -> bool:
    """Tell whether an instruction loads a vector of bytes and says nothing more of it, and not all
    that is made of it looks at one choice of its bytes already.
    """
    near = str(i.operands[0].type) == "ptr" if i.operands else False
    plain = i.opcode == "load" and i.known and not i.flags and near and _shape(i) != (0, 0)
    return plain and any(u.opcode != "freeze" for u in scope.view.used_by(i.name))


def _row(scope: Scope, first: Instr, among: dict[int, Instr]) -> tuple[Instr, ...]:
    """Return the neighbours of a load, itself among them, that fill at most a register."""
    found, most = [first], scope.bits // max(scope.bits_of(first.type), 1)
    for step in (1, -1):
        while len(found) < most:
            end = found[-1] if step > 0 else found[0]
            near = (i for i in among.values() if scope.is_neighbour(end, step, i))
            i = next(near, None)
            if i is None or scope.written_between(*found, i):
                break
            found.insert(len(found) if step > 0 else 0, i)
    return tuple(found)
