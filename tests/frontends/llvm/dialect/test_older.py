"""Rows of text in and out; what is inside of names, strings and comments stays."""

from __future__ import annotations

import pytest

from frontends.llvm.dialect.known import FILE, since
from frontends.llvm.dialect.older import older
from frontends.llvm.linked import binding
from isel.errors import TooNew

X86 = 'target triple = "x86_64-unknown-linux-gnu"\n'


def function(line: str, parameters: str = "ptr %p, i32 %x, i32 %y, <4 x i32> %v, double %d") -> str:
    return f"define void @f({parameters}) {{\n  {line}\n  ret void\n}}\n"


# What, the last version that needs the older words, before, after.
ATTRIBUTES = (
    ("captures(none)", 19, "ptr captures(none) %p", "ptr nocapture %p"),
    ("captures with something", 19, "ptr captures(address, read_provenance) %p", "ptr %p"),
    ("several", 17, "ptr noundef writable dead_on_unwind nocapture %p", "ptr noundef nocapture %p"),
    ("initializes", 18, "ptr noundef initializes((0, 4), (8, 12)) %p", "ptr noundef %p"),
    ("range", 18, "i32 noundef range(i32 -1, 5) %x", "i32 noundef %x"),
    ("dead_on_return", 20, "ptr dead_on_return %p", "ptr %p"),
    ("nofpclass", 16, "float nofpclass(nan inf) %d", "float %d"),
)


@pytest.mark.parametrize(("what", "last", "before", "after"), ATTRIBUTES)
def test_attributes_of_parameters(what: str, last: int, before: str, after: str) -> None:
    text = function("", before)
    assert older(text, last) == function("", after)
    assert older(text, last + 1) == text


GROUPS = (
    (
        "nocreateundeforpoison",
        21,
        "nounwind nocreateundeforpoison willreturn",
        "nounwind willreturn",
    ),
    ("no memory", 15, "memory(none)", "readnone"),
    ("reads", 15, "nounwind memory(read)", "nounwind readonly"),
    ("arguments", 15, "memory(argmem: readwrite) nounwind", "argmemonly nounwind"),
    ("reads arguments", 15, "memory(argmem: read)", "argmemonly readonly"),
    ("hidden", 15, "memory(inaccessiblemem: write)", "inaccessiblememonly writeonly"),
    (
        "both",
        15,
        "memory(argmem: read, inaccessiblemem: readwrite)",
        "inaccessiblemem_or_argmemonly",
    ),
    ("all but arguments", 15, "nounwind memory(readwrite, argmem: none)", "nounwind"),
    ("errno", 20, "memory(errnomem: write)", "memory(write, argmem: none, inaccessiblemem: none)"),
    (
        "errno beside reads",
        20,
        "memory(read, errnomem: write)",
        "memory(readwrite, argmem: read, inaccessiblemem: read)",
    ),
    ("errno in 15", 15, "memory(argmem: read, errnomem: write)", ""),
    (
        "strings",
        15,
        '"a"="memory(none) captures(none)" nounwind',
        '"a"="memory(none) captures(none)" nounwind',
    ),
)


@pytest.mark.parametrize(("what", "last", "before", "after"), GROUPS)
def test_attribute_groups(what: str, last: int, before: str, after: str) -> None:
    said = older(f"attributes #0 = {{ {before} }}\n", last)
    assert " ".join(said.split()) == f"attributes #0 = {{ {f'{after} ' if after else ''}}}"
    if what != "errno in 15" and before != after:
        assert (
            older(f"attributes #0 = {{ {before} }}\n", last + 1)
            == f"attributes #0 = {{ {before} }}\n"
        )


PARTIAL = "llvm.vector.partial.reduce.add.v4i32.v16i32"
DOT_PRODUCT = """%isel.old.0 = bitcast <16 x i8> %a to <4 x i32>
  %r = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %v, <4 x i32> %isel.old.0, <4 x i32> noundef bitcast (<16 x i8> splat (i8 1) to <4 x i32>))"""
