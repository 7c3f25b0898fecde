"""Loops of a few passes that are these passes one after the other: what is proved, what is not, and
that both do the same.
"""

from __future__ import annotations

import inspect
import re
import textwrap

import pytest

from frontends.halide import resolve
from frontends.llvm.cuts.sides import Sides
from frontends.llvm.cuts.ways import WAYS
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes import few, whole
from frontends.llvm.pipeline.changes import changes_of, edits_of
from frontends.llvm.report.tried import Outcome
from frontends.llvm.splicing.own import in_own_lines
from frontends.llvm.splicing.write import edit
from frontends.llvm.text.identity import Pairing
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform import fully_unrolled_loops
from frontends.llvm.transform.site import Change
from isel.cli.halide import rewriter
from tests.frontends.llvm.few_passes import calls, random_loop
from tests.frontends.llvm.transformed import (
    became,
    change,
    do_the_same,
    scope_of,
    transformed,
    verifies,
    whys,
)

FLAG = """define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {
entry:
  %t = alloca [8 x i32], align 16
  %low = and i64 %n, 7
  br label %outer
outer:
  %first = phi i1 [ true, %entry ], [ false, %latch ]
  %to = phi ptr [ %t, %entry ], [ %b, %latch ]
  %from = phi ptr [ null, %entry ], [ %t, %latch ]
  br label %inner
inner:
  %i = phi i64 [ 0, %outer ], [ %j, %join ]
  br i1 %first, label %rows, label %columns
rows:
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p, align 1
  %s = shl i32 %x, 2
  br label %join
columns:
  %q = getelementptr i32, ptr %from, i64 %i
  %y = load i32, ptr %q, align 1
  %z = add i32 %y, 1
  br label %join
join:
  %v = phi i32 [ %s, %rows ], [ %z, %columns ]
  %w = mul i32 %v, 77
  %r = getelementptr i32, ptr %to, i64 %i
  store i32 %w, ptr %r, align 1
  %j = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %j, 8
  br i1 %done, label %latch, label %inner
latch:
  br i1 %first, label %outer, label %out
out:
  ret void
}
"""


def counted(start: int, step: str, end: str, decides: str) -> str:
    """A loop that counts, and does something else where the counter is some number."""
    return f"""define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {{
entry:
  %low = and i64 %n, 7
  br label %loop
loop:
  %k = phi i32 [ {start}, %entry ], [ %kn, %latch ]
  %c = phi i32 [ 5, %entry ], [ %w, %latch ]
  %old = phi i32 [ 7, %entry ], [ %c, %latch ]
  %at = getelementptr i32, ptr %a, i32 %k
  %x = load i32, ptr %at, align 1
  %here = icmp {decides}
  br i1 %here, label %one, label %other
one:
  %s = xor i32 %c, %x
  br label %latch
other:
  %odd = trunc i32 %x to i1
  br i1 %odd, label %more, label %latch
more:
  %z = sub i32 %x, %old
  store i32 %z, ptr %b, align 1
  br label %latch
latch:
  %v = phi i32 [ %s, %one ], [ %x, %other ], [ %z, %more ]
  %w = mul i32 %v, 77
  %to = getelementptr i32, ptr %b, i32 %k
  store i32 %w, ptr %to, align 1
  %kn = add {step}
  %done = icmp {end}
  br i1 %done, label %out, label %loop
out:
  ret void
}}
"""


THREE = counted(0, "nuw nsw i32 %k, 1", "eq i32 %kn, 3", "eq i32 %k, 1")

