"""Target intrinsics as AutoLLVM calls, and such calls as instructions: text in, text out."""

from __future__ import annotations

from itertools import product

import pytest

from equiv_classes.calls import formula_text, instruction_of, read_name, type_name
from equiv_classes.dictionary import dictionary
from equiv_classes.folds import joined_by, operands_of
from equiv_classes.formula import terms_of
from equiv_classes.limits import NAME_LONGEST
from equiv_classes.names import operation_of
from frontends.autollvm.comments import disagreements, head, without_comments
from frontends.autollvm.cuts import cuts, in_ring
from frontends.autollvm.limits import CUTS_TRIES
from frontends.autollvm.near import nearest
from frontends.autollvm.read import NoCall, read_call
from frontends.autollvm.write import write_autollvm
from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.parse import parse_module
from isel.interp.evaluate import evaluate_all
from isel.interp.integer import Integer
from isel.ir.build import add, extract, mul, sext
from isel.ir.expr import Expr, const, elem, leaves, postorder
from isel.model.verdict import Proved, Refuted
from semantics import target_named
from tests.frontends.autollvm.modules import ARM, AVERAGE, called_intrinsics, lower, machine

CALL = "autollvm.uavg.v16i8.v16i8.v16i8"


def written(text: str = AVERAGE) -> str:
    return write_autollvm(text, target_named("x86"), dictionary()).text


def test_an_intrinsic_becomes_a_call_with_its_formula() -> None:
    text = written()
    assert called_intrinsics(text) == [CALL]
    assert [x for x in text.splitlines() if x.startswith("; AutoLLVM")] == [head(dictionary())]
    found = read_name(CALL)
    assert found is not None and f"; @{CALL} {formula_text(found.of)}" in text
    assert normalise(text)  # any LLVM parses it
    assert disagreements(text, dictionary()) == {}


def test_the_call_is_what_it_was() -> None:
    a, b = (parse_module(normalise(t)) for t in (AVERAGE, written()))
    for first, second in ((a, b), (b, a)):
        (answer,) = verify_report(first, second, target_named("x86"))
        assert isinstance(answer.verdict, Proved), answer.line
    wrong = parse_module(normalise(AVERAGE.replace("pavg.b", "psubs.b")))
    assert not isinstance(verify_report(wrong, b, target_named("x86"))[0].verdict, Proved)


def test_a_member_of_the_class_on_another_machine() -> None:
    found = lower(written())
    assert not found.left and found.ways == {"a member of the class": 1}
    assert "@llvm.aarch64.neon.urhadd.v16i8" in found.text
    assert 'triple = "aarch64' in found.text and '"target-cpu"="neoverse-v1"' in found.text
    assert all(isinstance(a.verdict, Proved) for a in found.proofs)


def test_plain_ir_where_it_is_allowed() -> None:
    text = written(
        AVERAGE.replace("pavg.b", "packuswb.128")
        .replace("<16 x i8> noundef", "<8 x i16> noundef")
        .replace("(<16 x i8> %a, <16 x i8> %b)", "(<8 x i16> %a, <8 x i16> %b)")
        .replace("128(<16 x i8>, <16 x i8>)", "128(<8 x i16>, <8 x i16>)")
    )
    assert len(called_intrinsics(text)) == 1
    assert [x.callee for x in lower(text).left] == called_intrinsics(text)
    found = lower(text, plain=True)
    assert found.ways == {"plain IR": 1} and not found.left
    assert all(isinstance(a.verdict, Proved) for a in found.proofs)


def test_what_is_no_intrinsic_of_integers_stays() -> None:
    text = AVERAGE.replace("@llvm.x86.sse2.pavg.b", "@llvm.x86.avx512.pmul.hr.sw.512")
    assert written(AVERAGE.replace("pavg.b", "nothing.b")).count("autollvm.") == 0
    assert called_intrinsics(text) == []


@pytest.mark.parametrize(
    ("old", "new", "why", "expected"),
    [
        ("autollvm.uavg.", "autollvm.uavgg.", "no class", "'uavg'"),
        ("autollvm.uavg.v16i8.v16i8.v16i8", "autollvm.uavg.v16i8.v16i8", "no class", "types"),
        ("autollvm.uavg.v16i8", "autollvm.uavg.v8i8", "types", "types of its name"),
        ("i32 8, i32 16", "i32 8, i32 17", "parameter n = 17", "16"),
        ("i32 8, i32 16, i32 9", "i32 8, i32 16", "2 constants", "3: w n p"),
        ("i32 8, i32 16", "i32 8, i32 32", "do not fit", "member"),
    ],
)
def test_calls_that_are_none(old: str, new: str, why: str, expected: str) -> None:
    text = without_comments(written())
    body = text[text.index("define") : text.index("declare <16 x i8> @auto")]
    assert old in body
    module = parse_module(f"{text[: text.index('define')]}{body.replace(old, new)}")
    call = next(i for b in module.functions[0].blocks for i in b.instrs if i.opcode == "call")
    with pytest.raises(NoCall) as problem:
        read_call(call, dictionary())
    assert why in problem.value.why and expected in problem.value.expected


