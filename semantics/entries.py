"""The instructions as the texts say them: the vendor's with the emissions learned for them,
then the views of the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Final, TypeAlias

from isel.shipped import rows_in
from isel.spec.index_rows import Entries
from isel.spec.instruction import Instruction, Membership
from isel.spec.sem import read_entries
from isel.spec.sem_family import called

GENERATED: Final = "generated/"
Joined: TypeAlias = Iterator[tuple[Instruction, Instruction | None]]
Classes: TypeAlias = Mapping[str, tuple[Membership, ...]]


def read(
    isa: str,
    sources: Sequence[tuple[str, str]],
    classes: Classes,
    joined: Callable[[Instruction], Joined],
) -> Entries:
    """Return every instruction that has an emission, with its classes, and the intrinsics that
    mean one.

    ``joined`` yields a vendor's instruction with its emission, and as calls of its intrinsic apply
    it; nothing where it has no emission.
    """
    found: list[Instruction] = []
    calls: dict[str, Instruction] = {}
    for name, text in sources:
        bare = name.startswith(GENERATED)
        entries = read_entries(text, name, check=False, bare=bare)
        for plain in entries.instructions:
            i = replace(plain, classes=classes.get(plain.name, ()))
            for instruction, intrinsic in joined(i) if bare else ((i, i),):
                found.append(instruction)
                if intrinsic is not None and intrinsic.call:
                    calls.setdefault(intrinsic.call, intrinsic)
    by_name = {i.name: i for i in found}
    for name, of in retained(isa):
        calls.setdefault(name, called(by_name[of], name))
    return Entries(tuple(found), calls)


def retained(isa: str) -> Iterable[Sequence[str]]:
    """Return intrinsics that LLVM still reads although clang says them otherwise, and the
    instruction of each.
    """
    path = files("semantics").joinpath(isa, "intrinsics.tsv")
    return rows_in(path.read_text(encoding="utf-8") if path.is_file() else "")
