"""A target of two instructions, a synthesizer that only guesses, and a judge that counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontends.llvm.pipeline.options import Tools
from frontends.llvm.text.isolate import isolate
from isel.cost.judgement import Judgement
from isel.cost.work import Work
from isel.errors import UnknownName
from isel.ir.build import add
from isel.ir.expr import elem
from isel.model.answer import Candidate, Result, Synthesizer
from isel.model.machine import Machine
from isel.model.program import Program, Step
from isel.model.verdict import Certificate, Proved
from isel.model.window import Window
from isel.rules.derived import uavg
from isel.spec.instruction import Immediate, Instruction, Operand
from isel.spec.target import Target
from isel.workers import Pool

AVERAGE = Instruction(
    name="avg16",
    mnemonic="pavgb",
    operands=(Operand("a", 8, 16), Operand("b", 8, 16)),
    immediates=(),
    width=8,
    lanes=16,
    features=frozenset(),
    emission=("%r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %a, <16 x i8> %b)",),
    call="llvm.x86.sse2.pavg.b",
    lane=lambda i, _: uavg(elem("a", 8 * i, 8), elem("b", 8 * i, 8)),
)
ADD_TWICE = Instruction(
    name="add2",
    mnemonic="add2",
    operands=(Operand("a", 32, 4),),
    immediates=(Immediate("k", 8, tuple(range(32))),),
    width=32,
    lanes=4,
    features=frozenset(),
    emission=("%t0 = add <4 x i32> %a, splat (i32 $k)", "%r = add <4 x i32> %t0, %a"),
    call="",
    lane=lambda i, _: add(elem("a", 32 * i, 32), elem("a", 32 * i, 32)),
)


@dataclass(frozen=True)
class Toy:
    """Two instructions under an x86 triple."""

    name: str = "toy"
    digest: str = "0"

    def instructions(self) -> Sequence[Instruction]:
        return (AVERAGE, ADD_TWICE)

    def by_call(self, intrinsic: str) -> Instruction | None:
        return AVERAGE if intrinsic == AVERAGE.call else None

    def handles(self, triple: str) -> bool:
        return triple.startswith("x86_64")

    def features(self, cpu: str, attributes: str) -> frozenset[str]:
        return frozenset()

    def vector_bits(self, features: frozenset[str], attributes: Mapping[str, str]) -> int:
        return 128

    def operation_cost(self, instruction: Instruction, cpu: str) -> int:
        return 100

    planes = 1

    def halves_cost(self, cpu: str) -> tuple[int, int]:
        return 100, 100

    def register_of(self, instruction: Instruction) -> str:
        return "toy"


def target_of(triple: str) -> Target:
    if not Toy().handles(triple):
        raise UnknownName("triple", triple)
    return Toy()


def average_of(window: Window) -> Program | None:
    """Average the only two leaves in pieces of 16 bytes, whatever the window computes."""
    if len(window.leaves) != 2 or len(window.roots) != 1:
        return None
    n = len(window.roots[0].lanes)
    if (
        window.roots[0].width != 8
        or n % 16
        or any((x.width, x.lanes) != (8, n) for x in window.leaves)
    ):
        return None
    steps = [Step("leaf", 8, n, name=x.name) for x in window.leaves]
    parts: list[int] = []
    for k in range(0, n, 16):
        at = len(steps)
        steps += [
            Step("slice", 8, 16, (0,), first=k),
            Step("slice", 8, 16, (1,), first=k),
            Step("apply", 8, 16, (at, at + 1), name="avg16"),
        ]
        parts.append(at + 2)
    steps.append(Step("join", 8, n, tuple(parts)))
    return Program(tuple(steps), (len(steps) - 1,))


@dataclass(frozen=True)
class Guess:
    """Offers an average for everything that looks like one; its proofs are worth nothing."""

    def prepare(self, windows: Sequence[Window]) -> None:
        """Needs nothing."""

    def search(self, window: Window) -> Result:
        program = average_of(window)
        if program is None:
            return Result((), True, "no program found", 1)
        return Result((Candidate(program, Proved(Certificate((), ()))),), True, "", 1)


def guess(machine: Machine, pool: Pool | None, effort: int) -> Synthesizer:
    return Guess()


@dataclass(frozen=True)
class Count:
    """The cost is the number of integer operations, casts and calls of the function."""

    def judge(self, before: str, after: str, function: str) -> Judgement:
        old, new = self.cost(before, function), self.cost(after, function)
        return Judgement(new < old, "fewer operations" if new < old else "no gain", old, new)

    def work(self, module: str, functions: Sequence[str]) -> list[Work]:
        return [Work()] * len(functions)

    def cost(self, text: str, function: str) -> float:
        lines = isolate(text, function).splitlines()
        return float(
            sum(
                any(
                    f" = {op} " in line
                    for op in ("add", "lshr", "zext", "trunc", "call", "tail call")
                )
                for line in lines
            )
        )


def count(target: Target, cpu: str, features: str, triple: str) -> Count:
    return Count()


TOOLS = Tools(target_of, guess, count)
