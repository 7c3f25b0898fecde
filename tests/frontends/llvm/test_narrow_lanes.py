"""Lanes that loops carry in fewer bits: where, what is written, and what stays."""

from __future__ import annotations

import pytest

from frontends.halide import resolve
from frontends.llvm.cuts import follow
from frontends.llvm.linked.binding import normalise
from frontends.llvm.report.tried import Outcome
from frontends.llvm.transform import narrow_lanes
from isel.cli.halide import rewriter
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import change, transformed, verifies, whys

NEW = "%n = mul nuw nsw <8 x i32> %z, splat (i32 3)"


def rows(*body: str, first: str = "zeroinitializer", lanes: int = 8, out: str = "") -> str:
    """A loop that carries what it has computed of bytes, ``%n``, to the next pass as ``%s``."""
    lines = "\n".join(f"  {x}" for x in body)
    text = f"""define void @f(ptr noalias %p, ptr noalias %q, <8 x i32> %w) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi <8 x i32> [ {first}, %entry ], [ %n, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %to = getelementptr i8, ptr %q, i64 %i
  %x = load <8 x i8>, ptr %at, align 1
  %z = zext <8 x i8> %x to <8 x i32>
{lines}
  %next = add i64 %i, 8
  %more = icmp ult i64 %next, 512
  br i1 %more, label %loop, label %done
done:
{out}  ret void
}}
"""
    return text.replace("<8 x", f"<{lanes} x")


TAIL = (
    "%c = shufflevector <8 x i32> %s, <8 x i32> %n, <8 x i32> <i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14>",
    "%a = add nuw nsw <8 x i32> %c, %n",
    "%b = add nuw nsw <8 x i32> %a, splat (i32 2)",
    "%h = lshr <8 x i32> %b, splat (i32 2)",
    "%r = trunc <8 x i32> %h to <8 x i8>",
    "store <8 x i8> %r, ptr %to, align 1",
)


def test_sums_of_bytes_are_carried_in_16_bits() -> None:
    text = rows(NEW, *TAIL)
    assert whys(narrow_lanes, text) == [("s", "")]
    after = change(narrow_lanes, text)
    assert "phi <8 x i16> [ zeroinitializer, %entry ]" in after and "phi <8 x i32>" not in after
    assert "nuw" not in after and "nsw" not in after
    assert verifies(text, after)


STORE = "store <8 x i32> %k, ptr %to, align 4"
KEPT = {
    "shifted": (NEW, "%k = lshr <8 x i32> %s, splat (i32 3)", STORE),
    "by more than there is": (NEW, "%k = lshr <8 x i32> %s, splat (i32 17)", STORE),
    "masked": ("%n = and <8 x i32> %w, %z", "%k = or <8 x i32> %s, %n", STORE),
    "chosen": (
        NEW,
        "%t = icmp ult <8 x i32> %z, splat (i32 9)",
        "%k = select <8 x i1> %t, <8 x i32> %s, <8 x i32> splat (i32 5)",
        STORE,
    ),
    "one lane": (
        NEW,
        "%e = extractelement <8 x i32> %s, i64 7",
        "%k = insertelement <8 x i32> %n, i32 %e, i64 0",
        STORE,
    ),
    "wider": (NEW, "%k = zext <8 x i32> %s to <8 x i64>", "store <8 x i64> %k, ptr %to, align 8"),
    "longer": (
        NEW,
        "%k = shufflevector <8 x i32> %s, <8 x i32> poison, <4 x i32> <i32 1, i32 poison, i32 3, i32 2>",
        "store <4 x i32> %k, ptr %to, align 4",
    ),
    "not settled": (NEW, "%k = sub <8 x i32> %s, %n", STORE),
    "bytes": ("%n = add <8 x i32> %z, zeroinitializer", "%k = add <8 x i32> %s, %n", STORE),
    "as it is": (
        "%n = lshr <8 x i32> %z, splat (i32 1)",
        "%k = shl <8 x i32> %n, splat (i32 1)",
        STORE,
    ),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_else_looks_at_lanes(name: str) -> None:
    text = rows(*KEPT[name])
    after = change(narrow_lanes, text)
    assert after.count("= phi <8 x i32>") == 0 and after != normalise(text)


def test_what_is_looked_at_behind_the_loop_is_extended_there() -> None:
    behind = "  %e = extractelement <8 x i32> %n, i64 7\n  store <8 x i32> %s, ptr %q, align 4\n  store i32 %e, ptr %q, align 4\n"
    after = change(narrow_lanes, rows(NEW, *TAIL, out=behind))
    done = after.partition("done:")[2]
    assert done.count(" = zext ") == 2 and "extractelement <8 x i16>" in done


def test_starts_are_cut() -> None:
    text = rows(NEW, *TAIL, first="%first").replace(
        "entry:\n",
        "entry:\n  %y = load i8, ptr %p, align 1\n  %o = zext i8 %y to i32\n"
        "  %first = insertelement <8 x i32> poison, i32 %o, i64 7\n",
    )
    after = change(narrow_lanes, text)
    assert "= trunc i32 %o to i16" in after and "insertelement <8 x i16> poison" in after


@pytest.mark.parametrize(
    "text",
    [
        rows("%n = add <8 x i32> %s, %z", *TAIL),
        rows(NEW, *TAIL, first="%w"),
        rows(NEW, *TAIL, first="undef"),
        rows("%n = freeze <8 x i32> %z", *TAIL),
        rows(NEW.replace("i32 3", "i32 65536"), *TAIL),
        rows(NEW, "store <8 x i32> %s, ptr %to, align 1").replace("i32", "i16"),
    ],
    ids=["grows", "anything", "undef", "frozen", "large", "no half"],
)
def test_what_is_not_narrow(text: str) -> None:
    assert whys(narrow_lanes, text) == []


PLANTED = {
    "another start": ("zeroinitializer, %entry", "splat (i16 1), %entry"),
    "another shift": (
        "lshr <8 x i16> %isel.5, splat (i16 2)",
        "lshr <8 x i16> %isel.5, splat (i16 3)",
    ),
    "another sum": ("splat (i16 3)", "splat (i16 5)"),
    "a promise": ("= mul <8 x i16>", "= mul nuw nsw <8 x i16>"),
    "a product that wraps": ("splat (i16 3)", "splat (i16 771)"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_refused(name: str) -> None:
    old, new = PLANTED[name]
    after = change(narrow_lanes, rows(NEW, *TAIL))
    assert after.count(old) == 1, after
    right = name == "a promise"  # which holds
    assert verifies(rows(NEW, *TAIL), after.replace(old, new)) is right


def test_the_rule_is_what_proves_it(monkeypatch: pytest.MonkeyPatch) -> None:
    text = rows(NEW, *TAIL)
    monkeypatch.setattr(follow, "bounds_of", lambda view: {})
    assert not isinstance(transformed(narrow_lanes, text)[1], Proved)


def test_lanes_of_16_bits_are_searched() -> None:
    mask = ", ".join(f"i32 {k}" for k in range(31, 63))
    tail = (TAIL[0].partition(", <8 x i32> <i32 7")[0] + f", <8 x i32> <{mask}>", *TAIL[1:])
    text = 'target triple = "x86_64-linux-gnu"\n' + rows(NEW, *tail, lanes=32)
    with rewriter(resolve("x86", cpu="znver4"), jobs=1, cache="off") as rewrite:
        done = rewrite(normalise(text), "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    cost = done.report.functions[0].cost
    assert "narrow-lanes" in found and cost is not None and cost[1] < 0.7 * cost[0]
    assert verifies(normalise(text), done.text)
