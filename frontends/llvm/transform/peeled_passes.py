"""The first pass of a loop of one block before it, where it alone differs: something that the loop
carries is the same in all passes that follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import TypeAlias

from frontends.llvm.passes.counting import entry_of
from frontends.llvm.text import build
from frontends.llvm.text.ast import Block, Instr
from frontends.llvm.text.rewording import respell, spelled_edges
from frontends.llvm.text.view import View, incoming, labels, phis_of
from frontends.llvm.transform.site import Change, Opportunity, Scope

_Values: TypeAlias = Mapping[str, str]  # how values are spelled


def _peel(scope: Scope, header: str, before: str, names: Iterator[str]) -> Change:
    """Return what the lines of the function become."""
    from frontends.llvm.transform.loop_blocks import changed_lines

    texts = _texts(scope.view, header, before, names)
    return Change(changed_lines(scope, texts), "the first pass of a loop before it")


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield loops of which something is the same in all passes but the first, in program order."""
    for b in scope.view.blocks:
        before = entry_of(scope.view, b.label)
        phis = [i for i in phis_of(b) if before and _settles(scope.view, i, b.label)]
        if phis:
            why_not = scope.why_small or _why_not(scope.view, b)
            yield Opportunity(phis[0], partial(_peel, scope, b.label, before), why_not)


def _settles(view: View, phi: Instr, latch: str) -> bool:
    """Tell whether a phi is the same in all passes but the first."""
    o = incoming(phi)[latch]
    inner = view.definition(o)
    return inner is None or view.label(inner.name) != latch


def _why_not(view: View, b: Block) -> str:
    """Say why the passes of a loop are not written twice; nothing if they may be."""
    out = [x for x in labels(view.end(view.numbers[b.label])) if x != b.label]
    if any(i.opcode in ("call", "alloca") for i in b.instrs) or len(out) != 1:
        return "it does more than load, compute and store"
    able = (*b.instrs, *phis_of(view.block(out[0])))
    closed = all(u in able for i in b.instrs for u in view.used_by(i.name))
    return "" if closed else "its values are used behind it"


def _texts(
    view: View, header: str, before: str, names: Iterator[str]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the blocks of a function with the first pass of a loop before it."""
    loop = view.block(header)
    first = _begin(loop, before, names)
    same = {i.name: spelled_edges(i)[header] for i in phis_of(loop) if _settles(view, i, header)}
    early = [respell(i.text.strip(), first) for i in loop.instrs if i.opcode not in ("phi", "dbg")]
    for b in view.blocks:
        lines = [*_lines(b, {before: first, header: same}, header)]
        yield b.label, [*lines[:-1], *early] if b.label == before else lines


def _begin(loop: Block, before: str, names: Iterator[str]) -> _Values:
    """Return what values are in the first pass."""
    first = {i.name: spelled_edges(i)[before] for i in phis_of(loop)}
    return {x: f"%{next(names)}" for i in loop.instrs if (x := i.name) not in ("", *first)} | first


def _lines(b: Block, values: Mapping[str, _Values], header: str) -> Iterator[str]:
    own = (i for i in b.instrs if i.opcode != "dbg" and i.name not in values[header])
    return (_line(i, values, header) for i in own)


def _line(i: Instr, values: Mapping[str, _Values], header: str) -> str:
    """Return a line then; a phi gets from before the loop what it gets of a pass."""
    edges = spelled_edges(i) if i.opcode == "phi" else {}
    if header not in edges:
        return respell(i.text.strip(), values[header])
    edges |= {x: respell(edges[header], by) for x, by in values.items()}
    return build.phi(i.type, ((o, x) for x, o in edges.items())).line(i.name)
