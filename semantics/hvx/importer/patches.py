"""What bodies are compiled with: types of registers, helpers that QEMU's macros call, and macros in
other words, each with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from isel.shipped import text_of

_WORD: Final = re.compile(r"\b[A-Za-z_]\w*")
_DEFINED: Final = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Patch:
    """A macro whose text is another, of the same meaning."""

    name: str
    reason: str
    macro: str
    text: str


PRELUDE: Final = text_of(__file__, "types.h")

PATCHES: Final = (
    Patch(
        "saturate-signed",
        "what fits in N bits stays and the rest becomes the nearest bound: the derived operation "
        "of the .sem language",
        "fVSATN(N, VAL)",
        "isel_sat_s((VAL), (N))",
    ),
    Patch(
        "saturate-unsigned",
        "what fits in N bits stays and the rest becomes the nearest bound: the derived operation "
        "of the .sem language",
        "fVSATUN(N, VAL)",
        "isel_sat_u((VAL), (N))",
    ),
    Patch(
        "absolute",
        "the absolute value of a number that is exact in 64 bits",
        "fABS(A)",
        "isel_abs(A)",
    ),
    Patch(
        "shift-left-by-a-signed-count",
        "in 64 bits, where a shift of 32 bits by up to 32 is one shift; counts are -32 to 31",
        "fBIDIR_SHIFTL(SRC, SHAMT, REGSTYPE)",
        "((SHAMT) < 0 ? (int64_t)fCAST##REGSTYPE(SRC) >> ((~(SHAMT) & 31) + 1)"
        " : (int64_t)fCAST##REGSTYPE(SRC) << ((SHAMT) & 31))",
    ),
    Patch(
        "shift-right-by-a-signed-count",
        "in 64 bits, where a shift of 32 bits by up to 32 is one shift; counts are -32 to 31",
        "fBIDIR_SHIFTR(SRC, SHAMT, REGSTYPE)",
        "((SHAMT) < 0 ? (int64_t)fCAST##REGSTYPE(SRC) * 2 << (~(SHAMT) & 31)"
        " : (int64_t)fCAST##REGSTYPE(SRC) >> ((SHAMT) & 31))",
    ),
    Patch(
        "bits-of-a-predicate",
        "a mask of WIDTH ones is taken out of the word that has bit BITNO",
        "fGETQBITS(REG, WIDTH, MASK, BITNO)",
        "({ __typeof__(REG) isel_q = (REG); isel_get(&isel_q, (BITNO), (WIDTH)); })",
    ),
    Patch(
        "bits-of-a-predicate",
        "a mask of WIDTH ones is put into the word that has bit BITNO",
        "fSETQBITS(REG, WIDTH, MASK, BITNO, VAL)",
        "isel_put(&(REG), (BITNO), (WIDTH), (VAL))",
    ),
)

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
    lines = (f"#undef {p.macro.partition('(')[0]}\n#define {p.macro} {p.text}\n" for p in PATCHES)
    return "".join(lines)


@dataclass(frozen=True, slots=True)
class Rewording:
    """Text of bodies that becomes other text, of the same meaning."""

    name: str
    reason: str
    pattern: re.Pattern[str]
    text: str


REWORDINGS: Final = (
    Rewording(
        "high-half-of-saturated-word",
        "the upper half of a number that saturates to 32 bits is its upper part that saturates to "
        "16 bits",
        re.compile(r"fGETHALF\(1,fVSAT\(((?:fROUND\()?\(fMPY16SS\(.*?<<1\)\)?)\)\)"),
        r"isel_high_of_saturated(\1)",
    ),
    Rewording(
        "doubled-product",
        "twice a product is the product with twice a factor",
        re.compile(r"\(fMPY16SS\((.*?)\)<<1\)"),
        r"isel_twice_product(\1)",
    ),
    Rewording(
        "match-of-a-table",
        "numbers are equal where their difference is zero",
        re.compile(r"\((\(idx & 0x[EF]0\)) == (\(matchval << [45]\))\)"),
        r"(\1 - \2 == 0)",
    ),
)


def reword(body: str) -> str:
    """Return a body in the words that are compiled: without warnings, reworded."""
    body = re.sub(r"\bfHIDE\(warn\(.*?\);\)", "", body)
    for r in REWORDINGS:
        body = r.pattern.sub(r.text, body)
    return body


def patch_names(body: str, macros: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the patches that a body uses, itself or by the macros in it."""
    known = set(_WORD.findall(body))
    todo = list(known)
    while todo:
        inner = set(_WORD.findall(macros.get(todo.pop(), ""))) - known
        known |= inner
        todo += inner
    used = [p.name for p in PATCHES if p.macro.partition("(")[0] in known]
    used += [r.name for r in REWORDINGS if r.pattern.search(body)]
    return tuple(dict.fromkeys(used))


def definitions(text: str) -> dict[str, str]:
    """Return what each macro of some headers is defined as, by name."""
    joined = text.replace("\\\n", " ")
    return {m[1]: m[2] for m in _DEFINED.finditer(joined)}


def reasons() -> dict[str, str]:
    """Return the reason of each patch."""
    return {p.name: p.reason for p in (*PATCHES, *REWORDINGS)}
