"""Which candidate is chosen, out of figures; no package needed."""

from __future__ import annotations

import re

import pytest

from frontends.halide.candidates import GENERIC_ISEL, OWN, OWN_ISEL, Candidate, by_model, fastest
from frontends.halide.choice import Choice
from frontends.halide.model import Compiled, Model
from frontends.halide.targets import resolve
from frontends.llvm.linked.worker import LlvmWorker
from isel.timing import Times

Cycles = dict[tuple[str, int], float]


def compiled(cycles: Cycles, missing: tuple[tuple[str, int], ...] = ()) -> Compiled:
    return Compiled("", False, b"", "", tuple(sorted(cycles.items())), missing)


LOOP: Cycles = {("f", 0): 5.0, ("f", 1): 10.0, ("f", 2): 100.0}
FASTER: dict[str, tuple[Cycles, bool]] = {
    "the same": (LOOP, False),
    "a shorter loop": (LOOP | {("f", 2): 90.0}, True),
    "hardly shorter": (LOOP | {("f", 2): 99.0}, False),
    "longer around the loops": (LOOP | {("f", 2): 90.0, ("f", 0): 50.0}, True),
    "one loop longer": (LOOP | {("f", 2): 90.0, ("f", 1): 11.0}, False),
    "loops that were unrolled": ({("f", 0): 5.0, ("f", 1): 60.0}, False),
    "another function": (LOOP | {("g", 1): 1.0}, False),
}


@pytest.mark.parametrize("case", FASTER)
def test_faster_by_the_model(case: str) -> None:
    cycles, wanted = FASTER[case]
    assert compiled(cycles).faster(compiled(LOOP)) == wanted


def test_code_without_loops_is_compared_as_a_whole() -> None:
    assert compiled({("f", 0): 4.0}).faster(compiled({("f", 0): 5.0}))


def test_forms_without_a_price_must_be_the_same() -> None:
    shorter = LOOP | {("f", 2): 90.0}
    assert not compiled(shorter, (("vfoo zmm", 1),)).faster(compiled(LOOP))
    assert compiled(shorter, (("vfoo zmm", 1),)).faster(compiled(LOOP, (("vfoo zmm", 1),)))


def times(**rounds: tuple[float, ...]) -> list[Times]:
    names = {"own": OWN, "own_isel": OWN_ISEL, "isel": GENERIC_ISEL}
    return [Times(names[k], 1, v) for k, v in rounds.items()]


TIMED = {
    "the fastest": (
        times(own=(10.0, 10.0, 10.0), own_isel=(9.0, 9.0, 9.0), isel=(8.0, 8.0, 8.0)),
        GENERIC_ISEL,
    ),
    "own where none is faster": (
        times(own=(10.0, 10.0, 10.0), own_isel=(11.0, 11.0, 11.0), isel=(12.0, 12.0, 12.0)),
        OWN,
    ),
    "own where the gain is small": (
        times(own=(10.0, 10.0, 10.0), own_isel=(9.9, 9.9, 9.9), isel=(10.0, 10.0, 10.0)),
        OWN,
    ),
    "own where half of the rounds say so": (
        times(own=(10.0, 10.0, 10.0, 10.0), own_isel=(8.0, 12.0, 8.0, 10.0), isel=(11.0,) * 4),
        OWN,
    ),
    "by the median of rounds": (
        times(own=(10.0, 10.0, 30.0), own_isel=(11.0, 11.0, 1.0), isel=(9.0, 9.0, 90.0)),
        GENERIC_ISEL,
    ),
}


@pytest.mark.parametrize("case", TIMED)
def test_fastest(case: str) -> None:
    found, wanted = TIMED[case]
    assert fastest(found) == wanted


def test_what_computes_something_else_is_not_chosen() -> None:
    found = TIMED["the fastest"][0]
    assert fastest(found, [GENERIC_ISEL]) == OWN_ISEL
    assert fastest(found, [GENERIC_ISEL, OWN_ISEL]) == OWN


def candidates(*cycles: Cycles) -> list[Candidate]:
    codes = [compiled(c) for c in cycles]
    names = (OWN, OWN_ISEL, GENERIC_ISEL)
    return [Candidate(n, c, c.why_not(codes[0])) for n, c in zip(names, codes, strict=True)]


CHOSEN: dict[str, tuple[list[Candidate], str]] = {
    "the first of equals": (candidates(LOOP, LOOP, LOOP), OWN),
    "the cheapest, however little": (
        candidates(LOOP, LOOP | {("f", 2): 99.0}, LOOP | {("f", 2): 99.5}),
        OWN_ISEL,
    ),
    "the last": (candidates(LOOP, LOOP, LOOP | {("f", 1): 9.0}), GENERIC_ISEL),
    "not what has other loops": (candidates(LOOP, LOOP, {("f", 0): 5.0, ("f", 1): 6.0}), OWN),
    "not what is slower somewhere": (
        candidates(LOOP, LOOP | {("f", 2): 50.0, ("f", 1): 11.0}, LOOP),
        OWN,
    ),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_the_model_takes_the_cheapest_of_the_table(case: str) -> None:
    found, wanted = CHOSEN[case]
    chosen = by_model(found)
    assert chosen.name == wanted
    compared = [c.code.total for c in found if not c.barred]
    assert chosen.code.total == min(compared)


def test_the_table_says_why() -> None:
    found = candidates(
        LOOP, LOOP | {("f", 2): 50.0, ("f", 1): 11.0}, {("f", 0): 5.0, ("f", 1): 6.0}
    )
    lines = Choice(tuple(found), by_model(found), None, "not run").table().splitlines()
    assert lines[1].endswith("  <- chosen: the cheapest")
    assert lines[2].endswith("  not compared: loops of @f at depth 1: 10.00 -> 11.00")
    assert lines[3].endswith(
        "  not compared: it has other loops, and nobody knows how often they run"
    )
    equal = candidates(LOOP, LOOP, LOOP)
    lines = Choice(tuple(equal), by_model(equal), None, "not run").table().splitlines()
    assert lines[2].endswith("  not cheaper than what is chosen")
    priced = compiled(LOOP, (("vfoo zmm", 1),))
    assert priced.why_not(compiled(LOOP)) == "it has instructions without a price"


HALIDES = """\
	.type	f,@function
f:                                      # @f
# %bb.0:                                # %entry
	vpaddb	%zmm1, %zmm0, %zmm0             # encoding
.LBB0_1:                                # %"for out.s0.x"
                                        # =>This Inner Loop Header: Depth=1
	vpaddb	%zmm1, %zmm0, %zmm0
	decq	%rdi
	jne	.LBB0_1
	retq
.Lfunc_end0:
"""


def test_what_halide_says_of_blocks_costs_nothing() -> None:
    with LlvmWorker() as worker:
        model = Model(resolve("x86", cpu="znver4"), worker)
        said, silent = (
            model.of_assembly("", b"", text)
            for text in (HALIDES, re.sub(r"[ \t]*#.*", "", HALIDES))
        )
    assert said.cycles == silent.cycles
    assert said.missing == silent.missing == ()
    assert {key for key, _ in said.cycles} == {("f", 0), ("f", 1)}
