"""Counts over the vendor's list, the records that they come from, and which rows of a record
count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from isel.spec.instruction import Instruction
from isel.spec.sem import read_sem
from isel.spec.sem_show import show_sem
from semantics import record
from semantics.coverage import coverage
from semantics.fuzz import fuzz
from semantics.listed import imported, left_out
from semantics.record import AGREES, EXECUTED, PROVED, current, executed, fingerprint, proved, rows
from semantics.x86.target import X86, target


@dataclass(frozen=True)
class Only(X86):
    """The target with other instructions."""

    changed: tuple[Instruction, ...] = ()

    def instructions(self) -> tuple[Instruction, ...]:
        return self.changed


def some(*names: str) -> Only:
    return Only(tuple(target().by_name[n] for n in names))


def test_what_the_list_counts() -> None:
    found = coverage(target()).listed
    assert found.specified >= 2560 and found.imported >= 2450
    assert found.tested >= 2400 and found.agree == found.tested
    assert found.emission_single >= 2280
    assert found.emission_proved + found.emission_calls + len(found.unproved) == len(
        imported("x86") & set(target().by_name)
    )
    assert found.emission_proved >= 2200 and set(found.unproved) == {
        f"_ktest{c}_mask{bits}_u8" for c in "zc" for bits in (8, 16, 32, 64)
    }


def test_what_is_missing_has_a_name_and_a_reason() -> None:
    found = coverage(target()).listed
    specified, missing = left_out("x86")
    assert specified - len(missing) == found.imported == len(imported("x86"))
    listed = {
        name
        for reason, names in found.unsupported.items()
        if reason.startswith("not imported: ")
        for name in names
    }
    assert listed == set(missing) and all(missing.values())
    unsaid = found.unsupported["no emission: the compiler has no such intrinsic"]
    assert set(unsaid) == imported("x86") - set(target().by_name)
    untested = {
        name
        for reason, names in found.unsupported.items()
        if reason.startswith("not executed: ")
        for name in names
    }
    assert len(untested) + found.agree + len(unsaid) == found.imported


def test_a_record_is_read_as_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = some("_mm_add_epi8", "_mm_shuffle_epi32", "_mm_dpwsud_epi32")
    (tmp_path / "x86").mkdir()
    monkeypatch.setattr(record, "files", lambda package: tmp_path)
    assert rows("x86", EXECUTED) == {} and current(few, PROVED) == {}
    (tmp_path / "x86" / EXECUTED).write_text(
        executed(few, fuzz(few, 50, 3, immediates=2, least=10))
    )
    (tmp_path / "x86" / PROVED).write_text(proved(some("_mm_add_epi8", "_mm_shuffle_epi32")))
    ran = current(few, EXECUTED)
    assert (ran["_mm_add_epi8"].outcome, ran["_mm_add_epi8"].cases) == (AGREES, 50)
    assert ran["_mm_dpwsud_epi32"].cases == (50 if ran["_mm_dpwsud_epi32"].outcome == AGREES else 0)
    assert [(r.outcome, r.cases) for r in current(few, PROVED).values()] == [
        ("proved", 1),
        ("proved", 16),
    ]


def test_a_row_of_another_text_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = some("_mm_add_epi8", "_mm_sub_epi8")
    (tmp_path / "x86").mkdir()
    monkeypatch.setattr(record, "files", lambda package: tmp_path)
    (tmp_path / "x86" / EXECUTED).write_text(executed(few, fuzz(few, 20, 3)))
    assert set(current(few, EXECUTED)) == {"_mm_add_epi8", "_mm_sub_epi8"}
    (changed,) = read_sem(
        show_sem(few.changed[0]).replace("a[i] + b[i]", "b[i] + a[i] + a[i] - a[i]"), check=False
    )
    assert fingerprint(changed) != fingerprint(few.changed[0])
    assert set(current(Only((changed, few.changed[1])), EXECUTED)) == {"_mm_sub_epi8"}
    assert fingerprint(replace(changed, emission=("%r = sub <16 x i8> %a, %b",))) != fingerprint(
        changed
    )


def test_a_disagreement_is_recorded_as_one() -> None:
    good = target().by_name["_mm_add_epi8"]
    (bad,) = read_sem(show_sem(good).replace("a[i] + b[i]", "a[i] - b[i]"), check=False)
    report = fuzz(Only((bad,)), 20, 1)
    assert executed(Only((bad,)), report).splitlines()[-1].endswith("\t20\tdisagrees")
