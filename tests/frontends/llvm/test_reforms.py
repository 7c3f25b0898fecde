"""Forms of functions whose reductions have other lanes: what is regrouped, what is left alone and
why, and that each form is proved.
"""

from __future__ import annotations

import re

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.pipeline.variants import Variant, ways_of
from frontends.llvm.splicing.write import Edits, compose
from frontends.llvm.text.ast import Function, Module
from frontends.llvm.text.identity import contents
from frontends.llvm.text.layout import sizes_of
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.regrouped_reductions import sites
from frontends.llvm.transform.site import Scope
from frontends.llvm.windows.webs import webs_of
from tests.frontends.llvm.transformed import proves

_DECLARED = """declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)
declare i32 @llvm.vector.reduce.smax.v16i32(<16 x i32>)
declare <16 x i32> @llvm.smax.v16i32(<16 x i32>, <16 x i32>)
declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
"""


def _loop(step: str, *, last: str, start: str = "zeroinitializer", kind: str = "<16 x i32>") -> str:
    return f"""define i32 @f(ptr %p, ptr %q, i32 %s, i64 %n) {{
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %acc = phi {kind} [ {start}, %entry ], [ %new, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %x = load <16 x i8>, ptr %at, align 1
  %w = zext <16 x i8> %x to <16 x i32>
  {step}
  %next = add i64 %i, 16
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  {last}
  ret i32 %r
}}
{_DECLARED}"""


_ADD = "%new = add <16 x i32> %acc, %w"
_SUM = "%r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %new)"
SUMMED = _loop(_ADD, last=_SUM)
SCALAR = _loop(
    "%one = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %w)\n  %new = add i32 %acc, %one",
    last="%r = mul i32 %new, 3",
    start="%s",
    kind="i32",
)
LIFTED = _loop(
    "%in = insertelement <16 x i32> <i32 poison, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0,"
    " i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0>, i32 %acc, i64 0\n"
    "  %joined = add <16 x i32> %w, %in\n"
    "  %new = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32> %joined)",
    last="%r = mul i32 %new, 3",
    start="%s",
    kind="i32",
)
GREATEST = _loop(
    "%new = call <16 x i32> @llvm.smax.v16i32(<16 x i32> %acc, <16 x i32> %w)",
    last="%r = call i32 @llvm.vector.reduce.smax.v16i32(<16 x i32> %new)",
)

_DIFFERENCE = """%y = load <16 x i8>, ptr %q, align 1
  %v = zext <16 x i8> %y to <16 x i32>
  %d = sub <16 x i32> %w, %v
"""
DIFFERENCES = _loop(f"{_DIFFERENCE}  {_ADD.replace('%w', '%d')}", last=_SUM)
SQUARES = _loop(
    f"{_DIFFERENCE}  %m = mul <16 x i32> %d, %d\n  {_ADD.replace('%w', '%m')}", last=_SUM
)

LONG = (  # sums of 64 bits of squares of 16
    SQUARES.replace("<16 x i8>", "<16 x i16>")
    .replace("zext <16 x i16>", "sext <16 x i16>")
    .replace(
        "%m = mul <16 x i32> %d, %d",
        "%k = mul <16 x i32> %w, %w\n  %m = zext nneg <16 x i32> %k to <16 x i64>",
    )
    .replace("add <16 x i32> %acc", "add <16 x i64> %acc")
    .replace("phi <16 x i32>", "phi <16 x i64>")
    .replace(
        "%r = call i32 @llvm.vector.reduce.add.v16i32(<16 x i32>",
        "%r = call i64 @llvm.vector.reduce.add.v16i64(<16 x i64>",
    )
    .replace("define i32", "define i64")
    .replace("ret i32", "ret i64")
    .replace(
        "declare i32 @llvm.vector.reduce.add.v16i32(<16 x i32>)",
        "declare i64 @llvm.vector.reduce.add.v16i64(<16 x i64>)",
    )
)


def reforms_of(module: Module, function: Function) -> list[Variant]:
    """Return the ways in which a function is written otherwise for registers of 128 bits."""
    own, *others = ways_of(Variant(module, module, function, ()), 128, ())
    assert own.way is None
    return others


def left_alone(module: Module, function: Function) -> list[str]:
    """Return why reductions of a function keep their lanes."""
    sizes = sizes_of(module.layout, module.lines)
    assert sizes is not None
    scope = Scope(module, function, sizes, contents(module), 128, lambda text: text)
    return [site.why_not for site in sites(scope)]


def _read(text: str) -> tuple[Module, Function]:
    module = parse_module(normalise(text, ""))
    return module, module.functions[0]


