"""Loops whose passes do what two passes did: what is proved, what is not, and that both do the same
however often they run and wherever pointers lead to.
"""

from __future__ import annotations

import inspect
import random
import re
import textwrap
from collections.abc import Iterator

import pytest

from frontends.halide import resolve
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes import doubling
from frontends.llvm.passes.counting import cycle_of
from frontends.llvm.passes.doubling import double
from frontends.llvm.passes.left import Left
from frontends.llvm.report.tried import Outcome
from frontends.llvm.transform import joined_windows, unrolled_loops
from isel.cli.halide import rewriter
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import (
    became,
    change,
    do_the_same,
    scope_of,
    transformed,
    verifies,
    whys,
)
from tests.fuzz.case import Call, Pointer

HALF = """  %at = getelementptr i8, ptr %a, i64 %k
  %x = load <8 x i8>, ptr %at, align 1
  %y = zext <8 x i8> %x to <8 x i16>
  %m = mul <8 x i16> %y, %w
  %t = lshr <8 x i16> %m, splat (i16 3)
  %z = trunc <8 x i16> %t to <8 x i8>
  %to = getelementptr i8, ptr %b, i64 %k
  store <8 x i8> %z, ptr %to, align 1
"""


def _loop(body: str = HALF, step: int = 8, stop: str = "%stop", behind: str = "") -> str:
    """A loop over so many bytes as are whole steps, if there are some."""
    return f"""define void @f(ptr noundef %a, ptr noundef %b, i64 noundef %n) {{
entry:
  %low = and i64 %n, 127
  %odd = urem i64 %low, {step}
  %stop = sub i64 %low, %odd
  %nothing = icmp eq i64 %stop, 0
  %put = insertelement <8 x i16> poison, i16 77, i64 0
  %w = shufflevector <8 x i16> %put, <8 x i16> poison, <8 x i32> zeroinitializer
  br i1 %nothing, label %end, label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
{body}  %kn = add nuw i64 %k, {step}
  %done = icmp eq i64 %kn, {stop}
  br i1 %done, label %out, label %loop
out:
{behind}  br label %end
end:
  ret void
}}
"""


RIGHT = {
    "halves": _loop(),
    "nine passes": _loop(stop="72"),
    "goes on": _loop()
    .replace("icmp eq i64 %kn, %stop", "icmp ne i64 %kn, %stop")
    .replace("label %out, label %loop", "label %loop, label %out"),
    "counts in 32 bits": _loop()
    .replace("phi i64", "phi i32")
    .replace("add nuw i64 %k", "add nuw i32 %k")
    .replace("icmp eq i64 %kn, %stop", "icmp eq i32 %kn, %less")
    .replace("  br i1 %nothing", "  %less = trunc i64 %stop to i32\n  br i1 %nothing")
    .replace("  %at =", "  %kw = zext i32 %k to i64\n  %at =")
    .replace("i64 %k\n", "i64 %kw\n"),
    "counted from 16": _loop(stop="%far")
    .replace("phi i64 [ 0,", "phi i64 [ 16,")
    .replace("  br i1 %nothing", "  %far = add i64 %stop, 16\n  br i1 %nothing"),
    "in place": _loop(HALF.replace("%b, i64 %k", "%a, i64 %k")),
    "divided": _loop(
        HALF.replace("lshr <8 x i16> %m, splat (i16 3)", "udiv <8 x i16> %m, splat (i16 7)")
    ),
    "frozen": _loop(
        HALF.replace(
            "  %y = zext <8 x i8> %x", "  %fx = freeze <8 x i8> %x\n  %y = zext <8 x i8> %fx"
        )
    ),
    "seen behind": _loop(
        behind="  %e = extractelement <8 x i8> %z, i64 7\n  store i8 %e, ptr %b, align 1\n"
    ),
    "a phi behind": _loop(
        behind="  %last = phi <8 x i8> [ %x, %loop ]\n  store <8 x i8> %last, ptr %b, align 1\n"
    ),
    "a sum of numbers": _loop(
        f"  %s = phi i64 [ 3, %entry ], [ %sn, %loop ]\n{HALF}  %sn = mul i64 %s, %k\n",
        behind="  store i64 %sn, ptr %b, align 1\n",
    ),
    "two stores": _loop(
        f"{HALF}  %on = getelementptr i8, ptr %to, i64 128\n  store <8 x i8> %x, ptr %on, align 1\n"
    ),
}


