"""Squares: which swizzles exchange which bits, and registers that rounds of them make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import pytest

from isel.ir.expr import const, elem
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import Program, Step, outputs
from isel.model.verdict import Proved
from isel.model.window import Leaf, Root, Window
from isel.synth.instructions.library import library_of
from isel.synth.layout.bounds import prices_of
from isel.synth.layout.rounds import rounds_of
from isel.synth.synthesize import make_synthesizer
from isel.verify.windows import prove_window
from semantics import target_named

CPUS = {"haswell": ("x86", 256), "znver4": ("x86", 512), "neoverse-v1": ("arm", 128)}


@cache
def machine(cpu: str) -> Machine:
    isa, bits = CPUS[cpu]
    target = target_named(isa)
    return Machine(target, cpu, target.features(cpu, ""), bits)


def squares(
    rows: int, columns: int, width: int, place: Callable[[int, int], tuple[int, int]]
) -> Window:
    """Return a window of ``rows`` roots whose lane k of root r is the lane of the leaf that
    ``place`` says, of leaves as large as roots.
    """
    spots = [[place(r, k) for k in range(columns)] for r in range(rows)]
    count = 1 + max(r for row in spots for r, _ in row)
    lanes = 1 + max(k for row in spots for _, k in row)
    leaves = tuple(Leaf(f"a{r}", width, lanes) for r in range(count))
    roots = tuple(
        Root(
            width, tuple(elem(f"a{r}", width * k, width) for r, k in row), (const(1, 1),) * columns
        )
        for row in spots
    )
    return Window(leaves, roots, price=100_000)


def transposed(r: int, k: int) -> tuple[int, int]:
    return k, r


def interleaved(r: int, k: int) -> tuple[int, int]:
    return (8 * r + k) % 4, (8 * r + k) // 4


def parted(r: int, k: int) -> tuple[int, int]:
    return divmod(4 * k + r, 16)


def backwards(r: int, k: int) -> tuple[int, int]:
    return k, 3 - r


def thirds(r: int, k: int) -> tuple[int, int]:
    return divmod(3 * k + r, 5)


def programs(cpu: str, window: Window, *disabled: str) -> list[Program]:
    found = make_synthesizer(machine(cpu), Options(disabled=disabled)).search(window)
    return [c.program for c in found.candidates]


def moves(p: Program) -> int:
    return sum(s.kind == "apply" for s in p.steps)


def proved(cpu: str, window: Window, program: Program) -> bool:
    lanes = outputs(program, machine(cpu).by_name, [r.lanes for r in window.roots])
    return isinstance(prove_window(window, lanes, 1), Proved)


@pytest.mark.parametrize(
    ("cpu", "bits", "width", "names"),
    [
        ("haswell", 128, 32, "shuffle_epi32 unpacklo_epi32 unpacklo_epi64 vshufps_128"),
        ("neoverse-v1", 128, 32, "vtrn1q_p64 vtrn1q_s32 vuzp1q_s32 vzip1q_s32"),
        ("neoverse-v1", 64, 32, "vtrn1_s32"),
    ],
)
def test_what_exchanges_bits(cpu: str, bits: int, width: int, names: str) -> None:
    found = rounds_of(library_of(machine(cpu)), bits, width, prices_of(machine(cpu)))
    said = [r.forms[0][0].instruction.name if r.forms else "halves" for r in found]
    assert sorted(n.removeprefix("_mm_") for n in said) == sorted(names.split())


def test_rounds_are_permutations() -> None:
    for cpu, width in (("haswell", 8), ("znver4", 16), ("neoverse-v1", 8)):
        bits = machine(cpu).vector_bits
        for r in rounds_of(library_of(machine(cpu)), bits, width, prices_of(machine(cpu))):
            count = 1 if len(r.forms) == 1 else 2
            assert sorted(r.back.tolist()) == list(range(count * bits // width))


@pytest.mark.parametrize(
    ("cpu", "window", "most"),
    [
        ("haswell", squares(4, 4, 32, transposed), 8),
        ("haswell", squares(8, 8, 16, transposed), 24),
        ("haswell", squares(4, 8, 32, interleaved), 8),  # and four that join halves
        ("haswell", squares(4, 4, 32, backwards), 8),
        ("znver4", squares(4, 4, 32, transposed), 8),
        ("neoverse-v1", squares(4, 4, 32, transposed), 8),
        ("neoverse-v1", squares(8, 8, 16, transposed), 24),
        ("neoverse-v1", squares(4, 16, 8, parted), 8),
    ],
)
def test_squares_are_made_in_rounds(cpu: str, window: Window, most: int) -> None:
    found = programs(cpu, window)
    assert found and min(map(moves, found)) <= most
    assert all(proved(cpu, window, p) for p in found)


def test_without_squares_more_is_done() -> None:
    window = squares(4, 8, 32, interleaved)
    other = programs("haswell", window, "joint-goals")
    assert min((p.cost for p in other), default=1 << 30) > programs("haswell", window)[0].cost


@pytest.mark.parametrize(
    "window", [squares(3, 5, 16, transposed), squares(3, 5, 32, thirds)], ids=["3 x 5", "thirds"]
)
def test_what_is_no_square_is_right_all_the_same(window: Window) -> None:
    assert all(proved("haswell", window, p) for p in programs("haswell", window))


def _changed(p: Program, k: int, step: Step) -> Program:
    return replace(p, steps=(*p.steps[:k], step, *p.steps[k + 1 :]))


def wrong(p: Program) -> Sequence[Program]:
    """Return programs with two roots exchanged, one given twice, and with each instruction reading
    its registers in the other order, or one of them twice.
    """
    a, b, *others = p.roots
    found = [replace(p, roots=(b, a, *others)), replace(p, roots=(a, a, *others))]
    for k, s in enumerate(p.steps):
        if s.kind == "apply" and len(s.args) == 2:
            found.append(_changed(p, k, replace(s, args=s.args[::-1])))
            found.append(_changed(p, k, replace(s, args=s.args[:1] * 2)))
    return found


@pytest.mark.parametrize("cpu", CPUS)
def test_no_wrong_square_is_proved(cpu: str) -> None:
    window = squares(4, 4, 32, transposed)
    right = min(programs(cpu, window), key=lambda p: p.cost)
    others = wrong(right)
    assert proved(cpu, window, right) and len(others) >= 18
    assert not any(proved(cpu, window, p) for p in others)


def test_registers_that_may_be_anything_are_no_square() -> None:
    """A shift by too much gave such lanes: there is no element that they would be sorted by."""
    window = Window((), (Root(8, (None,) * 32, (const(0, 1),) * 32),), price=0)
    found = [*programs("haswell", window), *programs("znver4", window)]
    assert not any(map(moves, found))
