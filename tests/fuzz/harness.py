"""Two versions of a module, run by the JIT on the same buffers: do they write the same bytes?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from bench.jit import Outcome, execute
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.text.parse import parse_module
from isel.spec.target import Target
from tests.fuzz.generate import NAME, Generated
from tests.reference.interpreter import settings_for
from tests.reference.memory import run_on_bytes

Buffers: TypeAlias = tuple[bytes, ...]
Rewriter: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Agreed:
    """Both versions did the same; ``changed`` tells whether their texts differ at all."""

    changed: bool


@dataclass(frozen=True, slots=True)
class Differed:
    """The versions do not do the same, or the second cannot be run; ``what`` is for a reader."""

    what: str


@dataclass(frozen=True, slots=True)
class NotRunnable:
    """LLVM cannot compile even the first version."""

    reason: str


Verdict: TypeAlias = Agreed | Differed | NotRunnable


def native(
    worker: LlvmWorker,
    text: str,
    inputs: Sequence[Sequence[bytes]],
    *,
    optimised: bool = True,
    cpu: str = "",
    features: str = "",
) -> list[Buffers] | WorkerFailed:
    """Run on the host, after LLVM's -O3 or without any optimisation; return the buffers after
    each call.
    """
    job = partial(
        execute,
        text,
        NAME,
        inputs,
        cpu=cpu,
        features=features,
        level=3 if optimised else 0,
        pipeline=optimised,
    )
    outcomes: list[Outcome] | WorkerFailed = worker.run(job)
    return outcomes if isinstance(outcomes, WorkerFailed) else [o.buffers for o in outcomes]


def reference(
    text: str, inputs: Sequence[Sequence[bytes]], target: Target | None = None
) -> list[Buffers]:
    """Run by the reference interpreter; poison in memory is an error of the generator."""
    module = parse_module(binding.normalise(text))
    function = next(f for f in module.functions if f.name == NAME)
    found: list[Buffers] = []
    for arguments in inputs:
        buffers, poison, _ = run_on_bytes(function, arguments, settings_for(module, target))
        if any(any(mask) for mask in poison):
            raise AssertionError("the function stores poison")
        found.append(buffers)
    return found


def first_difference(
    inputs: Sequence[Sequence[bytes]], a: Sequence[Buffers], b: Sequence[Buffers]
) -> str:
    """Describe the first byte that differs, empty if none does."""
    for call, (mine, yours) in enumerate(zip(a, b, strict=True)):
        for buffer, (x, y) in enumerate(zip(mine, yours, strict=True)):
            at = next((i for i, (p, q) in enumerate(zip(x, y, strict=True)) if p != q), None)
            if at is not None:
                low, high = at // 16 * 16, at // 16 * 16 + 16
                given = "\n".join(
                    f"  argument {i}: {data[:64].hex()}…" for i, data in enumerate(inputs[call])
                )
                return f"call {call}, argument {buffer}, byte {at}: {x[low:high].hex()} became {y[low:high].hex()}\n{given}"
    return ""


def compare(
    worker: LlvmWorker,
    before: str,
    after: str,
    generated: Generated,
    *,
    calls: int = 4,
    cpu: str = "",
    features: str = "",
) -> Verdict:
    """Run both versions on seeded buffers, each after LLVM's -O3."""
    inputs = generated.buffers(calls)
    mine = native(worker, before, inputs, cpu=cpu, features=features)
    if isinstance(mine, WorkerFailed):
        return NotRunnable(mine.reason)
    if before == after:
        return Agreed(False)
    yours = native(worker, after, inputs, cpu=cpu, features=features)
    if isinstance(yours, WorkerFailed):
        return Differed(f"the rewritten version does not run: {yours.reason}")
    difference = first_difference(inputs, mine, yours)
    if not difference:
        return Agreed(True)
    return Differed(difference + _who(worker, before, mine, inputs, cpu, features))


def _who(
    worker: LlvmWorker,
    before: str,
    mine: Sequence[Buffers],
    inputs: Sequence[Sequence[bytes]],
    cpu: str,
    features: str,
) -> str:
    plain = native(worker, before, inputs, optimised=False, cpu=cpu, features=features)
    if not isinstance(plain, WorkerFailed) and first_difference(inputs, mine, plain):
        return "\n(LLVM's -O3 and -O0 code of the original differ: perhaps a miscompile of LLVM)"
    return ""


def check_seed(
    worker: LlvmWorker,
    generated: Generated,
    rewrite: Rewriter,
    *,
    cpu: str = "",
    features: str = "",
    calls: int = 4,
) -> Verdict:
    """Rewrite one generated function and compare."""
    before = binding.normalise(generated.text)
    return compare(
        worker, before, rewrite(before), generated, calls=calls, cpu=cpu, features=features
    )


def check_reference(
    worker: LlvmWorker, generated: Generated, target: Target | None = None, *, calls: int = 3
) -> Verdict:
    """Compare the reference interpreter with the JIT at -O3 and at -O0."""
    inputs = generated.buffers(calls)
    expected = reference(generated.text, inputs, target)
    for optimised in (True, False):
        found = native(worker, generated.text, inputs, optimised=optimised)
        if isinstance(found, WorkerFailed):
            return NotRunnable(found.reason)
        difference = first_difference(inputs, expected, found)
        if difference:
            return Differed(f"reference against {'-O3' if optimised else '-O0'}: {difference}")
    return Agreed(True)