def _calls() -> Iterator[Call]:
    """Calls of so many passes as there are, with memory that overlaps and that does not."""
    data = bytes(37 * k % 251 for k in range(640))
    for n in (0, 7, 8, 16, 24, 32, 40, 63, 64, 72, 80, 127):
        for b in (0, 1, 4, 7, 8, 9, 15, 16, 256):
            for order in ((64, 64 + b), (64 + b, 64)):
                yield Call((data,), (*(Pointer(0, x) for x in order), n), high=False)


def _do_the_same(before: str, after: str) -> bool:
    return do_the_same(before, after, _calls())


@pytest.mark.parametrize("name", RIGHT)
def test_both_do_the_same(name: str) -> None:
    after = change(unrolled_loops, RIGHT[name])
    assert "label %isel.twice." in after
    assert verifies(RIGHT[name], after)
    assert _do_the_same(RIGHT[name], after)


WRONG = {
    "it ends a pass late": (r"icmp eq i64 (%isel\.\d+), %stop", r"icmp ugt i64 \1, %stop"),
    "it is never odd": (r"or i1 (%\S+), (%\S+)", r"or i1 \1, \1"),
    "it is always odd": (r"br i1 (%\S+), label %isel\.\d+, label (%isel\.\d+)\n", r"br label \2\n"),
    "the last pass is done where it is not left": (
        r"br i1 (%\S+), label (%isel\.\d+), label (%isel\.\d+)\n\n",
        r"br i1 \1, label \3, label \2\n\n",
    ),
    "the first check is of nothing": (r"add i64 0, 8", "add i64 0, 16"),
    "steps are three": (r"%kn = add i64 %k, 16", "%kn = add i64 %k, 24"),
    "steps are one": (r"%kn = add i64 %k, 16", "%kn = add i64 %k, 8"),
    "the second pass is the first": (r"add i64 %k, 8\b", "add i64 %k, 0"),
    "the last pass is where it was": (
        r"phi i64 \[ 0, %loop \], \[ %kn, %isel\.\d+ \]",
        "add i64 0, 0",
    ),
    "a promise more": (r"add i64 %k, 8\b", "add nuw nsw i64 %k, 8"),
    "a store is lost": (r"  store <8 x i8> %isel\.\d+, [^\n]*\n", ""),
    "other bytes are loaded": (
        r"getelementptr i8, ptr %a, i64 %isel\.\d+",
        "getelementptr i8, ptr %b, i64 %k",
    ),
    "another factor": (r"splat \(i16 3\)", "splat (i16 4)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    old, new = WRONG[name]
    after = change(unrolled_loops, RIGHT["halves"])
    wrong = re.sub(old, new, after, count=1)
    assert wrong != after and not verifies(RIGHT["halves"], wrong)


LEFT = {
    "small": (("i64 noundef %n) {", "i64 noundef %n) minsize {"), "small"),
    "carries what another value was": (
        ("  %at =", "  %p = phi i64 [ 1, %entry ], [ %k, %loop ]\n  %at ="),
        "another value",
    ),
    "carries a constant": (
        ("  %at =", "  %p = phi i64 [ 1, %entry ], [ 2, %loop ]\n  %at ="),
        "constant",
    ),
    "a phi is used behind": (("out:\n", "out:\n  store i64 %k, ptr %b, align 1\n"), "behind"),
}


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    (old, new), why = LEFT[name]
    assert _loop().count(old) == 1
    (found,) = whys(unrolled_loops, _loop().replace(old, new))
    assert why in found[1]


def test_loops_of_several_blocks_are_left() -> None:
    text = _loop().replace("  %kn =", "  br label %latch\nlatch:\n  %kn =")
    view = scope_of(
        text.replace("[ %kn, %loop ]", "[ %kn, %latch ]").replace("%stop\n", "72\n")
    ).view
    c = cycle_of(view, "loop")
    assert c is not None and c.latch == "latch"
    with pytest.raises(Left):
        double(view, c, iter(()))


IN_A_ROW = (
    _loop(f"  %s = phi i64 [ 3, %entry ], [ %sn, %loop ]\n{HALF}  %sn = mul i64 %s, %k\n")
    .replace(
        "out:\n  br label %end\n",
        """  br label %end
again:
  %j = phi i64 [ 0, %loop ], [ %jn, %again ]
  %r = phi i64 [ %sn, %loop ], [ %rn, %again ]
  %rn = add i64 %r, %sn
  %to2 = getelementptr i8, ptr %b, i64 %j
  store i64 %rn, ptr %to2, align 1
  %wv = zext <8 x i8> %z to <8 x i16>
  %tv = trunc <8 x i16> %wv to <8 x i8>
  %to3 = getelementptr i8, ptr %a, i64 %j
  store <8 x i8> %tv, ptr %to3, align 1
  %jn = add i64 %j, 8
  %over = icmp eq i64 %jn, %stop
  br i1 %over, label %end, label %again
""",
    )
    .replace("label %out, label %loop", "label %again, label %loop")
    .replace("  br label %end\nagain", "again")
)


def test_loops_that_follow_each_other() -> None:
    """What the first one computes is what it is behind it for the second one, which is doubled
    as well.
    """
    both = change(unrolled_loops, change(unrolled_loops, IN_A_ROW))
    assert len(re.findall(r"^isel\.twice\.", both, re.MULTILINE)) == 2
    assert verifies(IN_A_ROW, both) and _do_the_same(IN_A_ROW, both)
    (phi,) = re.findall(r"(%\S+) = phi i64 \[ %sn, ", both)
    wrong = both.replace(f"i64 {phi}", "i64 7")
    assert wrong != both and not verifies(IN_A_ROW, wrong)


def test_halves_beside_each_other_are_left() -> None:
    second = re.sub(r"%(at|x|y|m|t|z|to)\b", r"%\1.1", HALF).replace("i64 %k", "i64 %kk")
    text = _loop(f"{HALF}  %kk = add i64 %k, 8\n{second}", step=16)
    assert whys(unrolled_loops, text) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("phi i64 [ 0,", "phi i64 [ %low,"),
        ("zext <8 x i8> %x", "bitcast <8 x i16> %w"),
        ("icmp eq i64 %kn", "icmp uge i64 %kn"),
        (
            "%done = icmp eq i64 %kn, %stop",
            "%far = add i64 %k, %n\n  %done = icmp eq i64 %kn, %far",
        ),
    ],
    ids=["goes on where another ended", "nothing wider", "ends beyond", "its end moves"],
)
def test_what_is_no_such_loop(old: str, new: str) -> None:
    assert _loop().count(old) == 1
    text = (
        _loop().replace(old, new).replace("<8 x i16> %w to <8 x i16>", "<8 x i16> %w to <8 x i16>")
    )
    assert whys(unrolled_loops, text) == []


