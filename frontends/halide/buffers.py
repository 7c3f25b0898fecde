"""numpy arrays as Halide sees them: ``halide_buffer_t`` of HalideRuntime.h, built with ctypes."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from frontends.halide.package import Parameter, Signature
from isel.errors import UsageProblem

Argument: TypeAlias = "NDArray[np.generic] | int | float"


class Dimension(ctypes.Structure):
    """``halide_dimension_t``."""

    _fields_ = (
        ("min", ctypes.c_int32),
        ("extent", ctypes.c_int32),
        ("stride", ctypes.c_int32),
        ("flags", ctypes.c_uint32),
    )


class TypeCode(ctypes.Structure):
    """``halide_type_t``."""

    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class RawBuffer(ctypes.Structure):
    """``halide_buffer_t``."""

    _fields_ = (
        ("device", ctypes.c_uint64),
        ("device_interface", ctypes.c_void_p),
        ("host", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("type", TypeCode),
        ("dimensions", ctypes.c_int32),
        ("dim", ctypes.c_void_p),
        ("padding", ctypes.c_void_p),
    )


class Call:
    """The arguments of one call, in the form that a compiled pipeline's ``_argv`` function takes.

    The arrays are used in place and must outlive nothing but this object, which keeps them.
    Raises :class:`UsageProblem` for an argument that does not fit its parameter.
    """

    def __init__(self, signature: Signature, arguments: Sequence[Argument]) -> None:
        if len(arguments) != len(signature.parameters):
            names = ", ".join(p.name for p in signature.parameters)
            raise UsageProblem(
                f"'{signature.name}' takes {len(signature.parameters)} arguments ({names}), "
                f"{len(arguments)} were given"
            )
        self._kept: list[object] = []
        words = [self._word(p, a) for p, a in zip(signature.parameters, arguments, strict=True)]
        self._argv = (ctypes.c_void_p * len(words))(*words)

    @property
    def address(self) -> int:
        """Where the array of argument addresses is."""
        return ctypes.addressof(self._argv)

    def _word(self, parameter: Parameter, argument: Argument) -> int:
        if parameter.scalar:
            _check_type(parameter)
            cell = np.array(argument).astype(parameter.dtype).reshape(1)
            self._kept.append(cell)
            return int(cell.ctypes.data)
        if not isinstance(argument, np.ndarray):
            raise UsageProblem(f"'{parameter.name}' is a buffer, expected a numpy array")
        _check(parameter, argument)
        return self._buffer(argument)

    def _buffer(self, array: NDArray[np.generic]) -> int:
        strides = [s // array.itemsize for s in reversed(array.strides)]
        shape = list(reversed(array.shape))
        sizes = (Dimension(0, n, s, 0) for n, s in zip(shape, strides, strict=True))
        dims = (Dimension * max(1, array.ndim))(*sizes)
        bits = 1 if array.dtype.kind == "b" else 8 * array.itemsize
        kind = TypeCode({"i": 0, "u": 1, "b": 1, "f": 2}[array.dtype.kind], bits, 1)
        at = ctypes.addressof(dims)
        made = RawBuffer(host=array.ctypes.data, type=kind, dimensions=array.ndim, dim=at)
        self._kept.extend((array, dims, made))
        return ctypes.addressof(made)


def _check(parameter: Parameter, array: NDArray[np.generic]) -> None:
    _check_type(parameter)
    if array.dtype != np.dtype(parameter.dtype):
        raise UsageProblem(
            f"'{parameter.name}' holds {parameter.dtype}, the array holds {array.dtype}"
        )
    if array.ndim != parameter.dimensions:
        raise UsageProblem(
            f"'{parameter.name}' has {parameter.dimensions} dimensions, the array has {array.ndim}"
        )
    if array.ndim and array.strides[-1] != array.itemsize:
        raise UsageProblem(f"the last axis of '{parameter.name}' is not contiguous")
    if any(s % array.itemsize for s in array.strides):
        raise UsageProblem(f"the strides of '{parameter.name}' are no multiples of its elements")
    if parameter.output and not array.flags.writeable:
        raise UsageProblem(f"the array of '{parameter.name}' is read-only")


def _check_type(parameter: Parameter) -> None:
    """Raise :class:`UsageProblem` for a type that numpy does not have."""
    if not parameter.in_numpy:
        raise UsageProblem(f"'{parameter.name}' holds {parameter.dtype}, which numpy does not have")