def test_a_comment_that_says_something_else() -> None:
    text = written()
    line = next(x for x in text.splitlines() if x.startswith(f"; @{CALL}"))
    other = text.replace(line, line.replace("(add", "(sub"))
    assert list(disagreements(other, dictionary())) == [CALL]
    unknown = text.replace(f"; @{CALL}", "; @autollvm.gone.v16i8.v16i8.v16i8")
    assert next(iter(disagreements(unknown, dictionary()).values()))[2] == ""


def test_a_call_is_its_member() -> None:
    i = instruction_of(CALL)
    assert i is not None and (i.width, i.lanes) == (8, 16)
    term = i.lane(3, {"n0": 8, "n1": 16, "n2": 9})
    env = {x: 255 if x.source == "a" else 2 for x in leaves(term)}
    assert evaluate_all([term], env, Integer())[term] == 129
    assert instruction_of("autollvm.nothing.v16i8") is None and read_name("llvm.x86.f") is None
    assert (type_name((16, 8)), type_name((1, 32))) == ("v16i8", "i32")


def test_a_rounded_product_is_cut_in_two() -> None:
    """The inner product gets a width that machines have; the outer lanes are over it."""
    lanes = [extract(add(extract(_product(k), 14, 17), const(1, 17)), 1, 16) for k in range(2)]
    cut = next(c for c in cuts(lanes) if c.inner[0].op == "mul")
    assert cut.width == 32 and {x.source for x in leaves(*cut.outer)} == {"inner"}
    assert in_ring(const(-1, 8), 16).value == 0xFFFF


@pytest.mark.parametrize("name", ["vqrdmulhq_s16", "vqdmulhq_s16", "vqrdmulhq_s32"])
def test_a_saturating_product_wraps_and_is_mended(name: str) -> None:
    """What saturates at one value only is the wrapping product, and a choice at the least value."""
    lanes = lanes_of_member(name)
    cut, width = next(cuts(lanes)), lanes[0].width
    assert cut.width == width and {e.width for e in cut.inner} == {width}
    assert max(e.width for e in postorder(cut.inner[:1])) == 2 * width
    half = 1 << (width - 1)
    for a, b in product((-half, 1 - half, -3, 0, 5, half - 1), repeat=2):
        mask = 2 * half - 1
        env = {x: (a if x.source == "a" else b) & mask for x in leaves(lanes[0])}
        got = evaluate_all([lanes[0], cut.inner[0]], env, Integer())
        inner = {elem("inner", 0, width): got[cut.inner[0]]}
        assert evaluate_all([cut.outer[0]], inner, Integer())[cut.outer[0]] == got[lanes[0]]


def test_what_saturates_at_many_values_is_not_mended() -> None:
    found = cuts(lanes_of_member("vqaddq_s16"))
    assert not [x for x in found if x.outer[0].op == "ite" and "32768" in repr(x.outer[0])]


def lanes_of_member(name: str) -> list[Expr]:
    c = dictionary().of("arm", name)[0]
    m = next(m for m in c.members if m.name == name)
    return terms_of(c.formula, c.environment(m), {x: x for x in c.letters}, "none")


def _product(k: int) -> Expr:
    a, b = (sext(elem(x, 16 * k, 16), 31) for x in "ab")
    return mul(a, b)


def test_a_refuted_pair() -> None:
    text = written().replace("@autollvm.uavg", "@autollvm.uavg")
    a = parse_module(normalise(AVERAGE.replace("sse2.pavg.b", "sse2.psubus.b")))
    (answer,) = verify_report(a, parse_module(normalise(text)), target_named("x86"))
    assert isinstance(answer.verdict, Refuted) or not isinstance(answer.verdict, Proved)


def test_what_is_near_is_named() -> None:
    """A class of the other machine, and the lane where it is another one."""
    text = without_comments(written(AVERAGE))
    i = next(i for b in parse_module(normalise(text)).functions[0].blocks for i in b.instrs)
    words = nearest(read_call(i, dictionary()), machine("arm", ARM), dictionary())
    assert words.startswith("the closest there is '")


def test_folds_and_names() -> None:
    e = add(add(elem("a", 0, 8), elem("a", 8, 8)), elem("a", 16, 8))
    assert joined_by(e) == "add" and len(operands_of(e, "add")) == 3 and CUTS_TRIES > 0
    long = (
        "(add (mul <0>[{0}]:{1} <1>[{2}]:{3}) (xor (sub <2>[{4}]:{5} <3>[{6}]:{7}) <4>[{8}]:{9}))"
    )
    assert operation_of(["(add <0>[{0}]:{1} <1>[{2}]:{3})"]) == "add"
    assert len(operation_of([long])) <= NAME_LONGEST + 5
