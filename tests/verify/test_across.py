"""Functions of modules for two machines: each one's intrinsics are its own machine's."""

from __future__ import annotations

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.paths.heads import compare
from frontends.llvm.refine.assumed import with_any_alignment, with_defined_loads
from frontends.llvm.refine.options import Options
from frontends.llvm.text.identity import Pairing, contents
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

X86 = """\
target triple = "x86_64-unknown-linux-gnu"
define void @f(ptr noalias %d, ptr noalias %p) #0 {
  %x = load <16 x i8>, ptr %p, align 1
  %r = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %x, <16 x i8> splat (i8 3))
  store <16 x i8> %r, ptr %d, align 1
  ret void
}
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
attributes #0 = { nounwind "target-cpu"="haswell" }
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", i32 4}
"""
ARM = (
    X86.replace("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu")
    .replace("llvm.x86.sse2.pavg.b", "llvm.aarch64.neon.urhadd.v16i8")
    .replace("haswell", "neoverse-v1")
    .replace("i32 4", "i32 2")
)
BOTH = (target_named("x86"), target_named("arm"))


def verdict(a: str, b: str, *, defined: bool = False) -> Verdict:
    options = Options(isas=BOTH, defined_memory=defined)
    a = with_defined_loads(normalise(a)) if defined else normalise(a)
    ((_, found),) = verify_modules(parse_module(a), parse_module(normalise(b)), BOTH[0], options)
    return found


def test_an_average_is_an_average() -> None:
    assert isinstance(verdict(X86, ARM), Proved | Unknown)
    assert isinstance(verdict(X86, ARM, defined=True), Proved)


def test_each_side_is_read_by_its_own_machine() -> None:
    """An intrinsic of x86 in a module for AArch64 is nothing that is known."""
    found = verdict(X86, ARM.replace("llvm.aarch64.neon.urhadd.v16i8", "llvm.x86.sse2.pavg.b"))
    assert isinstance(found, Unknown)
    options = Options(defined_memory=True)  # without two machines the layouts have to be alike
    ((_, same),) = verify_modules(
        parse_module(normalise(X86)), parse_module(normalise(ARM)), BOTH[0], options
    )
    assert isinstance(same, Unknown) and "differ" in same.reason


def test_halving_without_rounding_is_refuted() -> None:
    assert isinstance(verdict(X86, ARM.replace("urhadd", "uhadd"), defined=True), Refuted)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("aarch64-unknown", "aarch64_be-unknown"), "big-endian"),
        (("ptr noalias %d", "ptr align 16 noalias %d"), "attribute"),
        (("nounwind", "nounwind returns_twice"), "attributes"),
    ],
)
def test_what_still_has_to_be_alike(change: tuple[str, str], reason: str) -> None:
    found = verdict(X86, ARM.replace(*change), defined=True)
    assert isinstance(found, Unknown) and reason in found.reason


def test_a_function_that_says_more() -> None:
    """It is named; what is of the machine does not count."""
    a, b = (
        parse_module(normalise(t)) for t in (X86, ARM.replace("nounwind", "nounwind willreturn"))
    )
    pairing = Pairing(contents(a), contents(b), across=True)
    assert compare(a.functions[0], b.functions[0], pairing).more == (("", "willreturn"),)
    assert compare(a.functions[0], a.functions[0], Pairing(contents(a), contents(a))).more == ()


def test_assumptions_are_written_into_the_text() -> None:
    text = normalise(X86)
    assert "!noundef !1" in with_defined_loads(text) and "!1 = !{}" in with_defined_loads(text)
    assert with_defined_loads(with_defined_loads(text)) == with_defined_loads(text)
    aligned = normalise(X86.replace("align 1", "align 2"))
    assert with_any_alignment(aligned) == text
