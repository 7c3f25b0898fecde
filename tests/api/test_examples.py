"""The examples of the API run, and say what their texts promise."""

from __future__ import annotations

import pytest

from examples import optimize_llvmlite, optimize_text, verify_pair


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    optimize_text.main()
    said = capsys.readouterr().out
    assert "7 operations -> vpdpbusd (zmm), 20.0 -> 1.5 cycles" in said
    assert "@dot4, line 19: 20.0 -> 1.5 cycles; 1 query, no counterexample" in said
    assert "declare <16 x i32> @llvm.x86.avx512.vpdpbusd.512" in said


def test_a_module_of_llvmlite(capsys: pytest.CaptureFixture[str]) -> None:
    optimize_llvmlite.main()
    said = capsys.readouterr().out
    assert "@mean: proved" in said and said.endswith("equal\n")


def test_a_pair(capsys: pytest.CaptureFixture[str]) -> None:
    verify_pair.main()
    said = capsys.readouterr().out
    assert said.startswith("both saturating: @distance: proved")
    assert "one of them: @distance: refuted at lane 0: %a = " in said
    assert "_mm_subs_epu8" in said and "A haswell" in said
