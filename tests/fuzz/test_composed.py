"""Nests of fixed-point operations: the spellings of an operation are equal."""

from __future__ import annotations

import random
from collections.abc import Iterator

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fixed_point.rows import TYPES
from tests.fixed_point.spell import Spelling, Value
from tests.fuzz.case import Call, Case, Pointer, contents
from tests.fuzz.composed import append, composed
from tests.fuzz.generate import Generated
from tests.fuzz.generators import make
from tests.fuzz.guarded import Code, run
from tests.fuzz.modules import together
from tests.fuzz.small import function, load
from tests.fuzz.spellings import operations
from tests.fuzz.writer import Shape, Writer

BITS = 128  # of operands, the wider ones


def _spelled() -> Iterator[tuple[str, list[str]]]:
    """Yield operations, and a module for each of their spellings."""
    for t in TYPES:
        for operation in operations(t):
            texts: list[str] = []
            for spell in operation.spellings:
                widest = max(t.width, *(x.width for x in operation.takes))
                kind = Shape(BITS // widest, t.width)
                w, s = Writer(random.Random(0)), Spelling(BITS // widest, letter="n")
                operands = [
                    Value(load(w, Shape(kind.lanes, x.width), f"%a{k}", ""), x)
                    for k, x in enumerate(operation.takes)
                ]
                result = spell(s, *operands)
                append(w, s)
                texts.append(function(w, ["%a0", "%a1"], result.text, kind, 0))
            yield f"{operation.name} {t.name}", texts


def test_spellings_of_an_operation_are_equal() -> None:
    rng = random.Random("operands")
    calls = tuple(
        Call(tuple(contents(rng, 16) for _ in range(3)), tuple(map(Pointer, range(3))), True)
        for _ in range(30)
    )
    spelled = list(_spelled())
    made = [Generated(0, text, (16, 16, 16)) for _, texts in spelled for text in texts]
    cases = [Case(f"f{k}", calls) for k in range(len(made))]
    with LlvmWorker() as worker:
        found = run(worker, together(made), cases, Code(1))
    assert not isinstance(found, WorkerFailed)
    results = iter(found)
    for name, texts in spelled:
        first, *others = [next(results) for _ in texts]
        assert all(other == first for other in others), name


def test_a_seed_is_a_function_and_a_batch() -> None:
    assert composed(5) == composed(5) != composed(6)
    assert " phi " in make("composed", 1).text
    through = make("composed", 2)
    assert through == make("composed", 2) and " phi " not in through.text
