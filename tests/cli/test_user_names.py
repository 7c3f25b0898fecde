"""What the user calls values of LLVM IR, by debug information."""

from __future__ import annotations

from frontends.llvm.text.parse import parse_module
from isel.cli.user_names import in_users_words, say, user_names

TEXT = """\
define void @f(ptr %0, ptr %1, ptr %2) !dbg !3 {
    #dbg_value(ptr %0, !4, !DIExpression(), !8)
    #dbg_value(ptr %1, !5, !DIExpression(), !8)
  %4 = getelementptr i8, ptr %0, i64 64
  %5 = load <4 x i32>, ptr %4, align 4
  %6 = load <4 x i32>, ptr %0, align 4
  %7 = load <4 x i32>, ptr %2, align 4
    #dbg_value(<4 x i32> %7, !6, !DIExpression(), !8)
  %8 = add <4 x i32> %5, %7
  store <4 x i32> %8, ptr %1, align 4
  ret void
}

!3 = distinct !DISubprogram(name: "f")
!4 = !DILocalVariable(name: "left", arg: 1, scope: !3)
!5 = !DILocalVariable(name: "out", arg: 2, scope: !3)
!6 = !DILocalVariable(name: "sum", scope: !3)
"""


def names(text: str) -> dict[str, str]:
    module = parse_module(text)
    return user_names(module, module.functions[0])


def test_variables_what_they_point_to_and_what_is_stored() -> None:
    found = names(TEXT)
    assert found == {
        "0": "left", "1": "out", "4": "left", "5": "left", "6": "left", "7": "sum", "8": "out",
    }  # fmt: skip


def test_without_debug_information() -> None:
    lines = (line for line in TEXT.splitlines() if "#dbg" not in line and not line.startswith("!"))
    assert names("\n".join(lines).replace(" !dbg !3", "")) == {}


def test_a_name_that_several_values_have_says_which() -> None:
    known = names(TEXT)
    texts = ["%5", "load %0", "%7", "%9", "%8"]
    said = say(texts, known)
    assert said == ["left (%5)", "left (load %0)", "sum", "%9", "out"]
    lines = in_users_words(
        ["t0 = %7[0] + %77[0]", "%8[0] = t0 + %5[0]"], dict(zip(texts, said, strict=True))
    )
    assert lines == ["t0 = sum[0] + %77[0]", "out[0] = t0 + %5[0]"]
