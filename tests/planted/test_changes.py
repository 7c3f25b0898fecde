"""Rewritten loops with one place changed: where a native run shows the change, ``isel verify``
does not prove it.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Final

import pytest

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.text.parse import parse_module
from isel.errors import IselError
from isel.model.verdict import Proved, Verdict
from semantics import target_named
from tests.fuzz.harness import first_difference, native
from tests.planted.changes import LOOPS, changes
from tests.planted.run import rewritten
from tests.verdicts import verify_modules

_RANDOM: Final = random.Random("changes")
_INPUTS: Final = [[_RANDOM.randbytes(256), _RANDOM.randbytes(256), bytes(256)] for _ in range(4)]
_LEAST: Final = 20  # changes of a loop that a run shows: 200 of ten loops
_MOST: Final = 60  # of which verdicts are asked, drawn at random


@cache
def _texts(name: str) -> tuple[str, str]:
    done = rewritten(LOOPS[name])
    assert done.before != done.text, "the loop is rewritten"
    return done.before, done.text


def _verdict(before: str, after: str) -> Verdict:
    ((_, verdict),) = verify_modules(parse_module(before), parse_module(after), target_named("x86"))
    return verdict


@pytest.mark.parametrize("name", LOOPS)
def test_what_was_written_is_proved(name: str) -> None:
    assert isinstance(_verdict(*_texts(name)), Proved)


@pytest.mark.parametrize("name", LOOPS)
def test_no_change_that_shows_is_proved(name: str) -> None:
    before, text = _texts(name)
    shown = 0
    with LlvmWorker(seconds=5) as worker:
        right = native(worker, before, _INPUTS)
        assert isinstance(right, list), right
        found = list(changes(text))
        for changed in random.Random(name).sample(found, len(found)):
            if shown == _MOST:
                break
            try:
                after = binding.normalise(changed)
            except IselError:
                continue  # LLVM does not read it
            ran = native(worker, after, _INPUTS)
            if isinstance(ran, list) and not first_difference(_INPUTS, right, ran):
                continue
            shown += 1
            assert not isinstance(_verdict(before, after), Proved), changed
    assert shown >= _LEAST, f"{shown} changes that a run shows"
