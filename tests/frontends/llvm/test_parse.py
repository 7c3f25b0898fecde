from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontends.llvm.linked import binding
from frontends.llvm.text.ast import (
    Function,
    Instr,
    IntType,
    Literal,
    Local,
    Module,
    Operand,
    OtherType,
    PtrType,
    Symbol,
    Type,
    VectorType,
)
from frontends.llvm.text.parse import parse_module
from tests.frontends.llvm.sink import SINK

V8 = VectorType(8, IntType(16))


def parsed(body: str, parameters: str, result: str = "void", tail: str = "") -> Function:
    end = "  ret void\n" if result == "void" else ""
    return parse_module(
        binding.normalise(f"define {result} @f({parameters}) {{\n{body}\n{end}}}\n{tail}")
    ).functions[0]


def first(line: str, parameters: str, tail: str = "") -> Instr:
    return parsed(f"  {line}", parameters, tail=tail).blocks[0].instrs[0]


VECTORS = "<8 x i16> %a, <8 x i16> %b, <8 x i1> %c, <4 x i32> %w, i32 %n, ptr %p"
A, B, N, P = Local("a", V8), Local("b", V8), Local("n", IntType(32)), Local("p", PtrType())


def lit(kind: IntType | VectorType, *lanes: int | str) -> Literal:
    return Literal(kind, lanes)


def test_text_is_kept() -> None:
    text = binding.normalise(SINK)
    assert parse_module(text).text == text


@pytest.mark.parametrize(
    "opcode",
    [
        "add",
        "sub",
        "mul",
        "udiv",
        "sdiv",
        "urem",
        "srem",
        "shl",
        "lshr",
        "ashr",
        "and",
        "or",
        "xor",
    ],
)
def test_binary_operations(opcode: str) -> None:
    instr = first(f"%x = {opcode} <8 x i16> %a, %b", VECTORS)
    assert (instr.name, instr.opcode, instr.type, instr.operands, instr.flags, instr.known) == (
        "x",
        opcode,
        V8,
        (A, B),
        frozenset(),
        True,
    )


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("add nuw nsw <8 x i16> %a, %b", {"nuw", "nsw"}),
        ("lshr exact <8 x i16> %a, %b", {"exact"}),
        ("or disjoint <8 x i16> %a, %b", {"disjoint"}),
        ("icmp samesign ult <8 x i16> %a, %b", {"samesign"}),
        ("zext nneg <4 x i32> %w to <4 x i64>", {"nneg"}),
        ("trunc nuw nsw <4 x i32> %w to <4 x i8>", {"nuw", "nsw"}),
        ("getelementptr inbounds nuw i8, ptr %p, i64 16", {"inbounds", "nuw"}),
    ],
)
def test_flags(line: str, flags: set[str]) -> None:
    instr = first(f"%x = {line}", VECTORS)
    assert instr.flags == flags and instr.known


@pytest.mark.parametrize(
    ("spelling", "lanes"),
    [
        ("splat (i16 -1)", (65535,) * 8),
        ("zeroinitializer", (0,) * 8),
        ("poison", ("poison",) * 8),
        ("undef", ("undef",) * 8),
        (
            "<i16 1, i16 poison, i16 undef, i16 -2, i16 4, i16 5, i16 6, i16 7>",
            (1, "poison", "undef", 65534, 4, 5, 6, 7),
        ),
    ],
)
def test_vector_constants(spelling: str, lanes: tuple[int | str, ...]) -> None:
    assert first(f"%x = xor <8 x i16> %a, {spelling}", VECTORS).operands == (A, Literal(V8, lanes))


def test_truth_constants() -> None:
    instr = first(
        "%x = xor <8 x i1> %c, <i1 true, i1 false, i1 true, i1 true, i1 false, i1 poison, i1 true, i1 true>",
        VECTORS,
    )
    assert instr.operands[1] == lit(VectorType(8, IntType(1)), 1, 0, 1, 1, 0, "poison", 1, 1)


