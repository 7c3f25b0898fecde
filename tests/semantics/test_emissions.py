"""Emissions: accepted by the linked LLVM, selected as one instruction, proved to refine their semantics."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.binding import normalise
from frontends.llvm.worker import LlvmWorker
from isel.ir.build import bnot
from isel.verify.verdict import Proved, Refuted
from semantics.coverage import otherwise
from semantics.proofs import emission_function, provable, prove_emission, prove_emissions
from semantics.samples import immediate_choices
from semantics.x86.prices import forms
from semantics.x86.selection import best, equivalent, select, selections
from semantics.x86.target import target

# Compiled alone these become something else, for every immediate: what LLVM prefers.
OTHERWISE = {
    "vpmovb2m_128": "vpmovmskb",  # the harness returns masks in general registers
    "vpmovb2m_256": "vpmovmskb",
    "vpmovd2m_128": "vmovmskps",
    "vpmovd2m_256": "vmovmskps",
    "vpmovq2m_128": "vmovmskpd",
    "vpmovq2m_256": "vmovmskpd",
    "vpmovsdb_128": "vpackssdw vpacksswb",  # the intrinsic is vpmovsdb_128_k
}


def test_llvm_accepts_every_emission_and_intrinsic() -> None:
    text: list[str] = []
    every = [*target().instructions(), *(i for i in target().calls.values())]
    for k, i in enumerate(every):
        text.append(emission_function(i, {m.name: m.values[-1] for m in i.immediates}).replace("@f(", f"@f{k}(", 1))
    printed = normalise("".join(text))
    for name in target().calls:
        assert f"@{name}(" in printed, f"LLVM replaced {name}"


def test_emissions_become_the_instruction() -> None:
    assert otherwise(target()) == OTHERWISE


def test_the_shipped_forms_are_what_llvm_selects() -> None:
    some = [i for k, i in enumerate(target().instructions()) if k % 7 == 0]
    cases = [(i, imm) for i in some for imm in immediate_choices(i.immediates, 6, 0)]
    with LlvmWorker() as worker:
        found = select(cases, worker, frozenset({"avx2"}))
    for i in some:
        chosen = best((i, s) for s in found if s.name == i.name)
        assert chosen is not None and chosen.forms == forms()[i.name], i.name


@pytest.mark.slow
def test_all_shipped_forms_are_what_llvm_selects() -> None:
    with LlvmWorker() as worker:
        found = selections(target(), worker, frozenset({"avx2"}))
    for i in target().instructions():
        chosen = best((i, s) for s in found[i.name])
        assert chosen is not None and chosen.forms == forms()[i.name], i.name


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
    some = [i.name for i in provable(target())][::3]
    proofs = prove_emissions(target(), most=2, only=some)
    assert [*dict.fromkeys(p.name for p in proofs)] == some
    bad = [(p.name, p.immediates, p.verdict) for p in proofs if not isinstance(p.verdict, Proved)]
    assert not bad


@pytest.mark.slow
def test_emissions_refine_their_semantics_for_all_immediates() -> None:
    proofs = prove_emissions(target(), most=256)
    assert {p.name for p in proofs} == {i.name for i in provable(target())}
    assert not [(p.name, p.immediates, p.verdict) for p in proofs if not isinstance(p.verdict, Proved)]


@pytest.mark.parametrize("name", ["vpaddb_128", "vpmuldq_128", "vpslldq_128", "vpaddb_128_merge", "vpcmpgtb_128", "vprord_128"])
def test_wrong_semantics_are_refuted(name: str) -> None:
    i = target().by_name[name]
    immediates = {m.name: m.values[1] for m in i.immediates}
    assert isinstance(prove_emission(i, immediates, target()), Proved)
    last = replace(i, lane=lambda k, m: bnot(i.lane(k, m)) if k == i.lanes - 1 else i.lane(k, m))
    verdict = prove_emission(last, immediates, target())
    assert isinstance(verdict, Refuted) and verdict.where == f"lane {i.lanes - 1}"


def test_an_emission_that_may_be_poison_is_refuted() -> None:
    i = target().by_name["vpaddb_128"]
    assert isinstance(prove_emission(replace(i, emission=("%r = add nsw <16 x i8> %a, %b",)), {}, target()), Refuted)
    short = target().by_name["vpshufd_128"]
    last_is_poison = "%r = shufflevector <4 x i32> %a, <4 x i32> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 poison>"
    assert isinstance(prove_emission(replace(short, emission=(last_is_poison,)), {"m": 0b11100100}, target()), Refuted)
