"""Every machine form that an emission becomes has a price on every CPU that has its features."""

from __future__ import annotations

import pytest

from frontends.llvm.worker import LlvmWorker
from isel.spec.instruction import Instruction
from semantics.x86.costs import TABLES, prices_of
from semantics.x86.cpus import cpus
from semantics.x86.emission.alone import instruction, sampled
from semantics.x86.emission.entries import Entry
from semantics.x86.emission.table import emissions
from semantics.x86.selection import select


@pytest.mark.slow
def test_every_form_is_priced() -> None:
    cases: list[tuple[Instruction, dict[str, int]]] = []
    for e in emissions().every():
        entry = Entry(e.key[0], e.key[1], "", "", (), (e.becomes or ("",))[:1], ())
        for s in e.learned.sections:
            cases.extend(
                (
                    instruction(entry, e.learned, s),
                    {e.learned.immediate: v} if e.learned.immediate else {},
                )
                for v in (sampled(s.values) or [0])[:2]
            )
    missing: set[tuple[str, str]] = set()
    with LlvmWorker() as worker:
        found = select(cases, worker)
    for (i, _), chosen in zip(cases, found, strict=True):
        for cpu in TABLES:
            if i.features <= cpus().of(cpu):
                missing.update((cpu, f) for f in chosen.forms if prices_of(cpu).of(f) is None)
    assert not missing