RIGHT = {
    "a flag": FLAG,
    "three passes": THREE,
    "four passes down": counted(3, "nsw i32 %k, -1", "slt i32 %kn, 0", "ugt i32 %k, 1"),
    "two passes that wrap": counted(-1, "i32 %k, 1", "eq i32 %kn, 1", "slt i32 %k, 0"),
    "the first test": counted(1, "i32 %k, 2", "ugt i32 %k, 2", "sge i32 %kn, 4").replace(
        "  %here", "  %kn = add i32 %k, 2\n  %here"
    ).replace("  %kn = add i32 %k, 2\n  %done", "  %done"),
    "a value is seen behind": THREE.replace("  ret", "  store i32 %w, ptr %a, align 1\n  ret"),
    "phis behind": FLAG.replace(
        "out:\n",
        "out:\n  %last = phi i32 [ %w, %latch ]\n  %flag = phi i1 [ %first, %latch ]\n"
        "  store i32 %last, ptr %a, align 1\n  %wide = zext i1 %flag to i32\n"
        "  store i32 %wide, ptr %b, align 1\n",
    ),
    "perhaps not at all": FLAG.replace(
        "  br label %outer\n",
        "  %none = icmp eq i64 %low, 0\n  br i1 %none, label %out, label %outer\n",
    ),
    "in a loop": THREE.replace("  br label %loop\n", "  br label %around\naround:\n"
        "  %m = phi i64 [ 0, %entry ], [ %mn, %over ]\n  br label %loop\n")
    .replace("%entry ], [ %kn", "%around ], [ %kn")
    .replace("%entry ], [ %w", "%around ], [ %w")
    .replace("%entry ], [ %c", "%around ], [ %c")
    .replace("out:\n", "over:\n  %mn = add i64 %m, 1\n  %end = icmp ugt i64 %mn, %low\n"
        "  br i1 %end, label %out, label %around\nout:\n")
    .replace("label %out, label %loop", "label %over, label %loop"),
    "frozen": THREE.replace("  %here", "  %fx = freeze i32 %x\n  %here").replace(
        "xor i32 %c, %x", "xor i32 %c, %fx"),
    "an intrinsic": THREE.replace(
        "%s = xor i32 %c, %x", "%s = call i32 @llvm.smax.i32(i32 %c, i32 %x)"
    ) + "declare i32 @llvm.smax.i32(i32, i32)\n",
    "an inner loop of one pass": FLAG.replace(
        "br i1 %done, label %latch, label %inner",
        "br i1 %first, label %latch, label %again\nagain:\n"
        "  br i1 %done, label %latch, label %inner",
    )
    .replace("[ %j, %join ]", "[ %j, %again ]")
    .replace("[ %t, %latch ]", "[ %a, %latch ]"),
    "what changes places": THREE.replace(
        "  %at =", "  %e = phi i32 [ 1, %entry ], [ %g, %latch ]\n"
        "  %g = phi i32 [ 2, %entry ], [ %e, %latch ]\n  %at ="
    ).replace("xor i32 %c, %x", "mul i32 %e, %x"),
}  # fmt: skip


def _decided(text: str) -> int:
    """Return how many loops of few passes decide where they go."""
    return sum(c.chooses for c in few.loops_of_few(scope_of(text).view))


@pytest.mark.parametrize("name", RIGHT)
def test_both_do_the_same(name: str) -> None:
    assert _decided(RIGHT[name]) == 1
    after = change(fully_unrolled_loops, RIGHT[name])
    assert _decided(after) == 0
    assert verifies(RIGHT[name], after)
    assert do_the_same(RIGHT[name], after, calls())


WRONG = {
    "the second pass is another's": ("flag", r"(ptr )%b(, i64)", r"\1%a\2"),
    "the first pass stores at once": ("flag", r"ptr %t, i64", r"ptr %b, i64"),
    "the second one loads elsewhere": ("flag", r"(?s)(ptr )%t(, i64 \S+\n[^\n]* load i32)", r"\1%a\2"),
    "one pass is shorter": ("flag", r"icmp eq i64 (\S+), 8", r"icmp eq i64 \1, 7"),
    "another factor": ("flag", r"(?s)(.*), 77", r"\1, 76"),
    "a promise more": ("flag", r"(?s)(.*)= mul i32", r"\1= mul nsw i32"),
    "a store is lost": ("flag", r"(?s)(.*)  store [^\n]*\n", r"\1"),
    "a load comes sooner": (
        "three",
        r"(  store [^\n]*\n)(  %\S+ = getelementptr [^\n]*\n  %\S+ = load [^\n]*\n)",
        r"\2\1",
    ),
    "a pass begins as the one before": ("three", r"= sub i32 (%\S+), 7", r"= sub i32 \1, 5"),
    "a branch is taken": ("three", r"br i1 (%\S+), label (%\S+), label (%\S+)\n", r"br i1 true, label \2, label \3\n"),
    "branches change places": (
        "three", r"br i1 (%\S+), label (%\S+), label (%\S+)\n", r"br i1 \1, label \3, label \2\n"),
    "the value behind is one before": ("behind", r"store i32 (%\S+), ptr %a", "store i32 5, ptr %a"),
    "an address is another pass's": ("three", r"ptr %b, i32 2", "ptr %b, i32 1"),
}  # fmt: skip
_WHICH = {"flag": "a flag", "three": "three passes", "behind": "a value is seen behind"}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    which, old, new = WRONG[name]
    before = RIGHT[_WHICH[which]]
    after = change(fully_unrolled_loops, before)
    wrong = re.sub(old, new, after, count=1)
    assert wrong != after and not verifies(before, wrong)


