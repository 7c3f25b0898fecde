"""Bodies of one module in place of those of another, and what is left out with a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontends.autollvm.bodies import take, take_all, without
from frontends.autollvm.formulas import by_formulas
from frontends.autollvm.module import Aim
from frontends.autollvm.places import Places
from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from semantics import target_named

HEAD = 'target triple = "x86_64-unknown-linux-gnu"\n'
BASE = normalise(f"""\
{HEAD}@table = private constant [2 x i32] [i32 1, i32 2]
@state = internal global i32 0

declare void @seen(i32) #1

define i32 @f(i32 %x) #0 {{
  %v = load i32, ptr @state, align 4
  %r = add i32 %x, %v
  call void @seen(i32 %r)
  ret i32 %r
}}

define internal i32 @own(i32 %x) {{
  ret i32 %x
}}

define i32 @g(i32 %x) {{
  %r = call i32 @own(i32 %x)
  ret i32 %r
}}

define i32 @h(i32 %x) {{
  %r = call i32 @g(i32 %x)
  ret i32 %r
}}

attributes #0 = {{ nounwind }}
attributes #1 = {{ cold }}
""")
OTHER = """\
@table = private constant [2 x i32] [i32 1, i32 2]
@more = private constant [2 x i32] [i32 3, i32 4]
@state = internal global i32 0
%pair = type { i32, i32 }

declare void @seen(i32)
declare i32 @llvm.smax.i32(i32, i32)

define i32 @f(i32 %x) #0 {
  %m = load i32, ptr @more, align 4, !tbaa !0
  %p = getelementptr %pair, ptr @state, i64 0, i32 0
  %v = load i32, ptr %p, align 4
  %s = add i32 %v, %x
  %r = call i32 @llvm.smax.i32(i32 %s, i32 %m) #1
  call void @seen(i32 %r)
  ret i32 %r
}

attributes #0 = { memory(readwrite) "kind"="other" }
attributes #1 = { nounwind }
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2}
!2 = !{!"root"}
"""


def test_a_body_brings_what_it_reads() -> None:
    done = take(BASE, normalise(HEAD + OTHER), "f")
    assert done is not None and normalise(done) == done
    for line in ("@more = private", "%pair = type", "@llvm.smax.i32(i32 %s", '"kind"="other"'):
        assert line in done
    assert "!tbaa" not in done and done.count("@table = ") == 1 and "cold" in done
    assert "define i32 @g" in done and take_all(BASE, normalise(HEAD + OTHER), ["f", "x"]) == done


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@state = internal global i32 0", "@state = internal global i32 7"),
        ("@more = private constant", "@more = private global"),
        ("declare void @seen(i32)", "define void @other(i32 %x) {\n  ret void\n}\n"),
        ("ptr @more, align", "ptr @table2, align"),
    ],
)
def test_what_a_module_has_otherwise_stays_away(old: str, new: str) -> None:
    """State that both modules have is one; what only the other has may not be written to."""
    other = OTHER.replace(old, new).replace(
        "@seen(i32 %r)", "@other(i32 %r)" if "other" in new else "@seen(i32 %r)"
    )
    other = other.replace("@more = ", "@table2 = global i32 0\n@more = ")
    assert take(BASE, normalise(HEAD + other), "f") is None
    assert take(BASE, "", "f") is None and take("", normalise(HEAD + OTHER), "f") is None


def test_a_body_is_proved_to_be_one() -> None:
    """What is taken from the module itself is what was there."""
    done = take(BASE, BASE, "f")
    assert done is not None
    a, b = parse_module(BASE), parse_module(done)
    answers = verify_report(a, b, target_named("x86"))
    assert len(answers) == 4 and all(isinstance(x.verdict, Proved) for x in answers)


def test_who_calls_a_static_function_goes_with_it() -> None:
    """A function that others can define is only declared; a static one takes its callers along."""
    text, more = without(BASE, {"own"})
    assert more == {"g": "@own"} and "define i32 @h" in text and "declare i32 @g(i32)" in text
    text, more = without(BASE, {"g"})
    assert not more and "define internal i32 @own" in text
    unused = BASE.replace("declare void", "declare i32 @llvm.smax.i32(i32, i32)\ndeclare void")
    assert "llvm.smax" not in without(normalise(unused), ())[0]


def test_the_first_call_without_code_is_named() -> None:
    text = f"""\
{HEAD}declare void @llvm.x86.sse2.maskmov.dqu(<16 x i8>, <16 x i8>, ptr)
declare <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16>, <8 x i16>)

define <16 x i8> @f(<8 x i16> %x) {{
  %r = call <16 x i8> @llvm.x86.sse2.packuswb.128(<8 x i16> %x, <8 x i16> %x)
  ret <16 x i8> %r
}}

define void @g(<16 x i8> %x, ptr %p) {{
  call void @llvm.x86.sse2.maskmov.dqu(<16 x i8> %x, <16 x i8> %x, ptr %p)
  ret void
}}
"""
    aim = Aim("aarch64-unknown-linux-gnu", "generic", "")
    done, missing = by_formulas(normalise(text), target_named("x86"), target_named("arm"), aim)
    assert {f: x.callee for f, x in missing.items()} == {"g": "llvm.x86.sse2.maskmov.dqu"}
    assert "call <16 x i8> @llvm.x86" not in done and "aarch64-unknown-linux-gnu" in done


def test_places_are_the_files_own(tmp_path: Path) -> None:
    """An instruction that a header has is where the file calls it; else the function is named."""
    text = f"""\
define void @f() !dbg !3 {{
  call void @a(), !dbg !5
  call void @b(), !dbg !8
  ret void
}}
declare void @a()
declare void @b()
!1 = !DIFile(filename: "in.c", directory: "{tmp_path}")
!2 = !DIFile(filename: "own.h", directory: "{tmp_path}")
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, unit: !0)
!4 = distinct !DISubprogram(name: "inner", scope: !2, file: !2, line: 3, unit: !0)
!5 = !DILocation(line: 4, column: 1, scope: !6, inlinedAt: !7)
!6 = distinct !DILexicalBlock(scope: !4, column: 1)
!7 = distinct !DILocation(line: 9, column: 1, scope: !3)
!8 = !DILocation(line: 0, scope: !3)
"""
    places = Places(text, "in.c", tmp_path)
    assert places.of("f", "@a(") == "in.c:9" and places.of("f", "@b(") == "in.c:7"
    assert places.of("g", "@a(") == "in.c"
