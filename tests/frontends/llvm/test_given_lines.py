"""Lines of the user's file: comments, blank lines, calls over several lines, names, records of
the debugger, and what LLVM rewrites as it reads.
"""

from __future__ import annotations

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.given import lines_of
from tests.frontends.llvm.test_opt import CASES, source

TEXT = """\
; a comment with define void @no() {

declare void @callee(ptr, i32)
declare void @llvm.dbg.value(metadata, metadata, metadata)

define i32 @second(i32 %a) { ; of one block

entry: %x = add i32 %a, 1 ; FIRST
  ; nothing
  switch i32 %x, label %far [
    i32 1, label %near
    i32 2, label %far
  ]
near:
  call void @callee(
     ptr null,
     i32 7)
  br label %far
far:
  %1 = mul i32 %x,
     3
  %y = sub i32 %1, %a ; LAST
  ret i32 %y
}
define void @"first one"() {
  %p = alloca i32
  tail call void @callee(ptr %p, i32 8) ; CALL
  ret void
}
"""


def paired(given: str) -> list[tuple[str, str]]:
    """Return each printed line that has one, with the user's line."""
    printed, rows = normalise(given).split("\n"), given.split("\n")
    return [
        (printed[a - 1].strip(), rows[b - 1].strip())
        for a, b in lines_of("\n".join(printed), given).items()
    ]


def test_each_instruction_has_its_line() -> None:
    assert paired(TEXT) == [
        ("%x = add i32 %a, 1", "entry: %x = add i32 %a, 1 ; FIRST"),
        ("switch i32 %x, label %far [", "switch i32 %x, label %far ["),
        ("call void @callee(ptr null, i32 7)", "call void @callee("),
        ("br label %far", "br label %far"),
        (
            "%0 = mul i32 %x, 3",
            "%1 = mul i32 %x,",
        ),  # LLVM numbers from 0 where the block has a name
        ("%y = sub i32 %0, %a", "%y = sub i32 %1, %a ; LAST"),
        ("ret i32 %y", "ret i32 %y"),
        ("%p = alloca i32, align 4", "%p = alloca i32"),
        ("tail call void @callee(ptr %p, i32 8)", "tail call void @callee(ptr %p, i32 8) ; CALL"),
        ("ret void", "ret void"),
    ]


def test_what_llvm_rewrites_leaves_names() -> None:
    """An intrinsic of an older LLVM becomes several instructions: what has a name is found by
    it, what has none is not.
    """
    old = """\
declare <16 x i8> @llvm.x86.sse2.psubus.b(<16 x i8>, <16 x i8>)
declare <2 x i64> @llvm.x86.sse41.pmuldq(<4 x i32>, <4 x i32>)
define <16 x i8> @f(<16 x i8> %a, <4 x i32> %b) {

  %1 = call <2 x i64> @llvm.x86.sse41.pmuldq(<4 x i32> %b, <4 x i32> %b)
  %named = add <16 x i8> %a, %a
  %2 = add <16 x i8> %named, %a
  ret <16 x i8> %2
}
"""
    assert paired(old) == [("%named = add <16 x i8> %a, %a", "%named = add <16 x i8> %a, %a")]


def test_lines_of_what_llvm_printed_are_their_own() -> None:
    for name in CASES:
        printed = normalise(source(name))
        found = lines_of(printed, printed)
        assert found and all(a == b for a, b in found.items())


def test_of_all_cases_only_records_have_no_line() -> None:
    for name in CASES:
        printed = normalise(source(name)).split("\n")
        found = lines_of("\n".join(printed), source(name))
        results = [k for k, row in enumerate(printed, 1) if row.startswith("  %")]
        assert results and set(results) <= found.keys()


def test_nothing_is_found_in_another_text() -> None:
    assert lines_of(normalise(TEXT), "define void @other() {\n  ret void\n}\n") == {}
