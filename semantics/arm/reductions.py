"""Reductions as LLVM 19 and older say them: intrinsics whose result is wider than the register that
the instruction writes, extended as their name says (``saddv`` by signs, ``uaddlv`` by zeros).

LLVM still selects them (AArch64InstrInfo.td: ``smov`` of the result for the signed ones; the
unsigned ones use that the instruction clears the rest of its register).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from frontends.llvm.text.rewording import free_stem
from isel.ir.build import sext, zext
from isel.ir.expr import Expr
from isel.spec.instruction import Instruction

_CALL: Final = re.compile(
    r"llvm\.aarch64\.neon\.(?P<sign>[su])(?P<what>add|min|max|addl)v\.i(?P<wide>32|64)"
    r"\.v(?P<count>\d+)i(?P<bits>8|16|32|64)"
)
_LINE: Final = re.compile(
    rf"  (?P<name>%\S+) = (?:tail )?call i\d+ @{_CALL.pattern}\((?P<given>[^()]*)\)(?P<rest>.*)"
)


def reduction(call: str, by_name: Mapping[str, Instruction]) -> Instruction | None:
    """Return what an intrinsic of this name computes, None where it is no such reduction."""
    found = _CALL.fullmatch(call)
    if found is None:
        return None
    sign, what, wide, count, bits = found.groups()
    names = (by_name.get(f"v{what}v{q}_{sign}{bits}") for q in ("", "q"))
    own = next((i for i in names if i is not None and i.operands[0].lanes == int(count)), None)
    if own is None or own.width > int(wide):
        return None
    extend, width, operand = sext if sign == "s" else zext, int(wide), own.operands[0].name

    def lane(i: int, immediates: Mapping[str, int]) -> Expr:
        return extend(own.lane(i, immediates), width)

    emission = (f"%r = call i{wide} @{call}(<{count} x i{bits}> %{operand})",)
    return replace(own, width=width, call=call, emission=emission, lane=lane)


def plain_reductions(text: str) -> str:
    """Return the printed text of a module in which minima and maxima of a vector are those of
    every machine, extended: what is proposed to another one, and proved there.
    """
    stem = free_stem(text, "lane")
    lines = (_plain(line, f"%{stem}.{k}") for k, line in enumerate(text.split("\n")))
    return "\n".join(lines)


def _plain(line: str, name: str) -> str:
    """Return the lines of a minimum or maximum, any other line as it is."""
    m = _LINE.fullmatch(line)
    if m is None or m["what"] not in ("min", "max"):
        return line
    own, wide = f"i{m['bits']}", f"i{m['wide']}"
    reduce = f"llvm.vector.reduce.{m['sign']}{m['what']}.v{m['count']}{own}"
    call = f"call {own} @{reduce}({m['given']}){m['rest']}"
    if own == wide:
        return f"  {m['name']} = {call}"
    extend = f"{m['sign'].replace('u', 'z')}ext"
    return f"  {name} = {call}\n  {m['name']} = {extend} {own} {name} to {wide}"
