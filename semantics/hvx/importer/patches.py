"""What bodies are compiled with: types of registers, helpers that QEMU's macros call, and macros in
other words, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from isel.shipped import text_of
from semantics.importing.patches import read_patches

_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_DEFINED: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", re.MULTILINE)


PRELUDE: Final = text_of(__file__, "types.h")

PATCHES: Final = read_patches(__file__)

# Instructions that the vendor's file has no body of.
STATED: Final = {
    "V6_hi": "VdV = VssV.v[1];",
    "V6_lo": "VdV = VssV.v[0];",
    "V6_vassignp": "VddV = VuuV;",
    "V6_vd0": "for (int i = 0; i < 32; i++) VdV.w[i] = 0;",
    "V6_vdd0": "for (int i = 0; i < 64; i++) VddV.w[i] = 0;",
    "V6_extractw": "RdV = VuV.uw[(RsV & (fVBYTES() - 1)) >> 2];",
}


def macros_in_other_words() -> str:
    """Return the definitions that replace those of the patched macros."""
    macros = _edits("macro")
    return "".join(f"#undef {m.partition('(')[0]}\n#define {m} {text}\n" for _, m, text in macros)


def _edits(kind: str) -> list[tuple[str, str, str]]:
    """Return the name of each patch of a kind, what it is for, and the text instead."""
    return [(p.name, old, new) for p in PATCHES if p.kind == kind for old, new in p.edits]


def reword(body: str) -> str:
    """Return a body in the words that are compiled: without warnings, reworded."""
    body = re.sub(r"\bfHIDE\(warn\(.*?\);\)", "", body)
    for _, pattern, text in _edits("body"):
        body = re.sub(pattern, text, body)
    return body


def patch_names(body: str, macros: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the patches that a body uses, itself or by the macros in it."""
    known = set(_WORD.findall(body))
    todo = list(known)
    while todo:
        inner = set(_WORD.findall(macros.get(todo.pop(), ""))) - known
        known |= inner
        todo += inner
    used = [name for name, macro, _ in _edits("macro") if macro.partition("(")[0] in known]
    used += [name for name, pattern, _ in _edits("body") if re.search(pattern, body)]
    return tuple(dict.fromkeys(used))


def definitions(text: str) -> dict[str, str]:
    """Return what each macro of some headers is defined as, by name."""
    joined = text.replace("\\\n", " ")
    return {m[1]: m[2] for m in _DEFINED.finditer(joined)}
