"""Rewritten modules of the benchmark with one place changed: of the changes that a native run
shows on the benchmark's inputs `isel verify` proves none.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise, object_code
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from frontends.llvm.text.parse import parse_module
from isel.errors import IselError
from isel.model.verdict import Proved, Refuted
from semantics import target_named
from tests.modules.sources import Source
from tests.planted.changes import drawn
from tests.verdicts import verify_modules

_TRIES: Final = 30  # of changes, for each that is wanted
_RUN_SECONDS: Final = 20


@dataclass
class Planted:
    """Of the modules so far: changes that LLVM compiles, that a run shows, and that were refuted;
    those that were proved, which are wrong; and the processor seconds of the verdicts.
    """

    modules: int = 0
    compiled: int = 0
    shown: int = 0
    refuted: int = 0
    proved: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def line(self) -> str:
        """Return the totals."""
        return (
            f"{self.modules} modules, {self.compiled} changes that LLVM compiles, {self.shown} "
            f"that a run shows: {len(self.proved)} proved, {self.refuted} refuted, "
            f"{self.shown - self.refuted - len(self.proved)} unknown; {self.seconds:.0f} s of CPU"
        )


def plant(
    rewritten: Iterable[tuple[Source, str]], folder: Path, seed: int, wanted: int
) -> Iterator[tuple[str, Planted]]:
    """Plant changes into what was made of modules until ``wanted`` of each are shown; yield the
    module's name and the totals so far.
    """
    totals = Planted()
    for source, text in rewritten:
        rng = random.Random(f"{seed} {source.name}")
        before, goal = normalise(source.text), totals.shown + wanted
        for changed in islice(drawn(text, source.text, source.kernel.entry, rng), _TRIES * wanted):
            if totals.shown < goal:
                _one(source, before, changed, folder, totals)
        totals.modules += 1
        yield source.name, totals


def _one(source: Source, before: str, changed: str, folder: Path, totals: Planted) -> None:
    code = _code(changed, source)
    if code is None:
        return
    totals.compiled += 1
    made = folder / "planted.o"
    made.write_bytes(code)
    if not source.wrong(made, _RUN_SECONDS):
        return
    totals.shown += 1
    start = time.process_time()
    found = verify_modules(
        parse_module(before), parse_module(normalise(changed)), target_named("x86")
    )
    totals.seconds += time.process_time() - start
    verdict = dict(found)[source.kernel.entry]
    totals.refuted += isinstance(verdict, Refuted)
    if isinstance(verdict, Proved):
        kept = folder / f"proved.{source.name}.{len(totals.proved)}.ll"
        kept.write_text(changed)
        totals.proved.append(kept.name)


def _code(text: str, source: Source) -> bytes | None:
    """Return a module's object, None where LLVM does not read or compile it."""
    cpu, features = source.target.cpu, source.target.features
    job = partial(object_code, triple="", cpu=cpu, features=features, level=2)
    try:
        with LlvmWorker(seconds=_RUN_SECONDS) as worker:
            found = worker.run(partial(job, normalise(text)))
    except IselError:
        return None
    return None if isinstance(found, WorkerFailed) else found
