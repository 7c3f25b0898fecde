"""Emissions in plain or generic IR are proved to refine the ``.sem`` entry, for all inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from frontends.llvm.linked.binding import normalise
from frontends.llvm.meaning.choice import Chooser
from frontends.llvm.meaning.executor import Executor
from frontends.llvm.meaning.lanes import Cannot, Value
from frontends.llvm.text.ast import Local
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.leaves import leaf_value
from isel.ir.expr import const
from isel.model.verdict import Refuted, Unknown, Verdict
from isel.spec.emission import emitted
from isel.spec.instruction import Instruction
from isel.spec.sem_family import type_text
from isel.spec.target import Target
from isel.verify.prove import Obligation, prove
from semantics.samples import immediate_choices

_YES = const(1, 1)
_NO = const(0, 1)


@dataclass(frozen=True, slots=True)
class EmissionProof:
    """The verdict on one emission with fixed immediates."""

    name: str
    immediates: Mapping[str, int]
    verdict: Verdict


def provable(target: Target) -> tuple[Instruction, ...]:
    """Return the instructions whose emission is more than a call of their own intrinsic (which
    means what ``.sem`` says).
    """
    return tuple(i for i in target.instructions() if not i.call)


def prove_emissions(
    target: Target, most: int = 6, only: Sequence[str] | None = None
) -> list[EmissionProof]:
    """Prove emissions for up to ``most`` values of their immediates each, the first and last
    among them.
    """
    chosen = [i for i in provable(target) if only is None or i.name in only]
    pairs = ((i, imm) for i in chosen for imm in immediate_choices(i.immediates, most, 0))
    return [EmissionProof(i.name, imm, prove_emission(i, imm, target)) for i, imm in pairs]


def prove_emission(
    instruction: Instruction, immediates: Mapping[str, int], target: Target, effort: int = 1
) -> Verdict:
    """Prove that for concrete operands the emission has the lanes of the ``.sem`` entry and no
    poison.
    """
    try:
        given = emission_value(instruction, immediates, target)
    except Cannot as why:
        return Unknown(str(why))
    if (given.width, len(given.lanes)) != (instruction.width, instruction.lanes):
        wanted = f"expected {instruction.lanes} of {instruction.width}"
        return Refuted({}, f"{len(given.lanes)} lanes of {given.width} bits, {wanted}")
    obligations: list[Obligation] = []
    for i, (value, poison) in enumerate(zip(given.lanes, given.poison, strict=True)):
        obligations.append(Obligation(_YES, instruction.lane(i, immediates), value, f"lane {i}"))
        obligations.append(Obligation(_YES, poison, _NO, f"poison of lane {i}"))
    return prove(obligations, (), effort)


def emission_value(
    instruction: Instruction, immediates: Mapping[str, int], target: Target
) -> Value:
    """Return what our own front end takes an emission to mean, over ``elem(operand, …)`` leaves."""
    function = parse_module(normalise(emission_function(instruction, immediates))).functions[0]
    values = {o.name: leaf_value(o.name, (o.lanes, o.width)) for o in instruction.operands}
    executor = Executor("target", target, Chooser("T"), values, function.view.defs)
    returned = function.blocks[0].instrs[-1].operands
    if len(returned) != 1 or not isinstance(returned[0], Local):
        raise Cannot("an emission without a result, or with a constant one")
    return executor.value(returned[0])


def emission_function(instruction: Instruction, immediates: Mapping[str, int]) -> str:
    """Return an IR function of the operands, as they are, that returns the emission's result."""
    parameters = ", ".join(f"{type_text(o.lanes, o.width)} %{o.name}" for o in instruction.operands)
    kind = type_text(instruction.lanes, instruction.width)
    body = "\n  ".join(emitted(instruction.emission, immediates))
    return f"define {kind} @f({parameters}) {{\n  {body}\n  ret {kind} %r\n}}\n"
