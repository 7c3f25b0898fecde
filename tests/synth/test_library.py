"""Gather maps, swizzles and permutes are read off the instructions' lanes."""

from __future__ import annotations

import numpy as np
import pytest

from isel.model.answer import Options
from isel.model.machine import Machine
from isel.rules import derived as d
from isel.spec.instruction import Instruction
from isel.spec.known import bit_permutation
from isel.synth.instructions.form import Form
from isel.synth.instructions.library import Library
from isel.synth.layout.permutes import permute_table
from isel.synth.synthesize import make_synthesizer
from tests.synth import windows as w
from tests.synth.toy import ToyTarget, toy


@pytest.fixture(scope="module")
def library() -> Library:
    return Library(Machine(ToyTarget(), "toy", frozenset(), 512))


def _forms(library: Library, name: str) -> tuple[Form, ...]:
    fn = library.function_of(name, ())
    assert fn is not None
    return tuple(
        f for f in library.forms(fn, _instruction(name).bits) if f.instruction.name == name
    )


def _instruction(name: str) -> Instruction:
    return next(i for i in toy() if i.name == name)


def test_a_pack_reads_block_by_block(library: Library) -> None:
    (form,) = _forms(library, "packus8.256")
    assert form.operand[0].tolist() == ([0] * 8 + [1] * 8) * 2
    assert form.index[0].tolist() == [*range(8), *range(8), *range(8, 16), *range(8, 16)]
    assert [o.tolist() for o in form.orders(())] == [
        [*range(8), *range(16, 24), *range(8, 16), *range(24, 32)]
    ]


def test_a_pack_of_packs_reads_in_smaller_blocks(library: Library) -> None:
    (outer,), (inner,) = _forms(library, "packus8.512"), _forms(library, "packs16.512")
    alone, nested = outer.orders([inner])
    assert [alone.tolist()] == [
        o.tolist() for o in outer.orders(_forms(library, "trunc32to16.512"))
    ]
    assert nested.tolist() == [
        16 * source + 4 * block + k for block in range(4) for source in range(4) for k in range(4)
    ]
    (add,) = _forms(library, "add8.128")
    assert not add.packs


def test_narrowing_twice_is_put_in_order_once() -> None:
    """Two packs, one pack of them and one permute by a constant."""
    window = w.lanewise(lambda x: d.sat_su(x, 8), 32, 64, 1)
    best = (
        make_synthesizer(
            Machine(ToyTarget(), "toy", frozenset(), 512), Options(disabled=("cegis",))
        )
        .search(window)
        .candidates[0]
        .program
    )
    applied = sorted(
        s.name.split(".")[0].rstrip("0123456789") for s in best.steps if s.kind == "apply"
    )
    assert applied == ["packs", "packs", "packus", "permute"]


def test_shifts_are_no_swizzles(library: Library) -> None:
    names = {f.instruction.mnemonic for bits in (128, 256, 512) for f in library.swizzles(bits)}
    assert names == {f"unpack{h}{w}" for h in "lh" for w in (8, 16, 32, 64)} | {"qwords"}


def test_a_permute_by_index_is_read_as_a_table() -> None:
    known = permute_table(_instruction("permute16.128"))
    assert known is not None
    assert known.at == 1
    assert [known.lanes[3][k] for k in range(8)] == list(range(8))
    assert known.index([[-1, 5], [], *[[k] for k in range(2, 8)]]) == (5, None, *range(2, 8))
    assert known.index([[99], *[[]] * 7]) is None


@pytest.mark.parametrize(
    ("index", "regular"),
    [
        ([0, 2, 1, 3], True),
        ([1, 0, 3, 2], True),
        ([0, 0, 0, 0], True),
        ([0, 1, 3, 2], False),
        ([0, 1, 2, 2], False),
    ],
)
def test_bit_permutations(index: list[int], regular: bool) -> None:
    assert bit_permutation(np.zeros(4, dtype=np.int64), np.array(index), (4,)) is regular


def test_dot_slots_follow_the_elements_they_read(library: Library) -> None:
    for fn, shape in library.dots:
        if len(shape.products) == 4:
            form = library.forms(fn, 128)[0]
            order = [int(form.index[int(p[0].term.source[1:]), 0]) for p in shape.products]
            assert order == [0, 1, 2, 3]
            return
    pytest.fail("the toy set has a dot product of four")
