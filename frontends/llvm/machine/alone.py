"""The code that windows have today, each as a function by itself: what LLVM makes of it bounds
what a program may cost.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import Final

from frontends.llvm.splicing.emit import emit
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Local, Module, Operand, PtrType
from frontends.llvm.text.isolate import isolate
from frontends.llvm.text.rewording import locals_in, name_numbers, spell
from frontends.llvm.windows.scene import Site
from isel.model.program import Program
from isel.spec.instruction import Instructions

_METADATA: Final = re.compile(r"(, ![\w.]+ !\d+)+$")
_GROUP: Final = re.compile(r" (#\d+)(?= |$)")
_NAME: Final = "isel.alone"


def name_of(k: int) -> str:
    """Return the name of the function of the ``k``-th window."""
    return f"{_NAME}.{k}"


def windows_text(module: Module, function: Function, sites: Sequence[Site]) -> str:
    """Return a module with one function a window: it loads the leaves, computes, and stores the
    roots.
    """
    outline = isolate(module.text, "")
    return outline + "".join(_window(module, function, k, s) for k, s in enumerate(sites))


def rewritten_text(
    module: Module, function: Function, site: Site, program: Program, instructions: Instructions
) -> str:
    """Return a module with one such function for the program that replaces a window; raise
    :class:`frontends.llvm.splicing.emit.EmissionError`.
    """
    names = (f"{_NAME}.n{k}" for k in count())
    emitted = emit(program, site.inputs, instructions, names)
    lines = [*(text for _, text in emitted.placed), *emitted.hoisted, *emitted.lines]
    roots = map(spell, emitted.roots)
    read = {name for line in (*lines, *roots) for name in locals_in(line)}
    given = {
        o.name: o
        for x in site.inputs
        for o in (x.operand, *(() if x.made is None else (x.made.pointer,)))
        if isinstance(o, Local) and o.name in read
    }
    outline = isolate(module.text, "")
    declared = "".join(
        f"\n{text}\n"
        for name, text in sorted(emitted.declarations.items())
        if f"@{name}(" not in outline
    )
    return outline + declared + _define(module, function, 0, given.values(), lines, emitted.roots)


def _define(
    module: Module,
    function: Function,
    k: int,
    read: Collection[Local],
    lines: Iterable[str],
    roots: Collection[Operand],
) -> str:
    """Return a function that loads some values, and stores others that are computed of these."""
    group = _GROUP.search(module.lines[function.first])
    given, made = (
        [Local(f"{_NAME}.{x}{n}", PtrType()) for n in range(len(of))]
        for x, of in (("p", read), ("r", roots))
    )
    loads = (build.load(o.type, at, 1).line(o.name) for o, at in zip(read, given, strict=True))
    stores = (build.store(o, at, 1) for o, at in zip(roots, made, strict=True))
    parameters = ", ".join(f"ptr noalias %{at.name}" for at in (*given, *made))
    head = f"define void @{name_of(k)}({parameters}){group.group() if group else ''}"
    body = (*loads, *lines, *stores, "ret void")
    named = (name_numbers(f"  {x}", f"{_NAME}.v") for x in body)  # numbers would have to ascend
    return f"\n{head} {{\n" + "\n".join(named) + "\n}\n"


def _window(module: Module, function: Function, k: int, site: Site) -> str:
    """Return a function for a window as it is: what it reads are leaves, what only undefined lanes
    read, and what is computed before its loop.
    """
    own = [i for i in site.nodes if i.name not in site.given]
    inside = {i.name for i in own}
    outside = [o for i in own for o in i.operands if isinstance(o, Local) and o.name not in inside]
    lines = (_METADATA.sub("", i.text.strip()) for i in own)
    read = {o.name: o for o in outside}.values()
    return _define(module, function, k, read, lines, [*map(build.result, site.roots)])
