"""Every member of a class equals the class at the member's parameters: by normal forms, else by
the verifier.
"""

from __future__ import annotations

from dataclasses import dataclass

from equiv_classes.dictionary import EquivClass, Member
from equiv_classes.formula import terms_of
from equiv_classes.lanes import Reader, unpacked
from isel.ir.expr import Expr, const
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.spec.instruction import Instruction
from isel.verify.prove import Known, Obligation, prove


@dataclass(frozen=True, slots=True)
class Proof:
    """The verdict on one member, and how many of its lanes needed a solver."""

    verdict: Verdict
    solved: int = 0


def prove_member(
    c: EquivClass,
    member: Member,
    instruction: Instruction,
    known: Known | None = None,
    reader: Reader | None = None,
) -> Proof:
    """Prove that the class at the member's parameters is the instruction, lane by lane, for
    every setting of its immediates.
    """
    reader = reader or Reader(instruction)
    environment = c.environment(member)
    open_lanes: dict[tuple[Expr, Expr], str] = {}
    for setting in member.settings or reader.settings:
        env = {**environment, **{f"m{k}": v for k, v in enumerate(setting)}}
        given = [reader.normal(e) for e in terms_of(c.formula, env, member.operands, member.mode)]
        wanted = unpacked(reader.terms(setting))
        if len(given) != len(wanted):
            counts = f"the class has {len(given)} lanes, the instruction {len(wanted)}"
            return Proof(Unknown(f"{member.name}: {counts}"))
        for i, (x, y) in enumerate(zip(wanted, given, strict=True)):
            if x.width != y.width:
                widths = f"the class has {y.width} bits, the instruction {x.width}"
                return Proof(Unknown(f"{member.name} lane {i}: {widths}"))
            if x is not y:
                open_lanes.setdefault((x, y), f"{member.name} lane {i} at {setting}")
    verdict = prove(
        [Obligation(const(1, 1), x, y, where) for (x, y), where in open_lanes.items()], known=known
    )
    return Proof(verdict, len(open_lanes))


def describe(verdict: Verdict) -> str:
    """Return a verdict in words."""
    match verdict:
        case Proved():
            return "proved"
        case Refuted(_, where):
            return f"refuted: {where}"
        case Unknown(reason):
            return f"unknown: {reason}"
