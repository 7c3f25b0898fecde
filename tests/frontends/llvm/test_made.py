"""Loads that a rewrite adds: where they are written, and that only the bytes that were read
anyway are taken for them.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.splicing import loads as splice_memory
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.write import Rewrite, splice
from frontends.llvm.text.ast import Module
from frontends.llvm.text.layout import Sizes
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.regions import Read, Regions
from frontends.llvm.windows.scene import Limits, Scene, Site
from isel.model.program import Program, Step
from isel.model.verdict import Proved, Unknown, Verdict
from semantics import target_named
from tests.frontends.llvm.toy import AVERAGE

KIND = "<16 x i8>"
SOURCE = f"""
define void @f(ptr %p, ptr %q, ptr %o) {{
  %v = load {KIND}, ptr %q, align 1
  %g = getelementptr i8, ptr %p, i64 1
  %x = load i8, ptr %p, align 1
  %y = load i8, ptr %g, align 1
  %i = insertelement {KIND} poison, i8 %x, i64 0
  %s = shufflevector {KIND} %i, {KIND} poison, <16 x i32> zeroinitializer
  %j = insertelement {KIND} poison, i8 %y, i64 0
  %t = shufflevector {KIND} %j, {KIND} poison, <16 x i32> zeroinitializer
  %m = shufflevector {KIND} %s, {KIND} %t, <16 x i32> <{", ".join(f"i32 {k if k % 2 == 0 else 16 + k}" for k in range(16))}>
  %a = zext {KIND} %m to <16 x i16>
  %b = zext {KIND} %v to <16 x i16>
  %c = add <16 x i16> %a, %b
  %d = add <16 x i16> %c, splat (i16 1)
  %e = lshr <16 x i16> %d, splat (i16 1)
  %r = trunc <16 x i16> %e to {KIND}
  store {KIND} %r, ptr %o, align 1
  ret void
}}
"""


def parsed(text: str) -> Module:
    return parse_module(normalise(text))


def site() -> Site:
    module = parsed(SOURCE)
    (place,) = places(Scene(module, module.functions[0], target_named("x86")), Limits(register=128))
    return place.sites[0]


def rewrite() -> Rewrite:
    """Average the two bytes, repeated as one, with the vector."""
    s = site()
    (added,) = (x for x in s.inputs if x.made is not None)
    (plain,) = (x for x in s.inputs if not x.leaf.region)
    steps = (
        Step("leaf", 8, 16, name=added.leaf.name),
        Step("leaf", 8, 16, name=plain.leaf.name),
        Step("apply", 8, 16, (0, 1), name="avg16"),
    )
    return Rewrite(s, Program(steps, (2,)))


def written() -> str:
    return splice(parsed(SOURCE), [rewrite()], {"avg16": AVERAGE})


def checked(text: str) -> Verdict:
    spliced = parsed(text)
    return Checker(parsed(SOURCE), spliced, parsed(text), target_named("x86"), 1).check(rewrite())


def test_the_load_stands_behind_those_that_it_is_made_of() -> None:
    lines = [line.strip() for line in written().splitlines()]
    at = lines.index("%y = load i8, ptr %g, align 1")
    assert lines[at + 1] == "%isel.0 = load <2 x i8>, ptr %p, align 1"
    assert any("shufflevector <2 x i8> %isel.0" in line for line in lines)
    assert any(line.startswith("%isel.") and f"freeze {KIND} %isel." in line for line in lines)


def test_it_is_proved() -> None:
    assert isinstance(checked(written()), Proved)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("%isel.0 = load <2 x i8>, ptr %p", "%isel.0 = load <2 x i8>, ptr %g"),
        lambda t: t.replace("%isel.0 = load <2 x i8>, ptr %p", "%isel.0 = load <2 x i8>, ptr %q"),
        lambda t: t.replace("%isel.0 = load", "store i8 0, ptr %q, align 1\n  %isel.0 = load"),
        lambda t: t.replace("%isel.0 = load <2 x i8>", "%isel.0 = load volatile <2 x i8>"),
        lambda t: t.replace(
            "i32 1, i32 0, i32 1, i32 0, i32 1>", "i32 1, i32 0, i32 1, i32 0, i32 0>"
        ),
        lambda t: t.replace(
            "%isel.0 = load <2 x i8>, ptr %p, align 1", "%isel.0 = load <2 x i8>, ptr %p, align 2"
        ),
        lambda t: (
            t.replace(
                "%isel.0 = load <2 x i8>, ptr %p, align 1",
                "%isel.0 = load <2 x i8>, ptr %p, align 1, !noundef !0",
            )
            + "!0 = !{}\n"
        ),
    ],
    ids=[
        "another offset",
        "another base",
        "behind a store",
        "volatile",
        "in another order",
        "alignment",
        "a promise",
    ],
)
def test_another_load_is_not_taken_for_it(change: Callable[[str], str]) -> None:
    text = written()
    assert change(text) != text
    verdict = checked(change(text))
    assert isinstance(verdict, Unknown), verdict


WIDE = SOURCE.replace(
    "getelementptr i8, ptr %p, i64 1", "getelementptr i48, ptr %p, i64 8"
).replace("ptr %p, align 1\n  %y", "ptr %h, align 1\n  %y")
WIDE = WIDE.replace("  %g = ", "  %h = getelementptr i8, ptr %p, i64 63\n  %g = ")


def rewritten(text: str) -> tuple[Module, Site]:
    module = parsed(text)
    (place,) = places(Scene(module, module.functions[0], target_named("x86")), Limits(register=128))
    return module, place.sites[0]


def verdict_on(module: Module, s: Site) -> Verdict:
    (added,) = (x for x in s.inputs if x.made is not None)
    (plain,) = (x for x in s.inputs if not x.leaf.region)
    steps = (
        Step("leaf", 8, 16, name=added.leaf.name),
        Step("leaf", 8, 16, name=plain.leaf.name),
        Step("apply", 8, 16, (0, 1), name="avg16"),
    )
    rewrite = Rewrite(s, Program(steps, (2,)))
    text = splice(module, [rewrite], {"avg16": AVERAGE})
    return Checker(module, parsed(text), parsed(text), target_named("x86"), 1).check(rewrite)


def test_elements_are_as_far_apart_as_llvm_has_them() -> None:
    """An i48 is stored in six bytes and takes eight: bytes 63 and 64 are neighbours."""
    module, s = rewritten(WIDE)
    assert any(x.made for x in s.inputs)
    assert isinstance(verdict_on(module, s), Proved)


def test_without_a_layout_a_pointer_that_was_moved_is_another() -> None:
    """How far it was moved is not known."""
    body = "%g = getelementptr i8, ptr %p, i64 1\n%x = load i8, ptr %g, align 1\nret void"
    function = parsed(f"define void @f(ptr %p) {{\n{body}\n}}\n").functions[0]
    key = (0, 0, ("%g", (), 64), 8)
    assert Regions(function, lambda i: True, None).read("x") == Read(key, 8, 0, 8)


def test_a_wrong_address_of_what_adds_a_load_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With elements of six bytes, 47 would be the neighbour of 48."""
    monkeypatch.setattr(Sizes, "stride", lambda self, kind: kind.bits // 8)
    module, s = rewritten(WIDE.replace("i64 63", "i64 47"))
    assert any(x.made for x in s.inputs)
    monkeypatch.undo()
    verdict = verdict_on(module, s)
    assert isinstance(verdict, Unknown) and "does not lie where" in verdict.reason


def test_a_wrong_address_of_what_checks_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    module, s = rewritten(WIDE)
    monkeypatch.setattr(splice_memory, "_offsets", lambda layout, names, steps: (6 * 8,))
    verdict = verdict_on(module, s)
    assert isinstance(verdict, Unknown) and "does not lie where" in verdict.reason
