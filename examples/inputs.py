"""Arguments for the demonstration's functions, and their timing; runs in a worker process."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.jit import Jit, Timing, time_pair

COUNT = 4096  # elements of an array, so that three arrays stay in the first-level cache


@dataclass(frozen=True, slots=True)
class Measured:
    """The times of both versions and whether they left the same bytes behind."""

    timing: Timing
    same: bool


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Dimension(ctypes.Structure):
    _fields_ = (
        ("min", ctypes.c_int32),
        ("extent", ctypes.c_int32),
        ("stride", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class _Image(ctypes.Structure):
    """Halide's ``halide_buffer_t`` (HalideRuntime.h)."""

    _fields_ = (
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", _Type),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.POINTER(_Dimension)),
        ("padding", ctypes.c_void_p),
    )


def _image(pixels: ctypes.Array[ctypes.c_char], width: int, height: int) -> tuple[_Image, object]:
    """Return the description of a byte image, and what must live as long as it."""
    dimensions = (_Dimension * 2)(_Dimension(0, width, 1, 0), _Dimension(0, height, width, 0))
    return _Image(
        0, None, ctypes.addressof(pixels), 0, _Type(1, 8, 1), 2, dimensions, None
    ), dimensions


def _bytes(rng: random.Random, size: int) -> bytes:
    return rng.randbytes(size)


def _arrays(size: int, *rest: int) -> Callable[[random.Random], Sequence[bytes | int]]:
    return lambda rng: (bytes(size), _bytes(rng, size), _bytes(rng, size), *rest)


ARGUMENTS: dict[str, Callable[[random.Random], Sequence[bytes | int]]] = {
    "q15_multiply": _arrays(2 * COUNT, COUNT),
    "subtract_clamp": _arrays(COUNT, COUNT),
    "multiply_round": _arrays(64),
    "dot4": lambda rng: (bytes(64), _bytes(rng, 64), _bytes(rng, 64), _bytes(rng, 64)),
}


def measure(before: str, after: str, function: str, seed: int) -> Measured:
    """Run both versions on the same random input, compare what they leave behind, and time them
    in turns.
    """
    if function not in ARGUMENTS:
        return _measure_image(before, after, function, seed)
    arguments = ARGUMENTS[function](random.Random(seed))
    outcomes = [Jit(text, [function]).call(function, arguments) for text in (before, after)]
    return Measured(time_pair(before, after, function, arguments), outcomes[0] == outcomes[1])


def _measure_image(before: str, after: str, function: str, seed: int) -> Measured:
    width, height = 256, 8
    source = ctypes.create_string_buffer(
        _bytes(random.Random(seed), width * 2 * height), width * 2 * height
    )
    results: list[bytes] = []
    target = ctypes.create_string_buffer(width * height)
    a, keep_a = _image(source, width, 2 * height)
    b, keep_b = _image(target, width, height)
    arguments = (ctypes.addressof(a), ctypes.addressof(b))
    for text in (before, after):
        ctypes.memset(target, 0xEE, width * height)
        Jit(text, [function]).call(function, arguments)
        results.append(target.raw)
    timing = time_pair(before, after, function, arguments)
    del keep_a, keep_b
    return Measured(timing, results[0] == results[1])
