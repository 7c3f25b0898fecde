"""Modules as lines of functions: taking some of them, telling which have changed, putting
several together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Final

from tests.fuzz.generate import Generated

_DEFINE: Final = re.compile(r'^define [^@]*@("[^"]*"|[\w.$-]+)\(')
_LABEL: Final = re.compile(r"^([\w.$-]+|\"[^\"]*\"):")
_NUMBER: Final = re.compile(r"(!|(?<=[) ])#)\d+\b")


def functions(text: str) -> dict[str, list[str]]:
    """Return the lines of every definition by its name, from ``define`` to the closing brace."""
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in text.splitlines():
        start = _DEFINE.match(line)
        if start:
            current = found[start[1]] = []
        if current is not None:
            current.append(line)
        if line == "}":
            current = None
    return found


def only(text: str, names: Collection[str]) -> str:
    """Return the module without the definitions of other functions."""
    kept: list[str] = []
    keep = True
    for line in text.splitlines():
        start = _DEFINE.match(line)
        keep = keep if start is None else start[1] in names
        if keep:
            kept.append(line)
        if line == "}":
            keep = True
    return "\n".join(kept) + "\n"


def changed(before: str, after: str) -> frozenset[str]:
    """Return the names of the functions whose bodies differ, other than in the numbers of metadata
    and of groups of attributes: LLVM counts these again where one is gone or new.
    """
    old, new = _bodies(before), _bodies(after)
    return frozenset(n for n in old.keys() | new.keys() if old.get(n) != new.get(n))


def _bodies(text: str) -> dict[str, list[str]]:
    return {n: [_NUMBER.sub(r"\1", x) for x in lines[1:]] for n, lines in functions(text).items()}


def has_loop(lines: Sequence[str]) -> bool:
    """Tell whether a definition's lines, as LLVM prints them, branch back."""
    seen: set[str] = set()
    for line in lines:
        label = _LABEL.match(line)
        if label:
            seen.add(label[1])
        if line.lstrip().startswith("br ") and any(
            target in seen for target in re.findall(r'label %("[^"]*"|[\w.$-]+)', line)
        ):
            return True
    return False


def together(made: Sequence[Generated]) -> str:
    """Return one module of several generated functions, called ``f0``, ``f1`` and so on."""
    bodies: list[str] = []
    declared: dict[str, None] = {}
    attributes: list[str] = []
    for k, one in enumerate(made):
        lines = one.text.splitlines()
        body = next(iter(functions(one.text).values()))
        bodies += [
            re.sub(r"@f\(", f"@f{k}(", body[0]).replace(") #0 {", f") #{k} {{"),
            *body[1:],
            "",
        ]
        declared.update((x, None) for x in lines if x.startswith("declare "))
        attributes += [
            x.replace("attributes #0", f"attributes #{k}")
            for x in lines
            if x.startswith("attributes #0")
        ]
    return "\n".join(
        ['target triple = "x86_64-pc-linux-gnu"', "", *bodies, *declared, "", *attributes, ""]
    )
