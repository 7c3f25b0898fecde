"""What a refinement proof knows of everything that surrounds integer operations: one table.

A row says of an attribute, a word of a function's head, a flag or a kind of metadata what the proof
does with it. What is in no row is refused, so that what a later LLVM adds cannot slip through.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from frontends.llvm.text.ast import Instr
from frontends.llvm.text.calls import read_attributes
from frontends.llvm.text.identity import Contents, tokens
from frontends.llvm.text.tokens import Cursor


class Rule(Enum):
    """What a proof does with something."""

    MODELLED = "executed: the sides may differ"
    TRUE = "no code that can be executed breaks it: the sides may differ"
    CALLER = "a promise of the caller: the target may lack it"
    ALIKE = "the same on both sides"
    PROMISE = (
        "the same on both sides; breaking it is undefined behaviour that is not modelled, so no "
        "counterexample counts"
    )
    DROPPED = "the target may lack it, and has none that the source lacks"
    SOURCE = (
        "a promise that is not modelled: none in the target that the source lacks, and no "
        "counterexample counts"
    )


Rows: TypeAlias = dict[str, Rule]


def _rows(**words: str) -> Rows:
    return {word: Rule[rule] for rule, text in words.items() for word in text.split()}


_LINKAGE: Final = (
    "private internal available_externally linkonce linkonce_odr weak weak_odr external dso_local "
    "dso_preemptable default hidden protected dllexport dllimport"
)
_CONVENTIONS: Final = (
    "ccc fastcc coldcc anyregcc preserve_mostcc preserve_allcc preserve_nonecc tailcc swiftcc "
    "swifttailcc cfguard_checkcc cxx_fast_tlscc ghccc hhvmcc hhvm_ccc graalcc cc"
)
_NUMBERED: Final = re.compile(r"cc\d+")  # a convention without a name
_X86_CONVENTIONS: Final = (
    "x86_stdcallcc x86_fastcallcc x86_thiscallcc x86_vectorcallcc x86_regcallcc x86_64_sysvcc "
    "x86_intrcc win64cc intel_ocl_bicc"
)
_ARM_CONVENTIONS: Final = (
    "aarch64_vector_pcs aarch64_sve_vector_pcs aarch64_sme_preservemost_from_x0 "
    "aarch64_sme_preservemost_from_x1 aarch64_sme_preservemost_from_x2 arm_apcscc arm_aapcscc "
    "arm_aapcs_vfpcc"
)
_HEAD: Final = (
    "section partition comdat gc prefix prologue personality align unnamed_addr local_unnamed_addr "
    "addrspace"
)
_CODE: Final = (
    "alwaysinline cold convergent hot inlinehint minsize nobuiltin nocf_check noduplicate "
    "noimplicitfloat noinline nomerge noprofile noredzone nonlazybind null_pointer_is_valid "
    "optdebug optforfuzzing optnone optsize sanitize_address sanitize_thread sanitize_memory "
    "sanitize_hwaddress sanitize_memtag sanitize_type sanitize_realtime "
    "sanitize_realtime_blocking sanitize_numerical_stability sanitize_alloc_token "
    "coro_only_destroy_when_complete coro_elide_safe presplitcoroutine returns_twice jumptable "
    "nodivergencesource shadowcallstack skipprofile speculative_load_hardening ssp "
    "sspreq sspstrong uwtable vscale_range alignstack safestack nosanitize_bounds "
    "nosanitize_coverage disable_sanitizer_instrumentation hybrid_patchable fn_ret_thunk_extern"
)
# by code without loops, calls and atomic accesses
_KEPT: Final = "mustprogress nocallback nofree norecurse nosync nounwind willreturn"
_INTRINSIC: Final = (
    f"{_KEPT} memory speculatable cold builtin nobuiltin convergent noduplicate nomerge noinline"
)
_HINTS: Final = (
    "dbg prof unpredictable annotation pcsections srcloc nosanitize DIAssignID memprof callsite "
    "heapallocsite alloc_token"
)
# how a value is handed over, which callers see
_HANDED: Final = "inreg swiftself swiftasync"
_POINTER_PROMISES: Final = "noundef nonnull align dereferenceable dereferenceable_or_null noalias"
_ACCESS: Final = (
    "tbaa tbaa.struct alias.scope noalias nonnull align dereferenceable dereferenceable_or_null "
    "invariant.load invariant.group llvm.access.group noalias.addrspace captures"
)

# Where something stands, then what it is.  ``"…"`` is any attribute in quotes.
TABLE: Final[Mapping[str, Rows]] = {
    "function": _rows(
        MODELLED="noreturn memory",
        TRUE=_KEPT,
        ALIKE=f'{_CODE} {_HEAD} "…"',
        SOURCE="speculatable allocsize allockind",
    ),
    "result": _rows(
        MODELLED="noundef range",
        ALIKE=f"zeroext signext inreg noext {_LINKAGE}",
        SOURCE="noalias nonnull align dereferenceable dereferenceable_or_null nofpclass",
    )
    | _rows(ALIKE=f'{_CONVENTIONS} {_X86_CONVENTIONS} {_ARM_CONVENTIONS} "…"'),
    "argument": _rows(
        MODELLED="noundef range",
        ALIKE=f'zeroext signext noext immarg nofpclass allocalign {_HANDED} "…"',
        SOURCE="returned",
    ),
    "argument of another type": _rows(
        CALLER="noundef", ALIKE=f'{_HANDED} "…"', SOURCE="nofpclass returned"
    ),
    "pointer argument": _rows(
        MODELLED="readonly writeonly readnone initializes",
        TRUE="captures nofree",
        CALLER=_POINTER_PROMISES,
        ALIKE=f'nest swifterror allocptr {_HANDED} "…"',
        PROMISE="sret byval byref inalloca preallocated",
        SOURCE="writable dead_on_return dead_on_unwind returned",
    ),
    "call": _rows(MODELLED="noundef range", TRUE=_INTRINSIC),
    "operand of a call": _rows(
        TRUE="immarg",
        SOURCE="noundef range nonnull align dereferenceable dereferenceable_or_null nofpclass",
    ),
    "metadata of a load": _rows(
        MODELLED="noundef range", TRUE=_HINTS, DROPPED="nontemporal", SOURCE=_ACCESS
    ),
    "metadata of a store": _rows(TRUE=_HINTS, DROPPED="nontemporal", SOURCE=_ACCESS),
    "metadata": _rows(TRUE=_HINTS),
}
_TUNING: Final = ('"min-legal-vector-width"', '"prefer-vector-width"', '"tune-cpu"')
_NODES: Final = re.compile(r"!\d+")
_CHAR: Final = re.compile(r'!\{!"omnipotent char", (!\d+), i64 0\}')
_ROOT: Final = re.compile(r'!\{!"Simple C(?:/C)?\+\+ TBAA"\}')
_WRAPPING: Final = frozenset({"nuw", "nsw"})
_FAST: Final = frozenset({"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc", "fast"})
_FLOATS: Final = (
    "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "fcmp", "fptrunc", "fpext", "select", "phi",
)  # fmt: skip
FLAGS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("add", "sub", "mul", "shl", "trunc"), _WRAPPING),
    **dict.fromkeys(("udiv", "sdiv", "lshr", "ashr"), frozenset({"exact"})),
    "or": frozenset({"disjoint"}),
    "zext": frozenset({"nneg"}),
    "icmp": frozenset({"samesign"}),
    "getelementptr": frozenset({"inbounds", "nusw", "nuw"}),
    "call": frozenset({"tail", "notail"}) | _FAST,
    # floating point is refused elsewhere
    **dict.fromkeys(_FLOATS, _FAST),
}


def is_tuning(text: str) -> bool:
    """Tell whether an attribute says how code is to be made, not what it is to do."""
    return text.partition("=")[0] in _TUNING


def rule_of(place: str, text: str) -> Rule | None:
    """Return the rule for an attribute or a kind of metadata as it is written, None where there
    is none.
    """
    if text[:1] == '"':
        return Rule.TRUE if is_tuning(text) else TABLE[place].get('"…"')
    word = next((t for t in tokens(text)), "")
    return TABLE[place].get("cc" if _NUMBERED.fullmatch(word) else word)


def whole(text: str) -> list[str]:
    """Return the attributes of a text, and what follows them as one more."""
    c = Cursor(text)
    found = read_attributes(c)
    return found if not c.token else [*found, c.token]


def why_refused(i: Instr, contents: Contents) -> str:
    """Return what of an instruction is in no row, empty if all of it is in one."""
    flags = i.flags - FLAGS.get(i.opcode, frozenset())
    if flags:
        return f"'{min(flags)}' of '{i.opcode}'"
    place = f"metadata of a {i.opcode}" if i.opcode in ("load", "store") else "metadata"
    bad = next((kind for kind, _ in i.metadata if kind not in TABLE[place]), None)
    if bad is not None:
        return (
            f"memory: the metadata !{bad} of '{i.opcode}'"
            if i.opcode in ("load", "store")
            else f"the metadata !{bad} of '{i.opcode}'"
        )
    bad = next((a for where, a in said(i, contents) if rule_of(where, a) is None), None)
    return f"the attribute '{bad}' of a call of '{i.callee}'" if bad is not None else ""


def said(i: Instr, contents: Contents) -> list[tuple[str, str]]:
    """Return the attributes of a call, each with where it stands."""
    found: list[tuple[str, str]] = []
    for a in i.attributes if i.opcode == "call" else ():
        text, at, _ = a.rpartition(" @")
        if at:
            found.append(("operand of a call", text))
        else:
            found += [
                ("call", x) for x in (whole(contents.group(a)) if a in contents.named else [a])
            ]
    return found


def uncertain(i: Instr, contents: Contents) -> str:
    """Return which promise of an instruction of the source is not modelled, so that no
    counterexample counts.
    """
    place = f"metadata of a {i.opcode}" if i.opcode in ("load", "store") else "metadata"
    promised = [
        f"!{kind}"
        for kind, text in i.metadata
        if TABLE[place].get(kind) is Rule.SOURCE and kind != "tbaa"  # which takes two accesses
    ]
    promised += [a for where, a in said(i, contents) if rule_of(where, a) is Rule.SOURCE]
    return f"what breaks '{promised[0]}' is not modelled" if promised else ""


def says_nothing(kind: str, text: str, contents: Contents) -> bool:
    """Tell whether metadata of an access promises nothing: ``tbaa`` with C's ``char``, which all of
    C's types lie below, so that it may alias each of them.
    """
    if kind != "tbaa":
        return False
    base, *access = _NODES.findall(contents.named.get(text, text))
    found = _CHAR.fullmatch(contents.named.get(base, ""))
    if access != [base] or found is None:
        return False
    return _ROOT.fullmatch(contents.named.get(found[1], "")) is not None
