"""What was spliced into a function, against what LLVM prints of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from frontends.llvm.splicing.write import NAMED
from frontends.llvm.text.ast import Function, Instr, Local, Operand, OtherType, Symbol
from frontends.llvm.text.identity import Pairing, tokens


def match_values(spliced: Function, printed: Function) -> dict[str, str] | None:
    """Return how values of a function are called after printing; None if they are not the same
    instructions.

    Where LLVM reads an intrinsic of before, it puts bitcasts around the call, which have no
    partner.
    """
    new = {x.name: y.name for x, y in zip(spliced.arguments, printed.arguments, strict=True)}
    through: dict[str, str] = {}  # a bitcast without partner and what it is of
    waiting = list(spliced.view.work[::-1])
    for y in printed.view.work:
        if waiting and _alike(waiting[-1], y, new, through):
            x = waiting.pop()
            if x.name:
                new[x.name.removeprefix(NAMED)] = y.name
        elif y.opcode == "bitcast" and isinstance(y.operands[0], Local):
            of = y.operands[0].name
            through[y.name] = through.get(of, of)
        else:
            return None
    return None if waiting else new


def _alike(x: Instr, y: Instr, new: Mapping[str, str], through: Mapping[str, str]) -> bool:
    """Tell whether an instruction may be another; bitcasts are if they are of the same value to
    the same type.
    """
    if x.opcode != y.opcode or x.opcode != "bitcast" or not isinstance(x.operands[0], Local):
        return x.opcode == y.opcode
    of = y.operands[0]
    return (
        x.type == y.type
        and isinstance(of, Local)
        and new.get(x.operands[0].name) in (of.name, through.get(of.name))
    )


def as_written(
    proved: Function,
    spliced: Function,
    printed: Function,
    lines: Collection[int],
    pairing: Pairing,
) -> bool:
    """Tell whether instructions on some lines of a function, which were proved, are those that LLVM
    reads of what is written, unless nothing uses them any more; ``spliced`` is that before LLVM
    printed it, which numbers metadata anew: ``pairing`` is of both modules.
    """
    names = match_values(spliced, printed)
    if names is None:
        return False
    mine, silent = list(_silent(proved)), list(_silent(printed))
    if len(mine) != len(silent):
        return False
    called = {**names, **dict(zip(spliced.view.numbers, printed.view.numbers, strict=True))}
    new = {i.name: i for i in proved.view.work if i.line in lines and i.name in spliced.view.defs}
    pairs = [(i, printed.view.defs[names[name]]) for name, i in new.items()]
    pairs += (p for p in zip(mine, silent, strict=True) if p[0].line in lines)
    return all(_same(a, b, called, pairing) for a, b in pairs)


def _silent(function: Function) -> Iterator[Instr]:
    """Yield the instructions without a result: windows neither add nor move one."""
    return (i for i in function.view.work if not i.name)


def _same(a: Instr, b: Instr, new: Mapping[str, str], pairing: Pairing) -> bool:
    """Tell whether two instructions say the same of the same operands, debug locations apart."""

    def describe(i: Instr) -> tuple[object, ...]:
        kinds = [kind for kind, _ in i.metadata if kind != "dbg"]
        return i.opcode, str(i.type), i.flags, i.mask, i.align, kinds, i.known

    renamed = [_rename(o, new) for o in a.operands]
    if describe(a) != describe(b) or renamed != list(b.operands):
        return False
    mine, theirs = ([tokens(x) for kind, x in i.metadata if kind != "dbg"] for i in (a, b))
    return all(pairing.same(x, y) for x, y in zip(mine, theirs, strict=True))


def _rename(o: Operand, new: Mapping[str, str]) -> Operand:
    if isinstance(o, Symbol) and o.type == OtherType("label"):
        return replace(o, text=f"%{new[o.text[1:]]}")
    return replace(o, name=new[o.name]) if isinstance(o, Local) else o
