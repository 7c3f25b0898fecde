"""Loops of few passes as lanes of vectors: what is proved, what is not, and that both do the same
wherever pointers lead to and whatever the stride is.
"""

from __future__ import annotations

import inspect
import random
import re
import sys
import textwrap
from collections.abc import Iterator
from itertools import count

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.counting import loop_of
from frontends.llvm.passes.guess import guess
from frontends.llvm.passes.load_lanes import with_plain_loads
from frontends.llvm.text.syntax import is_masked_load
from frontends.llvm.transform import extents, passes_as_lanes, straight
from frontends.llvm.transform.lanes import Lanes
from frontends.llvm.transform.loop_blocks import lines_of
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import (
    became,
    change,
    do_the_same,
    scope_of,
    transformed,
    verifies,
    whys,
    with_blocks,
)
from tests.fuzz.case import Call, Pointer

# Three rows of a picture, a column a pass, to two rows of another one.
ROWS = """  %p = getelementptr i8, ptr %a, i64 %k
  %x = load i8, ptr %p, align 1
  %p1 = getelementptr i8, ptr %p, i64 %s
  %x1 = load i8, ptr %p1, align 1
  %y = zext i8 %x to i16
  %y1 = zext i8 %x1 to i16
  %sum = add nuw nsw i16 %y, %y1
  %gap = sub nsw i16 %y, %y1
  %m = call i16 @llvm.smax.i16(i16 range(i16 -255, 256) %gap, i16 0)
  %half = lshr i16 %sum, 1
  %z = trunc nuw i16 %half to i8
  %z1 = trunc nuw i16 %m to i8
  %q = getelementptr i8, ptr %b, i64 %k
  store i8 %z, ptr %q, align 1
  %q1 = getelementptr i8, ptr %q, i64 %s
  store i8 %z1, ptr %q1, align 1
"""
# Four neighbours a pass, to four others.
COLUMNS = """  %row = mul i64 %k, %s
  %p = getelementptr i16, ptr %a, i64 %row
  %p1 = getelementptr i8, ptr %p, i64 2
  %p2 = getelementptr i8, ptr %p, i64 4
  %p3 = getelementptr i8, ptr %p, i64 6
  %x = load i16, ptr %p, align 1
  %x1 = load i16, ptr %p1, align 1
  %x2 = load i16, ptr %p2, align 1
  %x3 = load i16, ptr %p3, align 1
  %s0 = add i16 %x, %x3
  %s1 = add i16 %x1, %x2
  %d0 = sub i16 %x, %x3
  %d1 = sub i16 %x1, %x2
  %v0 = insertelement <4 x i16> poison, i16 %s0, i64 0
  %v1 = insertelement <4 x i16> %v0, i16 %d1, i64 1
  %v2 = insertelement <4 x i16> %v1, i16 %s1, i64 2
  %v3 = insertelement <4 x i16> %v2, i16 %d0, i64 3
  %w = shufflevector <4 x i16> %v3, <4 x i16> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %u = mul <4 x i16> %v3, %w
  %at = shl i64 %k, 3
  %q = getelementptr i8, ptr %b, i64 %at
  store <4 x i16> %u, ptr %q, align 1
"""


def _loop(body: str = ROWS, passes: int = 8, head: str = "", behind: str = "") -> str:
    return f"""declare i16 @llvm.smax.i16(i16, i16)
define void @f(ptr noundef %a, ptr noundef %b, i32 noundef %stride) {{
entry:
  %s = sext i32 %stride to i64
{head}  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
{body}  %kn = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %kn, {passes}
  br i1 %done, label %end, label %loop
end:
{behind}  ret void
}}
"""


def _apart(text: str) -> str:
    return text.replace("ptr noundef %b", "ptr noalias noundef %b")