@pytest.mark.parametrize(
    ("text", "phis"),
    [
        (SUMMED, ["<2 x i64>", "<4 x i32>"]),
        (SCALAR, ["<2 x i64>", "<4 x i32>"]),
        (LIFTED, ["<2 x i64>", "<4 x i32>", "<2 x i32>", "<4 x i32>"]),
        (GREATEST, ["<16 x i8>"]),
        (DIFFERENCES, ["<2 x i64>", "<4 x i32>"]),
        (SQUARES, ["<4 x i32>"]),
        (LONG, ["<2 x i64>"]),
    ],
)
def test_accumulators_in_other_lanes(text: str, phis: list[str]) -> None:
    module, function = _read(text)
    forms = list(reforms_of(module, function))
    made = [
        next(str(i.type) for b in r.function.blocks for i in b.instrs if i.name == "isel.0")
        for r in forms
    ]
    assert made == phis
    for r in forms:
        assert proves(module.text, r.module.text)


def test_a_sum_of_differences_is_a_difference_of_sums() -> None:
    for form in reforms_of(*_read(DIFFERENCES)):
        assert form.module.text.count(" = sub ") == 2 and "sext" not in form.module.text


@pytest.mark.parametrize(
    ("old", "new", "paired"),
    [
        ("", "", True),
        ("%m = zext nneg", "%m = sext", False),
        ("%m = zext nneg", "%m = zext", False),
        ("sext <16 x i16>", "zext <16 x i16>", False),
        ("%w, %w", "%w, %d", False),
    ],
    ids=[
        "squares",
        "with a sign",
        "not said to have none",
        "without halves to spare",
        "of a difference",
    ],
)
def test_pairs_of_products_that_do_not_wrap(old: str, new: str, paired: bool) -> None:
    form, *_ = reforms_of(*_read(LONG.replace(old, new)))
    assert ("add <2 x i32>" in form.module.text) == paired
    assert not paired or proves(form.source.text, form.module.text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("= sub <2 x i64> (%[\\w.]+), (%[\\w.]+)", r"= sub <2 x i64> \2, \1"),
        ("= sub <2 x i64>", "= add <2 x i64>"),
        ("= zext <2 x i32>", "= sext <2 x i16> undef to <2 x i64> ;"),
        ("i32 1, i32 9>", "i32 1, i32 8>"),
        ("i32 7, i32 15>", "i32 7, i32 poison>"),
        ("phi <2 x i64> . zeroinitializer", "phi <2 x i64> [ <i64 1, i64 0>"),
        ("= add <2 x i64> %isel.0", "= mul <2 x i64> %isel.0"),
        ("= add <2 x i64> %isel.0, (%[\\w.]+)", r"= add <2 x i64> \1, \1"),
        ("= trunc i64 (%[\\w.]+) to i32", r"= trunc nuw i64 \1 to i32"),
        ("reduce.add.v2i64", "reduce.or.v2i64"),
    ],
    ids=[
        "the other way round",
        "both added",
        "other lanes",
        "a lane twice",
        "a lane left out",
        "another start",
        "another join",
        "no accumulator",
        "a promise",
        "another reduction",
    ],
)
def test_wrong_forms(old: str, new: str) -> None:
    form, *_ = reforms_of(*_read(DIFFERENCES))
    text = form.module.text
    assert proves(DIFFERENCES, text)
    after, count = re.subn(old, new, text)
    assert count and not proves(DIFFERENCES, after)


@pytest.mark.parametrize(
    ("step", "last", "why"),
    [
        (f"%f = freeze <16 x i32> %acc\n  {_ADD.replace('%acc', '%f')}", _SUM, "freeze"),
        (f"store <16 x i32> %acc, ptr %q\n  {_ADD}", _SUM, "%acc is used elsewhere"),
        (_ADD, _SUM.replace("%new", "%acc"), "%acc"),
    ],
)
def test_reductions_that_are_left_alone(step: str, last: str, why: str) -> None:
    module, function = _read(_loop(step, last=last))
    forms = [r for r in reforms_of(module, function) if "phi <2 x i64>" in r.module.text]
    assert not forms or why == "%acc"
    if why != "%acc":
        assert any(why in reason for reason in left_alone(module, function))


_REST = """  br label %rest

rest:
  %j = phi i64 [ %next, %done ], [ %jn, %rest ]
  %few = phi <8 x i32> [ zeroinitializer, %done ], [ %fn, %rest ]
  %jat = getelementptr i8, ptr %q, i64 %j
  %y = load <8 x i8>, ptr %jat, align 1
  %v = zext <8 x i8> %y to <8 x i32>
  %fn = add <8 x i32> %few, %v
  %jn = add i64 %j, 8
  %on = icmp slt i64 %jn, %n
  br i1 %on, label %rest, label %end

end:
  %left = call i32 @llvm.vector.reduce.add.v8i32(<8 x i32> %fn)
  %all = add i32 %r, %left
  ret i32 %all
}
declare i32 @llvm.vector.reduce.add.v8i32(<8 x i32>)
"""


