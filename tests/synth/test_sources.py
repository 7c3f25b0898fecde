"""A source is a row: the one of the guide does what the guide says, and a bad one costs no other."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from isel.ir import build as b
from isel.ir.expr import elem
from isel.model.answer import Options, Result
from isel.model.machine import Machine
from isel.model.program import Program, Step
from isel.model.window import Leaf
from isel.synth import limits
from isel.synth.loop import SearchSynthesizer, Source, WindowSearch
from isel.synth.problem import Proposal, Proposals
from isel.synth.sources import SOURCES
from tests.synth import windows as w
from tests.synth.toy import ToyTarget

GUIDE = Path(__file__).parents[2] / "docs" / "adding-a-source.md"
XOR = w.lanewise(b.bxor, 8, 64, 2)
TOY = Machine(ToyTarget(), "toy", frozenset(), 512)


def found(*sources: Source) -> Result:
    return SearchSynthesizer(TOY, Options(disabled=("cegis",)), sources=sources).search(XOR)


def names(result: Result) -> list[str]:
    (best, *_) = result.candidates
    return [s.name for s in best.program.steps if s.kind == "apply"]


def code() -> str:
    (text,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    return str(text)


def source(text: str) -> Source:
    module: dict[str, object] = {"__name__": "guide"}
    exec(compile(text, str(GUIDE), "exec"), module)
    row = module["SOURCE"]
    assert isinstance(row, Source)
    return row


def leaf(k: int) -> Program:
    """A leaf as the result, which is wrong, of as many programs as are asked for."""
    steps = tuple(Step("leaf", 8, 64, name="ab"[j % 2]) for j in range(k))
    return Program(steps, (k - 1,), 1)


def endless(search: WindowSearch) -> Proposals:
    for k in count(1):
        yield Proposal(leaf(k))


def idle(search: WindowSearch) -> Proposals:
    while len(search.programs) < 1:
        search.spend(1000)
    yield Proposal(leaf(1))


def wrong(search: WindowSearch) -> Proposals:
    yield Proposal(leaf(1))


def dying(search: WindowSearch) -> Proposals:
    yield Proposal(leaf(1 // len(search.programs)))


def bad(proposals: Callable[[WindowSearch], Proposals]) -> Source:
    return replace(SOURCES[0], name="bad", proposals=proposals)


def test_the_source_of_the_guide() -> None:
    assert len([line for line in code().splitlines() if line.strip()]) < 60
    assert names(found(source(code()))) == ["or8.512", "and8.512", "sub8.512"]
    assert names(found(*SOURCES, source(code()))) == ["xor8.512"]


def test_what_it_gets_wrong_is_not_proved() -> None:
    assert not found(source(code().replace("(bor, band, sub)", "(bor, band, bor)"))).candidates


@pytest.mark.parametrize("proposals", [endless, idle])
def test_a_source_that_never_ends_is_ended(proposals: Callable[[WindowSearch], Proposals]) -> None:
    few = replace(bad(proposals), steps=3 * limits.PROPOSAL_STEPS)
    assert names(found(few, *SOURCES)) == ["xor8.512"]
    assert found(few).reason == "bad ended at its limit of steps"


def test_what_a_source_gets_wrong_is_refused() -> None:
    assert names(found(bad(wrong), *SOURCES)) == ["xor8.512"]
    assert not found(bad(wrong)).candidates


def test_a_source_that_dies_leaves_the_others() -> None:
    beside = found(bad(dying), *SOURCES)
    assert names(beside) == ["xor8.512"]
    assert isinstance(beside.error, ZeroDivisionError)
    assert not beside.is_whole
    with pytest.raises(ZeroDivisionError, match="by zero"):
        found(bad(dying))


def test_of_several_that_die_the_first_is_told_of() -> None:
    def later(search: WindowSearch) -> Proposals:
        yield Proposal(leaf(list[int]()[0]))

    assert isinstance(found(bad(dying), bad(later), *SOURCES).error, ZeroDivisionError)


@pytest.mark.parametrize("part", [False, True])
def test_a_source_that_dies_in_a_search_within_is_told_of(part: bool) -> None:
    """With leaves apart, or of what a register holds again and again."""
    asked: list[WindowSearch] = []

    def within(search: WindowSearch) -> Proposals:
        asked.append(search)
        if len(asked) > 1:
            raise ZeroDivisionError
        if part:
            assert search.problem.made_once(
                Leaf("c", 8, 64), [b.bxor(elem("a", 0, 8), elem("b", 0, 8))]
            )
        else:
            assert search.apart()[0]
        yield from ()

    beside = found(bad(within), *SOURCES)
    assert len(asked) == 2 and beside.candidates
    assert isinstance(beside.error, ZeroDivisionError)


@pytest.mark.parametrize("ends", [False, True])
def test_behind_a_source_that_ends_none_is_asked(ends: bool) -> None:
    last = replace(bad(wrong), ends=ends)
    assert bool(found(last, *SOURCES).candidates) is not ends
