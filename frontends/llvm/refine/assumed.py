"""What a user assumes before two modules are compared: that no load gives poison or undef, nor any
argument, that the target's accesses are as aligned as they say.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from frontends.llvm.text.ast import Argument, Module

_LOAD: Final = re.compile(r"^\s+%.* = load (?!atomic )(?!volatile )")
_ALIGN: Final = re.compile(r"^(\s+(?:%.* = load|store) .*, align )\d+", re.MULTILINE)
_NODE: Final = re.compile(r"^!(\d+) = ", re.MULTILINE)


def with_defined_loads(text: str) -> str:
    """Return the printed text of a module whose plain loads promise ``!noundef``.

    What breaks such a promise is undefined behaviour (LangRef), so a source that makes it may
    become anything where memory holds poison or undef.
    """
    node = 1 + max((int(n) for n in _NODE.findall(text)), default=-1)
    lines = text.split("\n")
    found = False
    for k, line in enumerate(lines):
        if _LOAD.match(line) and "!noundef" not in line:
            lines[k] = f"{line}, !noundef !{node}"
            found = True
    return "\n".join(lines) + f"!{node} = !{{}}\n" if found else text


def with_defined_arguments(module: Module) -> Module:
    """Return a module whose functions take no poison or undef: each argument is ``noundef``."""
    own = (replace(f, arguments=tuple(map(_as_defined, f.arguments))) for f in module.functions)
    return replace(module, functions=tuple(own))


def _as_defined(a: Argument) -> Argument:
    return replace(a, attributes=tuple(dict.fromkeys((*a.attributes, "noundef"))))


def with_any_alignment(text: str) -> str:
    """Return the printed text of a target whose loads and stores promise no alignment: that of an
    access which is as aligned as it said.
    """
    return _ALIGN.sub(r"\g<1>1", text)
