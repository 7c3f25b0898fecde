"""Bit fields of neighbouring elements: what bits become, and what lanes of fields are made by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

import pytest

from isel.ir import build as b
from isel.ir.canon import canonical
from isel.ir.expr import Expr, const, elem
from isel.ir.text import parse
from isel.model.answer import Options
from isel.model.machine import Machine
from isel.model.program import Program, outputs
from isel.model.verdict import Proved, Refuted
from isel.model.window import Window
from isel.synth.goals.fields import in_units
from isel.synth.instructions.library import Library, library_of
from isel.synth.instructions.moving_bits import bit_moves
from isel.synth.lanes.graph import LaneGraph
from isel.synth.layout.elements import ANY, Elements, is_field
from isel.synth.layout.passes import passes_of
from isel.synth.limits import WORD
from isel.synth.synthesize import make_synthesizer
from isel.synth.values.moved import bits_of
from isel.verify.windows import prove_window
from semantics import target_named
from tests.synth.windows import window


@cache
def machine(cpu: str) -> Machine:
    target = target_named("arm" if cpu == "neoverse-v1" else "x86")
    features = target.features(cpu, "")
    return Machine(target, cpu, features, min(target.vector_bits(features, {}), 256))


def library(cpu: str) -> Library:
    return library_of(machine(cpu))


@pytest.mark.parametrize(
    ("text", "bits", "across"),
    [
        ("(zext 16 x0:8)", "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7" + 8 * " -", False),
        ("(lshr x0:8 5:8)", "0.5 0.6 0.7" + 5 * " -", True),
        ("(lshr x0:16 15:16)", "0.15" + 15 * " -", False),  # instructions do that
        ("(or (shl x0:8 6:8) (lshr x1:8 2:8))", "1.2 1.3 1.4 1.5 1.6 1.7 0.0 0.1", True),
        ("(add (shl x0:8 6:8) (lshr x1:8 2:8))", "1.2 1.3 1.4 1.5 1.6 1.7 0.0 0.1", None),
        ("(extract 4 8 x0:16)", "0.4 0.5 0.6 0.7 0.8 0.9 0.10 0.11", True),
        ("(or (shl x0:8 5:8) (lshr x1:8 2:8))", "", None),  # two bits meet
        ("(xor x0:8 1:8)", "", None),
        ("(and x0:8 x1:8)", "", None),
    ],
)
def test_terms_that_move_bits(text: str, bits: str, across: bool | None) -> None:
    term = canonical(parse(text))[0]
    found = bits_of(term)
    assert " ".join("-" if x is None else f"{x[0]}.{x[1]}" for x in found or ()) == bits
    assert is_field(term) is across


@pytest.mark.parametrize(
    ("cpu", "names"),
    [
        ("haswell", "mulhi_epu16 mullo_epi16 srlv_epi32 sllv_epi64"),
        ("znver4", "mulhi_epu16 multishift_epi64_epi8 srlv_epi16 rorv_epi64"),
        ("neoverse-v1", "vshlq_u8 vshlq_u16"),
    ],
)
def test_what_moves_bits_by_literals(cpu: str, names: str) -> None:
    found = [m.form.instruction.name for m in bit_moves(library(cpu), 128) if m.form]
    assert all(any(x.endswith(name) for x in found) for name in names.split())
    assert not any("adds" in x or "mulhrs" in x for x in found)


def test_a_bit_that_is_wrong_is_masked_and_a_zero_is_not() -> None:
    source = tuple(range(WORD, WORD + 16)) * 8
    for cut, masked in ((12, False), (11, True)):
        wanted = (*range(WORD + 4, WORD + 4 + cut), *[0] * (16 - cut)) * 8
        ways = passes_of(library("znver4"), wanted, source)
        best = min(ways, key=lambda w: sum(o.wrong for p in w for o in p.lanes))
        assert [p.wrong > 0 for p in best] == [masked]
    assert not passes_of(library("znver4"), (2 * WORD, *[ANY] * 127), source)


def test_elements_are_gathered_where_fields_go_on() -> None:
    elements = Elements(LaneGraph(library("haswell")))
    a, c = (elements.leaf(elem("a", 8 * k, 8)) for k in range(2))
    low, high = (elements.bits(x) for x in (a, c))
    assert in_units(elements, (*low[4:], *high, *[0] * 4), 8, 16) == (a, c)
    assert in_units(elements, (*high[4:], *low, *[0] * 4), 8, 16) == (c, a)
    assert in_units(elements, (*low[4:], *high, *low[:4]), 8, 16) == ()  # round


def u16(x: Expr) -> Expr:
    return b.zext(x, 16)


def k8(value: int) -> Expr:
    return const(value, 8)


def k16(value: int) -> Expr:
    return const(value, 16)


def unpacked12(s: Callable[[int], Expr], i: int, by: int = 4, mask: int = 15) -> Iterator[Expr]:
    x, y, z = (s(3 * i + k) for k in range(3))
    yield b.bor(b.shl(u16(b.band(y, k8(mask))), k16(8)), u16(x))
    yield b.bor(b.shl(u16(z), k16(by)), u16(b.lshr(y, k8(8 - by))))


def unpacked10(s: Callable[[int], Expr], i: int) -> Iterator[Expr]:
    x = [s(5 * i + k) for k in range(5)]
    for k in range(4):
        low = u16(b.lshr(x[k], k8(2 * k)))
        high = b.band(x[k + 1], k8((4 << 2 * k) - 1))
        yield b.bor(b.shl(u16(high), k16(8 - 2 * k)), low)


def split6(s: Callable[[int], Expr], i: int) -> Iterator[Expr]:
    x, y, z = (s(3 * i + k) for k in range(3))
    yield b.lshr(x, k8(2))
    yield b.bor(b.band(b.shl(x, k8(4)), k8(48)), b.lshr(y, k8(4)))
    yield b.bor(b.band(b.shl(y, k8(2)), k8(60)), b.lshr(z, k8(6)))
    yield b.band(z, k8(63))


def fields(lanes: Callable[..., Iterator[Expr]], count: int, leaf: tuple[int, int]) -> Window:
    width, n = leaf
    every = [e for i in range(count) for e in lanes(lambda k: elem("a", k * width, width), i)]
    return window(every, ("a", width, n))


UNPACK12, UNPACK10 = fields(unpacked12, 4, (8, 16)), fields(unpacked10, 2, (8, 16))
SPLIT6 = fields(split6, 4, (8, 16))


@cache
def best(cpu: str, w: Window, disabled: tuple[str, ...] = ()) -> Program:
    found = make_synthesizer(machine(cpu), Options(disabled=disabled)).search(w).candidates
    assert all(isinstance(c.proof, Proved) for c in found)
    return found[0].program


@pytest.mark.parametrize(
    ("cpu", "w", "most"),
    [
        ("znver4", UNPACK12, 3),
        ("haswell", UNPACK12, 4),
        ("neoverse-v1", UNPACK12, 3),
        ("znver4", UNPACK10, 3),
        ("znver4", SPLIT6, 3),
        ("haswell", SPLIT6, 6),
    ],
)
def test_fields_are_gathered_moved_and_masked(cpu: str, w: Window, most: int) -> None:
    steps = best(cpu, w).steps
    assert sum(s.kind == "apply" for s in steps) <= most, best(cpu, w).text()


def test_without_bit_fields_more_is_done() -> None:
    assert best("znver4", UNPACK12, ("bit-fields",)).cost > best("znver4", UNPACK12).cost


@pytest.mark.parametrize(
    "lanes",
    [
        lambda s, i: unpacked12(lambda k: s(k ^ 1), i),  # the order of bytes
        lambda s, i: unpacked12(s, i, by=5),
        lambda s, i: unpacked12(s, i, mask=31),
        lambda s, i: unpacked12(lambda k: s(k - k % 3 // 2), i),  # a byte twice
    ],
)
def test_what_is_right_for_fields_is_not_proved_of_others(
    lanes: Callable[..., Iterator[Expr]],
) -> None:
    program, wrong = best("znver4", UNPACK12), fields(lanes, 4, (8, 16))
    lanes_of = outputs(program, machine("znver4").by_name, [r.lanes for r in UNPACK12.roots])
    assert isinstance(prove_window(UNPACK12, lanes_of), Proved)
    assert isinstance(prove_window(wrong, lanes_of), Refuted)