LINES = (
    ("trunc", 18, "%r = trunc nuw nsw i32 %x to i8", "%r = trunc i32 %x to i8"),
    ("zext", 17, "%r = zext nneg i32 %x to i64", "%r = zext i32 %x to i64"),
    ("or", 17, "%r = or disjoint i32 %x, %y", "%r = or i32 %x, %y"),
    ("icmp", 19, "%r = icmp samesign ult i32 %x, %y", "%r = icmp ult i32 %x, %y"),
    (
        "gep",
        18,
        "%r = getelementptr inbounds nuw i8, ptr %p, i64 4",
        "%r = getelementptr inbounds i8, ptr %p, i64 4",
    ),
    (
        "gep nusw",
        18,
        "%r = getelementptr nusw nuw i8, ptr %p, i64 4",
        "%r = getelementptr i8, ptr %p, i64 4",
    ),
    ("fptrunc", 19, "%r = fptrunc nnan double %d to float", "%r = fptrunc double %d to float"),
    ("old flags stay", 15, "%r = add nuw nsw i32 %x, %y", "%r = add nuw nsw i32 %x, %y"),
    (
        "splat",
        17,
        "%r = add <4 x i32> %v, splat (i32 7)",
        "%r = add <4 x i32> %v, <i32 7, i32 7, i32 7, i32 7>",
    ),
    (
        "splat behind an attribute",
        17,
        "call void @g(<2 x i8> noundef splat (i8 1))",
        "call void @g(<2 x i8> noundef <i8 1, i8 1>)",
    ),
    (
        "splat behind a constant of another length",
        17,
        "%r = add <2 x i64> bitcast (<4 x i32> splat (i32 1) to <2 x i64>), splat (i64 2)",
        "%r = add <2 x i64> bitcast (<4 x i32> <i32 1, i32 1, i32 1, i32 1> to <2 x i64>), <i64 2, i64 2>",
    ),
    ("a name", 15, "%captures = add i32 %splat, %range", "%captures = add i32 %splat, %range"),
    ("a label", 15, "br label %captures\ncaptures:", "br label %captures\ncaptures:"),
    ("a comment", 15, "; or disjoint captures(none)", "; or disjoint captures(none)"),
    (
        "a string",
        15,
        'call void asm "# zext nneg splat (i32 1)", ""()',
        'call void asm "# zext nneg splat (i32 1)", ""()',
    ),
    ("a quoted name", 15, 'call void @"or disjoint"()', 'call void @"or disjoint"()'),
    (
        "a masked load",
        21,
        "%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 8 %p, <4 x i1> %m, <4 x i32> poison)",
        "%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 8, <4 x i1> %m, <4 x i32> poison)",
    ),
    (
        "a masked store without alignment",
        21,
        "call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, <4 x i1> %m)",
        "call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 1, <4 x i1> %m)",
    ),
    (
        "a masked load of before",
        21,
        "%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 8, <4 x i1> %m, <4 x i32> poison)",
        "%r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 8, <4 x i1> %m, <4 x i32> poison)",
    ),
    (
        "a dot product",
        21,
        "%r = call <4 x i32> @llvm.x86.avx512.vpdpbusd.128(<4 x i32> %v, <16 x i8> %a, <16 x i8> noundef splat (i8 1))",
        DOT_PRODUCT,
    ),
    (
        "reverse",
        18,
        "%r = call <4 x i32> @llvm.vector.reverse.v4i32(<4 x i32> %v)",
        "%r = call <4 x i32> @llvm.experimental.vector.reverse.v4i32(<4 x i32> %v)",
    ),
    (
        "interleave2",
        18,
        "%r = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %v, <4 x i32> %v)",
        "%r = call <8 x i32> @llvm.experimental.vector.interleave2.v8i32(<4 x i32> %v, <4 x i32> %v)",
    ),
    (
        "a partial sum",
        21,
        "%r = call <4 x i32> @llvm.vector.partial.reduce.add.v4i32.v16i32(<4 x i32> %v, <16 x i32> %w)",
        "%r = call <4 x i32> @llvm.experimental.vector.partial.reduce.add.v4i32.v16i32(<4 x i32> %v, <16 x i32> %w)",
    ),
)


@pytest.mark.parametrize(("what", "last", "before", "after"), LINES)
def test_lines(what: str, last: int, before: str, after: str) -> None:
    assert older(function(before), last) == function(after)
    if before != after:
        assert older(function(before), last + 1) == function(before)


@pytest.mark.parametrize(
    ("first", "name", "before"),
    [
        (17, "llvm.vector.interleave2.v8i32", "llvm.experimental.vector.interleave2.v8i32"),
        (19, PARTIAL, PARTIAL.replace("vector", "experimental.vector", 1)),
    ],
)
def test_an_older_name_has_a_first_version_too(first: int, name: str, before: str) -> None:
    call = "%r = call <8 x i32> @{}(<4 x i32> %v)"
    assert older(function(call.format(name)), first) == function(call.format(before))
    for either in (name, before):
        with pytest.raises(TooNew):
            older(function(call.format(either)), first - 1)


