"""Versions of a pipeline run on this machine: on random inputs, compared bit for bit, then timed in
turns.

Everything about memory is asked of Halide: its bounds query says what must be there for the wanted
outputs, and the version with Halide's run-time checks runs first and is what the others are
compared with.  Run it in a worker: what a version does wrong may end the process.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from frontends.halide.buffers import Dimension, RawBuffer, TypeCode
from frontends.halide.metadata import Described, described
from frontends.halide.native import Loaded, check_runnable
from frontends.halide.package import HalideProblem, Signature
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked.buffer import Buffer, OutOfBounds
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import IselError
from isel.timing import Plan, Times, interleaved

PLAN: Final = Plan(rounds=11, round_ns=20_000_000)
_INPUTS: Final = 2  # sets of random inputs that all versions are compared on
_ROOM: Final = 1 << 30  # bytes of all buffers
_SECONDS: Final = 300.0
_FILL: Final = 0x5A  # what outputs hold before a call, so that what is not written shows
_THREADS: Final = b"halide_do_par_for"
# Of random values of more than 8 bits: their products and sums must not overflow, which Halide
# leaves undefined.
_BOUND: Final = 1 << 10


class NotRun(IselError):
    """A pipeline cannot be run here; why."""


class Differs(IselError):
    """Versions of a pipeline compute different results."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Versions by name, as object files; ``checked`` has Halide's checks and bounds queries;
    ``size`` are extents of the outputs, innermost first.
    """

    signature: Signature
    target: HalideTarget
    versions: tuple[tuple[str, bytes], ...]
    checked: bytes
    size: tuple[int, ...] = ()
    seed: int = 2024
    plan: Plan = PLAN


@dataclass(frozen=True, slots=True)
class Measured:
    """Times of the versions, the buffers' extents by name, innermost first, and versions that
    differ in outputs of floating point.
    """

    times: tuple[Times, ...]
    extents: tuple[tuple[str, tuple[int, ...]], ...]
    different: tuple[str, ...] = ()


def measured(trial: Trial) -> Measured:
    """Run a trial in a worker; raises :class:`NotRun` where that cannot be done and
    :class:`Differs` for different results.
    """
    try:
        check_runnable(trial.target)
    except IselError as problem:
        raise NotRun(problem.message()) from None
    with LlvmWorker(seconds=_SECONDS) as worker:
        try:
            found = worker.run(partial(perform, trial))
        except HalideProblem as problem:
            raise NotRun(problem.message()) from None
    if isinstance(found, WorkerFailed):
        raise NotRun(f"it does not run: {found.reason}")
    return found


def perform(trial: Trial) -> Measured:
    """Run a trial in this process."""
    name = trial.signature.name
    checked = Loaded(trial.checked, name, trial.target)
    versions = {version: Loaded(code, name, trial.target) for version, code in trial.versions}
    arguments = described(checked, trial.signature)
    scene = _Scene(arguments, trial.size, np.random.default_rng(trial.seed))
    scene.ask(checked)
    different: dict[str, None] = {}
    for _ in range(_INPUTS):
        scene.draw()
        wanted = scene.outputs(checked)
        for version, loaded in versions.items():
            for a, first, second in zip(scene.written, wanted, scene.outputs(loaded), strict=True):
                if first != second and a.code in (2, 4):
                    different[version] = None
                elif first != second:
                    raise Differs(
                        f"'{name}': '{version}' differs from Halide's own code with checks in the "
                        f"output '{a.name}'"
                    )
    threads = any(_THREADS in code for _, code in trial.versions)
    clock = time.perf_counter_ns if threads else time.thread_time_ns
    runs = {v: partial(loaded.run, scene.argv) for v, loaded in versions.items()}
    times = interleaved(runs, trial.plan, clock)
    return Measured(times, scene.extents, tuple(different))


class _Scene:
    """The arguments of a call in memory."""

    def __init__(
        self, arguments: Sequence[Described], size: Sequence[int], rng: np.random.Generator
    ) -> None:
        self._arguments, self._rng = tuple(arguments), rng
        self._scalars = [
            ctypes.create_string_buffer(_bytes(_scalar(a, rng), a), 8) if a.scalar else None
            for a in arguments
        ]
        self._dims = [_dimensions(a, size) for a in arguments]
        self._raw = [_buffer(a, dims) for a, dims in zip(arguments, self._dims, strict=True)]
        self._memory: list[Buffer | None] = []
        pairs = zip(self._scalars, self._raw, strict=True)
        words = [ctypes.addressof(scalar or raw) for scalar, raw in pairs]
        self._argv = (ctypes.c_void_p * len(words))(*words)
        self.written = tuple(a for a in arguments if a.output)

    @property
    def argv(self) -> int:
        """Where the addresses of the arguments are."""
        return ctypes.addressof(self._argv)

    @property
    def extents(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The buffers' extents by name."""
        pairs = zip(self._arguments, self._dims, strict=True)
        return tuple(
            (a.name, tuple(d.extent for d in dims[: len(a.estimates)]))
            for a, dims in pairs
            if not a.scalar
        )

    def ask(self, checked: Loaded) -> None:
        """Let the pipeline say which buffers it needs, and make them."""
        checked.run(self.argv, 1)
        sizes = [
            0 if a.scalar else _span(dims, len(a.estimates)) * a.size
            for a, dims in zip(self._arguments, self._dims, strict=True)
        ]
        if min(sizes) < 0 or sum(sizes) > _ROOM:
            raise NotRun(f"its buffers would take {sum(sizes)} bytes, at most {_ROOM} are used")
        self._memory = [
            None if a.scalar else Buffer(bytes(n), alignment=128)
            for a, n in zip(self._arguments, sizes, strict=True)
        ]
        for raw, memory in zip(self._raw, self._memory, strict=True):
            raw.host = None if memory is None else memory.address

    def draw(self) -> None:
        """Fill the inputs."""
        for a, memory in zip(self._arguments, self._memory, strict=True):
            if memory is not None and not a.output:
                memory.write(_random(a, memory.size // a.size, self._rng))

    def outputs(self, version: Loaded) -> list[bytes]:
        """Run a version once and return what its outputs hold; raises :class:`Differs` where it
        writes beside them.
        """
        pairs = zip(self._arguments, self._memory, strict=True)
        written = [m for a, m in pairs if m is not None and a.output]
        for memory in written:
            memory.write(bytes([_FILL]) * memory.size)
        version.run(self.argv, 1)
        try:
            return [memory.read() for memory in written]
        except OutOfBounds as problem:
            raise Differs(str(problem)) from None


def _dimensions(a: Described, size: Sequence[int]) -> ctypes.Array[Dimension]:
    wanted = (_wanted(a, d, size) for d in range(len(a.estimates)))
    return (Dimension * max(1, len(a.estimates)))(*wanted)


def _wanted(a: Described, d: int, size: Sequence[int]) -> Dimension:
    """Return what is asked for of a dimension: of outputs what is given or estimated, of inputs
    nothing.
    """
    low, extent = a.estimates[d]
    if not a.output:
        return Dimension(0, 0, 0, 0)
    if d < len(size):
        extent = size[d]
    if extent is None:
        raise NotRun(f"no size is given or estimated for dimension {d} of the output '{a.name}'")
    return Dimension(low or 0, extent, 0, 0)


def _buffer(a: Described, dims: ctypes.Array[Dimension]) -> RawBuffer:
    stride = 1
    for d in dims:
        d.stride = stride
        stride *= max(1, d.extent)
    kind = TypeCode(a.code, a.bits, 1)
    return RawBuffer(type=kind, dimensions=len(a.estimates), dim=ctypes.addressof(dims))


def _span(dims: ctypes.Array[Dimension], count: int) -> int:
    """Return the elements from the first to the last of a buffer."""
    if any(d.extent < 0 or d.stride < 0 for d in dims[:count]):
        raise NotRun("it asks for a buffer of negative extents or strides")
    return int(1 + sum(d.stride * max(0, d.extent - 1) for d in dims[:count]))


def _scalar(a: Described, rng: np.random.Generator) -> int | float:
    """Return a scalar's estimate or default; where it has none, a small random value within its
    bounds.
    """
    estimate, default, least, greatest = a.scalars
    known = default or None if estimate is None else estimate
    if known is not None or a.code not in (0, 1, 2):
        return known or 0
    low = 0 if least is None else least
    high = max(low, min(low + 64, 1 if a.bits == 1 else 127) if greatest is None else greatest)
    if a.code == 2:
        return float(rng.uniform(low, high))
    return int(rng.integers(int(low), int(high), endpoint=True))


def _bytes(value: int | float, a: Described) -> bytes:
    dtype = _dtype(a)
    return bytes(8) if dtype is None else np.array(value).astype(dtype).tobytes()


def _dtype(a: Described) -> str | None:
    return f"{'iuf'[a.code]}{a.size}" if a.code in (0, 1, 2) else None


def _random(a: Described, count: int, rng: np.random.Generator) -> bytes:
    """Return random elements: bytes over their whole range with its ends among them, wider
    numbers small, floats between -1 and 1.
    """
    dtype = _dtype(a)
    if dtype is None:
        return bytes(count * a.size)
    if a.code == 2:
        return rng.uniform(-1, 1, count).astype(dtype).tobytes()
    most = (1 << a.bits - (a.code == 0)) - 1 if a.bits <= 8 else _BOUND - 1
    least = -most - 1 if a.code == 0 else 0
    found = rng.integers(least, most, count, endpoint=True)
    ends = rng.random(count) < 0.2
    found[ends] = rng.choice(np.array([least, most]), int(ends.sum()))
    return found.astype(dtype).tobytes()
