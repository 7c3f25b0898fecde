"""What a loop gathers again and again, packed before the loop around it; and what is no packing."""

from __future__ import annotations

import re

import pytest

from frontends.halide import resolve
from frontends.llvm.cuts.slots import unpack
from frontends.llvm.function.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.counting import loop_of, path_from
from frontends.llvm.passes.left import Left
from frontends.llvm.passes.slots import slots_of
from frontends.llvm.report.tried import Outcome
from frontends.llvm.text.parse import parse_module
from frontends.llvm.text.view import View
from frontends.llvm.transform import packed_factors
from isel.cli.halide import rewriter
from isel.model.verdict import Unknown
from tests.frontends.llvm.transformed import change, scope_of, transformed, verifies, whys

COUNT, STRIDE = 4, 8  # columns, and what is between two of their elements
LANES = 4


def product(depth: int = 8, columns: int = COUNT, step: int = 4, start: int = 0) -> str:
    """A row times each column of a matrix in rows: of a column the elements lie apart."""
    lines: list[str] = []
    for k in range(LANES):
        lines += [
            f"%at{k} = add i64 %k, {k}",
            f"%row{k} = mul i64 %at{k}, {STRIDE}",
            f"%p{k} = getelementptr i8, ptr %column, i64 %row{k}",
            f"%l{k} = load i8, ptr %p{k}, align 1",
        ]
    lines += [
        f"%v{k} = insertelement <4 x i8> {f'%v{k - 1}' if k else 'poison'}, i8 %l{k}, i64 {k}"
        for k in range(LANES)
    ]
    gather = "".join(f"  {line}\n" for line in lines)
    return f"""define void @f(ptr noalias %c, ptr noalias %a, ptr noalias %b, ptr %other) {{
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %in, %rowsend ]
  %a0 = mul i64 %i, {depth}
  %arow = getelementptr i8, ptr %a, i64 %a0
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %jn, %columnsend ]
  %column = getelementptr i8, ptr %b, i64 %j
  br label %inner
inner:
  %k = phi i64 [ {start}, %columns ], [ %kn, %inner ]
  %sum = phi <4 x i32> [ zeroinitializer, %columns ], [ %sumn, %inner ]
  %ak = getelementptr i8, ptr %arow, i64 %k
  %av = load <4 x i8>, ptr %ak, align 1
{gather}  %aw = zext <4 x i8> %av to <4 x i32>
  %bw = sext <4 x i8> %v3 to <4 x i32>
  %m = mul <4 x i32> %aw, %bw
  %sumn = add <4 x i32> %sum, %m
  %kn = add nuw nsw i64 %k, {step}
  %kend = icmp eq i64 %kn, {depth}
  br i1 %kend, label %columnsend, label %inner
columnsend:
  %o = mul i64 %j, 16
  %crow = getelementptr i8, ptr %c, i64 %o
  store <4 x i32> %sumn, ptr %crow, align 4
  %jn = add nuw nsw i64 %j, 1
  %jend = icmp eq i64 %jn, {columns}
  br i1 %jend, label %rowsend, label %columns
rowsend:
  %in = add nuw nsw i64 %i, 1
  %iend = icmp eq i64 %in, 16
  br i1 %iend, label %done, label %rows
done:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (product(), 32),
        (product(depth=4), 16),
        (product(columns=1), 8),
        (product(depth=9, step=3), 72),
        (product(depth=10, start=2), 32),
        (product(depth=1 << 12), 1 << 14),
    ],
    ids=["plain", "one pass", "one column", "steps of three", "from two on", "16 KiB"],
)
def test_columns_are_packed_before_all_rows(text: str, size: int) -> None:
    assert whys(packed_factors, text) == [("v3", "")]
    after = change(packed_factors, text)
    head, inner = after.partition("rows:")[0], after.partition("inner:")[2]
    assert f"alloca [{size} x i8], align 64" in head and head.count("load i8") == LANES
    assert "load i8" not in inner and "%v3 = load <4 x i8>, ptr %isel" in inner


def test_two_vectors_may_be_loaded_at_once() -> None:
    text = product(depth=16, step=8)
    lines = text.splitlines()
    gather = [x for x in lines if "%v" in x or "%l" in x or "%p" in x or "%row" in x or "%at" in x]
    more = [x for x in gather if "bw" not in x and "arow" not in x and "crow" not in x]
    more = [x for x in more if "br " not in x and "rows" not in x]
    again = "\n".join(more)
    for k in range(LANES):
        for name in ("at", "row", "p", "l", "v"):
            again = again.replace(f"%{name}{k}", f"%{name}{k + 4}")
    again = again.replace("%at4 = add i64 %k, 0", "%at4 = add i64 %k, 4")
    for k in range(1, LANES):
        again = again.replace(f"%at{k + 4} = add i64 %k, {k}", f"%at{k + 4} = add i64 %k, {k + 4}")
    text = text.replace("  %aw = zext", again + "\n  %aw = zext")
    text = text.replace(
        "%bw = sext <4 x i8> %v3", "%both = add <4 x i8> %v3, %v7\n  %bw = sext <4 x i8> %both"
    )
    after = change(packed_factors, text)
    loads = re.findall(r"  %v[37] = load <4 x i8>, (ptr %isel\.\d+), align (\d)\n", after)
    assert [align for _, align in loads] == ["8", "4"]
    whole = f"  %w = load <8 x i8>, {loads[0][0]}, align 8\n"
    for name, at in (("v3", 0), ("v7", 4)):
        mask = ", ".join(f"i32 {at + k}" for k in range(4))
        part = f"  %{name} = shufflevector <8 x i8> %w, <8 x i8> poison, <4 x i32> <{mask}>\n"
        after = re.sub(rf"  %{name} = load .*\n", whole * (at == 0) + part, after)
    assert verifies(text, after)
    assert not verifies(text, after.replace("i32 7>", "i32 6>"))


LEFT = {
    "volatile": (("load i8, ptr %p2", "load volatile i8, ptr %p2"), "it depends on a 'load'"),
    "another pointer's": (("ptr noalias %b", "ptr %b"), "another pointer's"),
    "read through a choice": (("i8, ptr %b, i64 %j", "i8, ptr %other, i64 %j"), "another pointer's"),
    "rows unknown": (("icmp eq i64 %in, 16", "icmp eq i64 %in, %a0"), "no constant"),
    "columns unknown": (("icmp eq i64 %jn, 4", "icmp eq i64 %jn, %a0"), "no constant"),
    "depth unknown": (("icmp eq i64 %kn, 8", "icmp eq i64 %kn, %a0"), "no constant"),
    "depth never met": (("icmp eq i64 %kn, 8", "icmp eq i64 %kn, 7"), "no constant"),
    "rows may be none": (
        ("br label %rows\n", "%some = icmp eq ptr %c, null\n  br i1 %some, label %rows, label %done\n"),
        "may be left out",
    ),
    "rows change it": (("i8, ptr %b, i64 %j", "i8, ptr %b, i64 %i"), "between"),
    "it is to be small": (("ptr %other) {", "ptr %other) optsize {"), "small"),
    "large": (("icmp eq i64 %kn, 8", "icmp eq i64 %kn, 8192"), "bytes would be packed"),
}  # fmt: skip


@pytest.mark.parametrize("name", LEFT)
def test_what_is_left_alone(name: str) -> None:
    (old, new), why = LEFT[name]
    text = product()
    assert text.count(old) == 1
    found = whys(packed_factors, text.replace(old, new))
    assert [root for root, _ in found] == ["v3"] and why in found[0][1]


def test_what_a_call_may_write_is_not_proved() -> None:
    text = (
        product()
        .replace("define", "declare void @g()\n\ndefine")
        .replace("  %o = mul", "  call void @g()\n  %o = mul")
    )
    _, found = transformed(packed_factors, text)
    assert isinstance(found, Unknown)


def test_what_is_stored_to_the_factor_is_not_proved() -> None:
    text = product().replace("  %o = mul", "  store i8 1, ptr %column, align 1\n  %o = mul")
    _, found = transformed(packed_factors, text)
    assert isinstance(found, Unknown)


NEXT = "  store <4 x i32> %sumn"
# What is wrong in a packing, by what it replaces.
PLANTED = {
    "the slot is smaller": ("alloca [32 x i8]", "alloca [31 x i8]"),
    "the slot is aligned to less": ("[32 x i8], align 64", "[32 x i8], align 2"),
    "the factor of a store": ("%isel.34 = mul i64 %isel.9, 8", "%isel.34 = mul i64 %isel.9, 4"),
    "the factor of a load": ("%isel.4 = mul i64 %j, 8", "%isel.4 = mul i64 %j, 4"),
    "a load elsewhere": ("ptr %isel.7, i64 0", "ptr %isel.7, i64 4"),
    "it ends sooner": ("icmp eq i64 %isel.33, 8", "icmp eq i64 %isel.33, 4"),
    "it begins later": ("phi i64 [ 0, %isel.1 ]", "phi i64 [ 4, %isel.1 ]"),
    "another row": ("mul i64 %isel.16, 8", "mul i64 %isel.16, 7"),
    "another column": ("ptr %b, i64 %isel.9", "ptr %b, i64 1"),
    "other lanes": ("i8 %isel.15, i64 0", "i8 %isel.19, i64 0"),
    "a store more": (NEXT, "  store i8 0, ptr %isel.0, align 1\n" + NEXT),
    "others see it": (NEXT, "  store ptr %isel.0, ptr %other, align 8\n" + NEXT),
    "a promise of an address": ("getelementptr i8, ptr %isel.0, i64 %isel.4", "getelementptr inbounds i8, ptr %isel.0, i64 %isel.4"),
    "a promise of a load": ("load <4 x i8>, ptr %isel.8, align 4", "load <4 x i8>, ptr %isel.8, align 4, !noundef !{}"),
    "a load that is volatile": ("load <4 x i8>, ptr %isel.8", "load volatile <4 x i8>, ptr %isel.8"),
}  # fmt: skip


def test_the_packing_that_others_are_planted_in_is_proved() -> None:
    after = change(packed_factors, product())
    assert verifies(product(), after)


@pytest.mark.parametrize("name", PLANTED)
def test_planted_errors_are_refused(name: str) -> None:
    old, new = PLANTED[name]
    after = change(packed_factors, product())
    assert after.count(old) == 1, after
    assert not verifies(product(), after.replace(old, new))


def test_a_function_is_written_with_its_factor_packed() -> None:
    text = product(depth=64, columns=64).replace("icmp eq i64 %in, 16", "icmp eq i64 %in, 256")
    text = normalise(f'target triple = "x86_64-linux-gnu"\n{text}')
    with rewriter(resolve("x86", cpu="icelake-server"), jobs=1, cache="off") as rewrite:
        done = rewrite(text, "f.ll")
    (row,) = [w for w in done.report.windows if w.by == "packed-factors"]
    assert row.outcome is Outcome.REWRITTEN and "alloca [4096 x i8]" in done.text
    cost = done.report.functions[0].cost
    assert cost is not None and cost[1] < 0.5 * cost[0]
    assert verifies(text, done.text)


def test_loops_that_count_and_what_follows_surely() -> None:
    view = parse_module(product(depth=10, start=2)).functions[0].view
    found = {label: loop_of(view, label) for label in view.numbers}
    assert {k: c.numbers for k, c in found.items() if c is not None} == {
        "rows": range(16),
        "columns": range(COUNT),
        "inner": range(2, 10, 4),
    }
    assert path_from(view, "entry") == ["entry", "rows", "columns", "inner"]


def test_a_packing_is_read_and_undone() -> None:
    graph, alone = (_graph(x) for x in (change(packed_factors, product()), product()))
    ((slot, loops),) = slots_of(graph.function.view).items()
    assert [header for _, header in loops] == ["columns", "inner"]
    plain = unpack(graph, slot, loops)
    assert len(plain.blocks) == len(alone.function.blocks)
    assert not slots_of(alone.function.view) and not slots_of(plain.view)


LIES = {
    "no slot": (("av", "columns", "inner"), "others may see it"),
    "a slot of another name": (("what", "columns", "inner"), "no slot"),
    "no loops": (("", "columnsend", "inner"), "no loops that count"),
    "a loop more": (("", "rows", "inner"), "do not count alike"),
    "one of these alone": (("", "inner"), "may be left out"),
    "none": (("",), "no slot"),
}


@pytest.mark.parametrize("name", LIES)
def test_what_is_said_of_a_slot_is_not_believed(name: str) -> None:
    (named, *headers), why = LIES[name]
    graph = _graph(change(packed_factors, product()))
    ((slot, loops),) = slots_of(graph.function.view).items()
    said = [(a, b) for (a, _), b in zip(loops[len(loops) - len(headers) :], headers, strict=True)]
    with pytest.raises(Left, match=why):
        unpack(graph, named or slot, said)


SLOT = """define void @f(ptr noalias %o, ptr noalias %a, i64 %n) {
entry:
  %s = alloca [64 x i8], align 16
  br label %first
first:
  %i = phi i64 [ 0, %entry ], [ %in, %first ]
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load i8, ptr %p, align 1
  %q = getelementptr i8, ptr %s, i64 %i
  store i8 %x, ptr %q, align 1
  %in = add i64 %i, 1
  %ie = icmp eq i64 %in, 4
  br i1 %ie, label %between, label %first
between:
  br label %later
later:
  %j = phi i64 [ 0, %between ], [ %jn, %later ]
  %r = getelementptr i8, ptr %s, i64 %j
  %y = load i8, ptr %r, align 1
  %w = getelementptr i8, ptr %o, i64 %j
  store i8 %y, ptr %w, align 1
  %jn = add i64 %j, 1
  %je = icmp eq i64 %jn, 4
  br i1 %je, label %out, label %later
out:
  ret void
}
"""
OUT = "out:\n  %b = getelementptr i8, ptr %s, i64 8\n  store i8 7, ptr %b, align 1"
KEPT = {
    "of no whole bytes": (("i8 %", "i63 %"), ("= load i8", "= load i63"), ("n, 4", "n, 28"), ("i, 1", "i, 7"), ("j, 1", "j, 7")),
    "no sum of what loops count": (("s, i64 %i", "s, i64 0"), ("s, i64 %j", "s, i64 8"), ("n, 4", "n, 1"), ("out:\n", f"{OUT}\n")),
    "stored twice": (("s, i64 %i", "s, i64 0"), ("s, i64 %j", "s, i64 0")),
    "it is large": (("[64 x i8], align", "[64 x i8], i64 %n, align"),),
}  # fmt: skip


@pytest.mark.parametrize("why", KEPT)
def test_slots_that_are_kept(why: str) -> None:
    """Values that share a byte; a store behind all loops; one place for all passes; nobody knows
    how many bytes.
    """
    text = SLOT
    for old, new in KEPT[why]:
        assert old in text
        text = text.replace(old, new)
    assert unpack(_graph(SLOT), "s", [("first", "later")]).blocks
    with pytest.raises(Left, match=why):
        unpack(_graph(text), "s", [("first", "later")])


def test_the_lanes_that_are_loaded_are_those_that_were_stored() -> None:
    text = SLOT.replace(" i8 %x", " <32 x i8> %x").replace("%x = load i8", "%x = load <32 x i8>")
    text = text.replace(" i8 %y", " <16 x i8> %y").replace("%y = load i8", "%y = load <16 x i8>")
    for name in "ij":
        text = text.replace(f"%{name}n = add i64 %{name}, 1", f"%{name}n = add i64 %{name}, 32")
        text = text.replace(f"%{name}n, 4", f"%{name}n, 64")
    found = unpack(_graph(text), "s", [("first", "later")]).view
    lanes = [str(i.text.split()[-1]) for i in found if i.opcode == "extractelement"]
    assert lanes == [str(k) for k in range(16)]


def _graph(text: str) -> Graph:
    scope = scope_of(text)
    return Graph(scope.function, scope.said, scope.sizes)


def _rows(name: str, before: str, out: str, lines: str) -> str:
    """Two rows of four passes of a loop."""
    body = "".join(f"  {x}\n" for x in lines.splitlines())
    return f"""{name}:
  %r.{name} = phi i64 [ 0, %{before} ], [ %rn.{name}, %{name}.end ]
  %o.{name} = mul i64 %r.{name}, 32
  br label %{name}.in
{name}.in:
  %k.{name} = phi i64 [ 0, %{name} ], [ %kn.{name}, %{name}.in ]
  %k8.{name} = mul i64 %k.{name}, 8
  %at.{name} = add i64 %k8.{name}, %o.{name}
{body}  %kn.{name} = add i64 %k.{name}, 1
  %ke.{name} = icmp eq i64 %kn.{name}, 4
  br i1 %ke.{name}, label %{name}.end, label %{name}.in
{name}.end:
  %rn.{name} = add i64 %r.{name}, 1
  %re.{name} = icmp eq i64 %rn.{name}, 2
  br i1 %re.{name}, label %{out}, label %{name}
