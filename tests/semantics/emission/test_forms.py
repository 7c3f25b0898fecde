"""Every machine form that an emission becomes has a price on every CPU that has its features."""

from __future__ import annotations

from frontends.llvm.linked.worker import LlvmWorker
from isel.spec.instruction import Instruction
from semantics.emission.alone import instruction, sampled
from semantics.emission.prototype import CType, Kind
from semantics.emission.table import emissions
from semantics.selection import select
from semantics.x86.costs import TABLES, prices_of
from semantics.x86.emission.entries import Entry
from semantics.x86.selection import PRINTED
from semantics.x86.target import cpus


def test_every_form_is_priced() -> None:
    cases: list[tuple[Instruction, dict[str, int]]] = []
    for e in emissions("x86").every():
        entry = Entry(*e.key, "", CType(Kind.VECTOR, 0, ""), (), (e.becomes or ("",))[:1])
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
        found = select(cases, worker, PRINTED)
    for (i, _), chosen in zip(cases, found, strict=True):
        for cpu in TABLES:
            if i.features <= cpus().of(cpu):
                missing.update((cpu, f) for f in chosen.forms if prices_of(cpu).of(f) is None)
    assert not missing
