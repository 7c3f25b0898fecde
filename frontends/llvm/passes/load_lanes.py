"""Loads of vectors, and masked ones whose mask is written, as loads of their lanes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import gcd
from typing import Final

from frontends.llvm.function.graph import Graph
from frontends.llvm.passes.left import require
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Literal, Operand, VectorType
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.parse import with_lines
from frontends.llvm.text.syntax import element, is_masked_load

_ALIGN: Final = re.compile(r"\(ptr (?:\w+ )*?align (\d+) ")


def _has_lanes(i: Instr) -> bool:
    plain = i.opcode == "load" and i.known and not i.flags and i.align > 0
    return is_masked_load(i) or (plain and isinstance(i.type, VectorType))


def with_plain_loads(graph: Graph, label: str, names: Iterator[str]) -> Graph:
    """Return a graph whose function loads lane by lane in a block; raises
    :class:`frontends.llvm.passes.left.Left` where it is not known which lanes.
    """
    instrs = graph.function.view.block(label).instrs
    if not any(map(_has_lanes, instrs)):
        return graph
    lines = (x for i in instrs for x in (_lanes(i, names) if _has_lanes(i) else (i.text.strip(),)))
    return Graph(with_lines(graph.function, label, lines), graph.contents, graph.sizes)


def _lanes(i: Instr, names: Iterator[str]) -> Iterator[str]:
    """Yield lines that load lanes, and put them together."""
    (of, lanes, align), w = _about(i), Lines(names)
    last: Operand = build.poison(i.type)
    for k in lanes:
        at = k * of.bits // 8
        place = w.add(build.address(i.operands[0], at))
        value = w.add(build.load(of, place, gcd(align, at)))
        last = w.add(build.insert(last, value, k), i.name if k == lanes[-1] else "")
    yield from w.lines


def _about(i: Instr) -> tuple[IntType, Sequence[int], int]:
    """Return the type of the lanes of a load, those that it loads, and its alignment."""
    of, align = element(i.type), i.align or int((_ALIGN.search(i.text) or [0, 0])[1])
    whole = isinstance(of, IntType) and of.bits % 8 == 0 and align > 0
    require(whole, "it loads something else than integers of whole bytes")
    assert isinstance(of, IntType) and isinstance(i.type, VectorType)
    return of, range(i.type.count) if i.opcode == "load" else _mask(i), align


def _mask(i: Instr) -> list[int]:
    """Return the lanes that a masked load loads."""
    mask, rest = (o.lanes if isinstance(o, Literal) else () for o in i.operands[1:])
    known = bool(mask) and {*mask} <= {0, 1}
    require(known, "it is not known what a masked load loads")
    require({*rest} == {"poison"}, "a masked load gives the rest")
    require(1 in mask, "a masked load loads nothing")
    return [k for k, x in enumerate(mask) if x]