@pytest.mark.parametrize("call", ["call void @g()", "store volatile i8 0, ptr %b", "fence seq_cst"])
def test_what_does_more_than_store_is_left(call: str) -> None:
    text = _loop(f"{HALF}  {call}\n") + "declare void @g()\n"
    assert all(why for _, why in whys(unrolled_loops, text))
    assert transformed(unrolled_loops, text)[0] == normalise(text)


def test_halves_are_joined_where_memory_is_elsewhere() -> None:
    text = _loop().replace("ptr noundef %b", "ptr noalias noundef %b")
    wide = change(joined_windows, change(unrolled_loops, text))
    assert "store <16 x i8>" in wide and verifies(text, wide)
    assert whys(joined_windows, change(unrolled_loops, _loop())) == []


def test_a_half_that_is_seen_behind_is_a_part() -> None:
    text = RIGHT["a phi behind"].replace("ptr noundef %b", "ptr noalias noundef %b")
    wide = change(joined_windows, change(unrolled_loops, text))
    assert "load <16 x i8>" in wide and "store <16 x i8>" in wide and verifies(text, wide)


def test_planted_errors_of_joined_halves_are_refused() -> None:
    text = _loop().replace("ptr noundef %b", "ptr noalias noundef %b")
    wide = change(joined_windows, change(unrolled_loops, text))
    plain = wide.replace("ptr noalias noundef %b", "ptr noundef %b")
    assert not verifies(text.replace("ptr noalias noundef %b", "ptr noundef %b"), plain)


