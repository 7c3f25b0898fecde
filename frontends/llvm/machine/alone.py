"""The code that windows have today, each as a function by itself: what LLVM makes of it bounds
what a program may cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from typing import Final

from frontends.llvm.splicing.emit import emit
from frontends.llvm.text import build
from frontends.llvm.text.ast import Function, Instr, Local, Module, Operand, PtrType
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
    return isolate(module.text, "") + "".join(
        _define(module, function, k, len(_locals(s)), len(s.roots), _body(s))
        for k, s in enumerate(sites)
    )


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
    inner = (f"  {line}" for line in lines)
    body = [*_loads(list(given.values())), *inner, *_stores(emitted.roots)]
    outline = isolate(module.text, "")
    declared = "".join(
        f"\n{text}\n"
        for name, text in sorted(emitted.declarations.items())
        if f"@{name}(" not in outline
    )
    return outline + declared + _define(module, function, 0, len(given), len(emitted.roots), body)


def _define(
    module: Module, function: Function, k: int, read: int, written: int, body: Iterable[str]
) -> str:
    group = _GROUP.search(module.lines[function.first])
    parameters = [
        f"ptr noalias %{_NAME}.{x}"
        for x in (*(f"p{n}" for n in range(read)), *(f"r{n}" for n in range(written)))
    ]
    head = f"define void @{name_of(k)}({', '.join(parameters)}){group.group() if group else ''}"
    named = (name_numbers(x, f"{_NAME}.v") for x in body)  # numbers would have to ascend
    return f"\n{head} {{\n" + "\n".join(named) + "\n}\n"


def _own(site: Site) -> list[Instr]:
    return [i for i in site.nodes if i.name not in site.given]


def _locals(site: Site) -> list[Local]:
    """Return the values that the window reads from outside, leaves, what only undefined
    lanes read, and what is computed before its loop.
    """
    inside = {i.name for i in _own(site)}
    outside = [
        o for i in _own(site) for o in i.operands if isinstance(o, Local) and o.name not in inside
    ]
    return list({o.name: o for o in outside}.values())


def _loads(values: Sequence[Local]) -> Iterator[str]:
    for k, x in enumerate(values):
        yield "  " + build.load(x.type, Local(f"{_NAME}.p{k}", PtrType()), 1).line(x.name)


def _stores(values: Iterable[Operand]) -> Iterator[str]:
    for k, o in enumerate(values):
        yield "  " + build.store(o, Local(f"{_NAME}.r{k}", PtrType()), 1)
    yield "  ret void"


def _body(site: Site) -> Iterator[str]:
    yield from _loads(_locals(site))
    for i in _own(site):
        yield "  " + _METADATA.sub("", i.text.strip())
    yield from _stores([build.result(root) for root in site.roots])
