"""Parts of a value that fill no register: the value is the root of their window."""

from __future__ import annotations

import pytest

from frontends.llvm.windows.scene import Limits
from tests.frontends.llvm.test_windows import found


def parts(first: str, second: str, of: str = "%v") -> str:
    """Return two stores of shuffles of a product of eight lanes."""
    lanes = "%v = mul <8 x i16> %a, %b\n  %w = add <8 x i16> %v, %a"
    shuffles = "\n".join(
        f"  %{n} = shufflevector <8 x i16> {of}, <8 x i16> poison, <4 x i32> <{m}>\n"
        f"  store <4 x i16> %{n}, ptr %{n}p"
        for n, m in (("x", first), ("y", second))
    )
    head = "define void @f(<8 x i16> %a, <8 x i16> %b, ptr %xp, ptr %yp) {"
    return f"{head}\n  {lanes}\n{shuffles}\n  ret void\n}}\n"


_LOW, _HIGH = "i32 0, i32 1, i32 2, i32 3", "i32 4, i32 5, i32 6, i32 7"


@pytest.mark.parametrize(
    ("text", "roots"),
    [
        (parts(_LOW, _HIGH), ["v"]),
        (parts(_LOW, _HIGH, "%w"), ["w"]),
        (parts(_LOW, _LOW), ["v"]),
        (parts(_LOW, "i32 4, i32 5, i32 7, i32 6"), ["x", "y"]),
        (parts(_LOW, _HIGH).replace("poison, <4 x i32> <i32 4", "%a, <4 x i32> <i32 4"), ["v"]),
        (parts(_LOW, "i32 6, i32 7, i32 8, i32 9"), ["x", "y"]),
        (parts(_LOW, _HIGH, "%a"), []),
    ],
)
def test_of_several_parts_of_a_value_that_is_the_root(text: str, roots: list[str]) -> None:
    assert [p.root.name for p in found(text)] == roots
    full = [p.root.name for p in found(text, Limits(register=64))]
    assert full == (["x", "y"] if roots else ["x"]), "what fills a register is a root"
