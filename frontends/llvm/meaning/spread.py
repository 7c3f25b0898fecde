"""Where a value may be seen: which lanes of what is computed from it may depend on it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Final, TypeAlias

from frontends.llvm.meaning.intrinsics import LANEWISE
from frontends.llvm.text.ast import Instr, Local
from frontends.llvm.text.syntax import integer_shape, intrinsic_of, shape_of

Lanes: TypeAlias = frozenset[int]
_INTEGERS: Final = ("add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor", "icmp")
_DIVISIONS: Final = ("udiv", "sdiv", "urem", "srem")
_OTHERS: Final = ("select", "trunc", "zext", "sext", "freeze")
_LANEWISE: Final = frozenset((*_INTEGERS, *_DIVISIONS, *_OTHERS))


def spread(i: Instr, name: str, lanes: Lanes) -> Lanes:
    """Return the lanes of ``i`` that may depend on ``lanes`` of its operand ``name``; of a value
    that is no integer, or nothing at all, there is one.
    """
    result = integer_shape(i.type)
    if result is None:
        return frozenset((0,))
    found: set[int] = set()
    for k, o in enumerate(i.operands):
        shape = integer_shape(o.type)
        if not isinstance(o, Local) or o.name != name or shape is None:
            continue
        if i.opcode == "shufflevector":
            found.update(
                n for n, m in enumerate(i.mask) if m is not None and m - k * shape[0] in lanes
            )
        elif i.opcode == "bitcast":
            for n in lanes:
                found.update(
                    range(n * shape[1] // result[1], ((n + 1) * shape[1] - 1) // result[1] + 1)
                )
        elif shape[0] == result[0] and (i.opcode in _LANEWISE or intrinsic_of(i) in LANEWISE):
            found |= lanes
        else:
            found.update(range(result[0]))
    return frozenset(found)


def seen_in(
    i: Instr, root: str, inside: Container[str], users: Callable[[str], Iterable[Instr]]
) -> bool:
    """Tell whether everything that may depend on a value is ``inside``, and others see of that
    the root alone.
    """
    waiting = [(i, frozenset(range(shape_of(i.type)[0] or 1)))]
    done: dict[str, Lanes] = {}
    while waiting:
        at, lanes = waiting.pop()
        if lanes <= done.get(at.name, frozenset()) or at.name == root:
            continue
        done[at.name] = done.get(at.name, frozenset()) | lanes
        for user in users(at.name):
            reached = spread(user, at.name, lanes)
            if reached and user.name not in inside:
                return False
            waiting += [(user, reached)] if reached else []
    return True
