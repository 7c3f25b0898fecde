"""Corrections of Arm's files: the entry or text, the change, and why.

Those of the ASL say the same in other words, for which :mod:`semantics.arm.importer.builtin` has
the functions: as the text has them, shifts need integers of twice the count's range.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from semantics.arm.importer.spec import Intrinsic


@dataclass(frozen=True, slots=True)
class Patch:
    """A change of an operation's text that keeps its lines."""

    name: str
    reason: str
    find: re.Pattern[str]
    put: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of entries of the list."""

    name: str
    reason: str
    names: re.Pattern[str]
    change: Callable[[Intrinsic], Intrinsic]


_INT: Final = r"(?:S|U)?Int\(Elem\[operand\d?, e, (?:2\*)?esize\](?:, unsigned)?\)"

PATCHES: Final = (
    Patch(
        "whole-register",
        "how much of a register an element is read from depends on the element's number and makes "
        "no difference: it lies in both",
        re.compile(r"integer idxdsize = if [^;]* then 128 else 64;"),
        "integer idxdsize = 128;",
    ),
    Patch(
        "shift-either-way",
        "a shift by a signed count, rounded by 1 << (-shift - 1) where it is to the right, is "
        "exact for all 256 counts in the element's own width: the last bit shifted out is added, "
        "and what is lost to the left is seen by shifting back",
        re.compile(
            r"\n( *)if rounding then\n *round_const = 1 << \(-shift - 1\);[^\n]*\n *element = "
            r"\(Int\((Elem\[operand1, e, esize\]), unsigned\) \+ round_const\) << shift;\n *if "
            r"saturating then\n *\(Elem\[result, e, esize\], sat\) = "
            r"SatQ\(element, esize, unsigned\);"
            r"\n *if sat then FPSR.QC = '1';\n *else\n *Elem\[result, e, esize\] = "
            r"element\[esize-1:0\];"
        ),
        r"\n\1Elem[result, e, esize] = ShiftedEither(\2, shift, rounding, saturating, unsigned);"
        r"\n\n\n\n\n\n\n",
    ),
    Patch(
        "rounded-right",
        "(x + (1 << (shift - 1))) >> shift is x >> shift plus the last bit shifted out",
        re.compile(rf"\(({_INT}) \+ round_const\) >> shift"),
        r"RoundedRight(\1, shift, round)",
    ),
    Patch(
        "rounded-right",
        "(x + (1 << (shift - 1))) >> shift is x >> shift plus the last bit shifted out",
        re.compile(r"integer round_const = if round then \(1 << \(shift - 1\)\) else 0;"),
        "",
    ),
    Patch(
        "saturated-left",
        "a saturating shift to the left is exact in the element's own width: what is lost is seen "
        "by shifting back",
        re.compile(
            r"element = Int\((Elem\[operand, e, esize\]), src_unsigned\) << shift;\n( *)"
            r"\((Elem\[result, e, esize\]), sat\) = SatQ\(element, esize, dst_unsigned\);\n *if "
            r"sat then FPSR.QC = '1';"
        ),
        r"\3 = SaturatedLeft(\1, shift, src_unsigned, dst_unsigned);\n\n",
    ),
)

CORRECTIONS: Final = (
    Correction(
        "greater-or-equal-in-order",
        "the list has the sources of vcge swapped, as those of vcle are",
        re.compile(r"vcgeq?_[su](?:8|16|32|64)"),
        lambda e: replace(e, operands=re.sub(r",Vm(\.\w+),Vn(\.\w+)$", r",Vn\1,Vm\2", e.operands)),
    ),
    Correction(
        "both-sources",
        "the list reduces two words by a pairwise instruction and gives no argument to its second "
        "source: both are the argument",
        re.compile(r"v(?:max|min|add)v_[su]32"),
        lambda e: replace(e, operands=e.operands.replace("Vm", "Vn")),
    ),
    Correction(
        "lane-of-words",
        "the list has Vm.H[lane] for the doubling products of words by a lane, which is of words",
        re.compile(r"vqdmulhs_laneq?_s32"),
        lambda e: replace(e, operands=e.operands.replace(".H[", ".S[")),
    ),
    Correction(
        "logic-of-bytes",
        "the list has scalar registers for the logical operation of 64 bits, which has none",
        re.compile(r"vand_s64"),
        lambda e: replace(e, operands="Vd.8B,Vn.8B,Vm.8B"),
    ),
    Correction(
        "one-element-inserted",
        "the list has a DUP of one element of 64 bits, which there is not: it is an INS",
        re.compile(r"vmov_n_[su]64"),
        lambda e: replace(e, instructions=("INS",), operands="Dd.D[0],xn"),
    ),
    Correction(
        "accumulate-is-not-subtract",
        "the list has SQRDMLSH for the scalar vqrdmlahh_s16 and vqrdmlahs_s32, which accumulate",
        re.compile(r"vqrdmlah[hs]_s(?:16|32)"),
        lambda e: replace(e, instructions=("SQRDMLAH",)),
    ),
)


UNSUPPORTED: Final = (
    (
        re.compile(r"vmull(?:_high)?_p64"),
        "a product without carries of 64 bits is no use as a term",
    ),
    (re.compile(r"__crc32c?d"), "a remainder of 96 bits is no use as a term"),
    (re.compile(r"vr(?:ecpe|sqrte)q?_u32"), "an estimate by a division of operands"),
)


def unsupported(entry: Intrinsic) -> str:
    """Return why an entry is not imported, or nothing."""
    return next((reason for names, reason in UNSUPPORTED if names.fullmatch(entry.name)), "")


def patched(text: str) -> str:
    """Return an operation's text in the words that are executed."""
    for p in PATCHES:
        text = p.find.sub(p.put, text)
    return text


def applied(text: str) -> tuple[str, ...]:
    """Return the names of the patches that change a text."""
    return tuple(dict.fromkeys(p.name for p in PATCHES if p.find.search(text)))


def corrected(entry: Intrinsic) -> tuple[Intrinsic, tuple[str, ...]]:
    """Return an entry as it should be, and the names of its corrections."""
    names: list[str] = []
    for c in CORRECTIONS:
        if c.names.fullmatch(entry.name):
            entry = c.change(entry)
            names.append(c.name)
    return entry, tuple(names)


def reasons() -> dict[str, str]:
    """Return the reason of each correction."""
    return {c.name: c.reason for c in (*PATCHES, *CORRECTIONS)}