OTHERS = {
    "the passes are the other way round": ("[ true, %entry ], [ false", "[ false, %entry ], [ true"),
    "there is one pass": ("br i1 %first, label %outer, label %out", "br i1 %first, label %out, label %outer"),
    "no pass is the last": ("[ false, %latch ]", "[ true, %latch ]"),
    "the flag is unknown": ("phi i1 [ true, %entry ]", "phi i1 [ %is, %entry ]"),
    "the flag is no number": ("phi i1 [ true, %entry ]", "phi i1 [ poison, %entry ]"),
    "the flag may be anything": ("phi i1 [ true, %entry ]", "phi i1 [ undef, %entry ]"),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_passes_of_another_loop_are_not_proved(name: str) -> None:
    old, new = OTHERS[name]
    assert FLAG.count(old) == 1
    other = FLAG.replace(old, new).replace("  %low", "  %is = trunc i64 %n to i1\n  %low")
    assert not verifies(other, change(fully_unrolled_loops, FLAG))


LEFT = {
    "small": (("i64 noundef %n) {", "i64 noundef %n) minsize {"), "small"),
    "a call": (("  %w =", "  call void @g()\n  %w ="), "does more"),
    "a slot": (("  %w =", "  %u = alloca i32, align 4\n  %w ="), "does more"),
    "a scope of pointers": (
        ("  %w =", "  call void @llvm.experimental.noalias.scope.decl(metadata !1)\n  %w ="),
        "does more",
    ),
    "a promise": (
        ("  br label %inner\n",
         "  %h = phi nnan float [ 1.0, %entry ], [ 2.0, %latch ]\n  br label %inner\n"),
        "does more",
    ),
    "a value with a strange name": (
        ("  br label %inner\n",
         '  %"x, %l ]" = phi i32 [ 1, %entry ], [ 2, %latch ]\n  br label %inner\n'),
        "does more",
    ),
}  # fmt: skip
_NODES = "declare void @g()\n!1 = !{!2}\n!2 = distinct !{!2, !3}\n!3 = distinct !{!3}\n"


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    (old, new), why = LEFT[name]
    assert FLAG.count(old) == 1
    text = FLAG.replace(old, new) + _NODES
    ((_, said),) = whys(fully_unrolled_loops, text)
    assert why in said
    assert transformed(fully_unrolled_loops, text)[0] == normalise(text)


def test_long_loops_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(few, "FEW_MOST", 35)
    ((_, why),) = whys(fully_unrolled_loops, FLAG)
    assert "more than 35" in why
    monkeypatch.setattr(few, "FEW_MOST", 36)
    assert whys(fully_unrolled_loops, FLAG) == [("first", "")]


@pytest.mark.parametrize(
    "text",
    [
        counted(0, "i32 %k, 1", "eq i32 %kn, 5", "eq i32 %k, 1"),
        counted(0, "i32 %k, 1", "eq i32 %kn, %x", "eq i32 %k, 1"),
        counted(0, "i32 %k, 1", "eq i32 %kn, 3", "eq i32 %x, 1"),
        counted(2147483646, "nsw i32 %k, 1", "slt i32 %kn, 0", "eq i32 %k, 1"),
        counted(-2, "nuw i32 %k, 1", "eq i32 %kn, 0", "eq i32 %k, 1"),
        counted(0, "i32 %k, 1", "samesign ugt i32 %kn, 2", "eq i32 %k, 1"),
        counted(0, "i32 %k, 1", "eq i32 %kn, undef", "eq i32 %k, 1"),
        THREE.replace("label %more, label %latch", "label %more, label %out").replace(
            " [ %x, %other ],", ""
        ),
        THREE.replace("br i1 %here, label %one", "br i1 %here, label %other")
        .replace("label %other, label %other", "label %other")
        .replace("br i1 %here, label %other", "br label %other")
        .replace("[ %s, %one ], ", "")
        .replace("one:\n  %s = xor i32 %c, %x\n  br label %latch\n", ""),
    ],
    ids=["many passes", "an unknown number", "nothing is decided", "too great", "around",
         "a promise of a comparison", "undef", "left elsewhere", "no branch"],
)  # fmt: skip
def test_what_is_no_such_loop(text: str) -> None:
    assert whys(fully_unrolled_loops, text) == []


def test_loops_that_follow_each_other() -> None:
    second = re.sub(r"%(k|c|old|at|x|here|s|odd|z|v|w|to|kn|done)\b", r"%\1.2", THREE)
    second = re.sub(r"\b(loop|one|other|more|latch)(:|\b(?= \]|,|\n))", r"\1.2\2", second)
    second = second[second.index("loop.2:") :].replace("%entry", "%latch")
    text = THREE.replace("label %out, label %loop", "label %loop.2, label %loop")
    text = text[: text.index("out:")] + second
    assert _decided(text) == 2
    after = change(fully_unrolled_loops, text)
    assert _decided(after) == 0 and verifies(text, after) and do_the_same(text, after, calls())


def test_a_phi_that_stays_what_it_was_is_that() -> None:
    """A pointer that one of two passes moves is the same in all passes of the other's loop."""
    text = FLAG.replace("  %i =", "  %c = phi ptr [ %from, %outer ], [ %cn, %join ]\n  %i =")
    text = text.replace("ptr %from, i64 %i", "ptr %c, i64 0").replace(
        "  %v =", "  %cn = phi ptr [ %c, %rows ], [ %next, %columns ]\n  %v ="
    )
    text = text.replace("  %z =", "  %next = getelementptr i8, ptr %c, i64 4\n  %z =")
    after = change(fully_unrolled_loops, text)
    assert (
        after.count("= phi ptr") == 1
        and verifies(text, after)
        and do_the_same(text, after, calls())
    )


def test_what_is_the_same_is_changed_in_no_way() -> None:
    scope = scope_of(FLAG)
    both = (scope.function, scope.function), (scope.said, scope.said), (scope.sizes, scope.sizes)
    sides = Sides(*both[0], *both[1:], Pairing(scope.said, scope.said), (None, None), 1, None)
    assert [way(sides) for way in WAYS] == [None] * len(WAYS)


def test_the_user_finds_the_rest_as_it_was() -> None:
    own = FLAG.replace("outer", "7").replace("out:", '"the end":  ; mine')
    own = own.replace("%out\n", '%"the end"\n').replace("%first", "%2").replace("  %low", "   %low")
    own = (
        own.replace("%7\n7:", "%1\n; here\n1:").replace("%7", "%1").replace("entry:", "a: ; first")
    )
    own = own.replace("%entry", "%a.1").replace("a: ;", "a.1: ;")
    scope = scope_of(own)
    changes = [c for _, c in changes_of(scope, fully_unrolled_loops.sites(scope))]
    edits = {
        "f": edits_of(scope.module, scope.function, [c for c in changes if isinstance(c, Change)])
    }
    text = in_own_lines(parse_module(own), scope.module, edits)
    assert normalise(text) == normalise(edit(scope.module, edits)) and verifies(own, text)
    assert "a.1: ; first\n" in text and "   %low" in text and "columns:" not in text


def test_it_is_tried_and_stays_where_it_is_a_gain() -> None:
    text = normalise('target triple = "x86_64-linux-gnu"\n' + FLAG)
    with rewriter(resolve("x86", cpu="znver4"), jobs=1, cache="off") as rewrite:
        done = rewrite(text, "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    assert {"fully-unrolled-loops", "passes-as-lanes"} <= found and verifies(text, done.text)
    assert _decided(done.text) == 0


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_loops_do_the_same(first: int) -> None:
    found = [
        became(fully_unrolled_loops, random_loop(seed), calls())
        for seed in range(first, first + 10)
    ]
    assert set(found) <= {"the same", "left"} and found.count("the same") > 5


FAULTS = {
    "a branch goes the other way": (few.Pass, "go", "ways[1 - test]", "ways[test]", "a flag"),
    "what a pass leaves is not the next one's": (
        whole, "_copies", "respell(spelled_edges(i)[edge], last)", "spelled_edges(i)[few.before]",
        "three passes"),
    "a phi is the first that it gets": (
        whole._Copy,
        "_settle",
        "len(edges) == 1",
        "edges",
        "three passes",
    ),
    "a sum is one too great": (
        few.Pass, "go", "= value\n", "= value + (i.opcode == 'add')\n", "four passes down"),
    "comparisons are turned": (
        few.Pass, "go", "i.operands)]", "i.operands)][::-1]", "two passes that wrap"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_the_rule_is_seen(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text that is wrong is seen when it is executed, or it is no text."""
    owner, method, old, new, text = FAULTS[name]
    source = textwrap.dedent(inspect.getsource(getattr(owner, method)))
    assert source.count(old) == 1
    names = dict(vars(few if owner in (few, few.Pass) else whole))
    exec(source.replace(old, new), names)
    monkeypatch.setattr(owner, method, names[method])
    after = transformed(fully_unrolled_loops, RIGHT[text])[0]
    assert after == normalise(RIGHT[text]) or not do_the_same(RIGHT[text], after, calls())
