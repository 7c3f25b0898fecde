"""Parts of lanes that invariant leaves alone give."""

from __future__ import annotations

from isel.ir.expr import const, elem, show, term
from isel.ir.ranges import Ranges
from isel.ir.text import parse
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import Program, Step
from isel.model.window import Leaf, Root, Window
from isel.synth.goals.once import Once, once
from isel.synth.loop import WindowSearch
from isel.synth.synthesize import make_synthesizer
from tests.synth.toy import ToyTarget

ONE = const(1, 1)
X = Leaf("x", 8, 4)
S = Leaf("s", 32, 4, "v", 0, 32, scalar=True, invariant=True)
V = Leaf("v4", 16, 4, invariant=True)


def made(lane: str, *given: Leaf) -> Once:
    """Lane i of four lanes: ``@`` is the offset of an element of 8 bits, ``$`` of 16."""
    lanes = tuple(parse(lane.replace("@", str(8 * i)).replace("$", str(16 * i))) for i in range(4))
    return once([Root(lanes[0].width, lanes, (ONE,) * 4)], given, Ranges(), 128)


def lanes(found: Once) -> list[str]:
    return [show(e) for e in found.roots[0].lanes if e is not None]


def test_the_largest_part_is_a_leaf_as_narrow_as_its_range() -> None:
    found = made("(mul (zext 32 x[@]:8) (sub 128:32 (and v[0]:32 127:32)))", X, S)
    (leaf,) = found.parts
    assert (leaf.width, leaf.lanes, leaf.period, leaf.invariant) == (8, 16, 8, True)
    assert lanes(found)[1] == "(mul (zext 32 once0[0]:8) (zext 32 x[8]:8))"
    assert [show(f) for f in found.facts] == ["(ule 1:8 once0[0]:8)", "(ule once0[0]:8 128:8)"]


def test_what_differs_by_lane_is_a_vector() -> None:
    found = made("(add (zext 16 x[@]:8) (and v4[$]:16 15:16))", X, V)
    (leaf,) = found.parts
    assert (leaf.width, leaf.lanes, leaf.period) == (8, 4, 0)
    assert lanes(found)[2] == "(add (sext 16 once0[16]:8) (zext 16 x[16]:8))"


def test_extended_leaves_and_what_is_not_invariant_stay() -> None:
    for text in (
        "(mul (zext 32 x[@]:8) (sext 32 v4[$]:16))",
        "(mul (zext 32 x[@]:8) (and (zext 32 x[0]:8) 3:32))",
    ):
        assert made(text, X, V).parts == {}


def test_a_lane_that_is_invariant_as_a_whole_stays() -> None:
    assert made("(and v[0]:32 127:32)", S).parts == {}


def test_a_program_computes_its_parts_before_it_uses_them() -> None:
    found = made("(mul (zext 32 x[@]:8) (and v[0]:32 127:32))", X, S)
    (leaf,) = found.parts
    used = Program(
        (
            Step("leaf", 8, 4, name="x"),
            Step("leaf", 8, 16, name=leaf.name),
            Step("slice", 8, 4, (1,)),
            Step("join", 8, 8, (0, 2)),
        ),
        (3,),
        50,
    )
    part = Program((Step("leaf", 32, 4, name="s"), Step("view", 8, 16, (0,))), (1,), 70)
    whole = found.completed(used, lambda asked, held: part if asked == leaf else None)
    assert whole is not None and whole.cost == 57
    assert whole.text() == (
        "%0 = leaf 4x8 x\n%1 = leaf 4x32 s\n%2 = view 16x8 %1\n%3 = slice 4x8 %2 @0\n"
        "%4 = join 8x8 %0 %3\nroots 4\n"
    )
    assert found.completed(used, lambda asked, held: None) is None


def test_a_counterexample_has_the_parts() -> None:
    found = made("(mul (zext 32 x[@]:8) (sub 128:32 (and v[0]:32 127:32)))", X, S)
    model = found.extended({parse("v[0]:32"): 0x1FF})
    assert model[parse("once0[0]:8")] == 1


def test_a_part_over_regions_that_nothing_computes_ends_no_search() -> None:
    """Its terms name regions: leaves that share one are not set apart for it."""
    toy = Machine(ToyTarget(), "toy", frozenset(), 512)
    leaves = (Leaf("a", 8, 64, "r", 0), Leaf("b", 8, 64, "r", 8))
    lane = term("add", elem("a", 0, 8), elem("b", 0, 8))
    window = Window(leaves, (Root(8, (lane,) * 64, (const(1, 1),) * 64),))
    search = WindowSearch(make_synthesizer(toy, Options()), window).problem
    held = term("udiv", elem("r", 0, 8), elem("r", 8, 8))
    assert window.shares
    assert search.made_once(Leaf("part", 8, 64), (held,)) is None


def test_a_clamped_sum_with_an_invariant_saturates_twice() -> None:
    total = "(add v[0]:32 (zext 32 x[0]:8))"
    wide = "(add (sext 33 v[0]:32) (zext 33 x[0]:8))"
    exact = parse(f"(eq (sext 33 (extract 0 32 {wide})) {wide})")
    low = f"(let ((%0 {total}) (%1 (ite (slt %0 255:32) %0 255:32)))"
    lane = parse(f"{low} (extract 0 8 (ite (slt %1 0:32) 0:32 %1)))")
    for defined, count in ((exact, 2), (ONE, 0)):
        found = once([Root(8, (lane,), (defined,))], (X, S), Ranges(), 128)
        assert len(found.parts) == count
