"""Changes found in what LLVM printed, put into text that says the same in other numbers and
older words.
"""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.splicing.own import NotPlaced, check_same, in_own_lines
from frontends.llvm.splicing.write import Edits, edit
from frontends.llvm.text.parse import parse_module

OWN = """\
; the user's own
define <4 x i32> @f(<4 x i32> noundef %0, <4 x i32> %1) #7 !dbg !20 {
  call void @llvm.dbg.value(metadata <4 x i32> %0, metadata !22, metadata !DIExpression()), !dbg !24
  %3 = add <4 x i32>  %0, <i32 1, i32 1, i32 1, i32 1>, !dbg !24
  call void @llvm.dbg.value(metadata <4 x i32> %3, metadata !22, metadata !DIExpression()), !dbg !24
  br label %4

4:                                                ; preds = %2
  %5 = mul <4 x i32> %3, %1, !dbg !25   ; a comment
  ret <4 x i32> %5, !dbg !25
}

define   <4 x i32>   @g(<4 x i32> %x)   {
  ret <4 x i32>   %x
}

declare void @llvm.dbg.value(metadata, metadata, metadata)
attributes #7 = { nounwind readnone "target-cpu"="haswell" }
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!12}
!10 = distinct !DICompileUnit(language: DW_LANG_C11, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "a.c", directory: "/")
!12 = !{i32 2, !"Debug Info Version", i32 3}
!20 = distinct !DISubprogram(name: "f", scope: !11, file: !11, line: 1, type: !21, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !10)
!21 = !DISubroutineType(types: !23)
!22 = !DILocalVariable(name: "x", arg: 1, scope: !20, file: !11, line: 1)
!23 = !{null}
!25 = !DILocation(line: 2, column: 3, scope: !20)
!24 = !DILocation(line: 3, column: 3, scope: !20)
"""
SOURCE = parse_module(normalise(OWN, "a.ll"))


def line_of(text: str) -> int:
    f = SOURCE.functions[0]
    return next(k for k in range(f.last - f.first) if text in SOURCE.lines[f.first + k])


def changed() -> dict[str, Edits]:
    """Both operations become one call; the record of the first loses its value."""
    f = SOURCE.functions[0]
    node = SOURCE.lines[f.first + line_of(" = mul")].rpartition("!dbg ")[2]
    record = SOURCE.lines[f.first + line_of("#dbg_value(<4 x i32> %3")]
    lines = {
        line_of(" = add"): (),
        line_of("#dbg_value(<4 x i32> %3"): (record.replace("%3", "poison"),),
        line_of(" = mul"): (
            f"  %isel.0 = freeze <4 x i32> %0, !dbg {node}",
            f"  %5 = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %isel.0, <4 x i32> %1), !dbg {node}",
        ),
    }
    return {
        "f": Edits(
            lines, {"llvm.umax.v4i32": "declare <4 x i32> @llvm.umax.v4i32(<4 x i32>, <4 x i32>)"}
        )
    }


def test_lines_go_where_the_user_has_them() -> None:
    text = in_own_lines(parse_module(OWN), SOURCE, changed())
    assert "; the user's own\n" in text
    assert "define   <4 x i32>   @g(<4 x i32> %x)   {\n  ret <4 x i32>   %x\n}\n" in text
    assert "metadata <4 x i32> poison, metadata !22" in text
    assert (
        "  %isel.0 = freeze <4 x i32> %0, !dbg !25\n  %5 = call <4 x i32> @llvm.umax.v4i32(<4 x i32> %isel.0, <4 x i32> %1), !dbg !25\n  ret"
        in text
    )
    assert "= add" not in text
    assert [line for line in OWN.splitlines() if line not in text.splitlines()] == [
        line
        for line in OWN.splitlines()
        if " = add" in line or " = mul" in line or "metadata <4 x i32> %3" in line
    ]
    whole = parse_module(normalise(edit(SOURCE, changed())))
    check_same(parse_module(normalise(text)), whole, changed())


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (
            "  %5 = mul <4 x i32> %3, %1, !dbg !25   ; a comment\n",
            "  %5 = mul <4 x i32> %3,\n    %1, !dbg !25\n",
            "LLVM makes other instructions of those of @f",
        ),
        (
            "define <4 x i32> @f",
            " define <4 x i32> @f",
            "@f is not laid out as LLVM prints functions",
        ),
        (
            "  br label %4\n",
            "  %9 = freeze i32 0\n  br label %4\n",
            "LLVM makes other instructions of those of @f",
        ),
        ("%3, %1, !dbg !25", "%3, %1", "has metadata that no line of the text has"),
    ],
)
def test_what_cannot_be_placed_is_said(before: str, after: str, why: str) -> None:
    own = OWN.replace(before, after)
    if "metadata" in why:
        own = own.replace("ret <4 x i32> %5, !dbg !25", "ret <4 x i32> %5")
    assert own != OWN
    with pytest.raises(NotPlaced, match=why):
        in_own_lines(parse_module(own), SOURCE, changed())


def test_what_llvm_reads_otherwise_is_not_taken() -> None:
    whole = parse_module(normalise(edit(SOURCE, changed())))
    text = in_own_lines(parse_module(OWN), SOURCE, changed()).replace(
        "(<4 x i32> %isel.0, <4 x i32> %1)", "(<4 x i32> %1, <4 x i32> %isel.0)"
    )
    with pytest.raises(NotPlaced, match="LLVM reads something else of @f"):
        check_same(parse_module(normalise(text)), whole, changed())
