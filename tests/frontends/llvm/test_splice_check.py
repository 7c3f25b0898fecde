"""The last proof on code written by hand: what is right, what is wrong and what cannot be read
as lanes of the window.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.splicing.check import Checker
from frontends.llvm.splicing.printed import match_values
from frontends.llvm.splicing.write import Rewrite
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.model.program import Program
from isel.model.verdict import Certificate, Proved, Refuted, Unknown, Verdict
from semantics import target_named

V, W = "<8 x i8>", "<8 x i16>"
HEAD = f"""
@g = external global i8
declare {V} @llvm.umin.v8i8({V}, {V})
declare {V} @llvm.ctpop.v8i8({V})
declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)
define void @f(ptr %p, ptr %q, ptr %o, {V} %n, i1 %k) {{
entry:
  %x = load {V}, ptr %p, align 1
  %y = load {V}, ptr %q, align 1
"""
TAIL = f"  store {V} %r, ptr %o, align 1\n  ret void\n}}\n"
SOURCE = f"""
  %a = zext {V} %x to {W}
  %b = zext {V} %y to {W}
  %s = add {W} %a, %b
  %h = lshr {W} %s, splat (i16 1)
  %r = trunc {W} %h to {V}
"""
FROZEN = f"  %fx = freeze {V} %x\n  %fy = freeze {V} %y\n"
WRITTEN = f"{FROZEN}  %i = and {V} %fx, %fy\n  %e = xor {V} %fx, %fy\n  %d = lshr {V} %e, splat (i8 1)\n  %r = add {V} %i, %d\n"


def apart(low: str, high: str) -> str:
    """Return code that freezes halves of ``%x`` by themselves and puts them together again."""
    of = f"shufflevector {V} %x, {V} poison, <4 x i32>"
    back = "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>"
    return WRITTEN.replace(
        f"  %fx = freeze {V} %x\n",
        f"  %l = {of} {low}\n  %h = {of} {high}\n  %fl = freeze <4 x i8> %l\n"
        "  %fh = freeze <4 x i8> %h\n"
        f"  %fx = shufflevector <4 x i8> %fl, <4 x i8> %fh, {back}\n",
    )


LOW, HIGH = "<i32 0, i32 1, i32 2, i32 3>", "<i32 4, i32 5, i32 6, i32 7>"


def module(body: str) -> Module:
    return parse_module(normalise(f"{HEAD}{body}{TAIL}"))


def verdict(
    written: str,
    source: str = SOURCE,
    printed: str | None = None,
    certificate: Certificate | None = None,
) -> Verdict:
    """Return the verdict on code written for the only window of the source."""
    before, after = module(source), module(written)
    (place,) = places(Scene(before, before.functions[0], target_named("x86")), Limits(register=128))
    shown = after if printed is None else module(printed)
    return Checker(before, after, shown, target_named("x86"), 1).check(
        Rewrite(place.sites[0], Program((), ())), certificate
    )


def test_what_is_right_is_proved() -> None:
    """Once with solvers, once by the certificate of the first time; also what is the same, and
    a value that is frozen again.
    """
    first = verdict(WRITTEN)
    assert isinstance(first, Proved)
    assert verdict(WRITTEN, certificate=first.certificate) == first
    assert isinstance(
        verdict(
            SOURCE.replace("%x to", "%fx to")
            .replace("%y to", "%fy to")
            .replace("  %a", FROZEN + "  %a", 1)
        ),
        Proved,
    )
    assert isinstance(
        verdict(
            WRITTEN.replace("add ", "add nuw ").replace("%r =", "%t =") + f"  %r = freeze {V} %t\n"
        ),
        Proved,
    )


@pytest.mark.parametrize(
    "change",
    [
        ("lshr", "ashr"),
        ("splat (i8 1)", "<i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 1, i8 2>"),
        ("%r = add", "%r = add nuw nsw"),
        ("%i, %d", "%d, %d"),
    ],
    ids=["operation", "one lane", "poison", "operand"],
)
def test_what_is_wrong_is_refuted(change: tuple[str, str]) -> None:
    assert change[0] in WRITTEN
    assert isinstance(verdict(WRITTEN.replace(*change)), Refuted)


@pytest.mark.parametrize(
    ("first", "padded", "right"),
    [(0, "poison", True), (1, "poison", False), (0, "0", True), (1, "0", False)],
)
def test_a_register_may_be_padded_with_what_is_not_looked_at(
    first: int, padded: str, right: bool
) -> None:
    """The source's average is written as one of twice as many lanes."""
    pad = ", ".join([*(f"i32 {k}" for k in range(8)), *[f"i32 {padded}"] * 8])
    cut = ", ".join(f"i32 {k}" for k in range(first, first + 8))
    wide = "".join(
        f"  %w{x} = shufflevector {V} %f{x}, {V} poison, <16 x i32> <{pad}>\n" for x in "xy"
    )
    written = (
        f"{FROZEN}{wide}  %m = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %wx, <16 x i8> %wy)\n"
        f"  %r = shufflevector <16 x i8> %m, <16 x i8> poison, <8 x i32> <{cut}>\n"
    )
    source = SOURCE.replace("%s = add", "%t = add").replace(
        "  %h", f"  %s = add {W} %t, splat (i16 1)\n  %h"
    )
    assert isinstance(verdict(written, source), Proved if right else Refuted)


def test_elements_may_be_frozen_apart_each_once() -> None:
    assert isinstance(verdict(apart(LOW, HIGH)), Proved)
    assert isinstance(verdict(apart(HIGH, LOW)), Refuted)
    assert isinstance(verdict(apart(LOW, "<i32 4, i32 5, i32 6, i32 poison>")), Refuted)


def test_elements_that_are_frozen_once_may_be_used_twice() -> None:
    one, two = (f"%fx = shufflevector <4 x i8> %{x}," for x in ("fl", "z"))
    twice = apart(LOW, HIGH).replace(one, f"%z = and <4 x i8> %fl, %fl\n  {two}")
    assert isinstance(verdict(twice), Proved)


def test_a_frozen_value_is_not_poison_and_may_be_anything() -> None:
    """Where a sum may wrap with ``nuw``, freezing it is wrong, but not for being poison."""
    found = verdict(WRITTEN.replace("%r = add", "%t = add nuw nsw") + f"  %r = freeze {V} %t\n")
    assert isinstance(found, Refuted) and found.where.startswith("lane")


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        (
            WRITTEN.replace("%i = and <8 x i8> %fx", "%i = and <8 x i8> %x"),
            "%x is used without a freeze",
        ),
        (
            WRITTEN.replace("%i = and <8 x i8> %fx", "%i = and <8 x i8> %n"),
            "is neither a leaf nor written",
        ),
        (
            WRITTEN.replace("  %i", f"  %gx = freeze {V} %x\n  %i").replace(
                "xor <8 x i8> %fx", "xor <8 x i8> %gx"
            ),
            "%x is frozen twice",
        ),
        (apart(LOW, LOW), "%x is frozen twice"),
        (apart(LOW, "<i32 4, i32 5, i32 6, i32 3>"), "%x is frozen twice"),
        (apart("<i32 0, i32 1, i32 2, i32 2>", HIGH), "%x is frozen twice"),
        (
            apart(LOW, HIGH)
            .replace("xor <8 x i8> %fx", "xor <8 x i8> %gx")
            .replace("  %i", f"  %gx = freeze {V} %x\n  %i"),
            "%x is frozen twice",
        ),
        (
            WRITTEN.replace("%d = lshr <8 x i8> %e, splat (i8 1)", "%d = udiv <8 x i8> %e, %i"),
            "'udiv' was written and cannot be read",
        ),
        (
            WRITTEN.replace("%i = and <8 x i8> %fx, %fy", "%i = load <8 x i8>, ptr %p, align 1"),
            "%p is neither",
        ),
        (
            WRITTEN.replace(
                "%fx = freeze <8 x i8> %x", "%gp = freeze ptr %p\n  %fx = load <8 x i8>, ptr %gp"
            ),
            "",
        ),
    ],
)
def test_what_cannot_be_read_is_unknown(written: str, reason: str) -> None:
    found = verdict(written)
    assert isinstance(found, Unknown) and reason in found.reason, found