def test_a_lane_that_is_an_expression_is_a_symbol() -> None:
    instr = first(
        "%x = xor <2 x i64> <i64 ptrtoint (ptr @g to i64), i64 1>, splat (i64 3)",
        "ptr %p",
        tail="@g = external global i8",
    )
    assert isinstance(instr.operands[0], Symbol) and instr.type == VectorType(2, IntType(64))


I1, I8, I32, I64 = IntType(1), IntType(8), IntType(32), IntType(64)


@pytest.mark.parametrize(
    ("line", "kind", "operands"),
    [
        ("icmp sle <8 x i16> %a, %b", VectorType(8, I1), (A, B)),
        (
            "select <8 x i1> %c, <8 x i16> %a, <8 x i16> %b",
            V8,
            (Local("c", VectorType(8, I1)), A, B),
        ),
        ("sext <8 x i16> %a to <8 x i32>", VectorType(8, I32), (A,)),
        ("bitcast <8 x i16> %a to <16 x i8>", VectorType(16, I8), (A,)),
        ("freeze <8 x i16> %a", V8, (A,)),
        ("extractelement <8 x i16> %a, i64 3", IntType(16), (A, lit(I64, 3))),
        ("insertelement <8 x i16> %a, i16 -7, i32 %n", V8, (A, lit(IntType(16), 65529), N)),
        ("load <4 x i8>, ptr %p, align 4", VectorType(4, I8), (P,)),
        (
            "getelementptr inbounds [8 x i16], ptr %p, i64 0, i32 %n",
            PtrType(),
            (Symbol("[8 x i16]", OtherType("[8 x i16]")), P, lit(I64, 0), N),
        ),
        ("alloca <8 x i16>, align 32", PtrType(), (Symbol("<8 x i16>", V8),)),
        ("trunc i32 %n to i8", I8, (N,)),
    ],
)
def test_other_instructions(line: str, kind: Type, operands: tuple[Operand, ...]) -> None:
    instr = first(f"%x = {line}", VECTORS)
    assert (instr.type, instr.operands, instr.known) == (kind, operands, True)


def test_predicates_and_alignment() -> None:
    assert first("%x = icmp sge <8 x i16> %a, %b", VECTORS).predicate == "sge"
    assert first("%x = load <8 x i16>, ptr %p, align 2", VECTORS).align == 2
    store = first("store <8 x i16> %a, ptr %p, align 64", VECTORS)
    assert (store.name, store.align, store.operands, store.type) == (
        "",
        64,
        (A, P),
        OtherType("void"),
    )


@pytest.mark.parametrize(
    ("mask", "want"),
    [
        (
            "<8 x i32> <i32 0, i32 8, i32 poison, i32 9, i32 2, i32 undef, i32 15, i32 3>",
            (0, 8, None, 9, 2, None, 15, 3),
        ),
        ("<4 x i32> zeroinitializer", (0, 0, 0, 0)),
        ("<2 x i32> poison", (None, None)),
        ("<16 x i32> splat (i32 3)", (3,) * 16),
    ],
)
def test_shuffle_masks(mask: str, want: tuple[int | None, ...]) -> None:
    instr = first(f"%x = shufflevector <8 x i16> %a, <8 x i16> %b, {mask}", VECTORS)
    assert (instr.mask, instr.type, instr.operands) == (
        want,
        VectorType(len(want), IntType(16)),
        (A, B),
    )


def test_calls() -> None:
    line = "%x = tail call noundef range(i16 0, 9) <8 x i16> @llvm.umin.v8i16(<8 x i16> noundef %a, <8 x i16> splat (i16 255)), !srcloc !0"
    instr = first(
        line,
        VECTORS,
        tail="declare <8 x i16> @llvm.umin.v8i16(<8 x i16>, <8 x i16>)\n!0 = !{i64 5}",
    )
    assert instr.callee == "llvm.umin.v8i16" and instr.known and instr.type == V8
    assert instr.operands == (A, Literal(V8, (255,) * 8))
    assert instr.attributes == ("noundef", "range(i16 0, 9)", "noundef @0")
    assert instr.metadata == (("srcloc", "!0"),) and "tail" in instr.flags


