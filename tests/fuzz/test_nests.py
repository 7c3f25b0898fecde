"""Nested C loops: each shape is generated, and calls touch what they may."""

from __future__ import annotations

import random

from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from tests.fuzz.c_nests import nest
from tests.fuzz.generators import make
from tests.fuzz.guarded import Code, run


def test_a_seed_is_a_nest_and_every_shape_comes() -> None:
    texts = [nest(random.Random(seed), "f")[0] for seed in range(60)]
    assert texts == [nest(random.Random(seed), "f")[0] for seed in range(60)]
    for word in ("S3 =", "(a[x] - b[x])", "a[x + 2 + 2 * s]", "d[8][8]", "clamp("):
        assert any(word in text for text in texts), word


def test_nests_touch_their_buffers_alone_and_do_the_same_whatever_passes_run() -> None:
    with LlvmWorker() as worker:
        for seed in (1, 2, 3):
            batch = make("nests", seed)
            plain = run(worker, batch.text, batch.cases, Code())
            assert not isinstance(plain, WorkerFailed)
            assert plain == run(worker, batch.text, batch.cases, Code(3, pipeline=True))
