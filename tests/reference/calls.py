"""Calls in the reference interpreter: LLVM's generic integer intrinsics and target intrinsics
by their semantics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from frontends.llvm.text.ast import Instr, Type, VectorType
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.expr import Expr, leaves
from isel.spec.instruction import Instruction
from isel.spec.target import Target
from tests.reference.operations import (
    BINARY_CALLS,
    CONSTANT_CALLS,
    FIXED_CALLS,
    REDUCTIONS,
    TERNARY_CALLS,
    UNARY_CALLS,
)
from tests.reference.values import (
    POISON,
    Bits,
    Lane,
    Memory,
    NotInterpreted,
    Pointer,
    Poison,
    UndefinedBehaviour,
    Value,
    from_bits,
    int_width,
    lane_count,
    store_size,
    to_bits,
)

_SUFFIX: Final = re.compile(r"(\.v\d+i\d+|\.i\d+|\.p\d+)+$")
_IGNORED: Final = (
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.sideeffect",
)
_ARGUMENT: Final = re.compile(r"[%$][\w.]+")


def call(
    instr: Instr, arguments: Sequence[Value], memory: Memory, target: Target | None, undef: int
) -> Value:
    """Return the result of a call of an intrinsic; raise :class:`NotInterpreted` for any other."""
    if instr.callee.startswith(_IGNORED):
        return ()
    if instr.callee == "llvm.assume":
        return _assume(arguments[0])
    instruction = target.by_call(instr.callee) if target is not None else None
    if instruction is not None:
        return _target_call(instruction, instr, arguments, undef)
    name = _SUFFIX.sub("", instr.callee.removeprefix("llvm."))
    if name in ("masked.load", "masked.store"):
        return (
            _masked_load(instr, arguments, memory, undef)
            if name == "masked.load"
            else _masked_store(instr, arguments, memory)
        )
    if name.startswith("vector."):
        return _vector_call(name.removeprefix("vector."), instr, arguments)
    return _lanewise(name, instr, arguments)


def _assume(condition: Value) -> Value:
    if condition != (1,):
        raise UndefinedBehaviour("a false assumption")
    return ()


def operand_type(instr: Instr, index: int) -> Type:
    """Return the type of an operand."""
    return instr.operands[index].type


def _apply(
    width: int,
    mask: int,
    function: Callable[..., int | Poison],
    lanes: Sequence[Lane],
    constants: Sequence[int],
) -> Lane:
    values = []
    for lane in lanes:
        if isinstance(lane, Poison):
            return POISON
        if not isinstance(lane, int):
            raise NotInterpreted("arithmetic on pointers")
        values.append(lane)
    result = function(width, *values, *constants)
    return result if isinstance(result, Poison) else result & mask


def _lanewise(name: str, instr: Instr, arguments: Sequence[Value]) -> Value:
    tables: tuple[tuple[Mapping[str, Callable[..., int | Poison]], int], ...] = (
        (UNARY_CALLS, 1),
        (BINARY_CALLS, 2),
        (CONSTANT_CALLS, 1),
        (TERNARY_CALLS, 3),
        (FIXED_CALLS, 2),
    )
    for table, vectors in tables:
        if name in table:
            width = int_width(operand_type(instr, 0))
            mask = (1 << int_width(instr.type)) - 1
            constants = [c for (c,) in arguments[vectors:] if isinstance(c, int)]
            rows = zip(*arguments[:vectors], strict=True)
            return tuple(_apply(width, mask, table[name], row, constants) for row in rows)
    raise NotInterpreted(f"the function {instr.callee}")


def _reduce(name: str, width: int, lanes: Value) -> Value:
    total = lanes[0]
    for lane in lanes[1:]:
        total = _apply(width, (1 << width) - 1, REDUCTIONS[name], (total, lane), ())
    return (total,)


def _vector_call(name: str, instr: Instr, arguments: Sequence[Value]) -> Value:
    if name.removeprefix("reduce.") in REDUCTIONS and name.startswith("reduce."):
        return _reduce(
            name.removeprefix("reduce."), int_width(operand_type(instr, 0)), arguments[0]
        )
    if name == "reverse":
        return arguments[0][::-1]
    if name == "interleave2":
        return tuple(lane for pair in zip(*arguments, strict=True) for lane in pair)
    if name in ("extract", "insert"):
        (start,) = arguments[-1]
        if not isinstance(start, int):
            raise NotInterpreted("an index that is no constant")
        if name == "extract":
            return arguments[0][start : start + lane_count(instr.type)]
        return arguments[0][:start] + arguments[1] + arguments[0][start + len(arguments[1]) :]
    raise NotInterpreted(f"the function {instr.callee}")


def _alignment(instr: Instr, index: int) -> int:
    found = next(
        (a for a in instr.attributes if a.startswith("align ") and a.endswith(f" @{index}")),
        "align 1 @",
    )
    return int(found.split()[1])


def _step(pointer: Lane, offset: int) -> Lane:
    return (
        Pointer(pointer.region, pointer.offset + offset)
        if isinstance(pointer, Pointer)
        else pointer
    )


def _masked_lanes(kind: Type, mask: Value) -> list[int]:
    if not isinstance(kind, VectorType) or int_width(kind) % 8:
        raise NotInterpreted("a masked access of elements that are no whole bytes")
    if any(isinstance(bit, Poison) for bit in mask):
        raise UndefinedBehaviour("a masked access with a poison mask")
    return [i for i, bit in enumerate(mask) if bit]


def _masked_load(instr: Instr, arguments: Sequence[Value], memory: Memory, undef: int) -> Value:
    (pointer,), mask, *rest = arguments
    result = list(rest[-1] if rest else (POISON,) * lane_count(instr.type))
    kind = instr.type
    active = _masked_lanes(kind, mask)
    assert isinstance(kind, VectorType)
    size = store_size(kind.elem)
    if active and isinstance(pointer, Pointer) and pointer.offset % _alignment(instr, 0):
        raise UndefinedBehaviour("a misaligned masked load")
    for i in active:
        result[i] = from_bits(
            memory.load(_step(pointer, i * size), kind.elem, 1), kind.elem, undef
        )[0]
    return tuple(result)


def _masked_store(instr: Instr, arguments: Sequence[Value], memory: Memory) -> Value:
    value, (pointer,), mask = arguments
    kind = operand_type(instr, 0)
    active = _masked_lanes(kind, mask)
    assert isinstance(kind, VectorType)
    size = store_size(kind.elem)
    if active and isinstance(pointer, Pointer) and pointer.offset % _alignment(instr, 1):
        raise UndefinedBehaviour("a misaligned masked store")
    for i in active:
        memory.store(_step(pointer, i * size), to_bits((value[i],), kind.elem), 1)
    return ()


def _order(instruction: Instruction) -> list[str]:
    """Return the names of the call's arguments (``%operand`` or ``$immediate``) as the emission
    has them.
    """
    line = next(row for row in instruction.emission if f"@{instruction.call}(" in row)
    return _ARGUMENT.findall(line.partition(f"@{instruction.call}(")[2])


def _target_call(
    instruction: Instruction, instr: Instr, arguments: Sequence[Value], undef: int
) -> Value:
    given: dict[str, Bits] = {}
    immediates: dict[str, int] = {}
    for name, value, index in zip(
        _order(instruction), arguments, range(len(arguments)), strict=True
    ):
        bits = to_bits(value, operand_type(instr, index))
        if name[0] == "$":
            immediates[name[1:]] = bits.value
        else:
            given[name[1:]] = bits
    result = Bits(0, 0)
    for i in range(instruction.lanes):
        lane = _term(instruction.lane(i, immediates), given)
        at = result.width
        result = Bits(
            at + instruction.width,
            result.value | lane.value << at,
            result.poison | lane.poison << at,
        )
    return from_bits(result, instr.type, undef)


def _term(term: Expr, given: Mapping[str, Bits]) -> Bits:
    env: dict[Expr, int] = {}
    for leaf in leaves(term):
        offset = leaf.offset if leaf.op == "elem" else 0
        part = given[leaf.source].slice(offset, leaf.width)
        if part.poison:
            return Bits(term.width, 0, (1 << term.width) - 1)
        env[leaf] = part.value
    return Bits(term.width, evaluate_all([term], env, Integer())[term])
