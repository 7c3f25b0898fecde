"""Native execution and timing of a module's functions on byte buffers; run it in an
:class:`LlvmWorker`.

Every call goes through a *driver*, a function added to the module that calls the function in a
loop:

* pointers and integers up to 64 bits are passed on, other arguments (vectors, floats) are loaded
  from buffers;
* a result is stored to the first buffer;
* an empty inline assembly statement that clobbers memory ends each round, so no load, store or call
  leaves the loop.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from frontends.llvm.linked import binding
from frontends.llvm.linked.buffer import ALIGNMENT, Buffer
from frontends.llvm.text.ast import Function, IntType, Module, PtrType, Type
from frontends.llvm.text.operands import VOID
from frontends.llvm.text.parse import parse_module
from isel.errors import UnknownName

_DRIVER: Final = "isel.drive"
_RESULT_BYTES: Final = 256
PAGE: Final = 4096
APART: Final = 5 * ALIGNMENT  # so that no two pointers are alike within a page

Value: TypeAlias = bytes | int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a call left behind: every buffer argument's bytes, in order, and the bytes of its
    result (empty for void).
    """

    buffers: tuple[bytes, ...]
    result: bytes


@dataclass(frozen=True, slots=True)
class Timing:
    """Nanoseconds per call, the least of ``rounds`` interleaved rounds of ``repetitions`` calls."""

    before: float
    after: float
    rounds: int
    repetitions: int


def result_bytes(kind: Type) -> int:
    """Return the number of bytes that a store of an integer, pointer or integer-vector result
    writes.
    """
    if isinstance(kind, IntType):
        return (kind.bits + 7) // 8
    if isinstance(kind, PtrType):
        return 8
    text = str(kind)
    if text.startswith("<") and " x i" in text:
        count, _, elem = text[1:-1].partition(" x i")
        return (int(count) * int(elem) + 7) // 8
    return {"void": 0, "float": 4, "double": 8, "half": 2}.get(text, _RESULT_BYTES)


def _direct(kind: Type) -> bool:
    return isinstance(kind, PtrType) or (isinstance(kind, IntType) and kind.bits <= 64)


def driver_text(function: Function, name: str, header: str, *, inline: bool) -> str:
    """Return the driver of ``function``: ``void (i64 repetitions, ptr result, arguments…)``.

    ``header`` is the function's define line, from which its attribute group is taken over.
    """
    parameters = ["i64 %isel.n", "ptr %isel.r"]
    loads: list[str] = []
    passed: list[str] = []
    for i, argument in enumerate(function.arguments):
        if _direct(argument.type):
            parameters.append(f"{argument.type} %isel.a{i}")
        else:
            parameters.append(f"ptr %isel.p{i}")
            loads.append(f"  %isel.a{i} = load {argument.type}, ptr %isel.p{i}, align {ALIGNMENT}")
        passed.append(f"{argument.type} {_abi(argument.attributes)}%isel.a{i}")
    how = "alwaysinline" if inline else "noinline"
    call = f"call {function.type} @{function.name}({', '.join(passed)}) {how}"
    void = function.type == VOID
    groups = " ".join(word for word in header.rpartition(")")[2].split() if word.startswith("#"))
    return "\n".join(
        [
            f"define void @{name}({', '.join(parameters)}) {groups} {{",
            "isel.entry:",
            "  br label %isel.loop",
            "isel.loop:",
            "  %isel.i = phi i64 [ 0, %isel.entry ], [ %isel.j, %isel.loop ]",
            *loads,
            f"  {call}" if void else f"  %isel.v = {call}",
            *([] if void else [f"  store {function.type} %isel.v, ptr %isel.r, align {ALIGNMENT}"]),
            '  call void asm sideeffect "", "~{memory}"()',
            "  %isel.j = add nuw i64 %isel.i, 1",
            "  %isel.c = icmp ult i64 %isel.j, %isel.n",
            "  br i1 %isel.c, label %isel.loop, label %isel.exit",
            "isel.exit:",
            "  ret void",
            "}",
            "",
        ]
    )


def _abi(attributes: Sequence[str]) -> str:
    return "".join(f"{a} " for a in attributes if a in ("signext", "zeroext", "inreg"))


def find_function(module: Module, name: str) -> Function:
    """Return the definition of ``name``; raises :class:`UnknownName`."""
    found = next((f for f in module.functions if f.name == name), None)
    if found is None:
        raise UnknownName("function", name, tuple(f.name for f in module.functions))
    return found


