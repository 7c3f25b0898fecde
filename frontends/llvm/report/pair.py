"""A window and a program as two functions, ``@src`` and ``@tgt``: what provers and LLVM's
developers take.

Parameters are the window's leaves, or the regions that leaves are parts of.  ``@src`` computes each
lane as the window says; ``@tgt`` is what is emitted, with every parameter frozen once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count
from math import gcd
from typing import Final

from frontends.llvm.splicing.emit import EmissionError, emit
from frontends.llvm.splicing.term_lines import TermWriter
from frontends.llvm.text import build
from frontends.llvm.text.ast import Local
from frontends.llvm.windows.regions import Input
from isel.ir.build import band
from isel.ir.expr import Expr, const, leaves
from isel.model.program import Program
from isel.model.window import Leaf, Window
from isel.spec.instruction import Instruction, Instructions

_YES: Final = const(1, 1)
_SPLAT: Final = re.compile(r"<(i\d+ -?\d+)(?:, \1)+>")


def pair_text(window: Window, program: Program, instructions: Instructions, *, triple: str) -> str:
    """Return a module with the pair; raises :class:`EmissionError` for what cannot be said."""
    if len(window.roots) != 1:
        raise EmissionError(f"{len(window.roots)} results")
    sources = sources_of(window)
    parameters = ", ".join(map(build.typed, sources.values()))
    used = [instructions[s.name] for s in program.steps if s.kind == "apply"]
    kind = str(build.integers(len(window.roots[0].lanes), window.roots[0].width))
    source = _source_body(window, sources)
    target, declarations = _target_body(window, program, instructions, sources)
    parts = [
        f'target triple = "{triple}"',
        _function("src", kind, parameters, source),
        _function("tgt", kind, parameters, target),
        *declarations,
        f"attributes #0 = {{ {_attributes(used)} }}",
    ]
    lines = "\n\n".join(parts).splitlines()  # a constant of one value is said once; masks are lists
    short = (x if "shufflevector" in x else _SPLAT.sub(r"splat (\1)", x) for x in lines)
    return "\n".join(short) + "\n"


def _function(name: str, kind: str, parameters: str, body: Sequence[str]) -> str:
    return (
        f"define {kind} @{name}({parameters}) #0 {{\n"
        + "".join(f"  {line}\n" for line in body)
        + "}"
    )


def _attributes(used: Sequence[Instruction]) -> str:
    """Return what a function needs so that the back end takes the instructions."""
    features = sorted({f for i in used for f in i.features})
    bits = max((b for i in used for b in (i.bits, *(o.bits for o in i.operands))), default=0)
    return " ".join(
        [
            f'"min-legal-vector-width"="{bits}"',
            f'"target-features"="{",".join(f"+{f}" for f in features)}"',
        ]
    )


def sources_of(window: Window) -> dict[str, Local]:
    """Return a parameter for each leaf that is by itself, and one for each region, in pieces
    that everything in it is made of.
    """
    found: dict[str, Local] = {}
    for name in dict.fromkeys(x.source for x in window.leaves):
        of = [x for x in window.leaves if x.source == name]
        if not of[0].region:
            found[name] = Local(name, build.integers(of[0].lanes, of[0].width))
            continue
        found[name] = _region(name, of)
    return found


def _region(name: str, leaves: Sequence[Leaf]) -> Local:
    piece = gcd(*(v for x in leaves for v in (x.first, x.width, x.period)))
    end = max(x.first + (x.period or x.width * x.lanes) for x in leaves)
    if piece % 8:
        raise EmissionError("a region that is not made of bytes")
    return Local(name, build.integers(end // piece, piece))


def _source_body(window: Window, sources: Mapping[str, Local]) -> list[str]:
    (root,) = window.in_regions().roots
    writer = TermWriter(sources, "s")
    facts = window.in_regions().facts
    defined = [
        _YES if e is None else _look_up(e, d, facts)
        for e, d in zip(root.lanes, root.defined, strict=True)
    ]
    value = writer.lanes(root.lanes, defined, root.width)
    return [*writer.lines, build.give(value)]


def _look_up(value: Expr, defined: Expr, facts: Sequence[Expr]) -> Expr:
    """Return when a lane is defined where facts that do not hold are undefined, too: those
    about what the lane reads.
    """
    read = set(leaves(value, defined))
    for fact in facts:
        if set(leaves(fact)) <= read:
            defined = band(defined, fact)
    return defined


def _target_body(
    window: Window, program: Program, instructions: Instructions, sources: Mapping[str, Local]
) -> tuple[list[str], list[str]]:
    frozen = {name: Local(f"{name}.f", o.type) for name, o in sources.items()}
    writer = TermWriter(frozen, "p")
    used = {s.name for s in program.steps if s.kind == "leaf"}
    inputs = [_input(x, writer) for x in window.leaves if x.name in used]
    emitted = emit(program, inputs, instructions, (f"t{k}" for k in count()))
    read = dict.fromkeys(x.source for x in window.leaves if x.name in used)
    lines = [build.freeze(sources[n]).line(frozen[n].name) for n in read]
    body = [*writer.lines, *emitted.hoisted, *emitted.lines]
    return [*lines, *body, build.give(emitted.roots[0])], list(emitted.declarations.values())


def _input(leaf: Leaf, writer: TermWriter) -> Input:
    """Return a leaf as an input of the program that is frozen already."""
    lanes = 1 if leaf.scalar else leaf.lanes
    elements = [leaf.element(i * leaf.width, leaf.width) for i in range(lanes)]
    value = writer.gather(elements) if leaf.region else writer.value[leaf.name]
    return Input(leaf, value, True)