FX = f"  %fx = freeze {V} %x\n"
HALF = f"  %w = bitcast {V} %x to <4 x i16>\n  %fw = freeze <4 x i16> %w\n  %fx = bitcast <4 x i16> %fw to {V}\n"
CHOSEN = f"  %m = icmp ult {V} %fy, splat (i8 3)\n  %c = select <8 x i1> %m, {V} %x, {V} %fy\n"
ONE = f"  %j = insertelement {V} %x, i8 0, i64 0\n  %s = freeze {V} %j\n"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ((FX, HALF), "%x is used without a freeze"),
        (("  %i", f"{CHOSEN}  %s = freeze {V} %c\n  %i"), "%x is used without a freeze"),
        (("  %i", f"  %s = and {V} %x, zeroinitializer\n  %i"), "%x is used without a freeze"),
        (("  %i", f"{ONE}  %i"), "%x is frozen twice"),
    ],
)
def test_what_is_not_frozen_is_seen_wherever_it_goes(change: tuple[str, str], reason: str) -> None:
    assert change[0] in WRITTEN
    used = WRITTEN.replace("%r = add", "%t = add") + f"  %r = xor {V} %t, %s\n"
    found = verdict((WRITTEN if change[0] == FX else used).replace(*change))
    assert isinstance(found, Unknown) and found.reason == reason, found


