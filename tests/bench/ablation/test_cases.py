"""Cases are of three targets, each a function or module with what it is compiled for."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.ablation import cases as module
from bench.ablation.cases import cases

_TEXT = "".join(f"define dso_local void @f{k}(ptr %a) {{\n  ret void\n}}\n\n" for k in range(5))


@pytest.mark.parametrize("kind", ["window", "op_check", "term", "sum", "nest"])
def test_kinds_of_all_targets(kind: str) -> None:
    found = list(cases([kind]))
    assert {c.triple.partition("-")[0] for c in found} == {"x86_64", "aarch64", "hexagon"}
    assert len({c.name for c in found}) == len(found)
    assert all("define " in c.text for c in found)


def test_golden_windows_are_for_what_they_say() -> None:
    found = {c.name: c for c in cases(["golden"])}
    case = found["count_of_a_byte"]
    assert case.text.startswith(f"; x86 {case.cpu} {case.vector_width}\n")


@pytest.mark.parametrize("kind", ["C", "loop", "everyday", "block"])
def test_what_clang_compiles(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of many functions are cases of one function each, for the flags' own CPU."""
    flags = set[tuple[str, ...]]()

    def compiled(source: Path, given: tuple[str, ...]) -> str:
        assert source.is_file()
        flags.add(given)
        return _TEXT

    monkeypatch.setattr(module, "ir_with", compiled)
    found = list(cases([kind]))
    assert {c.cpu for c in found} <= {"znver4", "neoverse-v1"}
    assert any("-march=znver4" in words for words in flags)
    whole = kind in ("C", "loop")
    assert {c.only for c in found} == ({""} if whole else {"f0", "f4"})
