"""Masked loads whose mask is written, as loads of the lanes that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from math import gcd
from typing import Final

from frontends.llvm.cuts.graph import Graph
from frontends.llvm.cuts.left import require
from frontends.llvm.text.ast import Block, Instr, IntType, Literal, VectorType
from frontends.llvm.text.parse import parse_instruction
from frontends.llvm.text.rewording import spell

_MASKED: Final = "llvm.masked.load."
_ALIGN: Final = re.compile(r"\(ptr (?:\w+ )*?align (\d+) ")


def is_masked_load(i: Instr) -> bool:
    """Tell whether an instruction is a load of some lanes of a vector."""
    return i.opcode == "call" and i.callee.startswith(_MASKED)


def with_plain_loads(graph: Graph, label: str, names: Iterator[str]) -> Graph:
    """Return a graph whose function loads lane by lane in a block; raises
    :class:`frontends.llvm.cuts.left.Left` where it is not known which lanes.
    """
    instrs = graph.function.view.block(label).instrs
    if not any(map(is_masked_load, instrs)):
        return graph
    at = count(max(i.line for i in graph.function.view) + 1)
    lines = (
        x for i in instrs for x in (_lanes(i, names) if is_masked_load(i) else (i.text.strip(),))
    )
    block = Block(label, tuple(parse_instruction(x, next(at)) for x in lines))
    blocks = (block if b.label == label else b for b in graph.function.blocks)
    return Graph(replace(graph.function, blocks=tuple(blocks)), graph.contents, graph.sizes)


def _lanes(i: Instr, names: Iterator[str]) -> Iterator[str]:
    """Yield lines that load the lanes of a masked load, and put them together."""
    pointer, mask, rest = i.operands
    kind, align = i.type, _ALIGN.search(i.text)
    whole = isinstance(kind, VectorType) and isinstance(kind.elem, IntType)
    known = isinstance(mask, Literal) and isinstance(rest, Literal) and align is not None
    require(whole and known, "it is not known what a masked load loads")
    assert isinstance(kind, VectorType) and isinstance(kind.elem, IntType)
    assert isinstance(mask, Literal) and isinstance(rest, Literal) and align is not None
    require({*rest.lanes} == {"poison"} and kind.elem.bits % 8 == 0, "a masked load gives the rest")
    size, last = kind.elem.bits // 8, "poison"
    lanes = [k for k, x in enumerate(mask.lanes) if x == 1]
    require(bool(lanes) and {*mask.lanes} <= {0, 1}, "a masked load loads nothing")
    for k in lanes:
        place, value = next(names), next(names)
        new = i.name if k == lanes[-1] else next(names)
        yield f"%{place} = getelementptr i8, ptr {spell(pointer)}, i64 {k * size}"
        yield f"%{value} = load {kind.elem}, ptr %{place}, align {gcd(int(align[1]), k * size)}"
        yield f"%{new} = insertelement {kind} {last}, {kind.elem} %{value}, i64 {k}"
        last = f"%{new}"
