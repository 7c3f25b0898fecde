"""The code that windows have today, each as a function by itself: what LLVM makes of it bounds what a program may cost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from frontends.llvm.ast import Function, Local, Module
from frontends.llvm.opt_isolate import isolated
from frontends.llvm.windows import Site

_METADATA: Final = re.compile(r"(, ![\w.]+ !\d+)+$")
_GROUP: Final = re.compile(r" (#\d+)(?= |$)")
_NUMBERED: Final = re.compile(r"%(\d+)\b")
_NAME: Final = "isel.alone"


def name_of(k: int) -> str:
    """Return the name of the function of the ``k``-th window."""
    return f"{_NAME}.{k}"


def windows_text(module: Module, function: Function, sites: Sequence[Site]) -> str:
    """Return a module with one function a window: it loads the leaves, computes, and stores the roots."""
    group = _GROUP.search(module.lines[function.first])
    attributes = group.group() if group else ""
    bodies = [
        f"\ndefine void @{name_of(k)}({', '.join(_parameters(s))}){attributes} {{\n" + "\n".join(_named(x) for x in _body(s)) + "\n}\n"
        for k, s in enumerate(sites)
    ]
    return isolated(module.text, "") + "".join(bodies)


def _named(line: str) -> str:
    """Give numbered values names, since numbers would have to ascend."""
    return _NUMBERED.sub(rf"%{_NAME}.v\1", line)


def _locals(site: Site) -> list[Local]:
    """Return the values that the window reads from outside, leaves and what only undefined lanes read."""
    inside = {i.name for i in site.nodes}
    outside = [o for i in site.nodes for o in i.operands if isinstance(o, Local) and o.name not in inside]
    return list({o.name: o for o in outside}.values())


def _parameters(site: Site) -> Iterator[str]:
    for k in range(len(_locals(site))):
        yield f"ptr noalias %{_NAME}.p{k}"
    for k in range(len(site.roots)):
        yield f"ptr noalias %{_NAME}.r{k}"


def _body(site: Site) -> Iterator[str]:
    for k, x in enumerate(_locals(site)):
        yield f"  %{x.name} = load {x.type}, ptr %{_NAME}.p{k}, align 1"
    for i in site.nodes:
        yield "  " + _METADATA.sub("", i.text.strip())
    for k, root in enumerate(site.roots):
        yield f"  store {root.type} %{root.name}, ptr %{_NAME}.r{k}, align 1"
    yield "  ret void"
