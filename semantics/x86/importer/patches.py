"""Corrections of the vendor's text: each with a name, the entries it is for, and its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from semantics.x86.importer.spec import Intrinsic


@dataclass(frozen=True, slots=True)
class Patch:
    """A correction: of the entries whose name matches ``names``, ``change`` gives the right text.

    A patch that is a ``rewriting`` says the same in other words, which tests check by executing
    both; the others change the meaning, which the reason justifies and the hardware confirms.
    """

    name: str
    reason: str
    names: re.Pattern[str]
    change: Callable[[Intrinsic], Intrinsic]
    rewriting: bool = False


def _text(old: str, new: str) -> Callable[[Intrinsic], Intrinsic]:
    pattern = re.compile(old, re.DOTALL)
    return lambda entry: replace(entry, operation=pattern.sub(new, entry.operation))


def _elements(old: str, new: str, *parameters: str) -> Callable[[Intrinsic], Intrinsic]:
    def change(entry: Intrinsic) -> Intrinsic:
        fixed = tuple(
            replace(p, etype=p.etype.replace(old, new)) if p.name in parameters else p
            for p in entry.parameters
        )
        return replace(entry, parameters=fixed)

    return change


def _both(*changes: Callable[[Intrinsic], Intrinsic]) -> Callable[[Intrinsic], Intrinsic]:
    def change(entry: Intrinsic) -> Intrinsic:
        for c in changes:
            entry = c(entry)
        return entry

    return change


def _zero_above(entry: Intrinsic) -> Intrinsic:
    (source,) = (p for p in entry.parameters if p.name == "a")
    return replace(
        entry,
        operation=entry.operation.replace("dst[MAX:128] := 0", f"dst[MAX:{source.bits // 8}] := 0"),
    )


_ANY: Final = r"_mm(256|512)?_(mask_|maskz_)?"

PATCHES: Final = (
    Patch(
        "kept-byte-by-lane",
        "where the predicate is 0 the byte of the source at the lane is kept; the text takes the "
        "one that the immediate numbers",
        re.compile(r"_mm512_mask_gf2p8affineinv_epi64_epi8"),
        _text(r"src\.qword\[j\]\.byte\[b\]", "src.qword[j].byte[i]"),
    ),
    Patch(
        "arithmetic-shift-of-unsigned",
        "the element type says unsigned, but the shift is arithmetic: vacated bits are copies of "
        "the sign",
        re.compile(_ANY + r"sra_epi(16|32|64)"),
        _elements("UI", "SI", "a"),
    ),
    Patch(
        "unsigned-saturation-of-signed-accumulator",
        "the saturation is an unsigned one, of an unsigned accumulator; the element type says "
        "signed",
        re.compile(r"_mm(256)?_dpbuuds_epi32"),
        _elements("SI", "UI", "__W"),
    ),
    Patch(
        "flag-as-result",
        "the text sets a flag and assigns nothing to the result, which is that flag",
        re.compile(r"_mm512_kortest[zc]"),
        _text(r"IF (.*?)\n\s*Set[ZC]F\(\)\s*FI", r"dst := (\1) ? 1 : 0"),
    ),
    Patch(
        "truth-table",
        "the text elides all but four of the 256 functions: bit 4a + 2b + c of the immediate is "
        "the result for bits a, b and c",
        re.compile(_ANY + r"ternarylogic_epi(32|64)"),
        _both(
            _text(r"DEFINE TernaryOP.*?\n\}\s*", ""),
            _text(r"imm8\[7:0\] = LogicExp\([^)]*\)\s*", ""),
            _text(
                r"FOR h := 0 to (31|63)\s*dst\[i\+h\] := TernaryOP\(imm8\[7:0\], a\[i\+h\], "
                r"b\[i\+h\], c\[i\+h\]\)\s*ENDFOR",
                r"dst[i+\1:i] := TRUTH(imm8[7:0], a[i+\1:i], b[i+\1:i], c[i+\1:i])",
            ),
        ),
    ),
    Patch(
        "merge-source-of-ternary-logic",
        "the text names a source that is no parameter: elements that are not selected are those of "
        "the first one",
        re.compile(r"_mm(256|512)?_mask_ternarylogic_epi(32|64)"),
        _text(r"\bsrc\b", "a"),
    ),
    Patch(
        "zero-above-the-narrowed",
        "the text leaves bits of the result unassigned: everything above the narrowed elements is "
        "zero",
        re.compile(_ANY + r"cvtepi64_epi8"),
        _zero_above,
    ),
    Patch(
        "complement-of-the-mask",
        "the carry flag of the test is about the complement of its first operand, which is the "
        "mask",
        re.compile(r"_mm_test_mix_ones_zeros"),
        _text(r"\(NOT a\[127:0\]\) AND mask\[127:0\]", "(NOT mask[127:0]) AND a[127:0]"),
    ),
    Patch(
        "sums-of-sixteen-bits",
        "the element type of the result says 8 bits, but the sums have 16",
        re.compile(r"_mm(256)?_mpsadbw_epu8"),
        lambda entry: replace(entry, result=replace(entry.result, etype="UI16")),
    ),
    Patch(
        "rounds-as-words",
        "the text indexes variables like arrays of words, which elsewhere means bits",
        re.compile(r"_mm_sha256rnds2_epu32"),
        _text(r"\b([A-H]|W_K)\[", r"\1.dword["),
    ),
    Patch(
        "words-of-the-schedule",
        "the rotation of a sum is that of 32 bits",
        re.compile(r"_mm_sha256msg2_epu32"),
        _text(r"\b(W1[6-9]) :=", r"\1[31:0] :="),
    ),
    Patch(
        "first-round",
        "the text indexes variables like arrays of words, and gives a function and a constant as "
        "values; the first round is as the others with E = 0",
        re.compile(r"_mm_sha1rnds4_epu32"),
        _both(
            _text(r"IF \(func.*?FI\s*A := ", "A := "),
            _text(r"\b([A-D]) := a", r"\1.dword[0] := a"),
            _text(r"A\[1\] := .*?FOR i := 1 to 3", "E.dword[0] := 0\nFOR i := 0 to 3"),
            _text(r"\bf\(", "sha1_function(func[1:0], "),
            _text(r"\bK\b", "sha1_constant(func[1:0])"),
            _text(r"\b([A-EW])\[", r"\1.dword["),
        ),
    ),
    Patch(
        "leading-zeros",
        "a loop that ends at the first bit set counts leading zeros",
        re.compile(_ANY + r"lzcnt_epi(32|64)"),
        _text(
            r"tmp := (31|63)\s*dst\[i\+\d+:i\] := 0\s*DO WHILE .*?OD",
            r"dst[i+\1:i] := LZCNT(a[i+\1:i])",
        ),
        rewriting=True,
    ),
    Patch(
        "eight-bits-of-a-rotation",
        "eight bits picked one after the other, modulo 64, are the low ones of a rotation",
        re.compile(_ANY + r"multishift_epi64_epi8"),
        _text(
            r"tmp8 := 0\s*(ctrl := [^\n]*)\s*FOR l := 0 to 7\s*tmp8\[l\] := [^\n]*\s*ENDFOR",
            r"\1\n\ttmp8[7:0] := ROTATE_RIGHT(b[q+63:q], ctrl)\n",
        ),
        rewriting=True,
    ),
)


def patched(entry: Intrinsic) -> tuple[Intrinsic, tuple[Patch, ...]]:
    """Return an entry corrected, and the patches that changed it."""
    applied: list[Patch] = []
    for patch in PATCHES:
        if patch.names.fullmatch(entry.name):
            changed = patch.change(entry)
            if changed != entry:
                entry = changed
                applied.append(patch)
    return entry, tuple(applied)


UNSUPPORTED: Final = (
    (
        re.compile(r"_mm_cmp[ei]str[acimosz]"),
        (
            "string comparison: the text aggregates ranges in steps of three and searches an "
            "operand instead of the result"
        ),
    ),
)


def unsupported(entry: Intrinsic) -> str:
    """Return why an entry is not imported at all, or nothing."""
    return next((reason for names, reason in UNSUPPORTED if names.fullmatch(entry.name)), "")


def reasons() -> dict[str, str]:
    """Return the reason of every correction and of every stated formula, by name."""
    from semantics.x86.importer.stated import FORMULAS

    return {**{p.name: p.reason for p in PATCHES}, **{f.name: f.reason for f in FORMULAS}}