def test_elements_that_are_replaced_need_no_freeze() -> None:
    found = verdict(WRITTEN.replace(FX, ONE.replace("%s", "%fx")))  # the first one is 0 then
    assert isinstance(found, Refuted) and found.where == "lane 0", found


def test_undef_that_was_written_counts_as_poison() -> None:
    """A lane that nobody defined is no value of the source's; a poison lane of a constant
    neither.
    """
    for word in ("undef", "poison"):
        lanes = ", ".join(["i8 0"] * 7 + [f"i8 {word}"])
        found = verdict(WRITTEN.replace("%r = add", "%t = add") + f"  %r = or {V} %t, <{lanes}>\n")
        assert isinstance(found, Refuted) and found.where == "poison of lane 7", found


def test_a_lane_that_the_source_leaves_open_may_be_anything() -> None:
    open_lane = SOURCE.replace("splat (i16 1)", f"<{', '.join(['i16 1'] * 7 + ['i16 poison'])}>")
    wrong = WRITTEN.replace("splat (i8 1)", f"<{', '.join(['i8 1'] * 7 + ['i8 2'])}>")
    assert isinstance(verdict(wrong, open_lane), Proved)
    assert isinstance(verdict(wrong), Refuted)


CHOICE = "call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %x, <16 x i8> %y)"
CHOOSING = f"""
  %m = {CHOICE}
  %r = add <16 x i8> %m, splat (i8 1)
"""


@pytest.mark.parametrize(
    ("between", "reason"),
    [
        ("", ""),
        ("  store <16 x i8> %m, ptr %p, align 1\n", "seen outside of the window"),
        ("  br i1 %k, label %more, label %more\nmore:\n", "another block than the window"),
    ],
)
@pytest.mark.parametrize("operation", ["pshufb", "xor"])
def test_what_chooses_is_computed_at_its_own_time_and_seen_once(
    between: str, reason: str, operation: str
) -> None:
    """The plan is that of a source in which it is so, whatever the source that is proved; what
    does not choose may be computed again.
    """
    choosing = CHOOSING
    if operation == "xor":
        choosing, reason = CHOOSING.replace(CHOICE, "xor <16 x i8> %x, %y"), ""
    head = HEAD.replace(V, "<16 x i8>")
    head += "declare <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8>, <16 x i8>)\n"
    head = "\n".join(sorted(head.splitlines(), key=lambda line: not line.startswith("declare")))
    first, _, rest = choosing.partition("%r")

    def text(body: str) -> Module:
        return parse_module(normalise(f"{head}{body}{TAIL.replace(V, '<16 x i8>')}"))

    plain = text(choosing)
    (place,) = places(Scene(plain, plain.functions[0], target_named("x86")), Limits(register=128))
    assert [i.name for i in place.sites[0].nodes] == ["m", "r"]
    frozen = "  %fx = freeze <16 x i8> %x\n  %fy = freeze <16 x i8> %y\n"
    written = frozen + first.replace("%x", "%fx").replace("%y", "%fy") + between + "%r" + rest
    target, source = target_named("x86"), text(first + between + "%r" + rest)
    found = Checker(source, text(written), text(written), target, 1).check(
        Rewrite(place.sites[0], Program((), ()))
    )
    if reason:
        assert isinstance(found, Unknown) and reason in found.reason, found
    else:
        assert isinstance(found, Proved), found


def test_another_function_than_was_spliced_is_unknown() -> None:
    found = verdict(WRITTEN, printed=WRITTEN.replace("%d = lshr", "%d = ashr"))
    assert found == Unknown("the printed function is not the one that was spliced")