def _random(seed: int) -> str:
    """A loop that loads, computes and stores in some order, with what it carries and gives."""
    rng = random.Random(seed)
    step, first = rng.choice((8, 8, 8, 16, 5)), rng.choice((0, 0, 8, 3))
    lines, kind, values = list[str](), "<8 x i16>", ["%w"]
    for n in range(rng.randrange(1, 4)):
        p, off = rng.choice("ab"), rng.choice((0, 0, 1, 8, 16))
        lines += [f"%i{n} = add i64 %k, {off}", f"%p{n} = getelementptr i8, ptr %{p}, i64 %i{n}"]
        lines += [f"%x{n} = load <8 x i8>, ptr %p{n}, align 1"]
        lines += [f"%v{n} = {rng.choice(('zext', 'sext'))} <8 x i8> %x{n} to {kind}"]
        values.append(f"%v{n}")
        op = rng.choice(("add", "sub", "mul", "xor", "and"))
        lines += [f"%o{n} = {op} {kind} {rng.choice(values)}, {rng.choice(values)}"]
        values.append(f"%o{n}")
        lines += [f"%z{n} = trunc {kind} %o{n} to <8 x i8>"]
        lines += [f"%q{n} = getelementptr i8, ptr %{rng.choice('ab')}, i64 %k"]
        lines += [f"store <8 x i8> %z{n}, ptr %q{n}, align 1"]
    head, behind = "", rng.choice(("", "  store <8 x i8> %z0, ptr %a, align 1\n"))
    if rng.random() < 0.4:
        head = "  %s = phi i64 [ 5, %entry ], [ %sn, %loop ]\n"
        lines += ["%sm = mul i64 %s, 7", "%sn = add i64 %sm, %k"]
        behind += "  store i64 %sn, ptr %b, align 1\n"
    text = _loop(head + "".join(f"  {x}\n" for x in lines), step=step, behind=behind)
    if rng.random() < 0.2:
        text = text.replace(
            "icmp eq i64 %kn, %stop", f"icmp eq i64 %kn, {step * rng.randrange(2, 8)}"
        )
    return text if first == 0 else text.replace("%a, i64 %i0", f"%a, i64 {first}")


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_loops_do_the_same(first: int) -> None:
    found = [became(unrolled_loops, _random(seed), _calls()) for seed in range(first, first + 10)]
    assert "differs" not in found and found.count("the same") > 5


FAULTS = {
    "one pass too many": ("_tests", "c.step", "2 * c.step"),
    "it is never odd": ("_wide", "in (done, odd)", "in (done, done)"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_in_what_is_written_is_not_proved(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The proof shares nothing with what writes the text, and running both shows the fault."""
    method, old, new = FAULTS[name]
    source = textwrap.dedent(inspect.getsource(getattr(doubling._Writer, method)))
    assert source.count(old) == 1
    names = dict(vars(doubling))
    exec(source.replace(old, new), names)
    monkeypatch.setattr(doubling._Writer, method, names[method])
    after, verdict = transformed(unrolled_loops, RIGHT["halves"])
    assert not isinstance(verdict, Proved) and not _do_the_same(RIGHT["halves"], after)


def test_halves_become_whole_registers() -> None:
    sums = """  %atn = getelementptr i8, ptr %at, i64 1
  %xn = load <8 x i8>, ptr %atn, align 1
  %yn = zext <8 x i8> %xn to <8 x i16>
  %mn = mul <8 x i16> %yn, splat (i16 51)
  %m = mul <8 x i16> %y, splat (i16 77)
  %sum = add <8 x i16> %m, %mn
  %t = lshr <8 x i16> %sum, splat (i16 8)
"""
    body = re.sub(r"  %m = .*\n  %t = .*\n", sums, HALF)
    loop = _loop(body, step=16).replace("ptr noundef %b", "ptr noalias noundef %b")
    text = normalise(f'target triple = "x86_64-linux-gnu"\n{loop.replace("8 x i", "16 x i")}')
    with rewriter(resolve("x86", cpu="haswell"), jobs=1, cache="off") as rewrite:
        done = rewrite(text.replace("and i64 %n, 127", "and i64 %n, 4095"), "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    assert {"unrolled-loops", "joined-windows"} <= found and "store <32 x i8>" in done.text