RIGHT = {
    "rows": _loop(),
    "rows elsewhere": _apart(_loop()),
    "sixteen passes": _loop(passes=16),
    "six passes": _loop(passes=6),
    "in place": _loop(ROWS.replace("ptr %b", "ptr %a")),
    "columns": _loop(COLUMNS.replace("%k, %s", "%k, 4"), 4),
    "eight columns": _apart(_loop(COLUMNS.replace("%k, %s", "%k, 5"))),
    "lanes that lie alone": _loop(ROWS.replace("ptr %a, i64 %k", "ptr %a, i64 %far").replace(
        "  %p =", "  %far = mul i64 %k, 3\n  %p =", 1
    )),
    "one for all": _loop(ROWS.replace("%half = lshr i16 %sum, 1", (
        "%bl = getelementptr i8, ptr %b, i64 -1\n  %l = load i8, ptr %bl, align 1\n  %lw = zext i8 %l to i16\n  %half = lshr i16 %lw, 1"
    ))),
    "what counts is stored": _loop(ROWS.replace("%half = lshr i16 %sum, 1", (
        "%c = trunc i64 %k to i16\n  %d = xor i16 %c, %sum\n  %half = lshr i16 %d, 2"
    )).replace("trunc nuw i16 %half", "trunc i16 %half")),
    "of an argument": _loop(ROWS.replace("%half = lshr i16 %sum, 1", (
        "%c = trunc i32 %stride to i16\n  %d = xor i16 %c, %sum\n  %half = lshr i16 %d, 9"
    )).replace("trunc nuw i16 %half", "trunc i16 %half")),
    "pointers count": _loop(
        "  %e = phi ptr [ %a, %entry ], [ %en, %loop ]\n" + ROWS.replace(
            "getelementptr i8, ptr %a, i64 %k", "getelementptr i8, ptr %e, i64 0"
        ) + "  %en = getelementptr inbounds nuw i8, ptr %e, i64 1\n"
    ),
    "a choice": _loop(ROWS.replace(
        "%m = call i16 @llvm.smax.i16(i16 range(i16 -255, 256) %gap, i16 0)",
        "%t = icmp sgt i16 %gap, 3\n  %m = select i1 %t, i16 %gap, i16 7",
    )),
    "masked": _loop(ROWS.replace("%x1 = load i8, ptr %p1, align 1", (
        "%ws = call <3 x i8> @llvm.masked.load.v3i8.p0(ptr align 1 %p1, <3 x i1> <i1 true, i1 false,"
        " i1 true>, <3 x i8> poison)\n  %w = shufflevector <3 x i8> %ws, <3 x i8> poison, <2 x i32> "
        "<i32 2, i32 poison>\n  %x1 = extractelement <2 x i8> %w, i64 0"
    ))) + "declare <3 x i8> @llvm.masked.load.v3i8.p0(ptr, <3 x i1>, <3 x i8>)\n",
    "by 32 bits": _loop(ROWS, head="  %twice = shl nsw i32 %stride, 1\n").replace(
        "  br label %loop\nloop", "  %s2 = sext i32 %twice to i64\n  br label %loop\nloop", 1
    ).replace("ptr %q, i64 %s", "ptr %q, i64 %s2"),
}  # fmt: skip


def _calls() -> Iterator[Call]:
    """Calls with rows that lie apart, that overlap, that run backwards, in memory that meets."""
    data = bytes((89 * k + k * k) % 251 for k in range(8000))
    for stride in (0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 40, -1, -7, -8, -9, -16, -40):
        for gap in (0, 1, 2, 7, 8, 9, 40, 500):
            for order in ((4000 - gap, 4000), (4000, 4000 - gap)):
                places = (Pointer(0, x) for x in order)
                yield Call((data,), (*places, stride & 0xFFFFFFFF), high=False)


def _do_the_same(before: str, after: str) -> bool:
    return do_the_same(before, after, _calls())


@pytest.mark.parametrize("name", RIGHT)
def test_both_do_the_same(name: str) -> None:
    after = change(passes_as_lanes, RIGHT[name])
    assert re.search(r"(load|store) <\d+ x i\d+>", after)
    assert verifies(RIGHT[name], after)
    plain = RIGHT[name].replace("noalias ", "")
    checked = change(passes_as_lanes, plain)
    assert "isel.unlikely." in checked and _do_the_same(plain, checked)


def test_memory_of_its_own_needs_no_check() -> None:
    text = _loop(ROWS.replace("ptr %b", "ptr %own"), head="  %own = alloca [999 x i8]\n")
    after = change(passes_as_lanes, text.replace("ptr %q, i64 %s", "ptr %q, i64 200"))
    assert "icmp" not in after and "phi" not in after


def test_masked_loads_that_are_left() -> None:
    for old, new, why in (
        ("<3 x i8> poison)", "<3 x i8> zeroinitializer)", "gives the rest"),
        ("<i1 true, i1 false, i1 true>", "%mask", "not known what"),
        ("i1 true, i1 false, i1 true", "i1 true, i1 undef, i1 true", "not known what"),
        ("<i1 true, i1 false, i1 true>", "zeroinitializer", "loads nothing"),
    ):
        text = RIGHT["masked"].replace(old, new)
        mask = "  %m0 = insertelement <3 x i1> zeroinitializer, i1 true, i64 1\n  %mask = freeze <3 x i1> %m0"
        text = text.replace("  br label %loop\nloop", f"{mask}\n  br label %loop\nloop", 1)
        (found,) = whys(passes_as_lanes, text)
        assert why in found[1]
    scope = scope_of(RIGHT["masked"])
    assert [i.name for i in scope.view if is_masked_load(i)] == ["ws"]
    plain = with_plain_loads(scope.graph, "loop", (f"isel.{n}" for n in count()))
    assert not any(map(is_masked_load, plain.function.view))


