"""Integers of more than 64 bits that come from vectors or memory and go there, in between joined
bit by bit and moved by whole bytes: vectors of their bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from frontends.llvm.splicing.write import location
from frontends.llvm.text import build
from frontends.llvm.text.ast import Instr, IntType, Local, Operand, Symbol, Type, VectorType
from frontends.llvm.text.rewording import spell
from frontends.llvm.text.syntax import is_below, number
from frontends.llvm.transform.site import Change, Opportunity, Scope
from isel.cost.loops import reach

_LOGIC = frozenset(("and", "or", "xor"))
_SHIFTS = frozenset(("shl", "lshr"))


def _write(scope: Scope, instrs: Sequence[Instr], names: Iterator[str]) -> Change:
    """Return the same of vectors, under the same names: frozen where several look at them; what is
    stored is an integer again.
    """
    lines: dict[int, tuple[str, ...]] = {}
    for i in instrs:
        value = i.operands[0]
        if i.opcode == "store":
            name = next(names)
            own = build.cast("bitcast", _lanes(value), value.type).line(name)
            new = own, i.text.strip().replace(f" {spell(value)},", f" %{name},", 1)
        elif _is_wide(i.type) and not _is_wide(value.type) and len(scope.view.used_by(i.name)) > 1:
            name, body = next(names), _body(i)
            freeze = build.freeze(Local(name, body.type)).line(i.name)
            new = body.line(name, location(i)), freeze
        else:
            new = "", _body(i).line(i.name, location(i))
        lines[i.line] = tuple(filter(None, new))
    return Change(lines, "vectors of bytes")


def sites(scope: Scope) -> Iterator[Opportunity]:
    """Yield the webs in which something is joined or moved, in program order."""
    seen: set[int] = set()
    for i in scope.view.work:
        if i.opcode in _LOGIC | _SHIFTS and _is_wide(i.type) and i.line not in seen:
            instrs = _web(scope, i)
            seen.update(x.line for x in instrs)
            strange = (x for x in instrs if not (_is_known(x) and _is_given(scope, x)))
            said = next((f"'{x.text.strip()}' is in its web" for x in strange), "")
            yield Opportunity(_last(instrs), partial(_write, scope, instrs), said)


def _last(instrs: Sequence[Instr]) -> Instr:
    """Return the last instruction that computes something."""
    return [i for i in instrs if i.opcode in _LOGIC | _SHIFTS][-1]


def _web(scope: Scope, root: Instr) -> tuple[Instr, ...]:
    """Return all that hangs together with an instruction by integers of many bits."""

    def near(i: Instr) -> list[Instr]:
        under = (scope.definition(o) for o in i.operands if _is_wide(o.type))
        users = scope.view.used_by(i.name) if i.name and _is_wide(i.type) else ()
        return [*(x for x in under if x is not None), *users]

    return tuple(sorted(reach([root], near), key=lambda i: i.line))


def _is_wide(kind: Type) -> bool:
    return isinstance(kind, IntType) and kind.bits > 64 and kind.bits % 64 == 0


def _is_known(i: Instr) -> bool:
    """Tell whether an instruction of a web has another spelling."""
    if i.opcode == "bitcast":
        kinds = (i.type, i.operands[0].type)
        return any(isinstance(kind, VectorType) for kind in kinds)
    if i.opcode in _SHIFTS:
        return (number(i.operands[1]) or 0) % 8 == 0 and is_below(i.operands[1], 8 * _count(i.type))
    return i.opcode in _LOGIC or (i.opcode in ("load", "store") and not i.flags and i.align > 0)


def _is_given(scope: Scope, i: Instr) -> bool:
    """Tell whether the integers of an instruction are numbers, or computed."""
    wide = [o for o in i.operands if _is_wide(o.type)]
    return i.known and all(scope.definition(o) or number(o) is not None for o in wide)


def _count(kind: Type) -> int:
    return kind.bits // 8 if isinstance(kind, IntType) else 0


def _bytes(kind: Type) -> Type:
    """Return the type of a vector with the bytes of an integer, of other types themselves."""
    return VectorType(_count(kind), IntType(8)) if _is_wide(kind) else kind


def _lanes(o: Operand) -> Operand:
    """Return an operand as the vector of its bytes."""
    value = number(o)
    if value is None or not _is_wide(o.type):
        return Symbol(spell(o), _bytes(o.type))
    return build.constant([value >> 8 * k & 255 for k in range(_count(o.type))], 8)


def _body(i: Instr) -> build.Body:
    """Return an instruction on integers as one on vectors."""
    kind = _bytes(i.type)
    if i.opcode == "load":
        known = "".join(f", !{name} {node}" for name, node in i.metadata if name == "tbaa")
        return build.load(kind, i.operands[0], i.align, known)
    given = [_lanes(o) for o in i.operands]
    if i.opcode not in _SHIFTS:
        return build.like(i, given, kind, i.opcode)
    count, by = _count(i.type), (number(i.operands[1]) or 0) // 8
    pair = given[0], build.constant([0] * count, 8)
    (a, b), first = (pair[::-1], count - by) if i.opcode == "shl" else (pair, by)
    return build.shuffle(a, range(first, first + count), b)