"""


def _copied(stored: str, loaded: str, more: str = "0") -> Graph:
    """A slot that a nest stores to and another one loads from; ``more`` is added to where."""
    first = f"""%ia = getelementptr i8, ptr %a, i64 %at.one
%x = load {stored}, ptr %ia, align 1
%im = add i64 %at.one, {more}
%is = getelementptr i8, ptr %slot, i64 %im
store {stored} %x, ptr %is, align 1"""
    later = f"""%js = getelementptr i8, ptr %slot, i64 %at.two
%y = load {loaded}, ptr %js, align 1
%jc = getelementptr i8, ptr %c, i64 %at.two
store {loaded} %y, ptr %jc, align 1"""
    return _graph(
        f"""define void @f(ptr noalias %c, ptr noalias %a, i64 %m) {{
entry:
  %slot = alloca [64 x i8], align 8
  br label %one
{_rows("one", "entry", "between", first)}between:
  br label %two
{_rows("two", "between", "out", later)}out:
  ret void
}}
"""
    )


def _unpacked(*kinds: str) -> View:
    return unpack(_copied(*kinds), "slot", [("one", "two"), ("one.in", "two.in")]).view


def test_what_is_copied_through_a_slot() -> None:
    assert not any(i.opcode == "alloca" for i in _unpacked("i32", "i32"))
    for kind, more, why in (("i33", "0", "no whole bytes"), ("i32", "%m", "no sum of what loops")):
        with pytest.raises(Left, match=why):
            _unpacked(kind, kind, more)


def test_lanes_are_put_together_where_they_are_loaded() -> None:
    blocks = _unpacked("<4 x i8>", "<2 x i8>").blocks
    found = {b.label for b in blocks if any(i.opcode == "insertelement" for i in b.instrs)}
    assert found == {"two.in"}