def test_a_lifetime_has_the_size_of_its_object() -> None:
    text = (
        'target datalayout = "e-i64:64"\n%s = type { i32, i64 }\n'
        "define void @f() {\n  %a = alloca [3 x i16], align 2\n  %b = alloca %s, i32 2, align 8\n  %c = alloca i8, i32 %n\n"
        "  call void @llvm.lifetime.start.p0(ptr nonnull %a)\n  call void @llvm.lifetime.start.p0(ptr %b)\n  call void @llvm.lifetime.end.p0(ptr %c)\n"
        "  ret void\n}\ndeclare void @llvm.lifetime.start.p0(ptr captures(none))\n"
    )
    said = older(text, 21)
    assert "start.p0(i64 6, ptr nonnull %a)" in said
    assert "start.p0(i64 32, ptr %b)" in said
    assert "end.p0(i64 -1, ptr %c)" in said
    assert "declare void @llvm.lifetime.start.p0(i64, ptr captures(none))" in said
    assert older(said, 21) == said


def test_declarations_that_reading_left_behind_are_left_out() -> None:
    assert (
        older("declare void @llvm.lifetime.start.i64(i64) #1\n\n@x = global i32 0\n", 15)
        == "\n\n@x = global i32 0\n"
    )


def test_records_are_calls() -> None:
    text = "define void @f(i32 %x) {\n    #dbg_value(!DIArgList(i32 %x, i32 %x), !8, !DIExpression(DW_OP_deref), !DILocation(line: 1, scope: !5))\n  ret void\n}\n"
    said = older(text, 18)
    assert (
        "    call void @llvm.dbg.value(metadata !DIArgList(i32 %x, i32 %x), metadata !8, metadata !DIExpression(DW_OP_deref)), "
        "!dbg !DILocation(line: 1, scope: !5)\n" in said
    )
    assert said.endswith("\ndeclare void @llvm.dbg.value(metadata, metadata, metadata)\n")
    assert older(text, 19) == text


def test_assignments_are_values_in_15() -> None:
    text = (
        function("#dbg_assign(i32 %x, !8, !DIExpression(), !9, ptr %p, !DIExpression(), !7)")
        + "!9 = distinct !DIAssignID()\n"
    )
    assert (
        "call void @llvm.dbg.value(metadata i32 %x, metadata !8, metadata !DIExpression()), !dbg !7\n"
        in older(text, 15)
    )
    assert "!9 = distinct !{}\n" in older(text, 15)
    assert "metadata !9, metadata ptr %p, metadata !DIExpression()), !dbg !7\n" in older(text, 16)


def test_fields_of_debug_information() -> None:
    text = "!1 = !DILocation(line: 1, column: 2, scope: !5, atomGroup: 1, atomRank: 2)\n"
    assert older(text, 20) == "!1 = !DILocation(line: 1, column: 2, scope: !5)\n"
    assert older(text, 21) == text


def test_where_branch_weights_are_from() -> None:
    text = '!1 = !{!"branch_weights", !"expected", i32 1, i32 2}\n'
    assert older(text, 18) == '!1 = !{!"branch_weights", i32 1, i32 2}\n'
    assert older(text, 19) == text


def test_numbers_have_no_gaps() -> None:
    text = """define i32 @f(i32 %0, i32 noundef %1) {
  %5 = add i32 %0, %1
  br label %7

7:                                                ; preds = %2
  %9 = phi i32 [ %5, %2 ]
  %x = call i32 @f(i32 %9, i32 7)
  ret i32 %9
}
"""
    said = older(text, 17)
    assert "%3 = add i32 %0, %1\n  br label %4\n\n4: " in said
    assert "%5 = phi i32 [ %3, %2 ]\n  %x = call i32 @f(i32 %5, i32 7)\n  ret i32 %5" in said
    assert older(said, 17) == said
    assert older(text, 18) == text


def test_numbers_are_not_changed_where_more_than_a_function_has_them() -> None:
    text = "define i32 @f(i32 %0) {\n  %5 = add i32 %0, 1\n  ret i32 %5\n}\n"
    with pytest.raises(TooNew):
        older(f"%0 = type {{ i32 }}\n{text}", 17)
    with pytest.raises(TooNew):
        older(f"{text}@p = global ptr blockaddress(@f, %1)\n", 17)


