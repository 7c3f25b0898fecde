"""What cannot be executed on symbols, in words: loops, large values, floating point, addresses
of other kinds.
"""

from __future__ import annotations

from typing import Final

from frontends.llvm.meaning.lanes import Cannot
from frontends.llvm.meaning.limits import SIZE_BITS, SIZE_BLOCKS, SIZE_LANES
from frontends.llvm.text.ast import (
    Block,
    Function,
    Instr,
    Local,
    Operand,
    OtherType,
    PtrType,
    Symbol,
    Type,
)
from frontends.llvm.text.syntax import element, integer_shape
from isel.cost.loops import postorder

_FLOATS: Final = ("half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128")


def put_in_order(function: Function, ends: frozenset[str]) -> list[Block]:
    """Return the reachable blocks, predecessors first; raise :class:`Cannot` for a loop or a
    block that ends in none of ``ends``.
    """
    if len(function.blocks) > SIZE_BLOCKS:
        raise Cannot(f"more than {SIZE_BLOCKS} blocks")
    view = function.view
    order = postorder(view.successors)[::-1]
    if any(n in view.after[n] for n in order):
        raise Cannot("a loop")
    for end in map(view.end, order):
        if end.opcode not in ends or not end.known:
            raise Cannot(f"'{end.opcode}'")
    return [view.blocks[n] for n in order]


def too_large(function: Function) -> str:
    """Return why the values of a function are too large to be written as terms, empty if they
    are not.
    """
    kinds = {a.type for a in function.arguments} | {
        t for i in function.view for t in (i.type, *(o.type for o in i.operands))
    }
    shapes = ((kind, integer_shape(kind)) for kind in sorted(kinds, key=str))
    return next(
        (
            f"a value of type {kind}"
            for kind, shape in shapes
            if shape is not None and (shape[0] > SIZE_LANES or shape[1] > SIZE_BITS)
        ),
        "",
    )


def is_float(kind: Type) -> bool:
    """Tell whether values of a type are floating point numbers or vectors of them."""
    return str(element(kind)) in _FLOATS


def why_operand(o: Operand) -> str:
    """Return why an operand has no value."""
    if is_float(o.type):
        return "floating point"
    text = (
        o.text if isinstance(o, Symbol) else f"%{o.name}" if isinstance(o, Local) else str(o.type)
    )
    return (
        f"memory: the operand {text}"
        if isinstance(o.type, (PtrType, OtherType))
        else f"the operand {text}"
    )


def why_instruction(i: Instr) -> str:
    """Return why an instruction that was not read to its end is not executed."""
    if i.opcode in ("load", "store", "fence", "cmpxchg", "atomicrmw"):
        return f"memory: '{i.opcode}' that is volatile, atomic or not understood"
    return f"'{i.opcode}' in a form that is not understood"
