"""Loads in place of splices, on random loops between guard pages, whatever they cost."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final

from frontends.llvm.linked import binding
from frontends.llvm.linked.layouts import with_layout
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.pipeline.judge import Refusal
from frontends.llvm.pipeline.layers import Layering
from frontends.llvm.pipeline.options import Options
from frontends.llvm.pipeline.run import Run
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Ledger
from isel.deadline import clock_of
from isel.failures import Net
from tests.fuzz.carried import declared, function
from tests.fuzz.case import IN_PLACE, OVERLAP, STRIDED
from tests.fuzz.check import Opted, check
from tests.fuzz.generators import make
from tests.fuzz.guarded import Code, run
from tests.planted.run import TOOLS

_SEED: Final = 7000


def loads_alone(text: str, cpu: str) -> Opted:
    """Return a module with every load in place of a splice that is proved."""
    module = with_layout(parse_module(text), "")
    run = Run(module, Options(cpu=cpu), TOOLS, "<fuzz>", clock_of(None))
    ledger, layering = Ledger(), Layering(run, Net(strict=True))
    loads = layering.apply(ledger)
    proved = map(layering.prove, loads.rivals)
    if ledger.take_back((p.entry, Refusal(p.why)) for p in proved if not p.kept):
        loads = layering.apply(ledger)
    return Opted(0, "", loads.module.text, frozenset(p.function.name for p in loads.kept))


def test_a_seed_is_a_function() -> None:
    assert function("f", 3) == function("f", 3) != function("f", 4)


def test_generated_loops_are_of_all_kinds() -> None:
    made = [function(f"f{k}", k) for k in range(200)]
    bodies = "\n".join(text for text, _ in made)
    binding.normalise("\n".join([bodies, *declared(bodies)]))
    for kind in (IN_PLACE, OVERLAP, STRIDED):
        assert sum(kind in case.kinds for _, case in made) >= 10, kind
    for word in ("zeroinitializer", "freeze", "store i8", "poison", "masked.store"):
        assert sum(word in text for text, _ in made) >= 3, word


def test_a_byte_too_far_is_seen() -> None:
    """Functions run on the bytes that they touch, and not on one less at the end."""
    with LlvmWorker(seconds=20) as worker:
        for k in range(6):
            text, case = function("f", k)
            text = binding.normalise("\n".join([text, *declared(text)]))
            whole = replace(case, calls=tuple(replace(c, high=True) for c in case.calls))
            assert isinstance(run(worker, text, [whole], Code()), list)
            for at, region in enumerate(whole.calls[0].regions):
                less = [r[:-1] if r is region else r for r in whole.calls[0].regions]
                short = replace(case, calls=(replace(whole.calls[0], regions=tuple(less)),))
                died = isinstance(run(worker, text, [short], Code()), WorkerFailed)
                assert died or len(region) == 1, at


def test_loads_in_place_of_splices_do_the_same() -> None:
    rng = random.Random(_SEED)
    checked = [check(make("carried", rng.randrange(10**6)), loads_alone) for _ in range(25)]
    assert [f for c in checked for f in c.findings] == []
    assert sum(len(c.run) for c in checked) >= 100, "the rewriter was hardly tried"