def test_loops_labels_and_phis() -> None:
    body = "  br label %l\nl:\n  %i = phi i32 [ 0, %0 ], [ %j, %l ]\n  %j = add i32 %i, 1\n  %c = icmp ult i32 %j, 9\n  br i1 %c, label %l, label %x\nx:"
    function = parsed(body, "")
    assert [b.label for b in function.blocks] == ["0", "l", "x"]
    phi = function.blocks[1].instrs[0]
    label = OtherType("label")
    assert phi.operands == (lit(I32, 0), Symbol("%0", label), Local("j", I32), Symbol("%l", label))
    assert function.blocks[1].instrs[-1].operands == (
        Local("c", I1),
        Symbol("%l", label),
        Symbol("%x", label),
    )


def test_unnamed_values_number_the_entry() -> None:
    function = parsed(
        "  %4 = add i32 %0, %1\n  %5 = mul i32 %4, %x", "i32 %0, i32 %1, i32 %x, ptr %2"
    )
    assert [a.name for a in function.arguments] == ["0", "1", "x", "2"] and function.blocks[
        0
    ].label == "3"


def test_module_properties() -> None:
    module = parse_module(binding.normalise(SINK))
    many = module.functions[0]
    assert module.triple == "x86_64-pc-linux-gnu" and module.layout.startswith("e-m:e")
    assert module.declarations == {"varargs", "mayfail", "pers", "llvm.assume"}
    assert many.type == I32 and [a.name for a in many.arguments] == ["p", "n", "fv", "fp"]
    assert many.arguments[0].attributes == ("noundef", "readonly", "align 16", "captures(none)")
    wanted = {
        "nounwind": "",
        "uwtable": "sync",
        "memory": "argmem: read",
        "target-cpu": "haswell",
        "plain-flag": "",
        "target-features": "+avx2,+fma",
    }
    assert dict(many.attributes) == wanted
    assert (
        module.lines[many.first].startswith("define range(i32 0, 9) i32 @many(")
        and module.lines[many.last] == "}"
    )
    assert [b.label for b in many.blocks] == ["entry", "one", '"block two"', "pad", "other"]


UNKNOWN = {"at", "cx", "cv", "as", "ic", "vl", "al", "iv", "lp", "l2", "va"}


def test_what_is_not_understood_is_kept_with_type_and_uses() -> None:
    many = parse_module(binding.normalise(SINK)).functions[0]
    instrs = {i.name: i for b in many.blocks for i in b.instrs if i.name}
    assert {name for name, i in instrs.items() if not i.known} == UNKNOWN
    types = {name: str(instrs[name].type) for name in UNKNOWN}
    integers = dict.fromkeys(("at", "as", "ic", "vl", "al", "iv", "va"), "i32")
    assert types == integers | {
        "cx": "{ i32, i1 }",
        "cv": "i1",
        "lp": "{ ptr, i32 }",
        "l2": "{ ptr, i32 }",
    }
    assert {o.name for o in instrs["cx"].operands if isinstance(o, Local)} == {"p", "at"}
    assert {o.name for o in instrs["ic"].operands if isinstance(o, Local)} == {"as", "p", "fp"}
    assert all(o.type == I32 for o in instrs["as"].operands)
    assumption = next(i for b in many.blocks for i in b.instrs if i.callee == "llvm.assume")
    assert not assumption.known and Local("p", PtrType()) in assumption.operands


