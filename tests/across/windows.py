"""Windows as modules of a machine: functions of values become functions of memory, so that they are
executed as those of the suite are.
"""

from __future__ import annotations

import re

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.ast import Function, PtrType
from frontends.llvm.text.parse import parse_module


def window_for(text: str, triple: str) -> str:
    """Return the one function of a module for a machine, its vectors in memory."""
    bare = re.sub(r"^target (?:triple|datalayout) = .*\n", "", text, flags=re.MULTILINE)
    module = parse_module(normalise(bare))
    (f,) = module.functions
    if all(isinstance(a.type, PtrType) for a in f.arguments):
        return f'target triple = "{triple}"\n{bare}'
    return f'target triple = "{triple}"\n' + "\n".join(_in_memory(f, module.lines)) + "\n"


def _in_memory(f: Function, lines: tuple[str, ...] | list[str]) -> list[str]:
    """Return lines with each vector argument loaded, and the result stored."""
    found: list[str] = []
    for line in lines:
        if line.startswith("define "):
            given = ", ".join(
                [*(f"ptr noalias %{a.name}.p" for a in f.arguments), "ptr noalias %out.p"]
            )
            found.append(f"define void @{f.name}({given}) {{")
            found += [
                f"  %{a.name} = load {a.type}, ptr %{a.name}.p, align 64" for a in f.arguments
            ]
        elif line.strip().startswith("ret "):
            found += [f"  store {line.strip()[4:]}, ptr %out.p, align 64", "  ret void"]
        else:
            found.append(line)
    return found
