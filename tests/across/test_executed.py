"""Functions executed on two machines: what is the same, what differs, and what cannot be run."""

from __future__ import annotations

import pytest

from tests.across.executed import verdicts

pytestmark = pytest.mark.tools
_BODY = """target triple = "{machine}-unknown-linux-gnu"
declare void @rest(ptr, i32)
define void @add(ptr %p, ptr %q, i32 %n) {{
  %a = load <4 x i32>, ptr %p, align 1
  %s = {op} <4 x i32> %a, {by}
  store <4 x i32> %s, ptr %q, align 1
  call void @rest(ptr %p, i32 {given})
  ret void
}}
define i8 @narrow(ptr %p, i64 %n) {{
  %a = getelementptr i8, ptr %p, i64 %n
  %r = load i8, ptr %a, align 1
  ret i8 %r
}}
define void @inside(ptr %p) {{
  %a = load ptr, ptr %p, align 8
  store i8 0, ptr %a, align 1
  ret void
}}
define float @floats(float %x) {{
  ret float %x
}}
"""


def run(**wrong: str) -> dict[str, str]:
    """Return what comes of a port that differs from its source in some words."""
    words = {"op": "add", "by": "splat (i32 3)", "given": "%n"}
    source = _BODY.format(machine="aarch64", **words)
    found = verdicts(source, _BODY.format(machine="x86_64", **words | wrong))
    return {name: line.partition(" ")[0] for name, line in found}


def test_what_is_right_is_equal() -> None:
    assert run() == {"add": "equal", "narrow": "equal", "inside": "not", "floats": "not"}


@pytest.mark.parametrize(
    "wrong",
    [{"op": "sub"}, {"by": "<i32 3, i32 3, i32 3, i32 2>"}, {"given": "0"}],
    ids=["operation", "lane", "call"],
)
def test_what_is_wrong_differs(wrong: dict[str, str]) -> None:
    assert run(**wrong)["add"] == "differs"
