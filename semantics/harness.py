"""IR functions that hold one instruction's emission: for selection, with values as parameters,
and for execution, over arrays.
"""

from __future__ import annotations

from collections.abc import Mapping

from isel.spec.emission import emitted
from isel.spec.instruction import Instruction, Operand
from isel.spec.sem_family import type_text
from semantics.machine import Machine


def element_bytes(lanes: int, width: int, mask_bits: int = 1) -> int:
    """Return the bytes that one value takes in an array: masks are padded to whole bytes."""
    return max(1, lanes * (mask_bits if _is_mask(lanes, width) else width) // 8)


def _mask_in(name: str, lanes: int, source: str, mask_bits: int) -> list[str]:
    if mask_bits > 1:
        return [f"%{name} = icmp ne <{lanes} x i{mask_bits}> {source}, zeroinitializer"]
    if lanes >= 8:
        return [f"%{name} = bitcast i{lanes} {source} to <{lanes} x i1>"]
    picked = ", ".join(f"i32 {k}" for k in range(lanes))
    return [
        f"%{name}.8 = bitcast i8 {source} to <8 x i1>",
        f"%{name} = shufflevector <8 x i1> %{name}.8, <8 x i1> poison, <{lanes} x i32> <{picked}>",
    ]


def _mask_out(lanes: int, mask_bits: int) -> list[str]:
    if mask_bits > 1:
        return [f"%.out = zext <{lanes} x i1> %r to <{lanes} x i{mask_bits}>"]
    if lanes >= 8:
        return [f"%.out = bitcast <{lanes} x i1> %r to i{lanes}"]
    widened = ", ".join(f"i32 {min(k, lanes)}" for k in range(8))
    both = f"<{lanes} x i1> %r, <{lanes} x i1> zeroinitializer"
    eight = f"%.out.8 = shufflevector {both}, <8 x i32> <{widened}>"
    return [eight, "%.out = bitcast <8 x i1> %.out.8 to i8"]


def _stored_type(lanes: int, width: int, mask_bits: int) -> str:
    if not _is_mask(lanes, width):
        return type_text(lanes, width)
    return f"i{max(8, lanes)}" if mask_bits == 1 else type_text(lanes, mask_bits)


def function_text(
    instruction: Instruction, immediates: Mapping[str, int], name: str, machine: Machine
) -> str:
    """Return a function of the operands; masks are loaded and stored as masks, so that they
    live in mask registers.
    """
    lines: list[str] = []
    parameters: list[str] = []
    for o in instruction.operands:
        kind = type_text(o.lanes, o.width)
        if not _is_mask(o.lanes, o.width):
            parameters.append(f"{kind} %{o.name}")
            continue
        parameters.append(f"ptr %{o.name}.at")
        stored = f"<{max(8, o.lanes)} x i1>"
        lines.append(f"%{o.name}.in = load {stored}, ptr %{o.name}.at, align 1")
        picked = ", ".join(f"i32 {k}" for k in range(o.lanes))
        lines.append(
            f"%{o.name} = shufflevector {stored} %{o.name}.in, {stored} poison, <{o.lanes} x i32> "
            f"<{picked}>"
        )
    lines.extend(emitted(instruction.emission, immediates))
    kind = type_text(instruction.lanes, instruction.width)
    if not _is_mask(instruction.lanes, instruction.width):
        result = f"ret {kind} %r"
    elif not any(f.startswith(machine.masks) for f in instruction.features):
        integer = f"i{instruction.lanes}"
        lines.append(f"%.out = bitcast {kind} %r to {integer}")
        kind, result = f"zeroext {integer}", f"ret {integer} %.out"
    else:
        stored = f"<{max(8, instruction.lanes)} x i1>"
        padded = ", ".join(
            f"i32 {min(k, instruction.lanes)}" for k in range(max(8, instruction.lanes))
        )
        lines.append(
            f"%.out = shufflevector {kind} %r, {kind} zeroinitializer, "
            f"{stored.replace('i1', 'i32')} <{padded}>"
        )
        lines.append(f"store {stored} %.out, ptr %.to, align 1")
        parameters.insert(0, "ptr %.to")
        kind, result = "void", "ret void"
    body = "\n  ".join([*lines, result])
    attributes = machine.attributes(instruction.features)
    head = f"define {kind} @{name}({', '.join(parameters)}) {attributes}"
    return f"{head} {{\n  {body}\n}}\n"


def _is_mask(lanes: int, width: int) -> bool:
    return width == 1 and lanes > 1


def loop_text(
    instruction: Instruction, immediates: Mapping[str, int], name: str, machine: Machine
) -> str:
    """Return ``void (ptr out, ptr in0, …, i64 count)`` that applies the instruction to arrays
    of operands.
    """
    pointers = [f"ptr %.p{k}" for k in range(len(instruction.operands))]
    lines: list[str] = []
    for k, o in enumerate(instruction.operands):
        lines.extend(_load(o, k, machine.mask_bits))
    lines.extend(emitted(instruction.emission, immediates))
    masked = _is_mask(instruction.lanes, instruction.width)
    lines.extend(_mask_out(instruction.lanes, machine.mask_bits) if masked else [])
    shape = instruction.lanes, instruction.width, machine.mask_bits
    kind, size = _stored_type(*shape), element_bytes(*shape)
    lines.append(f"%.at = getelementptr [{size} x i8], ptr %.to, i64 %.n")
    lines.append(f"store {kind} {'%.out' if masked else '%r'}, ptr %.at, align 1")
    body = "\n  ".join(lines)
    parameters = ", ".join(["ptr %.to", *pointers, "i64 %.count"])
    return f"""define void @{name}({parameters}) {machine.attributes(instruction.features)} {{
entry:
  br label %loop
loop:
  %.n = phi i64 [ 0, %entry ], [ %.next, %loop ]
  {body}
  %.next = add i64 %.n, 1
  %.more = icmp ult i64 %.next, %.count
  br i1 %.more, label %loop, label %exit
exit:
  ret void
}}
"""


def _load(o: Operand, k: int, mask_bits: int) -> list[str]:
    kind = _stored_type(o.lanes, o.width, mask_bits)
    masked = _is_mask(o.lanes, o.width)
    name = f"{o.name}.in" if masked else o.name
    size = element_bytes(o.lanes, o.width, mask_bits)
    lines = [
        f"%{o.name}.at = getelementptr [{size} x i8], ptr %.p{k}, i64 %.n",
        f"%{name} = load {kind}, ptr %{o.name}.at, align 1",
    ]
    return [*lines, *(_mask_in(o.name, o.lanes, f"%{name}", mask_bits) if masked else [])]