WRONG = {
    "the check is of nothing": (r"or i1 (%\S+), (%\S+)\n  br", r"or i1 \1, true\n  br"),
    "rows may be as near as seven": (r"add i64 (%\S+), -8\n", r"add i64 \1, -7\n"),
    "the arms are exchanged": (
        r"br i1 (%\S+), label (%isel\.\d+), label (%isel\.un\S+)\n",
        r"br i1 \1, label \3, label \2\n",
    ),
    "a column further": (r"(load <8 x i8>, ptr) %\S+,", r"\1 %b,"),
    "more is promised of memory": (r"(load <8 x i8>[^\n]*) align 1", r"\1 align 2"),
    "a store is lost": (r"  store <8 x i8>[^\n]*\n", ""),
    "a store is of something else": (r"store <8 x i8> %\S+,", "store <8 x i8> zeroinitializer,"),
    "another operation": (r"lshr <8 x i16>", "ashr exact <8 x i16>"),
    "another factor": (r"splat \(i16 1\)", "splat (i16 2)"),
    "a promise more": (r"sub nsw <8 x i16>", "sub nuw nsw <8 x i16>"),
    "lanes in another order": (
        r"(%\S+) = trunc nuw <8 x i16> (%\S+) to <8 x i8>",
        (
            r"%other = trunc nuw <8 x i16> \2 to <8 x i8>\n  \1 = shufflevector <8 x i8> %other, "
            r"<8 x i8> poison, <8 x i32> <i32 1, i32 0, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"
        ),
    ),
    "the loop makes a pass less": (r"(%\S+) = icmp eq i64 (%\S+), 8", r"\1 = icmp eq i64 \2, 7"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_proved(name: str) -> None:
    old, new = WRONG[name]
    after = change(passes_as_lanes, RIGHT["in place"])
    wrong = re.sub(old, new, after, count=1)
    assert wrong != after and not verifies(RIGHT["in place"], wrong)


LEFT = {
    "small": (_loop().replace("%stride) {", "%stride) minsize {"), "small"),
    "carries what it computes": (
        _loop(
            "  %c = phi i16 [ 3, %entry ], [ %sum, %loop ]\n"
            + ROWS.replace("add nuw nsw i16 %y, %y1", "xor i16 %y, %c")
        ),
        "carries",
    ),
    "used behind": (_loop(behind="  store i8 %z, ptr %b, align 1\n"), "behind"),
    "an address is loaded": (
        _loop(ROWS.replace("ptr %p, i64 %s", "ptr %p, i64 %o").replace(
            "  %p1", "  %o = load i64, ptr %b, align 1\n  %p1", 1
        )),
        "loaded",
    ),
    "an address may be undef": (_loop().replace("i32 noundef", "i32"), "undef"),
    "it reads what it wrote": (
        _loop(ROWS.replace("ptr %b, i64 %k", "ptr %a, i64 %kn2").replace(
            "  %p =", "  %kn2 = add i64 %k, 1\n  %p =", 1
        )),
        "another pass wrote",
    ),
    "a call": (_loop(ROWS + "  call void @g()\n") + "declare void @g()\n", "more than"),
    "volatile": (_loop(ROWS.replace("store i8 %z,", "store volatile i8 %z,")), "more than"),
    "its stores overlap": (_loop(ROWS.replace("store i8 %z,", "store i16 %m,")), "share"),
    "it adds up lanes": (
        _loop(COLUMNS.replace("%at = shl", (
            "%r = call i16 @llvm.vector.reduce.add.v4i16(<4 x i16> %u)\n  %n = insertelement "
            "<4 x i16> %u, i16 %r, i64 0\n  %at = shl"
        )).replace("%k, %s", "%k, 4").replace("store <4 x i16> %u", "store <4 x i16> %n"), 4),
        "lane by lane",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    text, why = LEFT[name]
    (found,) = whys(passes_as_lanes, text)
    assert why in found[1]
    assert transformed(passes_as_lanes, text)[0] == normalise(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("eq i64 %kn, 8", "eq i64 %kn, %s"),
        ("eq i64 %kn, 8", "eq i64 %kn, 33"),
        ("%kn, 8", "%kn, 1"),
    ],
    ids=["unknown", "many", "one"],
)
def test_other_loops_are_no_sites(old: str, new: str) -> None:
    assert whys(passes_as_lanes, _loop().replace(old, new)) == []


PLANTED: dict[str, tuple[object, str, tuple[str, str], str]] = {
    "a load behind a store is no matter": (
        extents.Extents,
        "_may_meet",
        ("return (read or mixed) and meet", "return mixed and meet"),
        "rows",
    ),
    "rows may lie as near as half of one": (
        extents.Extents,
        "_by_distance",
        ("steps.get(step, 0), least)", "steps.get(step, 0), least // 2)"),
        "in place",
    ),
    "the second pass is the first": (
        straight,
        "_copies",
        (
            "carried = {p: called.get(o, o) for p, o in next_.items()}",
            "carried = {p: p for p in next_}",
        ),
        "pointers count",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_faults_in_what_writes_it_are_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, (old, new), case = PLANTED[name]
    function = getattr(owner, attribute)
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1
    scope = dict(vars(sys.modules[function.__module__]))
    exec(source.replace(old, new), scope)
    monkeypatch.setattr(owner, attribute, scope[attribute])
    after, verdict = transformed(passes_as_lanes, RIGHT[case])
    assert not isinstance(verdict, Proved)
    assert not _do_the_same(RIGHT[case], after)


def test_the_lines_of_a_loop() -> None:
    scope = scope_of(_loop(head="  %own = alloca [999 x i8]\n", body=ROWS.replace("%b", "%own")))
    loop = loop_of(scope.view, "loop")
    assert loop is not None
    names = (f"isel.{n}" for n in count())
    found = straight.straight(scope.graph, loop, names)
    lanes = Lanes(found, names)
    blocks = found.blocks(scope.view, lanes.write(), names)
    assert lanes.lines.declarations.keys() == {"llvm.smax.v8i16"}
    header = scope.view.block("loop").instrs[0]
    assert lines_of(scope, blocks)[header.line][-1].endswith("br label %end")
    changed = with_blocks(scope.function, "loop", blocks).view
    legs = guess(scope.view, changed)
    assert legs is not None and len(list(changed)) < 8 * len(list(scope.view))
    assert {leg.stand.label: leg.runs for leg in legs.values() if leg.early} == {
        "loop": ("loop",) * 8
    }


_KINDS = ("i8", "i16", "i32")


def _random(seed: int) -> str:
    """A loop that loads, computes and stores at strides of several kinds."""
    rng = random.Random(seed)
    passes = rng.choice((2, 3, 4, 4, 5, 8, 8, 8, 12, 16))
    wide = rng.choice(_KINDS)
    lines, values = ["%ks = mul i64 %k, %s", "%c = trunc i64 %k to i32"], list[str]()
    lines += [
        f"%cw = {'trunc' if wide != 'i32' else 'add'} i32 %c{f' to {wide}' if wide != 'i32' else ', 5'}"
    ]
    for n in range(rng.randrange(1, 5)):
        narrow = rng.choice(_KINDS[: _KINDS.index(wide) + 1])
        base, by = rng.choice("ab"), rng.choice(("%k", "%k", "%ks", "%s", "0", f"{n + 3}"))
        lines += [f"%p{n} = getelementptr {narrow}, ptr %{base}, i64 {by}"]
        lines += [f"%r{n} = getelementptr i8, ptr %p{n}, i64 {rng.choice((0, 0, 1, 2, 4, 64))}"]
        lines += [f"%x{n} = load {narrow}, ptr %r{n}, align 1"]
        ext = f"{rng.choice(('zext', 'sext'))} {narrow} %x{n} to {wide}"
        lines += [f"%v{n} = {ext if narrow != wide else f'xor {wide} %x{n}, 1'}"]
        values.append(f"%v{n}")
    for n in range(rng.randrange(1, 5)):
        op = rng.choice(("add", "sub", "mul", "xor", "and", "or"))
        lines += [f"%o{n} = {op} {wide} {rng.choice(values)}, {rng.choice([*values, '%cw', '3'])}"]
        values.append(f"%o{n}")
    for n in range(rng.randrange(1, 4)):
        base, by = rng.choice("ab"), rng.choice(("%k", "%k", "%ks"))
        lines += [f"%q{n} = getelementptr {wide}, ptr %{base}, i64 {by}"]
        lines += [f"%t{n} = getelementptr i8, ptr %q{n}, i64 {rng.choice((0, 0, 1, 4, 64, 128))}"]
        lines += [f"store {wide} {rng.choice(values)}, ptr %t{n}, align 1"]
        if rng.random() < 0.3:
            lines += [f"%y{n} = load {wide}, ptr %{rng.choice('pqt')}0, align 1"]
            values.append(f"%y{n}")
    return _loop("".join(f"  {x}\n" for x in lines), passes)


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_random_loops_do_the_same(first: int) -> None:
    found = [compared(seed) for seed in range(first, first + 10)]
    assert "differs" not in found and found.count("the same") > 2


def compared(seed: int) -> str:
    """Tell whether the passes of a random loop are lanes, and it does the same then."""
    return became(passes_as_lanes, _random(seed), _calls())
