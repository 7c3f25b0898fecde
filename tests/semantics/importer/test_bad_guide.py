"""Files that are not what they should be: the mistake has a place and a reason, and everything
else is imported.
"""

from __future__ import annotations

import pytest

from semantics.x86.importer.run import import_list
from tests.semantics.importer.guide import Parameter, entry, guide, imported, instructions

RESULT: Parameter = ("__m128i", "dst", "UI16")
A: Parameter = ("__m128i", "a", "UI16")
GOOD = entry(
    "_mm_good", RESULT, [A], "FOR j := 0 to 7\n\ti := j*16\n\tdst[i+15:i] := a[i+15:i] + 1\nENDFOR"
)


@pytest.mark.parametrize(
    ("operation", "line", "what"),
    [
        ("dst[127:0] := FROB(a)", 19, "unknown function 'FROB'"),
        (
            "x := 1\nIF a[0]\n\tdst[127:0] := a",
            22,
            "the operation ends, expected 'ELSE' or 'ELSIF' or 'FI'",
        ),
        ("dst[127:0] := b[127:0]", 19, "unknown name 'b'"),
        ("dst[63:0] := a[63:0]", 20, "the result: bit 64, which nothing was assigned to"),
        ("dst[127:0] := a[3:7]", 19, "a slice of -3 bits"),
        (
            "FOR j := 0 to a[3:0]\nENDFOR",
            19,
            "a value that depends on an operand, expected a number",
        ),
    ],
)
def test_one_bad_operation(operation: str, line: int, what: str) -> None:
    found = imported(GOOD, entry("_mm_bad", RESULT, [A], operation))
    assert list(instructions(found)) == ["_mm_good"]
    (problem,) = found.problems
    assert problem.message() == f"guide.xml:{line}: error: _mm_bad: {what}"


def test_a_truncated_file_gives_what_precedes_the_break() -> None:
    text = guide(GOOD, GOOD.replace("_mm_good", "_mm_later"))
    found = import_list(text[: text.index("_mm_later") + 200].encode(), "cut.xml")
    assert list(instructions(found)) == ["_mm_good"]
    (problem,) = found.problems
    assert (
        problem.message().startswith("cut.xml:")
        and "_mm_later: " in problem.message()
        and "expected well-formed XML" in problem.message()
    )


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "<html><body/></html>",
            "x.xml:1: error: the file begins with <html>, expected <intrinsics_list>",
        ),
        (
            "not xml",
            "x.xml:1: error: syntax error, expected well-formed XML up to </intrinsics_list>",
        ),
        ("", "x.xml:1: error: no element found, expected well-formed XML up to </intrinsics_list>"),
        ("<intrinsics_list version='1'/>", "x.xml:1: error: no <intrinsic> in the file"),
    ],
)
def test_foreign_files(text: str, what: str) -> None:
    found = import_list(text.encode(), "x.xml")
    assert found.entries == () and [p.message() for p in found.problems] == [what]


def test_what_is_not_selected_is_no_mistake() -> None:
    pointer = entry(
        "_mm_load", RESULT, [("__m128i const*", "mem", "M128")], "dst[127:0] := MEM[mem+127:mem]"
    )
    floats = entry("_mm_float", ("__m128", "dst", "FP32"), [("__m128", "a", "FP32")], "dst := a")
    found = imported(GOOD, pointer, floats)
    assert (found.specified, found.vectors, found.problems) == (1, 1, ())


def test_the_same_bytes_for_any_number_of_workers() -> None:
    entries = [GOOD.replace("_mm_good", f"_mm_good{k}").replace("+ 1", f"+ {k}") for k in range(60)]
    data = guide(*entries).encode()
    assert import_list(data, "g.xml", jobs=1).files == import_list(data, "g.xml", jobs=2).files
