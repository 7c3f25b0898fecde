"""Corrections of vendors' texts, each with a name and its reason: the tables ``patches.tsv`` of the
importers.

A row of a kind, a name and a reason begins a patch; rows that begin with a tab are its edits, in
cells whose meaning the importer says.  The name of what is ``unsupported`` is the pattern of
entries that are not imported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from isel.shipped import groups_of

_UNSUPPORTED: Final = "unsupported"


@dataclass(frozen=True, slots=True)
class Patch:
    """A correction."""

    kind: str
    name: str
    reason: str
    edits: tuple[tuple[str, ...], ...]


def read_patches(module: str) -> tuple[Patch, ...]:
    """Return what the table beside a module has."""
    return tuple(
        Patch(kind, name, reason, tuple(map(tuple, edits)))
        for (kind, name, reason), edits in groups_of(module, "patches.tsv")
    )


def why_unsupported(patches: Iterable[Patch], entry: str) -> str:
    """Return why an entry is not imported at all, or nothing."""
    refused = (p for p in patches if p.kind == _UNSUPPORTED)
    return next((p.reason for p in refused if re.fullmatch(p.name, entry)), "")


def reasons_of(patches: Iterable[Patch]) -> dict[str, str]:
    """Return the reason of every correction by name."""
    return {p.name: p.reason for p in patches if p.kind != _UNSUPPORTED}
