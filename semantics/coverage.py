"""What is known of a target's instructions, counted, and of one of them, told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from isel.errors import UnknownName
from isel.model.verdict import Proved
from isel.spec.instruction import Instruction
from isel.spec.sem_show import patched, show_sem
from isel.spec.target import Target
from semantics import isa_named
from semantics.forms import forms
from semantics.fuzz import FuzzReport, fuzz
from semantics.proofs import EmissionProof, prove_emissions
from semantics.record import VendorCounts

_SAMPLES = 200
_GENERIC = "smin smax umin umax sadd ssub uadd usub abs fsh ct"  # how their names begin


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of a target: instructions, mnemonics, emissions by kind, and what this machine can
    execute.

    ``arrangements`` are the mnemonics with each of their shapes of operands and result.  ``exact``
    are the instructions whose emission, compiled alone, is one machine instruction of that name.

    ``listed`` are the counts of the vendor's list; ``counted`` says of which entries.
    """

    target: str
    digest: str
    instructions: int
    mnemonics: int
    arrangements: int
    by_bits: Mapping[str, int]
    by_features: Mapping[str, int]
    emissions: Mapping[str, int]
    intrinsics: int
    exact: int
    otherwise: Mapping[str, str]
    executable: int
    untestable: Mapping[str, str]
    counted: str
    listed: VendorCounts

    def as_json(self) -> dict[str, object]:
        """Return a value fit for ``json.dumps``."""
        own = {n: getattr(self, n) for n in self.__slots__ if n != "listed"}
        found = own | {n: getattr(self.listed, n) for n in self.listed.__slots__}
        return {n: dict(v) if isinstance(v, Mapping) else v for n, v in found.items()}


def emission_kind(instruction: Instruction) -> str:
    """Return ``call`` (its own intrinsic), ``glue`` (an intrinsic among other IR), ``generic``
    (``llvm.*`` calls) or ``plain``.
    """
    if instruction.call:
        return "call"
    called = [line for line in instruction.emission if " call " in line]
    if not called:
        return "plain"
    generic = tuple(f"@llvm.{name}" for name in _GENERIC.split())
    return "generic" if all(any(g in line for g in generic) for line in called) else "glue"


def untestable(target: Target) -> dict[str, str]:
    """Return the instructions that this machine cannot execute, and what it lacks."""
    machine = isa_named(target.name).executor()
    lacking = {i.name: machine.lacks(i.features) for i in target.instructions()}
    return {name: f"this machine {why}" for name, why in lacking.items() if why}


def coverage(target: Target) -> Coverage:
    """Count what a target's semantics cover; nothing is executed (:mod:`semantics.fuzz` does)."""
    from semantics.listed import counts

    every = target.instructions()
    lacking = untestable(target)
    other = otherwise(target)
    return Coverage(
        target=target.name,
        digest=target.digest,
        instructions=len(every),
        mnemonics=len({i.mnemonic for i in every}),
        arrangements=len({_arrangement(i) for i in every}),
        by_bits=_counts(str(max(i.bits, *(o.bits for o in i.operands), 0)) for i in every),
        by_features=_counts(" ".join(sorted(i.features)) for i in every),
        emissions=_counts(emission_kind(i) for i in every),
        intrinsics=len({i.call for i in every if i.call}),
        exact=len(every) - len(other),
        otherwise=other,
        executable=len(every) - len(lacking),
        untestable=lacking,
        counted=isa_named(target.name).counted,
        listed=counts(target),
    )


def _arrangement(i: Instruction) -> tuple[str, tuple[tuple[int, int], ...]]:
    shapes = ((i.lanes, i.width), *((o.lanes, o.width) for o in i.operands))
    return i.mnemonic.lower(), shapes


def _counts(keys: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(keys).items()))


def group(target: Target, i: Instruction) -> str:
    """Return the group of extensions that an instruction belongs to."""
    return f"{target.name}: {isa_named(target.name).group(i)}"