def test_what_a_loop_left_keeps_its_lanes_in_some_forms() -> None:
    """Another shape may be no gain in the loop behind, of which a pass has fewer lanes."""
    text = SUMMED.replace("  ret i32 %r\n}\n", _REST)
    forms = list(reforms_of(*_read(text)))
    kept = ["phi <8 x i32> [ zeroinitializer, %done ]" in r.module.text for r in forms]
    assert True in kept and False in kept
    for r in forms:
        assert proves(text, r.module.text)


def test_vectors_of_very_many_lanes_are_left_alone() -> None:
    """Each shuffle of a form names its lanes: a million of them took minutes."""
    many = SUMMED.replace("16 x i", "2048 x i").replace("v16i32", "v2048i32")
    assert not list(reforms_of(*_read(many)))


def test_floating_point_is_left_alone() -> None:
    module, function = _read(
        "define float @f(<4 x float> %x) {\n"
        "  %r = call reassoc float @llvm.vector.reduce.fadd.v4f32(float 0.0, <4 x float> %x)\n"
        f"  ret float %r\n}}\n{_DECLARED}"
    )
    assert left_alone(module, function) == ["a reduction of floating point is not regrouped"]


def test_a_remainder_of_scalars_is_no_member() -> None:
    """A loop that adds scalars to what vectors gave is not carried in vectors."""
    _, function = _read(
        SUMMED.replace(
            "  ret i32 %r\n",
            "  br label %rest\n\nrest:\n  %t = phi i32 [ %r, %done ], [ %u, %rest ]\n"
            "  %b = load i8, ptr %q\n  %z = zext i8 %b to i32\n  %u = add i32 %t, %z\n"
            "  %c = icmp ult i32 %u, 1000\n  br i1 %c, label %rest, label %end\n\n"
            "end:\n  ret i32 %u\n",
        )
    )
    (web,) = webs_of(function.view)
    assert list(web.members) == ["acc", "new", "r"]


def test_what_a_reduction_is_merged_with_is_no_member() -> None:
    """Nothing, where a guard goes round the loop: the phi joins nothing."""
    module, function = _read(
        GREATEST.replace("br label %loop", "br i1 %none, label %end, label %loop", 1)
        .replace("entry:\n", "entry:\n  %none = icmp eq i64 %n, 0\n")
        .replace(
            "ret i32 %r",
            "br label %end\n\nend:\n  %z = phi i32 [ 0, %entry ], [ %r, %done ]\n  ret i32 %z",
        )
    )
    assert not left_alone(module, function)
    (form,) = reforms_of(module, function)
    assert proves(module.text, form.module.text)


def test_a_sum_that_is_joined_in_a_lane_alone_ends_in_a_phi() -> None:
    """No scalar says by what: the reduction does."""
    text = LIFTED.replace("br label %loop", "br i1 %none, label %end, label %loop", 1)
    text = text.replace("entry:\n", "entry:\n  %none = icmp eq i64 %n, 0\n")
    end = "br label %end\n\nend:\n  %r = phi i32 [ %s, %entry ], [ %new, %done ]"
    module, function = _read(text.replace("%r = mul i32 %new, 3", end))
    (web,) = webs_of(function.view)
    assert (web.join, web.root.name) == ("add", "r") and {"acc", "in", "new"} <= web.members.keys()
    assert not left_alone(module, function)
    forms = list(reforms_of(module, function))
    assert forms and all(proves(module.text, f.module.text) for f in forms)


def test_changes_of_changed_lines() -> None:
    first = Edits({1: ("a", "b"), 3: ()}, {"x": "declare x"})
    then = Edits({0: ("z",), 2: ("c", "d"), 3: ()}, {"y": "declare y"})
    lines = ["0", "1", "2", "3", "4"]

    def applied(edits: Edits, to: list[str]) -> list[str]:
        return [x for k, line in enumerate(to) for x in edits.lines.get(k, (line,))]

    whole = compose(first, then, len(lines))
    assert applied(whole, lines) == applied(then, applied(first, lines))
    assert set(whole.declarations) == {"x", "y"}


def test_a_new_value_is_where_the_reduction_is_that_it_belongs_to() -> None:
    module, function = _read(SUMMED)
    (web,) = webs_of(function.view)
    for form in reforms_of(module, function):
        new = [i for i in form.function.view if i.name and i.name not in function.view.defs]
        assert new and {form.place(i).root for i in new} == {web.root.name}
        assert {form.place(i).line for i in new} == {web.root.line + 1}
        assert form.origin is module and form.module is not module
