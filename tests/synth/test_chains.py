"""Long sums become chains of the instructions that fit them, whatever the order of their terms."""

from __future__ import annotations

from collections import Counter
from functools import cache, reduce
from itertools import product

import pytest

from isel.ir import build as b
from isel.ir.expr import const, elem, leaves, var
from isel.model.answer import Options, Result
from isel.model.machine import Machine
from isel.rules.derived import umax
from isel.synth.edges.chains import by_place, chain_of, neighbours
from isel.synth.instructions.library import library_of
from isel.synth.synthesize import make_synthesizer
from isel.synth.values.linear import monomials
from tests.synth import windows
from tests.synth.sums import tile_row
from tests.synth.toy import ToyTarget

MACHINE = Machine(ToyTarget(), "toy", frozenset(), 512)
NAMES = {8: "dpbusd.512", 16: "dpwssd.512"}


@cache
def searched(k: int, width: int, seed: int, repeated: bool) -> Result:
    synthesizer = make_synthesizer(MACHINE, Options(disabled=("cegis",)))
    return synthesizer.search(tile_row(k, width=width, seed=seed, repeated=repeated))


@pytest.mark.parametrize(
    ("k", "width", "repeated"), list(product((1, 2, 4, 6, 8, 16, 32), (8, 16), (False, True)))
)
def test_a_row_of_a_tile_is_as_many_dot_products(k: int, width: int, repeated: bool) -> None:
    found = searched(k, width, k, repeated)
    best = found.candidates[0].program
    assert Counter(s.name for s in best.steps if s.kind == "apply") == {NAMES[width]: k}
    assert k <= 2 or found.steps <= 40 + 2 * k


@pytest.mark.parametrize("seed", range(1, 7))
def test_the_order_of_terms_decides_nothing(seed: int) -> None:
    costs = {searched(6, 8, s, True).candidates[0].program.cost for s in (0, seed)}
    assert len(costs) == 1


def test_a_chain_has_the_terms_of_its_sum() -> None:
    """What no link takes, three of four neighbours among it, is the rest that the first adds to."""
    row, x = tile_row(3).roots[0].lanes[0], var("x", 32)
    assert row is not None
    taken = b.mul(b.zext(elem("a02", 24, 8), 32), b.sext(elem("b02", 24, 8), 32))
    term = b.add(b.add(b.sub(row, taken), b.mul(x, x)), const(7, 32))
    places = {
        e: (ord(e.source[0]) + ord(e.source[-1]), e.offset) for e in leaves(term) if e is not x
    }
    chain = chain_of(library_of(MACHINE).dots, term, places, neighbours)
    assert chain is not None and len(chain.links) == 3
    assert set(monomials(chain.links[-1].value)) == set(monomials(term))
    assert {m.coefficient for m in monomials(chain.rest)} == {1, 7}
    for link in chain.links:
        sums = {frozenset(monomials(link.fn.apply(*args))) for args in link.ways}
        assert sums == {frozenset(monomials(link.value))}
    assert [len(link.ways) for link in chain.links] == [2, 1, 1]  # a slot is left, either factor 0
    assert (
        chain_of(library_of(MACHINE).dots, term, {}, neighbours) is None
    )  # nothing follows anything


def test_values_of_elements_are_chains_where_nothing_of_their_own_adds_them_up() -> None:
    """The greater of four by four pairs of bytes in 32 bits: four links, a factor of each is one."""
    pairs = [[windows.register(f"{s}{k}", 8, 16) for s in "ab"] for k in range(4)]
    roots = [
        reduce(
            b.add, (b.zext(umax(x[k], y[k]), 32) for x, y in pairs for k in range(4 * i, 4 * i + 4))
        )
        for i in range(4)
    ]
    given = windows.window(roots, *((f"{s}{k}", 8, 16) for k in range(4) for s in "ab"))
    found = make_synthesizer(MACHINE, Options(disabled=("cegis", "dot-products"))).search(given)
    names = Counter(s.name for s in found.candidates[0].program.steps if s.kind == "apply")
    assert names == {"umax8.128": 4, "dpbusd.128": 4}


@pytest.mark.parametrize(
    ("factors", "literals"),
    [
        ((1, 2, 1, 2, 4, 2, 1, 2, 1), {(2, 1), (2, 4)}),
        ((1, 3, 3, 5, 5, 1, 1, 5, 5, 3, 3, 1), {(1, 1), (3, 3), (5, 5)}),
        ((1, 3, 3, 1, 1, 1, 1, 1, 1), {(1, 3), (3, 1), (1, 1)}),
    ],
)
def test_links_are_of_like_factors_where_that_takes_fewer_literals(
    factors: tuple[int, ...], literals: set[tuple[int, ...]]
) -> None:
    every = [elem(f"a{k}", 0, 16) for k in range(len(factors))]
    term = reduce(
        b.add, (b.mul(b.sext(x, 32), const(n, 32)) for x, n in zip(every, factors, strict=True))
    )
    dots = [d for d in library_of(MACHINE).dots if len(d[1].products) == 2 and d[0].width == 32]
    chain = chain_of(dots, term, {x: (k, 0) for k, x in enumerate(every)}, by_place)
    assert chain is not None
    inner = (link.ways[0] for link in chain.links)
    assert {
        tuple(a.value for a in args if a.is_const and a.width == 16) for args in inner
    } == literals
