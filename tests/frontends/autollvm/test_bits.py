"""Floating-point types that only carry bits, as integers."""

from __future__ import annotations

import pytest

from frontends.autollvm.bits import without_floats
from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from semantics import target_named

HALVES = """\
define <4 x i32> @f(ptr %p, i1 %c) {
  %v = load <2 x double>, ptr %p, align 8
  %low = extractelement <2 x double> %v, i64 0
  %w = insertelement <2 x double> <double 0.000000e+00, double poison>, double %low, i64 1
  %s = shufflevector <2 x double> %w, <2 x double> zeroinitializer, <2 x i32> <i32 1, i32 2>
  %t = select i1 %c, <2 x double> %s, <2 x double> %v
  %r = bitcast <2 x double> %t to <4 x i32>
  ret <4 x i32> %r
}
"""


def test_moves_are_of_integers() -> None:
    text = normalise(HALVES)
    done = without_floats(text)
    assert "double" in text and "double" not in done
    module = parse_module(normalise(done))
    assert "<i64 0, i64 poison>" in done and "zeroinitializer, <2 x i32>" in done
    (answer,) = verify_report(module, module, target_named("x86"))
    assert isinstance(answer.verdict, Proved)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("shufflevector <2 x double> %w", "shufflevector <2 x double> splat (double 2.0)"),
        ("%t = select i1", "%t = select nnan i1"),
        ("@f(ptr %p, i1 %c)", "@f(ptr %p, i1 %c, double %d)"),
        ("  %r = bitcast", "  %u = fadd double %low, %low\n  %r = bitcast"),
    ],
)
def test_what_computes_stays_as_it_is(old: str, new: str) -> None:
    text = HALVES.replace(old, new)
    text = normalise(text.replace("splat (double 2.0)", "<double 2.0, double 2.0>"))
    assert without_floats(text) == text


def test_other_functions_are_rewritten_all_the_same() -> None:
    other = "define double @g(double %x) {\n  ret double %x\n}\n"
    text = normalise(f"{HALVES}\n{other}")
    done = without_floats(text)
    assert "ret double %x" in done and "load <2 x i64>" in done and normalise(done) == done


@pytest.mark.parametrize(
    ("kind", "literal", "bits"),
    [
        ("double", "0.000000e+00", "0"),
        ("double", "-2.500000e+00", "-4610560118520545280"),
        ("double", "0xFFFFFFFFFFFFFFFF", "-1"),
        ("float", "1.000000e+00", "1065353216"),
        ("float", "0xFFFFFFFFE0000000", "-1"),
        ("float", "0x3FB99999A0000000", "1036831949"),
        ("half", "0xH3C00", "15360"),
    ],
)
def test_a_phi_names_its_type_once(kind: str, literal: str, bits: str) -> None:
    """``vdup_n_u64(0)`` before a loop is a double in SIMDe's code, an integer in ours."""
    text = normalise(f"""\
define void @f(ptr %p, i1 %c) {{
entry:
  %first = load {kind}, ptr %p, align 8
  br label %loop
loop:
  %x = phi {kind} [ {literal}, %entry ], [ %first, %loop ]
  store {kind} %x, ptr %p, align 8
  br i1 %c, label %loop, label %end
end:
  ret void
}}
""")
    width = {"half": "i16", "float": "i32", "double": "i64"}[kind]
    assert f"phi {width} [ {bits}, %entry ]" in normalise(without_floats(text))
