"""Scalars that may meet in memory as vectors behind a check: what is proved, what is not, and that
both do the same wherever pointers lead to.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from frontends.halide import resolve
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.guess import guess
from frontends.llvm.report.tried import Outcome
from frontends.llvm.transform import checked_blocks
from frontends.llvm.transform.block_vectors import Vectors
from isel.cli.halide import rewriter
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import (
    change,
    do_the_same,
    scope_of,
    transformed,
    verifies,
    whys,
)
from tests.fuzz.case import Call, Pointer

HEAD = "define void @f(ptr noundef %a, ptr noundef %b, ptr noundef %c, i64 noundef %s)"
LANES = 8


def _body(lines: Iterator[str]) -> str:
    """A loop of four passes over rows, with a sum and a counter."""
    inner = "".join(f"  {x}\n" for x in lines)
    return f"""{HEAD} {{
entry:
  br label %rows
rows:
  %n = phi i32 [ 0, %entry ], [ %nn, %rows ]
  %sum = phi i32 [ 1, %entry ], [ %last, %rows ]
  %p = phi ptr [ %a, %entry ], [ %pn, %rows ]
  %q = phi ptr [ %b, %entry ], [ %qn, %rows ]
{inner}  %pn = getelementptr i8, ptr %p, i64 %s
  %qn = getelementptr i8, ptr %q, i64 %s
  %nn = add nuw i32 %n, 1
  %end = icmp eq i32 %nn, 4
  br i1 %end, label %out, label %rows
out:
  ret void
}}
declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.smax.i32(i32, i32)
"""


def _difference(k: int) -> Iterator[str]:
    for x, p in (("x", "p"), ("y", "q")):
        yield f"%{x}p{k} = getelementptr i8, ptr %{p}, i64 {k}"
        yield f"%{x}{k} = load i8, ptr %{x}p{k}, align 1"
        yield f"%{x}w{k} = zext i8 %{x}{k} to i32"
    yield f"%d{k} = sub nsw i32 %xw{k}, %yw{k}"


def _squares() -> Iterator[str]:
    """``*c += (a[k] - b[k])²``, stored for each."""
    for k in range(LANES):
        yield from _difference(k)
        yield f"%m{k} = mul nsw i32 %d{k}, %d{k}"
        now = f"t{k}" if k < LANES - 1 else "last"
        yield f"%{now} = add i32 %m{k}, {f'%t{k - 1}' if k else '%sum'}"
        yield f"store i32 %{now}, ptr %c, align 4"


def _largest() -> Iterator[str]:
    """``*c = max(*c, |a[k] - b[k]|)``: what is stored is loaded again."""
    for k in range(LANES):
        yield from _difference(k)
        yield f"%m{k} = call i32 @llvm.abs.i32(i32 %d{k}, i1 true)"
        yield f"%o{k} = load i32, ptr %c, align 4"
        yield f"%t{k} = call i32 @llvm.smax.i32(i32 %m{k}, i32 %o{k})"
        yield f"store i32 %t{k}, ptr %c, align 4"
    yield f"%last = add i32 %t{LANES - 1}, %sum"


def _neighbours(first: int = 0, lanes: int = LANES) -> Iterator[str]:
    """``q[k] = (p[k] + p[k + 1] + 1) / 2``."""
    for k in range(first, first + lanes):
        for n in (0, 1):
            yield f"%p{k}.{n} = getelementptr i8, ptr %p, i64 {k + n}"
            yield f"%x{k}.{n} = load i8, ptr %p{k}.{n}, align 1"
            yield f"%w{k}.{n} = zext i8 %x{k}.{n} to i16"
        yield f"%s{k} = add nuw i16 %w{k}.0, %w{k}.1"
        yield f"%r{k} = add nuw i16 %s{k}, 1"
        yield f"%h{k} = lshr i16 %r{k}, 1"
        yield f"%t{k} = trunc i16 %h{k} to i8"
        yield f"%q{k} = getelementptr i8, ptr %q, i64 {k}"
        yield f"store i8 %t{k}, ptr %q{k}, align 1"
    yield "%last = add i32 %sum, 0"


def _in_place() -> Iterator[str]:
    """``p[k] ^= q[k]``: a span that is loaded and stored."""
    for k in range(LANES):
        yield from _difference(k)
        yield f"%t{k} = xor i8 %x{k}, %y{k}"
        yield f"store i8 %t{k}, ptr %xp{k}, align 1"
    yield "%last = add i32 %sum, 0"


def _words() -> Iterator[str]:
    """``c[k] = (a[k] - b[k])²`` in words."""
    for k in range(LANES):
        yield from _difference(k)
        yield f"%m{k} = mul nsw i32 %d{k}, %d{k}"
        yield f"%cp{k} = getelementptr i32, ptr %c, i64 {k}"
        yield f"store i32 %m{k}, ptr %cp{k}, align 4"
    yield "%last = add i32 %sum, 0"


def _scaled() -> Iterator[str]:
    """``c[k] = a[k] + b[0]``, which is loaded each time."""
    for k in range(LANES):
        yield f"%xp{k} = getelementptr i8, ptr %p, i64 {k}"
        yield f"%x{k} = load i8, ptr %xp{k}, align 1"
        yield f"%y{k} = load i8, ptr %q, align 1"
        yield f"%m{k} = add i8 %x{k}, %y{k}"
        yield f"%cp{k} = getelementptr i8, ptr %c, i64 {k}"
        yield f"store i8 %m{k}, ptr %cp{k}, align 1"
    yield "%last = add i32 %sum, 0"


RIGHT = {
    "squares": _body(_squares()),
    "largest": _body(_largest()),
    "neighbours": _body(_neighbours()),
    "neighbours behind": _body(_neighbours(first=3)),
    "sixteen neighbours": _body(_neighbours(lanes=16)),
    "in place": _body(_in_place()),
    "words": _body(_words()),
    "scaled": _body(_scaled()),
    "an index": _body(_squares())
    .replace("ptr %c, align", "ptr %cs, align")
    .replace("entry:", "entry:\n  %cs = getelementptr i32, ptr %c, i64 %s"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_both_do_the_same(name: str) -> None:
    after = change(checked_blocks, RIGHT[name])
    assert "label %isel.unlikely." in after and " x i8>, ptr " in after
    assert verifies(RIGHT[name], after)
    assert do_the_same(RIGHT[name], after, _calls())


def _calls() -> Iterator[Call]:
    """Calls in whose memory ``b`` and ``c`` begin in, at, and beside what ``a`` leads to."""
    for at in (0, 1, 3, 4, 7, 8, 9, 12, 16, 17, 24, 40):
        for far in (64, 68, 72, 80, 128):
            data = bytes((37 * k + 11 * at) % 251 for k in range(320))
            for order in ((64, 64 + at, far), (64 + at, 64, far), (far, 128, 128 + at)):
                yield Call((data,), (*(Pointer(0, x) for x in order), 20), high=False)


WRONG = {
    "a span is a byte short": (r"icmp ult i64 (%\S+), -11\b", r"icmp ult i64 \1, -10"),
    "it begins a byte late": (r"add i64 (%\S+), -8\b", r"add i64 \1, -7"),
    "one check is enough": (r"and i1 (%\S+), (%\S+)", r"or i1 \1, \2"),
    "one check is not made": (r"and i1 (%\S+), (%\S+)", r"and i1 \1, \1"),
    "the check is turned": (r"icmp ult i64", "icmp uge i64"),
    "the blocks are exchanged": (
        r"br i1 (%\S+), label (%isel\.\d+), label (%isel\.un\S+)",
        r"br i1 \1, label \3, label \2",
    ),
    "another address is checked": (r"ptrtoint ptr %c to", "ptrtoint ptr %a to"),
    "nothing is checked": (r"br i1 %isel\.\d+, label (%isel\.\d+), ", r"br i1 true, label \1, "),
    "other bytes are loaded": (r"load <8 x i8>, ptr %p\b", "load <8 x i8>, ptr %q"),
    "another value is stored": (
        r"(reduce\.add\S+ [^\n]*\n  %\S+ = add i32 %\S+, )%sum(\n  store)",
        r"\g<1>7\2",
    ),
    "the sum is another one": (r"phi i32 \[ %isel\.\d+, ", "phi i32 [ %sum, "),
    "the store is lost": (r"(reduce\.add[^\n]*\n[^\n]*\n)  store [^\n]*\n", r"\1"),
}


def test_a_store_of_several_promises_nothing_of_the_first() -> None:
    types = '!0 = !{!1, !1, i64 0}\n!1 = !{!"char", !2}\n!2 = !{!"C"}\n'
    text = RIGHT["neighbours"].replace("ptr %q0, align 1", "ptr %q0, align 1, !tbaa !0") + types
    after = change(checked_blocks, text)
    (store,) = re.findall("  store <8 x i8> .*", after)
    assert verifies(text, after) and "!" not in store
    assert not verifies(text, after.replace(store, f"{store}, !tbaa !0"))


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    after = change(checked_blocks, RIGHT["squares"])
    source, target = (scope_of(x) for x in (RIGHT["squares"], after))
    assert guess(source.view, source.view) is None and guess(source.view, target.view) is not None
    wrong = re.sub(*WRONG[name], after, count=1)
    assert wrong != after and not verifies(RIGHT["squares"], wrong)


LEFT = {
    "an address may be undef": ("ptr noundef %c", "ptr %c"),
    "too many": ("", ""),
    "may just have been stored": ("phi ptr [ %b,", "phi ptr [ %c,"),
    "is to be small": (") {", ") minsize {"),
    "more than load": ("store i32 %t3,", "store volatile i32 %t3,"),
    "compute and store": ("store i32 %t3, ptr %c,", "store atomic i32 %t3, ptr %c release,"),
    "load, compute": ("load i8, ptr %xp3,", "load atomic i8, ptr %xp3 acquire,"),
    "whole bytes": ("", ""),
    "share some": ("store i32 %t3, ptr %c,", "store i32 %t3, ptr %c1,"),
    "a constant": ("", ""),
    "an address is loaded": ("", ""),
}


def _left(why: str) -> str:
    text = RIGHT["squares"]
    if why == "a constant":
        text = RIGHT["largest"].replace("store i32 %t3,", "store i32 7,")
    if why == "an address is loaded":
        text = text.replace("getelementptr i8, ptr %q, i64 3", "inttoptr i64 %z to ptr").replace(
            "%yp3", "%z = zext i32 %xw0 to i64\n  %yp3", 1
        )
    if why == "too many":
        return _body(x for k in range(24) for x in _far(k))
    if why == "whole bytes":
        return text.replace("%yw3 = zext i8", "%yw3 = zext i7").replace(
            "load i8, ptr %yp3", "load i7, ptr %yp3"
        )
    if why == "share some":
        text = text.replace("entry:", "entry:\n  %c1 = getelementptr i8, ptr %c, i64 1")
    old, new = LEFT[why]
    return text.replace(old, new, 1)


def _far(k: int) -> Iterator[str]:
    """A store at a place that depends on a product with the row."""
    yield f"%k{k} = mul i64 %s, {3 * k + 2}"
    yield f"%f{k} = getelementptr i8, ptr %q, i64 %k{k}"
    yield f"%fx{k} = load i32, ptr %p, align 1"
    yield f"%fz{k} = load i8, ptr %a, align 1"
    yield f"store i32 %fx{k}, ptr %f{k}, align 1"
    if k == 3:
        yield "%last = add i32 %sum, %fx3"


@pytest.mark.parametrize("why", LEFT)
def test_what_is_left_alone(why: str) -> None:
    found = whys(checked_blocks, _left(why))
    scope = scope_of(_left(why))
    root = next(i for i in scope.view if i.opcode == "load")
    assert why in Vectors(scope).of("rows", root).why_not
    assert len(found) == 1 and why in found[0][1]
    assert transformed(checked_blocks, _left(why))[0].count("label %") == 3


def test_a_slot_of_the_stack_needs_no_check() -> None:
    text = RIGHT["squares"].replace("phi ptr [ %a,", "phi ptr [ %slot,")
    text = text.replace("entry:", "entry:\n  %slot = alloca [128 x i8]")
    after = change(checked_blocks, text)
    assert after.count("icmp ult i64") == 1


def _random(seed: int) -> str:
    """A body of statements that load from some places and store to others."""
    rng = random.Random(seed)
    to, kind = rng.choice("pqc"), rng.choice(("i8", "i8", "i16", "i32"))
    step, op = int(kind[1:]) // 8, rng.choice(("add", "sub", "mul", "xor", "and"))
    apart, loads = rng.choice((0, 1, 1, 1, 2)), rng.choice(("pq", "pp", "qp", "pc", "qq"))
    count, first = rng.choice((4, 8, 8, 16)), rng.randrange(3)
    lines: list[str] = []
    last = f"zext i8 %x{count - 1} to i32"
    for k in range(count):
        for name, p in zip("xy", loads, strict=True):
            at = first + k + rng.choice((0, 0, 0, 0, 0, 1)) * (name == "y")
            lines += [f"%{name}p{k} = getelementptr i8, ptr %{p}, i64 {at}"]
            lines += [f"%{name}{k} = load i8, ptr %{name}p{k}, align 1"]
            value = f"zext i8 %{name}{k} to {kind}" if step > 1 else f"or i8 %{name}{k}, 0"
            lines += [f"%{name}w{k} = {value}"]
        before = f"%t{k - 1}" if k and not apart else f"%yw{k}"
        if not apart and rng.random() < 0.2:
            lines += [f"%o{k} = load {kind}, ptr %{to}, align 1"]
            before = f"%o{k}"
        lines += [f"%m{k} = {op} {kind} %xw{k}, %yw{k}", f"%t{k} = {op} {kind} %m{k}, {before}"]
        lines += [f"%sp{k} = getelementptr i8, ptr %{to}, i64 {k * step * apart}"]
        lines += [f"store {kind} %t{k}, ptr %sp{k}, align 1"]
    if rng.random() < 0.5 and kind == "i32":
        last = f"add i32 %t{count - 1}, %sum"
    return _body(iter((*lines, f"%last = {last}")))


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_blocks_do_the_same(first: int) -> None:
    found = [_compared(seed) for seed in range(first, first + 10)]
    assert "differs" not in found and found.count("the same") > 2


def _compared(seed: int) -> str:
    """Tell whether a random body is split, and does the same then."""
    text = _random(seed)
    after, verdict = transformed(checked_blocks, text)
    if "isel.unlikely" not in after:
        return "left"
    if not isinstance(verdict, Proved):
        return "not proved"
    return "the same" if do_the_same(text, after, _calls()) else "differs"


def test_what_is_stored_for_each_of_many_is_vectors_in_the_end() -> None:
    text = normalise(f'target triple = "x86_64-linux-gnu"\n{RIGHT["squares"]}')
    with rewriter(resolve("x86", cpu="znver4"), jobs=1, cache="off") as rewrite:
        done = rewrite(text, "f.ll")
    found = {w.by for w in done.report.windows if w.outcome is Outcome.REWRITTEN}
    cost = done.report.functions[0].cost
    assert "checked-blocks" in found
    assert cost is not None and cost[1] < cost[0] / 1.2
    assert verifies(text, done.text)