def test_values_are_paired_by_their_order() -> None:
    names = match_values(
        module(WRITTEN).functions[0], module(WRITTEN.replace("%fx", "%other")).functions[0]
    )
    assert names is not None and names["fx"] == "other" and names["p"] == "p"
    assert match_values(module(WRITTEN).functions[0], module(SOURCE).functions[0]) is None


def test_bitcasts_are_paired_by_what_they_are_of() -> None:
    c, d, e = (f"  %{n} = bitcast {V} %{of} to i64\n" for n, of in ("cx", "dy", "ey"))
    spliced, one_more, turned = (
        module(f"{text}{SOURCE}").functions[0] for text in (c + d, e + c + d, d + c)
    )
    for printed in (spliced, one_more):
        names = match_values(spliced, printed)
        assert names is not None and (names["c"], names["d"]) == ("c", "d")
    assert match_values(spliced, turned) is None


def test_values_that_are_printed_by_other_names() -> None:
    """LLVM numbers what has no name: leaves, too, are found by their place."""
    before, after = module(SOURCE), module(WRITTEN)
    shown = parse_module(
        normalise(
            f"{HEAD}{WRITTEN}{TAIL}".replace("%x", "%x1")
            .replace("%y", "%y1")
            .replace("%r", "%result")
        )
    )
    (place,) = places(Scene(before, before.functions[0], target_named("x86")), Limits(register=128))
    assert isinstance(
        Checker(before, after, shown, target_named("x86"), 1).check(
            Rewrite(place.sites[0], Program((), ()))
        ),
        Proved,
    )


def test_a_leaf_that_is_a_constant_of_globals() -> None:
    """It has no name and is found by its text."""
    constant = f"bitcast (i64 ptrtoint (ptr @g to i64) to {V})"
    found = verdict(
        WRITTEN.replace("freeze <8 x i8> %y", f"freeze {V} {constant}"),
        SOURCE.replace(f"zext {V} %y", f"zext {V} {constant}"),
    )
    assert isinstance(found, Proved)


def test_a_certificate_is_believed_about_its_queries() -> None:
    """Whoever it names has answered them."""
    first = verdict(WRITTEN)
    assert isinstance(first, Proved)
    named = replace(first.certificate, solvers=tuple("somebody" for _ in first.certificate.solvers))
    again = verdict(WRITTEN, certificate=named)
    assert isinstance(again, Proved) and "somebody" in again.certificate.solvers


_HALVES = "<8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>"


def overlapping(body: str, said: str) -> Module:
    """Return a function that loads bytes twice, ``said`` of the first time."""
    text = f"""
define void @f(ptr %p, ptr %q, ptr %o) {{
  %x = load {V}, ptr %p, align 1{said}
  %at = getelementptr i8, ptr %p, i64 4
  %y = load {V}, ptr %at, align 1
{body}{TAIL}!0 = !{{i8 0, i8 10}}
!1 = !{{}}
"""
    return parse_module(normalise(text))


@pytest.mark.parametrize(
    ("said", "shared"), [("", True), (", !range !0", False), (", !range !0, !noundef !1", True)]
)
def test_a_load_that_its_range_makes_poison_is_no_other_load(said: str, shared: bool) -> None:
    """Its last four bytes are the first of another load, which is no poison."""
    both = f"  %r = shufflevector {V} %{{}}, {V} %{{}}, {_HALVES}\n"
    sum_ = f"  %s = add {V} %{{}}, splat (i8 1)\n"
    before = overlapping(
        both.format("x", "y").replace("%r", "%b") + sum_.format("b").replace("%s", "%r"), said
    )
    written = f"  %fx = freeze {V} %x\n" + sum_.format("fx").replace("%s", "%r")
    after = overlapping(written, said)
    scene = Scene(before, before.functions[0], target_named("x86"))
    (place,) = places(scene, Limits(register=64))
    (site,) = place.sites
    plain = [replace(x, leaf=replace(x.leaf, region="")) for x in site.inputs]
    inputs = scene.regions.shared(plain, 64)
    assert any(x.leaf.region for x in inputs) is shared
    leaves = [replace(x.leaf, region="m0", first=32 * k) for k, x in enumerate(plain)]
    inputs = tuple(replace(x, leaf=y) for x, y in zip(plain, leaves, strict=True))
    site = replace(site, inputs=inputs, window=replace(site.window, leaves=tuple(leaves)))
    found = Checker(before, after, after, target_named("x86"), 1).check(
        Rewrite(site, Program((), ()))
    )
    assert isinstance(found, Proved) is shared, found
