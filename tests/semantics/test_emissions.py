"""Emissions: accepted by the linked LLVM, selected as one instruction, proved to refine their
semantics.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.linked.worker import LlvmWorker
from isel.ir.build import bnot
from isel.model.verdict import Proved, Refuted
from semantics.coverage import otherwise
from semantics.emission.table import emissions
from semantics.forms import forms
from semantics.proofs import emission_function, provable, prove_emission, prove_emissions
from semantics.selection import best, select, selections, tried
from semantics.x86.joined import emission_for
from semantics.x86.selection import PRINTED, equivalent
from semantics.x86.target import target

# Not proved: the result of their own intrinsic, cut to the bits that the C type has.
CUT = {f"_ktest{c}_mask{bits}_u8" for c in "zc" for bits in (8, 16, 32, 64)}


def call_function(line: str, k: int) -> str:
    """Return a function of a call's arguments in the intrinsic's own types; immediates are 1."""
    head, _, given = line.partition("(")
    parameters = ", ".join(
        f"{kind} {name}" for kind, name in re.findall(r"(<[^>]+>|i\d+) (%[\w.]+)", given)
    )
    arguments = re.sub(r"[$]\w+", "1", given)
    return f"define void @g{k}({parameters}) {{ {head}({arguments}\nret void }}\n"


def test_llvm_accepts_every_emission_and_intrinsic() -> None:
    text = [
        emission_function(i, {m.name: m.values[-1] for m in i.immediates}).replace(
            "@f(", f"@f{k}(", 1
        )
        for k, i in enumerate(target().instructions())
    ]
    text.extend(call_function(i.emission[0], k) for k, i in enumerate(target().calls.values()))
    printed = normalise("".join(text))
    for name in target().calls:
        assert f"@{name}(" in printed, f"LLVM replaced {name}"


def test_emissions_become_the_instruction() -> None:
    """The others, listed with what they become in the table of emissions, LLVM's own operations
    that no instruction has, and one sequence that LLVM prefers to the view's instruction.
    """
    listed = {
        i.name
        for i in target().instructions()
        if (e := emission_for(i.name, emissions("x86"))) is not None and not e.single
    }
    found = otherwise(target())
    others = {name for name in found if not name.startswith("generic_")} - listed
    assert others == {"vpmovsdb_128"} and found["vpmovsdb_128"] == "vpackssdw vpacksswb"
    assert found["generic_shl_8_256"] == "vpsllw vpand"
    assert len(target().instructions()) - len(found) >= 2500


def test_the_shipped_forms_are_what_llvm_selects() -> None:
    some = [i for k, i in enumerate(target().instructions()) if k % 29 == 0]
    cases = [(i, imm) for i in some for imm in tried(i)]
    with LlvmWorker() as worker:
        found = select(cases, worker, PRINTED, frozenset({"avx2"}))
    for i in some:
        chosen = best(((i, s) for s in found if s.name == i.name), PRINTED)
        assert (chosen.forms if chosen is not None else ()) == forms("x86").get(i.name, ()), i.name


def test_all_shipped_forms_are_what_llvm_selects() -> None:
    with LlvmWorker() as worker:
        found = selections(target(), worker, PRINTED, frozenset({"avx2"}))
    for i in target().instructions():
        chosen = best(((i, s) for s in found[i.name]), PRINTED)
        assert (chosen.forms if chosen is not None else ()) == forms("x86").get(i.name, ()), i.name


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("vpaddb", "paddb", True),
        ("vpand", "vandps", True),
        ("vpunpckldq", "unpcklps", True),
        ("vpermi2b", "vpermt2b", True),
        ("vpaddb", "vpaddw", False),
        ("vpunpckldq", "vunpckhps", False),
        ("vpsllw", "vpaddw", False),
        ("vprord", "vprolq", False),
    ],
)
def test_names_of_one_operation(expected: str, printed: str, same: bool) -> None:
    assert equivalent(expected, printed) is same


def test_emissions_refine_their_semantics() -> None:
    some = [i.name for i in provable(target()) if i.name not in CUT][::9]
    proofs = prove_emissions(target(), most=2, only=some)
    assert [*dict.fromkeys(p.name for p in proofs)] == some
    bad = [(p.name, p.immediates, p.verdict) for p in proofs if not isinstance(p.verdict, Proved)]
    assert not bad


def test_emissions_refine_their_semantics_for_more_immediates() -> None:
    proofs = prove_emissions(target(), most=16)
    assert {p.name for p in proofs} == {i.name for i in provable(target())}
    assert not [
        (p.name, p.immediates, p.verdict)
        for p in proofs
        if not isinstance(p.verdict, Proved) and p.name not in CUT
    ]


@pytest.mark.parametrize(
    "name",
    [
        "_mm_add_epi8",
        "_mm_mul_epi32",
        "_mm_bslli_si128",
        "_mm_mask_add_epi8",
        "_mm_cmpgt_epi8",
        "_mm_ror_epi32",
    ],
)
def test_wrong_semantics_are_refuted(name: str) -> None:
    i = target().by_name[name]
    immediates = {m.name: m.values[1] for m in i.immediates}
    assert isinstance(prove_emission(i, immediates, target()), Proved)
    last = replace(i, lane=lambda k, m: bnot(i.lane(k, m)) if k == i.lanes - 1 else i.lane(k, m))
    verdict = prove_emission(last, immediates, target())
    assert isinstance(verdict, Refuted) and verdict.where == f"lane {i.lanes - 1}"


def test_an_emission_that_may_be_poison_is_refuted() -> None:
    i = target().by_name["_mm_add_epi8"]
    assert isinstance(
        prove_emission(replace(i, emission=("%r = add nsw <16 x i8> %a, %b",)), {}, target()),
        Refuted,
    )
    short = target().by_name["_mm_shuffle_epi32"]
    last_is_poison = "%r = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>"
    assert isinstance(
        prove_emission(replace(short, emission=(last_is_poison,)), {"imm8": 0b11100100}, target()),
        Refuted,
    )
