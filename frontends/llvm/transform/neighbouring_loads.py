"""Vectors put together of neighbouring scalars in memory: one load of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, Literal, Local, VectorType
from frontends.llvm.transform.site import Change, Opportunity, Scope


def _write(
    root: Instr, loads: Sequence[Instr], extended: str, parts: Sequence[Instr], names: Iterator[str]
) -> Change:
    """Return a vector load where the last scalar is loaded, ``extended`` by a cast (by none, if
    empty) where the last insertion, ``root``, was; ``parts`` are not needed then.
    """
    first, last = loads[0], max(loads, key=lambda i: i.line)
    whole = Local(next(names) if extended else root.name, build.wide(first.type, len(loads)))
    load = build.load(whole.type, first.operands[0], max(first.align, 1), location(last))
    lines: dict[int, tuple[str, ...]] = {i.line: () for i in parts}
    lines[last.line] = (load.line(whole.name),)
    if extended:
        cast = build.cast(extended, whole, root.type)
        lines[root.line] = (cast.line(root.name, location(root)),)
    return Change(lines, "one load of scalars")


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield vectors of four or more scalars that lie one after the other, in program order."""
    for i in scope.view:
        row = _row(scope, i) if i.opcode == "insertelement" and i.known else None
        if row is not None:
            yield row


def _row(scope: Scope, root: Instr) -> Opportunity | None:
    """Return the site whose last insertion an instruction is."""
    chain = insertions(scope, root)
    lanes = {k: i for k, i, _ in chain}
    if len(chain) < 4 or sorted(lanes) != list(range(len(chain))):
        return None
    cast = lanes[0].opcode if lanes[0].opcode in ("zext", "sext") else ""
    loads = _loads(scope, [lanes[k] for k in range(len(chain))], cast)
    inner = dict.fromkeys((*lanes.values(), *loads, *(i for _, _, i in chain[1:])))
    if not loads or not scope.is_closed(inner, (root,)):
        return None
    write = partial(_write, root, loads, cast, (root, *inner))
    return Opportunity(root, write, scope.written_between(*loads))


def _loads(scope: Scope, lanes: list[Instr], cast: str) -> tuple[Instr, ...]:
    """Return the loads under lanes, nothing where these are no neighbours."""
    under = (scope.definition(i.operands[0]) if cast else i for i in lanes)
    loads = tuple(i for i in under if i is not None and i.opcode == "load")
    alike = len(loads) == len(lanes) and len({i.opcode for i in lanes}) == 1
    near = (scope.is_neighbour(loads[0], k, i) for k, i in enumerate(loads))
    return loads if alike and all(near) else ()


def insertions(scope: Scope, root: Instr) -> list[tuple[int, Instr, Instr]]:
    """Return lane, scalar and insertion of a vector of which all lanes are given, last first."""
    found: list[tuple[int, Instr, Instr]] = []
    i: Instr | None = root
    while i is not None and i.opcode == "insertelement":
        lane, k = scope.definition(i.operands[1]), i.operands[2]
        if lane is None or not isinstance(k, Literal) or not isinstance(k.lanes[0], int):
            return []
        found.append((k.lanes[0], lane, i))
        i = scope.definition(i.operands[0])
    count = root.type.count if isinstance(root.type, VectorType) else 0
    return found if len(found) == count and isinstance(found[-1][2].operands[0], Literal) else []
