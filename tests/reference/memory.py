"""Functions executed by the reference interpreter on buffers of bytes."""

from __future__ import annotations

from collections.abc import Sequence

from frontends.llvm.text.ast import Function, PtrType
from tests.reference.interpreter import Settings, run
from tests.reference.values import (
    Bits,
    Memory,
    Pointer,
    Region,
    Value,
    from_bits,
    int_width,
    lane_count,
    store_size,
)


def run_on_bytes(
    function: Function, arguments: Sequence[bytes | int], settings: Settings | None = None
) -> tuple[tuple[bytes, ...], tuple[bytes, ...], Value]:
    """Execute on fresh buffers, as the JIT's driver does; return the buffers, the masks of their
    poison bits, and the result.

    Bytes for a pointer become a buffer of that content; for a vector they are its lanes.
    """
    memory = Memory()
    values: list[Value] = []
    kept: list[bytearray] = []
    masks: list[bytearray] = []
    for argument, given in zip(function.arguments, arguments, strict=True):
        if isinstance(given, int):
            values.append((given & ((1 << int_width(argument.type)) - 1),))
            continue
        region = Region(bytearray(given))
        kept.append(region.data)
        masks.append(region.poison)
        if isinstance(argument.type, PtrType):
            memory.regions.append(region)
            values.append((Pointer(len(memory.regions) - 1, 0),))
        else:
            width = int_width(argument.type) * lane_count(argument.type)
            bits = Bits(
                store_size(argument.type) * 8,
                int.from_bytes(given[: store_size(argument.type)], "little"),
            )
            values.append(from_bits(bits.slice(0, width), argument.type, 0))
    result = run(function, values, memory, settings)
    return tuple(bytes(b) for b in kept), tuple(bytes(m) for m in masks), result