def test_floats_are_passed_on() -> None:
    instrs = {
        i.name: i
        for b in parse_module(binding.normalise(SINK)).functions[0].blocks
        for i in b.instrs
        if i.name
    }
    assert (
        instrs["fa"].known
        and instrs["fa"].flags == {"nnan", "contract"}
        and instrs["fa"].type == VectorType(4, OtherType("float"))
    )
    assert instrs["fc"].type == VectorType(4, I1) and instrs["fi"].type == VectorType(4, I32)
    assert instrs["fs"].operands[2] == Symbol(
        "splat (float 2.000000e+00)", VectorType(4, OtherType("float"))
    )


def test_scalable_vectors_are_other_types() -> None:
    scalable = parse_module(binding.normalise(SINK)).functions[1]
    b, c, d, _ = scalable.blocks[0].instrs
    assert str(b.type) == str(d.type) == "<vscale x 4 x i32>" and str(c.type) == "<vscale x 4 x i1>"
    assert isinstance(b.type, OtherType)


def test_debug_records() -> None:
    body = "  %x = add <8 x i16> %a, %b, !dbg !6\n    #dbg_value(<8 x i16> %x, !5, !DIExpression(), !6)"
    tail = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!7}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "x.c", directory: "/")
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "x", scope: !3)
!6 = !DILocation(line: 1, scope: !3)
!7 = !{i32 2, !"Debug Info Version", i32 3}
"""
    text = f"define void @f(<8 x i16> %a, <8 x i16> %b) !dbg !3 {{\n{body}\n  ret void, !dbg !6\n}}\n{tail}"
    x, record, _ = parse_module(binding.normalise(text)).functions[0].blocks[0].instrs
    assert x.metadata[0][0] == "dbg" and x.known
    assert (record.opcode, record.known, record.operands) == ("dbg", False, (Local("x", V8),))


def check_coverage(module: Module) -> None:
    """Every line of a body belongs to exactly one instruction, or is a label, blank or comment."""
    for function in module.functions:
        taken: dict[int, str] = {}
        for block in function.blocks:
            for instr in block.instrs:
                for k, line in enumerate(instr.text.split("\n")):
                    assert instr.line + k not in taken
                    taken[instr.line + k] = line
        labels = 0
        for number in range(function.first + 1, function.last):
            line = module.lines[number]
            if number in taken:
                assert taken[number] == line
            elif line.strip() and not line.strip().startswith(";"):
                assert re.match(r'("[^"]*"|[-\w$.]+):', line), line
                labels += 1
        assert labels <= len(function.blocks) <= labels + 1


def test_every_line_is_accounted_for() -> None:
    check_coverage(parse_module(binding.normalise(SINK)))


def test_one_function_of_interest_is_read_as_among_the_others() -> None:
    whole = parse_module(text := binding.normalise(SINK))
    for function in whole.functions:
        alone = parse_module(text, frozenset((function.name,)))
        assert replace(alone, functions=()) == replace(whole, functions=())
        for mine, theirs in zip(alone.functions, whole.functions, strict=True):
            own = mine.name == function.name
            assert mine == (theirs if own else replace(theirs, blocks=()))


@settings(max_examples=150)
@given(st.data())
def test_never_raises_on_damaged_text(data: st.DataObject) -> None:
    lines = binding.normalise(SINK).split("\n")
    for _ in range(data.draw(st.integers(1, 4))):
        number = data.draw(st.integers(0, len(lines) - 1))
        line = lines[number]
        start = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(start, min(len(line), start + 8)))
        lines[number] = (
            line[:start] + data.draw(st.text('%@!#<>{}[]()",= \tx0-i8', max_size=4)) + line[end:]
        )
    module = parse_module("\n".join(lines))
    assert list(module.lines) == "\n".join(lines).removesuffix("\n").split("\n")


@settings(max_examples=100)
@given(st.text('define void @f() {\n}%x=call<8 xi1>,;:"', max_size=200))
def test_never_raises_on_any_text(text: str) -> None:
    parse_module(text)
    parse_module(f"define void @f() {{\n{text}\n}}\n")
