"""What the search makes of lanes in pairs of registers, of wide products and of sums that do not
wrap.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from frontends.halide import resolve
from isel.cli.halide import rewriter
from isel.synth.goals import joint

# Each is computed of %x, %y, %z (128 x i8), %v, %w (32 x i32) and %s (i8): lines, then the type of %r.
BOX = (
    """\
  %x1 = zext <128 x i8> %x to <128 x i16>
  %y1 = zext <128 x i8> %y to <128 x i16>
  %z1 = zext <128 x i8> %z to <128 x i16>
  %a = add <128 x i16> %x1, %y1
  %t = add <128 x i16> %a, %z1
  %u = zext <128 x i16> %t to <128 x i32>
  %m = mul nuw nsw <128 x i32> %u, splat (i32 58255)
  %h = lshr <128 x i32> %m, splat (i32 19)
  %r = trunc <128 x i32> %h to <128 x i8>
""",
    "<128 x i8>",
)
ROUNDED = (
    """\
  %e = sext <32 x i32> %v to <32 x i64>
  %m = mul nsw <32 x i64> %e, splat (i64 1621735178)
  %p = lshr <32 x i64> %m, splat (i64 30)
  %q = and <32 x i64> %p, splat (i64 1)
  %h = lshr <32 x i64> %m, splat (i64 31)
  %a = add nuw nsw <32 x i64> %q, %h
  %r = trunc <32 x i64> %a to <32 x i32>
""",
    "<32 x i32>",
)
EVEN, ODD = (", ".join(f"i32 {2 * k + odd}" for k in range(32)) for odd in (0, 1))
DOT = (
    f"""\
  %x2 = bitcast <128 x i8> %x to <64 x i16>
  %x3 = sext <64 x i16> %x2 to <64 x i32>
  %w2 = bitcast <32 x i32> %w to <64 x i16>
  %w3 = sext <64 x i16> %w2 to <64 x i32>
  %p = mul nsw <64 x i32> %x3, %w3
  %e = shufflevector <64 x i32> %p, <64 x i32> poison, <32 x i32> <{EVEN}>
  %o = shufflevector <64 x i32> %p, <64 x i32> poison, <32 x i32> <{ODD}>
  %a = add nsw <32 x i32> %e, %v
  %r = add nsw <32 x i32> %a, %o
""",
    "<32 x i32>",
)
WINDOWS = {
    "a box filter": (
        BOX,
        {"vzb": 1, "vaddubh.acc": 1, "vmpyhus": 2, "vshufoh": 2, "vasrhubsat": 1},
    ),
    "a rounded product by a literal": (ROUNDED, {"vmpyewuh": 1, "vmpyowh.rnd.sacc": 1}),
    "a dot product that does not wrap": (DOT, {"vdmpyhvsat.acc": 1}),
}


def calls_of(lines: str, kind: str) -> Counter[str]:
    """Return the instructions of HVX that a function becomes."""
    given = "<128 x i8> %x, <128 x i8> %y, <128 x i8> %z, <32 x i32> %v, <32 x i32> %w"
    text = f"define {kind} @f({given}) {{\n{lines}  ret {kind} %r\n}}\n"
    with rewriter(resolve("hvx"), jobs=1, cache="off") as rewrite:
        done = rewrite(f'target triple = "hexagon-unknown-linux-musl"\n{text}', "f.ll").text
    return Counter(re.findall(r"call [^@]*@llvm\.hexagon\.V6\.([\w.]+)\.128B", done))


@pytest.mark.parametrize("name", WINDOWS)
def test_instructions(name: str) -> None:
    lines, wanted = WINDOWS[name]
    assert calls_of(*lines) == wanted


def test_a_joint_search_at_its_budget_leaves_the_plan_of_each_goal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(joint, "MOST_ROWS", 0)
    found, joined = calls_of(*BOX), WINDOWS["a box filter"][1]
    assert sum(found.values()) > sum(joined.values())
