"""Loads written in place of splices, and what is dead then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frontends.llvm.loops.carried import Splice
from frontends.llvm.splicing.check import matched
from frontends.llvm.splicing.emit import operand_text
from frontends.llvm.splicing.write import Edits, dead_in, fresh_names, location, without
from frontends.llvm.text.ast import Function, Instr, Local, Module, Operand


def loads_for(module: Module, function: Function, splices: Sequence[Splice]) -> Edits:
    """Return what the lines of a function become: an unaligned load for each splice, under its
    name, and nothing for what only splices used.
    """
    fresh = fresh_names(module, function)
    lines: dict[int, tuple[str, ...]] = {}
    for s in splices:
        at, pointer = next(fresh), s.anchor.operands[0]
        written = module.lines[s.shuffle.line]
        indent = written[: len(written) - len(written.lstrip())]
        place = f"{pointer.type} %{at}, align 1{location(s.shuffle)}"
        lines[s.shuffle.line] = (
            f"{indent}%{at} = getelementptr i8, {pointer.type} {operand_text(pointer)}, i64 {s.by}",
            f"{indent}%{s.shuffle.name} = load {s.shuffle.type}, {place}",
        )
    body = {k: lines.get(k, (module.lines[k],)) for k in range(function.first, function.last + 1)}
    candidates = {i.name: i for s in splices for i in s.through if i.line not in lines}
    dead = dead_in(body, candidates)
    lines.update({candidates[name].line: () for name in dead})
    for k, texts in body.items():
        if k not in lines and texts[0].lstrip().startswith("#dbg_"):
            lines[k] = (without(texts[0], dead),)
    return Edits({k - function.first: new for k, new in sorted(lines.items())}, {})


def composed(first: Edits, then: Edits, length: int) -> Edits:
    """Return both changes of ``length`` lines as one: ``then`` is of the lines that ``first``
    leaves.
    """
    lines: dict[int, tuple[str, ...]] = {}
    at = 0
    for k in range(length):
        old = first.lines.get(k)
        if old is None and at in then.lines:
            lines[k] = then.lines[at]
        elif old is not None:
            new = (then.lines.get(at + n, (text,)) for n, text in enumerate(old))
            lines[k] = tuple(x for texts in new for x in texts)
        at += 1 if old is None else len(old)
    return Edits(lines, {**first.declarations, **then.declarations})


def as_written(
    proved: Module, spliced: Module, printed: Module, name: str, splices: Sequence[Splice]
) -> bool:
    """Tell whether the loads of a function that were proved are those that LLVM reads of what is
    written, unless nothing uses them any more; ``spliced`` is that before LLVM printed it.
    """
    one, other, last = (m.function(name) for m in (proved, spliced, printed))
    names = matched(other, last)
    if names is None:
        return False
    mine, still, theirs = (f.view.defs for f in (one, other, last))
    return all(
        _same(mine[n], theirs[names.new[n]], names.new)
        for s in splices
        if s.shuffle.name in still
        for n in _with_address(mine[s.shuffle.name])
    )


def _with_address(i: Instr) -> list[str]:
    at = i.operands[0]
    return [i.name, at.name] if i.opcode == "load" and isinstance(at, Local) else [i.name]


def _same(a: Instr, b: Instr, new: Mapping[str, str]) -> bool:
    """Tell whether two instructions say the same of the same operands, debug locations apart."""

    def said(i: Instr) -> tuple[object, ...]:
        metadata = [x for x in i.metadata if x[0] != "dbg"]
        return i.opcode, str(i.type), i.flags, i.mask, i.align, metadata, i.known

    return said(a) == said(b) and [_renamed(o, new) for o in a.operands] == list(b.operands)


def _renamed(o: Operand, new: Mapping[str, str]) -> Operand:
    return Local(new[o.name], o.type) if isinstance(o, Local) else o