class Jit:
    """A module compiled for this machine, with drivers for the functions asked for.

    ``cpu`` and ``features`` default to the host's; ``pipeline`` runs LLVM's default pipeline of
    ``level`` first, otherwise only code generation happens; ``inline`` puts the function's body
    into the driver's loop.
    """

    def __init__(
        self,
        text: str,
        functions: Sequence[str],
        *,
        cpu: str = "",
        features: str = "",
        level: int = 3,
        pipeline: bool = True,
        inline: bool = False,
    ) -> None:
        module = parse_module(binding.normalise(text))
        self._functions = {name: find_function(module, name) for name in functions}
        drivers = [
            driver_text(f, f"{_DRIVER}.{i}", module.lines[f.first], inline=inline)
            for i, f in enumerate(self._functions.values())
        ]
        self._native = binding.NativeModule(
            "\n".join([module.text, *drivers]),
            cpu=cpu,
            features=features,
            level=level,
            pipeline=pipeline,
        )

    def call(self, function: str, arguments: Sequence[Value], repetitions: int = 1) -> Outcome:
        """Call with fresh buffers holding the given bytes (for pointers, vectors and floats)
        and with integers.
        """
        run, buffers, result = self.prepared(function, arguments)
        run(repetitions)
        kept = tuple(b.read() for b in buffers)
        return Outcome(kept, result.read()[: result_bytes(self._functions[function].type)])

    def prepared(
        self, function: str, arguments: Sequence[Value | Buffer]
    ) -> tuple[Callable[[int], None], tuple[Buffer, ...], Buffer]:
        """Return what runs the function a given number of times, its buffers, and the buffer of
        its result.
        """
        names = list(self._functions)
        if function not in names:
            raise UnknownName("function", function, tuple(names))
        buffers = [Buffer(a) if isinstance(a, bytes) else a for a in arguments]
        result = Buffer(bytes(_RESULT_BYTES))
        types = [ctypes.c_uint64] * (len(buffers) + 2)
        entry = ctypes.CFUNCTYPE(None, *types)(
            self._native.address(f"{_DRIVER}.{names.index(function)}")
        )
        words = [
            result.address,
            *(b.address if isinstance(b, Buffer) else b & ((1 << 64) - 1) for b in buffers),
        ]

        def run(repetitions: int) -> None:
            entry(repetitions, *words)

        return run, tuple(b for b in buffers if isinstance(b, Buffer)), result


def execute(
    text: str,
    function: str,
    inputs: Sequence[Sequence[Value]],
    *,
    cpu: str = "",
    features: str = "",
    level: int = 3,
    pipeline: bool = True,
) -> list[Outcome]:
    """Compile once and call once for each list of arguments."""
    jit = Jit(text, [function], cpu=cpu, features=features, level=level, pipeline=pipeline)
    return [jit.call(function, arguments) for arguments in inputs]


def time_pair(
    before: str,
    after: str,
    function: str,
    arguments: Sequence[Value],
    *,
    rounds: int = 11,
    round_ns: int = 1_000_000,
    cpu: str = "",
    features: str = "",
    pipeline: bool = True,
    inline: bool = True,
) -> Timing:
    """Time both versions of a function on the same buffers, turn by turn; ``round_ns`` is about how
    long a round takes.

    Buffers lie at different places of their pages: a load may wait for a store before it that
    differs in the page alone.
    """
    compile_ = partial(
        Jit, functions=[function], cpu=cpu, features=features, pipeline=pipeline, inline=inline
    )
    jits = [compile_(before), compile_(after)]
    buffers = [
        Buffer(a, PAGE, k * APART % PAGE) if isinstance(a, bytes) else a
        for k, a in enumerate(arguments)
    ]
    runs = [jit.prepared(function, buffers) for jit in jits]
    repetitions = _calibrate([run for run, _, _ in runs], round_ns)
    least = [float("inf"), float("inf")]
    for turn in range(rounds):
        for i in (0, 1) if turn % 2 == 0 else (1, 0):
            least[i] = min(least[i], _clock(runs[i][0], repetitions) / repetitions)
    return Timing(least[0], least[1], rounds, repetitions)


def _clock(run: Callable[[int], None], repetitions: int) -> int:
    start = time.perf_counter_ns()
    run(repetitions)
    return time.perf_counter_ns() - start


def _calibrate(runs: Sequence[Callable[[int], None]], round_ns: int) -> int:
    repetitions = 16
    while True:
        longest = max(_clock(run, repetitions) for run in runs)
        if longest >= round_ns or repetitions >= 1 << 24:
            return repetitions
        repetitions = min(1 << 24, repetitions * max(2, min(64, round_ns // max(longest, 1))))
