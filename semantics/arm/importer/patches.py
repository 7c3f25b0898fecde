"""The corrections of Arm's files in ``patches.tsv``, applied to entries and to operations."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from semantics.arm.importer.spec import Intrinsic
from semantics.importing.patches import read_patches, why_unsupported

_PATCHES: Final = read_patches(__file__)
_OF_ASL: Final = [(p.name, *edit) for p in _PATCHES if p.kind == "asl" for edit in p.edits]


def unsupported(entry: Intrinsic) -> str:
    """Return why an entry is not imported, or nothing."""
    return why_unsupported(_PATCHES, entry.name)


def patched(text: str) -> str:
    """Return an operation's text in the words that are executed."""
    for _, find, put in _OF_ASL:
        text = re.sub(find, put, text)
    return text


def applied(text: str) -> tuple[str, ...]:
    """Return the names of the patches that change a text."""
    return tuple(dict.fromkeys(name for name, find, _ in _OF_ASL if re.search(find, text)))


def corrected(entry: Intrinsic) -> tuple[Intrinsic, tuple[str, ...]]:
    """Return an entry as it should be, and the names of its corrections."""
    names: dict[str, None] = {}
    for patch in _PATCHES:
        for pattern, field, old, new in patch.edits if patch.kind == "list" else ():
            if re.fullmatch(pattern, entry.name):
                names[patch.name] = None
                entry = _edited(entry, field, old, new)
    return entry, tuple(names)


def _edited(entry: Intrinsic, field: str, old: str, new: str) -> Intrinsic:
    if field == "operands":
        return replace(entry, operands=re.sub(old, new, entry.operands))
    return replace(entry, instructions=tuple(re.sub(old, new, i) for i in entry.instructions))
