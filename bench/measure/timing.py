"""One run: before, after, and before once more, in turns, at several places; for a process that
native code may end.

Only code generation is behind the versions. Each function begins at the same distances from a
cache line, its innermost loops at one, and all versions get the same memory, so that places favour
none of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import llvmlite.binding as llvm

from bench.jit import APART, PAGE, Jit, Value
from bench.measure.inputs import NotRun, given, made
from bench.measure.memory import Fenced
from frontends.llvm.linked import binding
from frontends.llvm.text.isolate import definition_of, isolate, name_alone
from frontends.llvm.text.parse import parse_module
from isel.timing import Plan, Runner, interleaved

BEFORE_NAME, AFTER_NAME, CONTROL_NAME = "before", "after", "control"
SHIFTS: Final = (0, 16, 32, 48)  # bytes from a cache line to a function's first
ROUND_NS: Final = 1_000_000
SEED: Final = 2024
_LINE: Final = 64
_LOOPS: Final = "-x86-experimental-pref-innermost-loop-alignment=6"  # 64 bytes; elsewhere as LLVM's


@dataclass(frozen=True, slots=True)
class Task:
    """A function of two modules; ``cpu`` is empty for this machine's, ``data`` holds arguments for
    a function whose inputs are known.
    """

    before: str
    after: str
    function: str
    cpu: str = ""
    data: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True)
class Once:
    """How many times as fast as before the function is in one run, and a copy of before."""

    ratio: float
    control: float


def once(task: Task, number: int, rounds: int) -> Once | NotRun:
    """Time a function on inputs of a number; ends the process where these are too large."""
    align_loops()
    alone = {
        name: isolate(binding.normalise(text), task.function)
        for name, text in (
            (BEFORE_NAME, task.before),
            (AFTER_NAME, task.after),
            (CONTROL_NAME, task.before),
        )
    }
    name = name_alone(task.function)
    contents = (
        made(parse_module(alone[BEFORE_NAME]).function(name), SEED, number)
        if task.data is None
        else given(task.data)
    )
    memory = [
        Fenced(c, k * APART % PAGE) if isinstance(c, bytes) else c for k, c in enumerate(contents)
    ]
    words = [m.address if isinstance(m, Fenced) else m for m in memory]
    shifts: list[dict[str, Runner]] = []
    held: list[Jit] = []  # code that runs must not be freed
    for shift in SHIFTS:
        runs: dict[str, Runner] = {}
        for version, text in alone.items():
            jit = Jit(placed(text, name, shift), [name], cpu=task.cpu, pipeline=False)
            held.append(jit)
            runs[version] = jit.prepared(name, words)[0]
        shifts.append(runs)
    if _left(shifts[0][BEFORE_NAME], memory, contents) != _left(
        shifts[0][AFTER_NAME], memory, contents
    ):
        return NotRun("the results differ on made inputs, as they may where behaviour is undefined")
    found = compare(shifts, Plan(rounds, ROUND_NS))
    for m in memory:
        if isinstance(m, Fenced):
            m.close()
    return found


def _left(
    run: Runner, memory: Sequence[Fenced | int], contents: Sequence[Value]
) -> list[bytes | int]:
    """Return what a call leaves behind of fresh contents."""
    for m, c in zip(memory, contents, strict=True):
        if isinstance(m, Fenced) and isinstance(c, bytes):
            m.write(c)
    run(1)
    return [m.read() if isinstance(m, Fenced) else m for m in memory]


def compare(
    shifts: Sequence[Mapping[str, Runner]],
    plan: Plan,
    clock: Callable[[], int] = time.thread_time_ns,
) -> Once:
    """Return the median over the places of the ratios of least times."""
    ratios: list[float] = []
    controls: list[float] = []
    for runs in shifts:
        least = {t.version: min(t.rounds) for t in interleaved(runs, plan, clock)}
        ratios.append(least[BEFORE_NAME] / least[AFTER_NAME])
        controls.append(least[BEFORE_NAME] / least[CONTROL_NAME])
    return Once(statistics.median(ratios), statistics.median(controls))


def placed(text: str, function: str, shift: int) -> str:
    """Return a module with a function that begins ``shift`` bytes after a cache line: as many bytes
    that do nothing are before it, which AArch64 has in fours.
    """
    lines = text.splitlines()
    first = definition_of(lines, function).start
    head, _, tail = lines[first].rpartition(")")
    words = [w for w in tail.split() if w in ("local_unnamed_addr", "unnamed_addr")]
    rest = tail.replace(words[0], "", 1) if words else tail
    is_x86 = (parse_module(text).triple or binding.host_triple()).startswith("x86_64")
    nops = shift if is_x86 else shift // 4
    own = f'"patchable-function-prefix"="{nops}" align {_LINE}'
    lines[first] = f"{head}) {''.join(words)} {own}{_unaligned(rest)}"
    return "\n".join(lines) + "\n"


def _unaligned(tail: str) -> str:
    words = tail.split()
    for k in range(len(words) - 1):
        if words[k] == "align":
            del words[k : k + 2]
            break
    return " " + " ".join(words)


@cache
def align_loops() -> None:
    """Let innermost loops begin at cache lines, in this process from now on."""
    llvm.set_option("isel", _LOOPS)
