"""The corrections of the vendor's text in ``patches.tsv``, applied to its entries."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from semantics.importing.patches import Patch, read_patches, why_unsupported
from semantics.x86.importer.spec import Intrinsic

ALL: Final = read_patches(__file__)
_PATCHES: Final = tuple(p for p in ALL if p.kind in ("patch", "rewriting"))


def patched(entry: Intrinsic) -> tuple[Intrinsic, tuple[Patch, ...]]:
    """Return an entry corrected, and the patches that changed it."""
    applied: list[Patch] = []
    for patch in _PATCHES:
        changed = entry
        for names, what, old, new in patch.edits:
            if re.fullmatch(names, entry.name):
                changed = _edited(changed, what, old, new)
        if changed != entry:
            entry = changed
            applied.append(patch)
    return entry, tuple(applied)


def _edited(entry: Intrinsic, what: str, old: str, new: str) -> Intrinsic:
    if what == "operation":
        return replace(entry, operation=re.sub(old, new, entry.operation, flags=re.DOTALL))
    result, *parameters = (
        replace(p, etype=p.etype.replace(old, new)) if name == what else p
        for name, p in (("result", entry.result), *((p.name, p) for p in entry.parameters))
    )
    return replace(entry, result=result, parameters=tuple(parameters))


def unsupported(entry: Intrinsic) -> str:
    """Return why an entry is not imported at all, or nothing."""
    return why_unsupported(ALL, entry.name)
