"""Twenty wrong rewrites: each is written where the last proof is off, seen by running it then, and
turned away by the last proof.

There are earlier nets, too (the search proves its programs, LLVM verifies modules, the gate
compares prices): those that would hide a fault from the last proof are off here
(:mod:`tests.planted.run`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from tests.fuzz.harness import Buffers, first_difference, native
from tests.planted.faults import FAULTS, UNDER_THE_PROOF, Fault
from tests.planted.run import NOT_PROVED, Net, Written, written

_RANDOM: Final = random.Random("planted")
_INPUTS: Final = [[_RANDOM.randbytes(256), _RANDOM.randbytes(256), bytes(256)] for _ in range(4)]


@pytest.fixture(scope="module")
def worker() -> Iterator[LlvmWorker]:
    with LlvmWorker(seconds=20) as found:
        yield found


@cache
def run(fault: Fault, net: Net) -> Written:
    return written(fault, net)


def ran(worker: LlvmWorker, text: str) -> list[Buffers]:
    found = native(worker, text, _INPUTS)
    assert isinstance(found, list), found
    return found


def differs(worker: LlvmWorker, a: str, b: str) -> bool:
    """Tell whether two modules leave different bytes behind, or the second one ends its process."""
    theirs = native(worker, b, _INPUTS)
    return not isinstance(theirs, list) or first_difference(_INPUTS, ran(worker, a), theirs) != ""


@pytest.mark.parametrize(
    "fault",
    [pytest.param(f, id=f.name) for f in FAULTS],
)
def test_a_wrong_rewrite(fault: Fault, worker: LlvmWorker) -> None:
    sound, off, on = (run(fault, net) for net in Net)
    assert bool(sound.kept) is fault.refused, "the kernel is rewritten by the rewriter as it is"
    assert not differs(worker, sound.before, sound.text)

    assert off.kept == ()
    assert off.text != sound.text, "the fault changes what is written"
    assert differs(worker, off.before, off.text), "running it shows that it is wrong"

    assert on.kept, "something is turned away"
    assert all(reason.startswith(NOT_PROVED) for reason in on.kept), on.kept
    assert not differs(worker, on.before, on.text), "and what is written is right"


@pytest.mark.parametrize("fault", [pytest.param(f, id=f.name) for f in UNDER_THE_PROOF])
def test_what_the_last_proof_believes(fault: Fault, worker: LlvmWorker) -> None:
    """These get through, which running shows; as soon as one does not, it is to be among the
    others.
    """
    on = run(fault, Net.ON)
    assert on.kept == ()
    assert differs(worker, on.before, on.text)


def test_they_are_twenty_and_different() -> None:
    assert len(FAULTS) >= 20
    assert (
        len({f.name for f in FAULTS})
        == len({(f.module, f.old, f.new) for f in FAULTS})
        == len(FAULTS)
    )
