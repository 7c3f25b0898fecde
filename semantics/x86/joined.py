"""Instructions of the guide with the emissions learned for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from isel.spec.instruction import Instruction
from semantics.emission import join
from semantics.emission.table import Emission, Table, emissions
from semantics.entries import Joined
from semantics.x86.importer.features import features_of, llvm_features

INTRINSICS: Final = "llvm.x86."


def emission_for(name: str, table: Table) -> Emission | None:
    """Return the emission of an instruction named for its intrinsic; where the name occurs
    twice, its features follow after a point.
    """
    intrinsic, _, features = name.partition(".")
    keys = table.named(intrinsic)
    if features:
        keys = tuple(k for k in keys if ".".join(llvm_features(k[1])) == features)
    elif len(keys) > 1:
        keys = tuple(k for k in keys if any(c.startswith("AVX512") for c in k[1]))
    return table.get(keys[0]) if len(keys) == 1 else None


def emitting(i: Instruction, emission: Emission) -> Instruction:
    """Return the instruction with this emission and the features that it needs; raises
    ``ValueError``.
    """
    masked = any("x i1>" in kind for _, kind in emission.learned.operands)
    features = i.features | set(features_of(emission.key[1], masked, i.bits == 512))
    return replace(join.emitting(i, emission, INTRINSICS), features=features)


def joined(i: Instruction) -> Joined:
    """Yield the instruction with its emission, and as calls of its intrinsic apply it."""
    emission = emission_for(i.name, emissions("x86"))
    if emission is not None:
        instruction = emitting(i, emission)
        own = join.intrinsic_of(instruction, emission, INTRINSICS)
        yield instruction, instruction if instruction.call else own
