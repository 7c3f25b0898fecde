"""What a compiled pipeline says of its arguments: ``halide_filter_metadata_t`` of
HalideRuntime.h.
"""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from typing import Final

from frontends.halide.buffers import TypeCode
from frontends.halide.native import Loaded
from frontends.halide.package import HalideProblem, Signature

_SCALAR_WORDS: Final = {
    0: {8: "b", 16: "h", 32: "i", 64: "q"},
    1: {1: "B", 8: "B", 16: "H", 32: "I", 64: "Q"},
    2: {16: "e", 32: "f", 64: "d"},
}


class _Argument(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("dimensions", ctypes.c_int32),
        ("type", TypeCode),
        ("scalars", ctypes.c_void_p * 4),  # default, least, greatest, estimate
        ("estimates", ctypes.POINTER(ctypes.POINTER(ctypes.c_int64))),
    )


class _Metadata(ctypes.Structure):
    _fields_ = (
        ("version", ctypes.c_int32),
        ("count", ctypes.c_int32),
        ("arguments", ctypes.POINTER(_Argument)),
    )


@dataclass(frozen=True, slots=True)
class Described:
    """An argument in the order of the call: its type's code (0 signed, 1 unsigned, 2 float, 3
    handle, 4 bfloat) and bits.

    ``estimates`` are least coordinate and extent of each dimension of a buffer, None where nothing
    is said (a bound that is promised counts as an estimate); ``scalars`` are a scalar's estimate,
    default, least and greatest value.
    """

    name: str
    code: int
    bits: int
    output: bool
    scalar: bool
    estimates: tuple[tuple[int | None, int | None], ...]
    scalars: tuple[int | float | None, ...]

    @property
    def size(self) -> int:
        """Bytes of an element."""
        return (self.bits + 7) // 8


def described(loaded: Loaded, signature: Signature) -> tuple[Described, ...]:
    """Return what an object says of its arguments; raises :class:`HalideProblem` if they are
    not those of the signature.
    """
    call = ctypes.CFUNCTYPE(ctypes.POINTER(_Metadata))(loaded.address(f"{signature.name}_metadata"))
    said = call().contents
    found = {a.name: a for a in (_described(said.arguments[k]) for k in range(said.count))}
    if found.keys() != {p.name for p in signature.parameters}:
        raise HalideProblem(
            f"'{signature.name}' takes {', '.join(found)}, expected "
            f"{', '.join(p.name for p in signature.parameters)}"
        )
    return tuple(found[p.name] for p in signature.parameters)


def _described(a: _Argument) -> Described:
    at = [a.estimates[k] if a.estimates else None for k in range(2 * a.dimensions)]
    estimates = [int(pointer[0]) if pointer else None for pointer in at]
    default, least, greatest, estimate = (_scalar(at, a.type) for at in a.scalars)
    pairs = tuple(zip(estimates[0::2], estimates[1::2], strict=True))
    said, kind = (estimate, default, least, greatest), a.type
    return Described(a.name.decode(), kind.code, kind.bits, a.kind == 2, a.kind == 0, pairs, said)


def _scalar(at: int | None, kind: TypeCode) -> int | float | None:
    letter = _SCALAR_WORDS.get(kind.code, {}).get(kind.bits)
    if not at or letter is None:
        return None
    value: int | float = struct.unpack(letter, ctypes.string_at(at, struct.calcsize(letter)))[0]
    return value