MACHINES = (
    (
        18,
        '"target-cpu"="znver5" "target-features"="+avx2"',
        '"target-cpu"="znver4" "target-features"="+avx2"',
    ),
    (
        15,
        '"target-cpu"="znver5" "target-features"="+avx2,+avxifma" "tune-cpu"="meteorlake"',
        '"target-cpu"="znver3" "target-features"="+avx2" "tune-cpu"="alderlake"',
    ),
    (17, '"target-features"="+avx512f,-avx10.2-512"', '"target-features"="+avx512f"'),
    (18, '"target-features"="+avx512f"', '"target-features"="+evex512,+avx512f"'),
    (19, '"target-features"="+avx512f,-evex512"', '"target-features"="+avx512f,-evex512"'),
)


@pytest.mark.parametrize(("version", "before", "after"), MACHINES)
def test_cpus_and_features(version: int, before: str, after: str) -> None:
    assert (
        older(f"{X86}attributes #0 = {{ {before} }}\n", version)
        == f"{X86}attributes #0 = {{ {after} }}\n"
    )


LAYOUT = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-S128"\n'


def test_layouts() -> None:
    text = f"{LAYOUT}{X86}define i128 @f(i128 %x) {{\n  ret i128 %x\n}}\n"
    assert "e-m:e-i64:64-f80:128-S128" in older(text, 17)
    assert older(text, 18) == text


REFUSED = (
    (14, "", "pointers without types"),
    (21, function("%r = ptrtoaddr ptr %p to i64"), "'ptrtoaddr'"),
    (18, function("%r = call i32 @llvm.ucmp.i32.i32(i32 %x, i32 %y)"), "@llvm.ucmp.i32.i32"),
    (
        18,
        function("%r = call <4 x i32> @llvm.ppc.foo(<4 x i32> %v)"),
        "@llvm.ppc.foo",
    ),
    (
        15,
        function("%r = call <4 x i32> @llvm.aarch64.sve.addqv.v4i32.nxv4i32(<4 x i32> %v)"),
        "@llvm.aarch64.sve.addqv.v4i32.nxv4i32",
    ),
    (15, f'{X86}define void @f() "target-cpu"="znver4" {{\n  ret void\n}}\n', "the CPU 'znver4'"),
    (17, f"{LAYOUT}{X86}%s = type {{ i64, i128 }}\n", "where an i128 is in a structure"),
    (17, f"{LAYOUT}{X86}@x = global i72 0\n", "where an i72 is in memory"),
    (17, function("%r = add <vscale x 4 x i32> %v, splat (i32 1)"), "'splat' of a scalable vector"),
    (20, "attributes #0 = { memory(target_mem0: write) }\n", "'target_mem0'"),
    (
        15,
        function("%r = call ptr @llvm.threadlocal.address.p0(ptr @x)"),
        "@llvm.threadlocal.address.p0",
    ),
    (19, "attributes #0 = { sanitize_type }\n", "'sanitize_type'"),
    (18, function(f"%r = call <4 x i32> @{PARTIAL}(<4 x i32> %v, <16 x i32> %w)"), f"@{PARTIAL}"),
    (
        16,
        function("%r = call <8 x i32> @llvm.vector.interleave2.v8i32(<4 x i32> %v, <4 x i32> %v)"),
        "@llvm.vector.interleave2.v8i32",
    ),
    (
        16,
        function("%r = call {<2 x i32>, <2 x i32>} @llvm.vector.deinterleave2.v4i32(<4 x i32> %v)"),
        "@llvm.vector.deinterleave2.v4i32",
    ),
)


@pytest.mark.parametrize(("version", "text", "what"), REFUSED)
def test_what_cannot_be_said_is_refused(version: int, text: str, what: str) -> None:
    with pytest.raises(TooNew) as caught:
        older(text, version)
    assert caught.value.message() == f"LLVM {version} does not know {what}"


def test_the_table_lists_names_that_came_later() -> None:
    assert FILE.read_text().startswith("# what LLVM 22.")
    assert (
        since("llvm.abs.v4i32"),
        since("llvm.powi.f32.i32"),
        since("llvm.ucmp.i8.i32"),
        since("llvm.exp10.f32"),
    ) == (15, 15, 19, 18)


def test_what_was_said_in_older_words_is_read_back() -> None:
    """LLVM 22 reads the text for 15 as what it had written, but for what was left out."""
    text = (
        "define <4 x i32> @f(<4 x i32> %v, ptr captures(none) %p, <4 x i1> %m) #0 {\n"
        "  %a = add <4 x i32> %v, splat (i32 1)\n"
        "  %b = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> %m, <4 x i32> %a)\n"
        "  ret <4 x i32> %b\n}\n"
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr captures(none), <4 x i1>, <4 x i32>)\n"
        "attributes #0 = { memory(argmem: read) }\n"
    )
    assert binding.normalise(older(text, 15)) == binding.normalise(text)
