"""One spelling for shuffles and casts, whatever the immediate: LLVM prints the same operation
in several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from semantics.emission.body import Body, numbered

SHUFFLE: Final = re.compile(
    r"(%[\w.]+) = shufflevector <(\d+) x (i\d+)> (.+), <\d+ x i\d+> (.+), <(\d+) x i32> <([^>]*)>"
)
_CAST: Final = re.compile(r"(%[\w.]+) = bitcast (<[^>]+>|i\d+) (\S+) to (<[^>]+>|i\d+)")
_TYPE: Final = re.compile(r"<(\d+) x i(\d+)>")
_NAME: Final = re.compile(r"%[\w.]+")


def canonical(body: Body) -> Body:
    """Return the same body with casts of casts collapsed, shuffles in the narrower element
    type, operands in C order.
    """
    order = [f"%{name}" for name, _ in body.operands]
    lines = list(body.lines)
    for _ in range(4):
        after = _collapsed(_narrowed([_ordered(line, order) for line in lines]))
        if after == lines:
            break
        lines = after
    return numbered(replace(body, lines=tuple(_used(lines))))


def mask_of(text: str) -> list[int]:
    """Return the elements of a printed mask, poison as -1."""
    return [-1 if x.endswith("poison") else int(x.rpartition(" ")[2]) for x in text.split(", ")]


def mask_as(elements: Sequence[int]) -> str:
    """Return a mask as LLVM prints its elements."""
    return ", ".join("i32 poison" if x < 0 else f"i32 {x}" for x in elements)


def _ordered(line: str, order: Sequence[str]) -> str:
    m = SHUFFLE.fullmatch(line)
    if m is None:
        return line
    n, mask = int(m[2]), mask_of(m[7])
    first, second = (_uniform(m[k], n, m[3]) for k in (4, 5))
    rank = {name: k for k, name in enumerate(order)}
    if second != "poison" and (rank.get(second, 100) if second.startswith("%") else 200) < (
        rank.get(first, 100) if first.startswith("%") else 200
    ):
        first, second = second, first
        mask = [x if x < 0 else (x + n) % (2 * n) for x in mask]
    kind, picked = f"<{n} x {m[3]}>", f"<{m[6]} x i32> <{mask_as(mask)}>"
    return f"{m[1]} = shufflevector {kind} {first}, {kind} {second}, {picked}"


def _uniform(constant: str, count: int, element: str) -> str:
    """Fill the elements of a constant vector that are poison with the one value that the others
    have.
    """
    if not constant.startswith("<"):
        return constant
    seen = {x.partition(" ")[2] for x in constant[1:-1].split(", ")} - {"poison"}
    if len(seen) != 1:
        return constant
    only = seen.pop()
    return "zeroinitializer" if only in ("0", "false") else f"splat ({element} {only})"


def _narrowed(lines: Sequence[str]) -> list[str]:
    """Do shuffles of casts on the elements from before the casts, where those are smaller."""
    casts = {c[1]: (c[2], c[3]) for c in map(_CAST.fullmatch, lines) if c}
    out: list[str] = []
    for line in lines:
        m = SHUFFLE.fullmatch(line)
        sources = [casts.get(m[k]) for k in (4, 5) if m[k].startswith("%")] if m else []
        kinds = {s[0] if s else "" for s in sources}
        kind = _TYPE.fullmatch(kinds.pop()) if len(kinds) == 1 else None
        if m is None or kind is None or int(kind[1]) <= int(m[2]) or kind[2] == "1":
            out.append(line)
            continue
        by = int(kind[1]) // int(m[2])
        mask = [-1 if x < 0 else x * by + k for x in mask_of(m[7]) for k in range(by)]
        first, second = (casts[m[k]][1] if m[k].startswith("%") else m[k] for k in (4, 5))
        out.append(
            f"{m[1]}.n = shufflevector {kind[0]} {first}, {kind[0]} {second}, <{len(mask)} x i32> "
            f"<{mask_as(mask)}>"
        )
        out.append(f"{m[1]} = bitcast <{len(mask)} x i{kind[2]}> {m[1]}.n to <{m[6]} x {m[3]}>")
    return out


def _collapsed(lines: Sequence[str]) -> list[str]:
    casts: dict[str, tuple[str, str]] = {}
    same: dict[str, str] = {}
    out: list[str] = []
    for raw in lines:
        line = _renamed(raw, same)
        c = _CAST.fullmatch(line)
        if c:
            have, value = casts.get(c[3], (c[2], c[3]))
            casts[c[1]] = (have, value)
            line = f"{c[1]} = bitcast {have} {value} to {c[4]}"
            if have == c[4] and c[1] != "%r":
                same[c[1]] = value
                continue
        out.append(line)
    last = _CAST.fullmatch(out[-1])
    if last and last[2] == last[4] and any(x.startswith(f"{last[3]} = ") for x in out[:-1]):
        return [_renamed(x, {last[3]: "%r"}) for x in out[:-1]]
    return out


def _renamed(line: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda m: names.get(m[0], m[0]), line) if names else line


def _used(lines: Sequence[str]) -> list[str]:
    needed = {"%r"}
    out: list[str] = []
    for line in reversed(lines):
        name, _, rest = line.partition(" = ")
        if name in needed:
            out.append(line)
            needed.update(_NAME.findall(rest))
    return out[::-1]
