"""The greatest that lanes of values may be in any run of a function, around loops and all.

A bound holds of every lane that is not poison, whatever is chosen for what is undef in what it is
computed from, and is found by induction over what is executed: it holds of each value if it holds
of those that came before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from frontends.llvm.meaning.limits import BOUNDS_ROUNDS, BOUNDS_WIDEN
from frontends.llvm.text.ast import Instr, Literal, Local, Operand
from frontends.llvm.text.syntax import integer_shape, intrinsic_of, is_below, shape_of
from frontends.llvm.text.view import View

_Rule: TypeAlias = Callable[[Sequence[int]], int]

# What operands bound; what is greater than the type has room for wraps, and may be anything.
_OPCODES: Final[Mapping[str, _Rule]] = {
    "add": sum,
    "mul": lambda row: row[0] * row[1],
    **dict.fromkeys(("and", "trunc"), min),
    **dict.fromkeys(("or", "xor"), lambda row: (1 << max(row).bit_length()) - 1),
    **dict.fromkeys(("phi", "shufflevector"), max),
    **dict.fromkeys(("zext", "shl", "lshr", "udiv", "urem", "extractelement"), lambda row: row[0]),
    "select": lambda row: max(row[1:]),
    "insertelement": lambda row: max(row[:2]),
}
_INTRINSICS: Final[Mapping[str, _Rule]] = {"umin": min, "umax": max}


def bounds_of(view: View) -> Mapping[str, int]:
    """Return the bound of each value that is an integer or a vector of integers, as unsigned.

    Those of phis begin with what comes from outside of loops and go up; what keeps on growing is
    given up, and where not all has settled then, nothing is known.
    """
    values = [i for i in view.work if i.name and integer_shape(i.type) is not None]
    found = {i.name: 0 for i in values}
    for n in range(BOUNDS_ROUNDS):
        if not _raise(found, values, widen=n >= BOUNDS_WIDEN):
            return found
    return {}


def _raise(found: dict[str, int], values: Sequence[Instr], *, widen: bool) -> bool:
    """Raise the bounds that do not hold yet, of phis to the greatest where ``widen`` says so; tell
    whether there were any.
    """
    raised = False
    for i in values:
        new = _bound(i, found)
        if new > found[i.name]:
            found[i.name], raised = _most(i) if widen and i.opcode == "phi" else new, True
    return raised


def bound_of(o: Instr | Operand, known: Mapping[str, int]) -> int:
    """Return the greatest that a lane may be, by what is known of values."""
    if isinstance(o, Literal):
        most = {"poison": 0, "undef": _most(o)}
        return max(x if isinstance(x, int) else most.get(x, _most(o)) for x in o.lanes)
    return known.get(o.name, _most(o)) if isinstance(o, Instr | Local) else _most(o)


def _most(o: Instr | Operand) -> int:
    return (1 << shape_of(o.type)[1]) - 1


def _bound(i: Instr, known: Mapping[str, int]) -> int:
    rule = _OPCODES.get(i.opcode) or _INTRINSICS.get(intrinsic_of(i))
    rows = _rows(i, known) if rule is not None and i.known else []
    return min(rule(rows), _most(i)) if rule is not None and rows else _most(i)


def _rows(i: Instr, known: Mapping[str, int]) -> list[int]:
    """Return the bounds of what an instruction looks at, as its rule takes them."""
    if i.opcode in ("shl", "lshr"):
        return [_shift(i, bound_of(i.operands[0], known))]
    rows = [bound_of(o, known) for o in _sources(i)]
    return [*rows, _most(i)] if i.opcode == "trunc" else rows


def _sources(i: Instr) -> Sequence[Operand]:
    """Return the operands of which a lane may become one of the result's."""
    if i.opcode == "phi":
        return i.operands[::2]
    if i.opcode != "shufflevector":
        return i.operands
    count, _ = shape_of(i.operands[0].type)
    sides = sorted({k >= count for k in i.mask if k is not None})
    return [i.operands[k] for k in sides]


def _shift(i: Instr, bound: int) -> int:
    """Return a bound shifted by constants, or by anything to the right."""
    by, left = i.operands[1], i.opcode == "shl"
    if not (isinstance(by, Literal) and is_below(by, _most(i).bit_length())):
        return _most(i) if left else bound
    amounts = [int(x) for x in by.lanes]
    return bound << max(amounts) if left else bound >> min(amounts)
