"""What ships of HVX: imported formulas, emissions, CPUs, and what is counted."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import pytest

from isel.spec.instruction import Instruction
from isel.spec.sem import read_entries
from isel.spec.sem_show import patched, show_sem
from semantics import isa_named
from semantics.coverage import coverage
from semantics.digest import sources
from semantics.fuzz import fuzz
from semantics.hvx import probe
from semantics.hvx.importer.spec import listed_name
from semantics.hvx.isa import ISA
from semantics.hvx.target import cpus, target
from semantics.listed import left_out


@cache
def generated() -> tuple[Instruction, ...]:
    return tuple(
        i
        for name, text in sources("hvx")
        if name.startswith("generated/")
        for i in read_entries(text, name, check=False, bare=True).instructions
    )


def test_what_is_imported_and_what_is_not() -> None:
    specified, missing = left_out("hvx")
    names = [i.name for i in generated()]
    assert len(names) == len(set(names))
    assert len({listed_name(n) for n in names}) == specified - len(missing) >= 378
    assert set(missing.values()) == {
        "a second result by pointer",
        "a formula that is too long to be of use",
    }
    assert all(i.features and i.features <= set(cpus().implies) for i in generated())


def test_a_lane_of_each_can_be_evaluated_and_printed() -> None:
    for i in generated():
        chosen = {m.name: m.values[-1] for m in i.immediates}
        assert i.lane(i.lanes - 1, chosen).width == i.width, i.name
        assert show_sem(i).startswith(f"instruction {i.name}\n")


def test_corrections_have_reasons_and_are_used() -> None:
    assert {name for i in generated() for name in patched(i)} == set(isa_named("hvx").corrections())


def test_what_the_list_counts() -> None:
    """A shuffle whose 28 constants are an instruction each is one entry."""
    found = coverage(target()).listed
    assert (found.specified, found.imported) == (383, 380)
    assert found.tested == found.agree >= 370
    assert found.emission_proved + found.emission_calls == found.imported
    assert not found.unproved


def test_names_of_the_list() -> None:
    assert ISA.entry_name("Q6_W_vshuff_VVR_64") == "Q6_W_vshuff_VVR"
    assert ISA.entry_name("Q6_Vh_vasr_VhR_n") == "Q6_Vh_vasr_VhR"
    assert ISA.entry_name("Q6_Vb_vlut32_VbVbI") == "Q6_Vb_vlut32_VbVbI"


def test_cpus_are_what_llvm_says(capsys: pytest.CaptureFixture[str]) -> None:
    probe.main()
    assert capsys.readouterr().out == files("semantics.hvx").joinpath("cpus.tsv").read_text()


def test_only_vectors_of_128_bytes() -> None:
    bits = {
        features: target().vector_bits(target().features("hexagonv66", features), {})
        for features in ("", "+hvxv66,+hvx-length64b", "+hvxv66,+hvx-length128b")
    }
    assert list(bits.values()) == [0, 0, 2048]


@pytest.mark.parametrize("named", ["+hvx,+hvx-length128b", "+hvx-length128b"])
@pytest.mark.parametrize(("cpu", "bits"), [("hexagonv66", 2048), ("hexagonv55", 0)])
def test_vectors_of_no_version_have_the_cpu_s(cpu: str, bits: int, named: str) -> None:
    features = target().features(cpu, named)
    assert target().vector_bits(features, {}) == bits
    assert ("hvxv66" in features, "hvxv67" in features) == (cpu == "hexagonv66", False)


@pytest.mark.tools
def test_every_instruction_agrees_on_100_operands() -> None:
    report = fuzz(target(), 100, seed=2026, immediates=4, least=25, jobs=2)
    assert not report.disagreements, "\n".join(d.line() for d in report.disagreements)
    newer = {u.name for u in report.untestable}
    assert set(report.agree) == {i.name for i in target().instructions()} - newer
    assert len({listed_name(i.name) for i in generated()} - newer) >= 370