def otherwise(target: Target) -> dict[str, str]:
    """Return the instructions whose emission LLVM selects as something else, and as what (from
    the shipped table).
    """
    isa = isa_named(target.name)
    selected, printed = forms(isa.name), isa.printed()
    found: dict[str, str] = {}
    for i in target.instructions():
        names = tuple(next(w for w in f.split() if w[0] != "{") for f in selected.get(i.name, ()))
        if len(names) != 1 or not printed.equivalent(i.mnemonic, names[0]):
            found[i.name] = " ".join(names) or "nothing"
    return found


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything ``isel explain`` tells of one instruction.

    ``prices`` are cycles of reciprocal throughput by CPU, None where the CPU lacks a feature that
    it needs.
    """

    instruction: Instruction
    semantics: str
    selected: tuple[str, ...]
    prices: Mapping[str, float | None]
    executed: str
    proof: str
    corrections: tuple[tuple[str, str], ...] = ()


def named(target: Target, name: str) -> tuple[Instruction, ...]:
    """Return the instructions of a name, a mnemonic of any encoding or an intrinsic; raise
    :class:`UnknownName`.
    """
    every = target.instructions()
    found = tuple(i for i in every if i.name == name) or forms_of(target, name)
    called = target.by_call(name.removeprefix("@"))
    if not found and called is not None:
        found = tuple(i for i in every if i.name == called.name)
    if not found:
        known = dict.fromkeys((*(i.name for i in every), *(i.mnemonic for i in every)))
        raise UnknownName("instruction", name, tuple(known))
    return found


def forms_of(target: Target, mnemonic: str) -> tuple[Instruction, ...]:
    """Return the instructions of a mnemonic, whichever encoding it is of."""
    plain_name = isa_named(target.name).plain_name
    wanted = plain_name(mnemonic)
    return tuple(i for i in target.instructions() if plain_name(i.mnemonic) == wanted)


def explain(
    target: Target, found: Sequence[Instruction], cpus: Sequence[str]
) -> tuple[Explanation, ...]:
    """Explain instructions, testing them now, with their prices on some CPUs."""
    isa = isa_named(target.name)
    has = {cpu: target.features(cpu, "") for cpu in cpus}
    report = fuzz(target, _SAMPLES, 0, [i.name for i in found], immediates=4, least=_SAMPLES)
    proofs = prove_emissions(target, 4, [i.name for i in found])
    return tuple(
        Explanation(
            instruction=i,
            semantics=show_sem(i),
            selected=forms(isa.name).get(i.name, ()),
            prices={
                cpu: target.operation_cost(i, cpu) / 100 if i.features <= has[cpu] else None
                for cpu in cpus
            },
            executed=_executed(i, report, isa.executor().name),
            proof=_proved(i, proofs),
            corrections=corrections(target, i),
        )
        for i in found
    )


def corrections(target: Target, i: Instruction) -> tuple[tuple[str, str], ...]:
    """Return the names and reasons of the corrections of the vendor's text that an
    instruction's semantics needed.
    """
    named = patched(i)
    reasons = isa_named(target.name).corrections() if named else {}
    return tuple((name, reasons[name]) for name in named)


def _executed(i: Instruction, report: FuzzReport, machine: str) -> str:
    reason = next((u.reason for u in report.untestable if u.name == i.name), None)
    if reason is not None:
        return f"not executed: {reason}"
    outcome = "agrees" if i.name in report.agree else "DISAGREES"
    return f"{outcome} with {machine} on {_SAMPLES} operands for each immediate tried"


def _proved(i: Instruction, proofs: Sequence[EmissionProof]) -> str:
    if i.call:
        return "its emission is a call of its own intrinsic"
    mine = [p.verdict for p in proofs if p.name == i.name]
    proved = sum(isinstance(v, Proved) for v in mine)
    said = "its emission is proved to refine the semantics"
    if i.immediates:
        return f"{said} for {proved} of {len(mine)} immediates tried"
    return said if proved == len(mine) else "its emission is NOT proved"
