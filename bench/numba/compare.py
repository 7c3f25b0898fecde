"""A kernel compiled twice: are results and, where nothing was rewritten, machine code the same, and
how long do both take?
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final, TypeAlias

import numba
import numpy as np
from numba import types

import isel.numba
from bench.numba.kernels import Argument, Row
from isel.timing import Plan, interleaved

if TYPE_CHECKING:
    from isel.api.modules import LlvmModule
    from isel.api.optimize import Result

Dispatcher: TypeAlias = "numba.core.dispatcher.Dispatcher"
SIZES: Final = (0, 1, 37, 1000, 1 << 17)
TIMED: Final = 2048  # items: a line of an image, in the nearest cache
_UNIQUE: Final = re.compile(r"B\d+v\d+B\d+")  # what numba adds to a name to make it its own
_PAGE, _ALIGNED = 4096, 16  # bytes: what numpy's arrays are aligned to
_ROUND: Final = 100_000  # nanoseconds


@dataclass(frozen=True, slots=True)
class Found:
    """What became of a kernel: nanoseconds of a call of either version, how many times as fast
    isel's is, and how many windows of how many it rewrote and why others stay.
    """

    name: str
    alone: float
    rewritten: float
    ratio: float
    replaced: int
    windows: int
    reasons: tuple[str, ...]
    same_code: bool
    limited: bool


class Differs(Exception):
    """Both versions of a kernel give different results, or code changed that nothing rewrote."""


def compare(row: Row, places: int, time_limit: float, seed: int) -> Found:
    """Compile a kernel by numba alone and with isel, and compare; raise :class:`Differs`."""
    seen: list[Result[LlvmModule]] = []
    isel.numba.disable()
    alone = _compile(row)
    isel.numba.enable(time_limit=time_limit, watch=lambda _, result: seen.append(result))
    other = _compile(row)
    isel.numba.disable()
    rng = np.random.default_rng(seed)
    for size in SIZES:
        _check_results(row, alone, other, row.inputs(rng, size))
    windows = [w for result in seen for w in result.windows]
    replaced = sum(len(result.rewritten) for result in seen)
    same = _assembly(alone) == _assembly(other)
    if same == bool(replaced):
        raise Differs(
            f"{row.name}: {replaced} windows rewritten; is the machine code equal: {same}"
        )
    times = list(_times(alone, other, row, places, rng))
    return Found(
        row.name,
        median(a for a, _ in times),
        median(b for _, b in times),
        1.0 if same else median(a / b for a, b in times),
        replaced,
        len(windows),
        tuple(sorted({w.reason for w in windows if w.reason})),
        same,
        any(result.limited for result in seen),
    )


def _compile(row: Row) -> Dispatcher:
    return numba.njit(row.signature)(row.kernel)


def _check_results(row: Row, alone: Dispatcher, other: Dispatcher, given: list[Argument]) -> None:
    second = copy.deepcopy(given)
    if alone(*given) != other(*second) or not all(map(np.array_equal, given, second)):
        raise Differs(f"{row.name}: results differ")


def _assembly(compiled: Dispatcher) -> str:
    """Return the instructions of a kernel and its wrappers, without what makes names its own."""
    text: str = compiled.inspect_asm(compiled.signatures[0])
    return _UNIQUE.sub("", text)


def _times(
    alone: Dispatcher, other: Dispatcher, row: Row, places: int, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """Yield nanoseconds of a call of both versions, for inputs at each of so many places."""
    repeat = _repeated(alone.nopython_signatures[0])
    for _ in range(places):
        given = tuple(_moved(x, rng) for x in row.inputs(rng, TIMED))
        runs: dict[str, Callable[[int], object]] = {
            "alone": lambda n, given=given: repeat(alone, n, given),  # type: ignore[misc]
            "other": lambda n, given=given: repeat(other, n, given),  # type: ignore[misc]
        }
        own, new = interleaved(runs, Plan(rounds=15, round_ns=_ROUND))
        yield median(own.rounds), median(new.rounds)


def _repeated(signature: types.Type) -> Dispatcher:
    """Return what calls a compiled function by its address, many times: without Python, and without
    being optimised together with it.
    """

    def repeat(call: Callable[..., object], count: int, given: tuple[Argument, ...]) -> None:
        for _ in range(count):
            call(*given)

    given = types.BaseTuple.from_types(signature.args)
    return numba.njit(types.void(types.FunctionType(signature), types.int64, given))(repeat)


def _moved(value: Argument, rng: np.random.Generator) -> Argument:
    """Return a copy of an array that begins anywhere in a page where numpy's may."""
    if not isinstance(value, np.ndarray):
        return value
    memory = np.empty(value.nbytes + 2 * _PAGE, np.uint8)
    start = -memory.ctypes.data % _PAGE + _ALIGNED * int(rng.integers(_PAGE // _ALIGNED))
    moved = memory[start : start + value.nbytes].view(value.dtype).reshape(value.shape)
    moved[...] = value
    return moved
