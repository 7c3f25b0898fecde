"""The instructions of a target: the shipped ones by their index, and those of the user."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from isel.errors import SyntaxProblem
from isel.spec.index import indexed, packaged
from isel.spec.index_rows import Entries, Sources
from isel.spec.instruction import Instruction, Membership
from isel.spec.kept import code_of
from isel.spec.target import Target
from semantics.digest import digest_with, sources

if TYPE_CHECKING:
    from semantics.isa import Isa

_HERE = Path(__file__).parent


def index_name(isa: Isa) -> str:
    """Return the name of the file with a target's index: in a wheel; a checkout has none."""
    return f"{isa.name}.index"


@dataclass(frozen=True)
class Library:
    """The entries of ``isa``; ``own`` are the names and texts of the user's ``.sem`` files."""

    isa: Isa
    own: Sources

    @property
    def sources(self) -> tuple[tuple[str, str], ...]:
        """The names and texts of the shipped ``.sem`` files."""
        return sources(self.isa.name)

    @property
    def digest(self) -> str:
        """A hash of the semantics; part of every cache key."""
        return digest_with(self.isa.name, self.own)

    @cached_property
    def entries(self) -> Entries:
        """The shipped entries, and the user's instructions; what calls of intrinsics mean is
        for the shipped ones to say.
        """
        isa = self.isa
        given, place = (self.sources, _inputs(isa)), _HERE / isa.name / index_name(isa)
        shipped = indexed(isa.name, *given, partial(read_entries, isa), os.environ, place)
        if not self.own:
            return shipped
        known = (*_inputs(isa), self.digest, _proving_code())
        mine = indexed(f"{isa.name}-own", self.own, known, self._admitted, os.environ)
        return Entries((*shipped.instructions, *mine.instructions), shipped.calls)

    @cached_property
    def by_name(self) -> Mapping[str, Instruction]:
        """The instructions by name."""
        return {i.name: i for i in self.entries.instructions}

    def _admitted(self) -> Entries:
        """Read and prove the user's instructions against the shipped ones."""
        from semantics.own import admitted

        shipped: Target = self.isa.shipped()
        return Entries(admitted(self.own, shipped, self.isa.feature_names()), {})


def read_entries(isa: Isa) -> Entries:
    """Read the shipped texts of an instruction set."""
    from semantics.entries import read

    return read(isa.name, sources(isa.name), classes_of(isa.name), isa.joined)


def _inputs(isa: Isa) -> tuple[str, ...]:
    return digest_with(isa.name, ()), reading_code(isa.name)


def packaged_index(isa: Isa) -> bytes:
    """Return the content of the index that a wheel holds."""
    return packaged(read_entries(isa), sources(isa.name), _inputs(isa))


def classes_of(isa: str) -> Mapping[str, tuple[Membership, ...]]:
    """Return the classes of the shipped dictionary, whatever semantics it was made from; none
    where it cannot be read.
    """
    from equiv_classes.dictionary import dictionary, memberships

    try:
        return memberships(dictionary(), isa)
    except (
        SyntaxProblem
    ):  # it groups what is searched and no more; `isel classes` reports it, or makes it anew
        return {}


def reading_code(isa: str) -> str:
    """Return a hash of the code that reads the entries."""
    classes = _HERE.parent / "equiv_classes"  # imported where an index is made only
    return code_of(
        *_HERE.glob("*.py"),
        *(_HERE / "emission").glob("*.py"),
        *(_HERE / isa).glob("*.py"),
        *(_HERE / isa / "emission").glob("*.py"),
        _HERE.parent / "isel" / "shipped.py",
        *classes.glob("dictionary.py"),
        *classes.glob("classes.txt"),
    )


def _proving_code() -> str:
    """Return a hash of the code that admits a user's instructions: another version of it proves
    them again.
    """
    root = _HERE.parent
    rooms = (root / "isel" / name for name in ("ir", "model", "verify", "smt", "interp"))
    parts = (*rooms, root / "frontends/llvm", root / "semantics")
    return code_of(*(p for part in parts for p in part.glob("*.py")))
