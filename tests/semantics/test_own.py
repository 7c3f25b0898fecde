"""A user's own instructions: what is proved is admitted, everything else is refused with its
place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.errors import FileProblem, IselError
from isel.spec.instruction import Instruction
from semantics import digest, proofs
from semantics.own import Refused, admitted
from semantics.x86.target import X86, cpus

GOOD = """\
instruction mine_{bits}
  for bits, g in (128, sse2) (256, avx2)
  let n = bits / 8
  in a, b: n x 8
  result n x 8
  lane umax(a[i], b[i]) - umin(a[i], b[i])
  features {g}
  mnemonic absd
  emit %t0 = call <{n} x i8> @llvm.usub.sat.v{n}i8(<{n} x i8> %a, <{n} x i8> %b)
  emit %t1 = call <{n} x i8> @llvm.usub.sat.v{n}i8(<{n} x i8> %b, <{n} x i8> %a)
  emit %r = or <{n} x i8> %t0, %t1
"""
SHIFT = """\
instruction shift
  in a: 4 x 32
  imm k: 8 in 0..31
  result 4 x 32
  lane lshr(a[i], k)
  features sse2
  emit %r = lshr <4 x i32> %a, splat (i32 $k)
"""
CALL = """\
instruction mean
  in a, b: 32 x 8
  result 32 x 8
  lane trunc(lshr(zext(a[i], 16) + zext(b[i], 16) + 1, 1), 8)
  features avx2
  call llvm.x86.avx2.pavg.b
"""


def read(text: str) -> tuple[Instruction, ...]:
    return admitted([("mine.sem", text)], X86(), frozenset(cpus().implies))


def test_what_is_proved_is_admitted() -> None:
    assert [i.name for i in read(GOOD)] == ["mine_128", "mine_256"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            GOOD.replace("%r = or", "%r = and"),
            "'mine_128' is refused: its emission is not proved to refine its lanes (refuted: lane 0)",
        ),
        (
            GOOD.replace("mine_{bits}", "_mm_add_epi8").replace(" (256, avx2)", ""),
            "'_mm_add_epi8' is the name of another instruction",
        ),
        (
            GOOD.replace("(128, sse2)", "(128, sse9)"),
            "'mine_128' needs 'sse9', which is no feature of x86",
        ),
        (GOOD.replace("%r = or <{n}", "%r = or disjoint <{n}"), ""),
        (GOOD.replace("%r = or <{n}", "%r = add nuw <{n}"), ""),
        (
            GOOD.replace(
                "%r = or <{n} x i8> %t0, %t1",
                "%r = call <{n} x i8> @llvm.x86.nobody.knows(<{n} x i8> %t0)",
            ),
            "is not proved",
        ),
    ],
)
def test_what_is_not_proved_is_refused(text: str, why: str) -> None:
    """``or disjoint`` and ``add nuw`` of what cannot both be other than 0 are right."""
    assert text != GOOD
    if not why:
        assert read(text)
        return
    with pytest.raises(Refused) as problem:
        read(text)
    assert why in problem.value.message() and problem.value.message().startswith(
        "mine.sem:1:13: error: "
    )


def test_mistakes_of_the_language_are_told_with_their_place() -> None:
    with pytest.raises(IselError) as problem:
        read(GOOD.replace("umax(", "umox("))
    assert problem.value.message().startswith("mine.sem:6:8: error: unknown function 'umox'")


def test_two_files_may_not_use_one_name() -> None:
    with pytest.raises(Refused, match="'mine_128' is the name of another instruction"):
        admitted([("a.sem", GOOD), ("b.sem", GOOD)], X86(), frozenset(cpus().implies))


def test_immediates_are_proved_one_by_one() -> None:
    assert [i.name for i in read(SHIFT)] == ["shift"]
    with pytest.raises(Refused, match="where k is 31"):
        read(SHIFT.replace("(i32 $k)", "(i32 ${k == 31 ? 30 : k})"))


def test_an_intrinsic_means_what_the_shipped_semantics_say() -> None:
    (mean,) = read(CALL)
    assert mean.call == ""
    with pytest.raises(Refused, match="not proved"):
        read(CALL.replace(" + 1,", ","))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own" / "x86").mkdir(parents=True)
    monkeypatch.setenv("ISEL_SEMANTICS", str(tmp_path / "own"))
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("ISEL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "own" / "x86"


def target() -> X86:
    digest._own.cache_clear()
    return X86(digest.own_sources("x86"))


def test_the_folder_is_part_of_the_target_and_proved_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = X86()
    assert target().digest == shipped.digest
    (folder / "mine.sem").write_text(GOOD)
    first = target()
    assert {*first.by_name} - {*shipped.by_name} == {"mine_128", "mine_256"}
    assert first.digest != shipped.digest and first.calls == shipped.calls
    monkeypatch.setattr(
        proofs, "prove_emission", None
    )  # what is kept is signed and not proved again
    again = target()
    assert again.by_name["mine_256"].emission == first.by_name["mine_256"].emission
    assert again.by_name["mine_256"].lane(3, {}) is first.by_name["mine_256"].lane(3, {})
    (folder / "mine.sem").write_text(GOOD + "# changed\n")
    changed = target()
    assert changed.digest != first.digest
    with pytest.raises(TypeError):
        changed.instructions()
    digest._own.cache_clear()


def test_files_at_the_top_of_the_folder_belong_to_no_instruction_set(folder: Path) -> None:
    (folder.parent / "mine.sem").write_text(GOOD)
    with pytest.raises(FileProblem, match="named for instruction sets"):
        target()
    digest._own.cache_clear()


def test_a_folder_that_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISEL_SEMANTICS", "nowhere")
    with pytest.raises(FileProblem, match=r"\$ISEL_SEMANTICS: nowhere"):
        target()
    digest._own.cache_clear()
