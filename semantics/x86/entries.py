"""The instructions as the texts say them: the vendor's with the emissions learned for them,
then the views of the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files

from isel.spec.index_rows import Entries
from isel.spec.instruction import Instruction, Membership
from isel.spec.sem import read_entries
from isel.spec.sem_family import called
from semantics.x86.emission.join import emission_for, emitting, intrinsic_of
from semantics.x86.emission.table import emissions

_GENERATED = "generated/"


def read(
    sources: Sequence[tuple[str, str]], classes: Mapping[str, tuple[Membership, ...]]
) -> Entries:
    """Return every instruction that has an emission, with its classes, and the intrinsics that
    mean one.
    """
    found: list[Instruction] = []
    calls: dict[str, Instruction] = {}
    for name, text in sources:
        bare = name.startswith(_GENERATED)
        entries = read_entries(text, name, check=False, bare=bare)
        for plain in entries.instructions:
            i = replace(plain, classes=classes.get(plain.name, ()))
            for instruction, intrinsic in _joined(i) if bare else ((i, i),):
                found.append(instruction)
                if intrinsic is not None and intrinsic.call:
                    calls.setdefault(intrinsic.call, intrinsic)
    by_name = {i.name: i for i in found}
    for name, of in retained():
        calls.setdefault(name, called(by_name[of], name))
    return Entries(tuple(found), calls)


def _joined(i: Instruction) -> Iterator[tuple[Instruction, Instruction | None]]:
    emission = emission_for(i.name, emissions())
    if emission is not None:
        instruction = emitting(i, emission)
        yield instruction, instruction if instruction.call else intrinsic_of(instruction, emission)


def retained() -> Iterable[tuple[str, str]]:
    """Return intrinsics that LLVM still reads although clang says them otherwise, and the
    instruction of each.
    """
    text = (files("semantics.x86") / "intrinsics.tsv").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            intrinsic, _, name = line.partition("\t")
            yield intrinsic, name
