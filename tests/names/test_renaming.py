"""What other names leave as it is."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from tests.names.renaming import Choose, NotRenamed, plain, rename

MODULE = """
%pair = type { i32, i32 }
$other = comdat any
@place = global ptr blockaddress(@f, %"a b")
@said = constant [6 x i8] c"%x; @f"
declare i32 @llvm.umin.i32(i32, i32)
declare void @mul.7(i32)
declare ptr @malloc(i64)
define i32 @src(i32) { ret i32 %0 }
define void @other() comdat { ret void }
define i32 @f(i32 %x, ptr byval(%pair) %p) {
  call void @mul.7(i32 %x) ; %x
  br label %"a b"
"a b":
  %"quoted 1" = phi i32 [ %x, %0 ], [ %y, %"a b" ], [ %y, %1 ]
  %y = call i32 @llvm.umin.i32(i32 %"quoted 1", i32 7)
  %c = icmp eq i32 %y, 0
  br i1 %c, label %1, label %"a b"
1:
  %m = call ptr @malloc(i64 4)
  %q = getelementptr %pair, ptr %m, i32 0, i32 1
  store i32 %y, ptr %q, !tbaa !0
  indirectbr ptr blockaddress(@f, %"a b"), [label %"a b"]
}
!0 = !{!1, !1, i64 0}
!1 = !{!"%y", !2}
!2 = !{!"@f"}
"""


def _counted(prefix: str) -> Choose:
    names: list[str] = []

    def choose(old: str) -> str:
        names.append(old)
        return f"{prefix}{len(names) - 1}"

    return choose


def test_everything_that_a_function_names() -> None:
    text = normalise(MODULE)
    new = rename(text, lambda: _counted("v"), _counted("g"))
    printed = normalise(new)
    assert plain(printed) == plain(text)
    for kept in ('c"%x; @f"', "@llvm.umin.i32", "@malloc", "comdat", "%pair", '"%y"', "@src"):
        assert kept in printed
    for gone in ("%x ", "%y", '"a b"', '"quoted 1"', "@mul.7", "@f("):
        assert gone not in printed.replace('!"%y"', "").replace('c"%x; @f"', "")
    assert "blockaddress(@g1, %v3)" in printed


def test_numbers_are_in_the_order_of_the_text() -> None:
    text = normalise(
        "define i32 @f(i32 %b, i32 %a) {\nz:\n  %y = add i32 %a, %b\n  ret i32 %y\n}\n"
    )
    assert "  %3 = add i32 %1, %0\n" in plain(text) and "define i32 @0(" in plain(text)


@pytest.mark.parametrize("name", ["t", "1"])
def test_a_type_and_a_value_of_one_name(name: str) -> None:
    kinds = "%0 = type { i8 }\n%1 = type { i32 }\n" if name == "1" else "%t = type { i32 }\n"
    text = f"{kinds}define ptr @f() {{\n  %{name} = alloca %{name}\n  ret ptr %{name}\n}}\n"
    with pytest.raises(NotRenamed):
        plain(normalise(text))
