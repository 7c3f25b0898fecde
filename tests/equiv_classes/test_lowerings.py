"""Lowerings of swizzles: written and read back, found and proved."""

from __future__ import annotations

from equiv_classes.lowerings import (
    Lowering,
    by_caller,
    least_register,
    lowerings,
    read,
    window_of,
    write,
)
from equiv_classes.swizzles import Swizzle, swizzles, swizzles_of
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import Program, Step, outputs
from isel.model.verdict import Proved
from isel.spec.target import Target
from isel.synth.synthesize import make_synthesizer
from isel.verify.prove import prove_window
from semantics import searched
from semantics.pricing import reference_cpu

FOUR = Swizzle(
    8,
    32,
    8,
    4,
    tuple((4 * lane + source, source, lane) for lane in range(8) for source in range(4)),
)


def machine(target: Target, cpu: str) -> Machine:
    return Machine(
        target, cpu, target.features(cpu, ""), max(i.bits for i in target.instructions())
    )


def test_they_are_written_and_read_back() -> None:
    program = Program((Step("leaf", 16, 4, name="x0"), Step("join", 16, 8, (0, 0))), (1,), 51)
    found = (
        Lowering("x86", "cpu", ("a.x", "b.result"), program),
        Lowering("x86", "cpu", ("c.y",), None, reason="no program found"),
    )
    again = read(write(found, "# head\n"))
    assert again == found and again[0].program is not None and again[0].program.cost == 51
    assert by_caller(again)["x86", "b.result"] == (again[0],)


def test_four_sources_are_packed() -> None:
    """The operands of a dot product of four bytes, each from a register of its own."""
    (target, *_) = searched()
    window = window_of(FOUR, 128)
    result = make_synthesizer(
        machine(target, reference_cpu(target)), Options(alternatives=0)
    ).search(window)
    assert result.candidates, result.reason
    assert len([s for s in result.candidates[0].program.steps if s.kind == "apply"]) <= 6


def test_most_have_one_and_the_others_a_reason() -> None:
    shipped = lowerings()
    assert all(x.program is not None or x.reason for x in shipped)
    regular = [x for x in shipped if len(x.callers) > 1]
    assert len(regular) > 30
    assert [x.callers[0] for x in regular if x.program is None] == []


def test_all_are_proved() -> None:
    assert {name for x in lowerings() for name in x.callers} == {
        m.name for c in swizzles().classes for m in c.members
    }
    for target in searched():
        named = {i.name: i for i in target.instructions()}
        least = least_register(target)
        for x in (x for x in lowerings() if x.target == target.name and x.program is not None):
            assert x.program is not None
            assert set(x.instructions) <= set(machine(target, x.cpu).by_name)
            caller = x.callers[0]
            called = [
                s
                for what, s in swizzles_of(named[caller.partition(".")[0]])
                if caller.endswith(f".{what}")
            ]
            windows = [window_of(s, least) for s in called]
            proofs = [
                prove_window(w, outputs(x.program, named, [w.roots[0].lanes]))
                for w in windows
                if len(w.roots[0].lanes) == x.program.steps[x.program.roots[0]].lanes
            ]
            assert any(isinstance(p, Proved) for p in proofs), caller
