"""What a user may assume of arguments, and where clang has made no vectors for HVX."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli.edge import guard
from tests.semantics.hvx.pairs import ATTRIBUTES, HEAD

# A minimum is not the choice by a comparison where what is given is poison: LangRef does not say
# what an intrinsic of poison is.
_MIN = f"""{HEAD}
define <32 x i32> @src(<32 x i32> %a, <32 x i32> %b) #0 {{
  %r = call <32 x i32> @llvm.hexagon.V6.vminub.128B(<32 x i32> %a, <32 x i32> %b)
  ret <32 x i32> %r
}}
define <32 x i32> @tgt(<32 x i32> %a, <32 x i32> %b) #0 {{
  %q = call <128 x i1> @llvm.hexagon.V6.vgtub.128B(<32 x i32> %a, <32 x i32> %b)
  %r = call <32 x i32> @llvm.hexagon.V6.vmux.128B(<128 x i1> %q, <32 x i32> %b, <32 x i32> %a)
  ret <32 x i32> %r
}}
declare <32 x i32> @llvm.hexagon.V6.vminub.128B(<32 x i32>, <32 x i32>)
declare <128 x i1> @llvm.hexagon.V6.vgtub.128B(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.hexagon.V6.vmux.128B(<128 x i1>, <32 x i32>, <32 x i32>)
{ATTRIBUTES}
"""
_FREEZE = """define i32 @src(i32 %a) {
  %r = freeze i32 %a
  ret i32 %r
}
define i32 @tgt(i32 %a) {
  ret i32 %a
}
"""
_LOOP = HEAD + "define void @f(ptr %a) {\n  store i32 1, ptr %a, align 4\n  ret void\n}\n"


@pytest.mark.parametrize("text", [_MIN, _FREEZE], ids=["min", "freeze"])
@pytest.mark.parametrize("files", [1, 2])
def test_arguments_are_defined_where_the_user_says_so(
    text: str, files: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(tmp_path / "a.ll"), str(tmp_path / "b.ll")][:files]
    first, second = text.replace("@tgt", "@other"), text.replace("@src", "@other")
    texts = [text] if files == 1 else [first, second.replace("@tgt", "@src")]
    for name, t in zip(names, texts, strict=True):
        Path(name).write_text(t)
    plain = guard(["verify", *names])
    before = capsys.readouterr().out.splitlines()[0]
    assumed = guard(["verify", *names, "--assume-noundef-arguments"])
    after = capsys.readouterr().out.splitlines()[0]
    assert plain != 0 and not before.startswith("@src: proved")
    assert after.startswith("@src: proved") and assumed == 0


def test_a_wrong_one_is_not_proved_by_it(tmp_path: Path) -> None:
    path = tmp_path / "a.ll"
    path.write_text(_MIN.replace("%b, <32 x i32> %a)\n  ret", "%a, <32 x i32> %b)\n  ret"))
    assert guard(["verify", str(path), "--assume-noundef-arguments"]) == 2


@pytest.mark.parametrize("command", ["verify", "opt"])
def test_what_makes_vectors_for_hvx_is_named_once(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loop, vectors = tmp_path / "loop.ll", tmp_path / "vectors.ll"
    loop.write_text(_LOOP)
    vectors.write_text(_MIN)
    words = {"verify": [str(loop), str(loop)], "opt": ["-S", str(loop), "-o", "-"]}
    assert guard([command, *words[command]]) == 0
    assert capsys.readouterr().err.count("-mllvm -hexagon-autohvx") == 1
    guard([command, *(w.replace("loop.ll", "vectors.ll") for w in words[command])])
    assert "autohvx" not in capsys.readouterr().err
