"""A synthesizer that counts its calls, and windows with proved answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from isel.cache.cached import CachedSynthesizer
from isel.cache.store import Store, open_store
from isel.ir import build as b
from isel.model.answer import Candidate, Options, Result
from isel.model.machine import Machine
from isel.model.program import Program, Step, meaning
from isel.model.verdict import Proved
from isel.model.window import Window
from isel.verify.windows import prove_window
from tests.synth.toy import ToyTarget
from tests.synth.windows import average, lanewise

MACHINE = Machine(ToyTarget(), "", frozenset(), 512)
AVERAGE = lanewise(average, 8, 16, 2)
SUM = lanewise(b.add, 8, 16, 2)
LEAST = lanewise(lambda x, y: b.ite(b.ult(y, x), y, x), 8, 16, 2)
NAMES = {AVERAGE.text(): "avg8.128", SUM.text(): "add8.128", LEAST.text(): "umin8.128"}


def program(name: str, cost: int = 50) -> Program:
    """Return one instruction applied to leaves a and b."""
    return Program(
        (
            Step("leaf", 8, 16, name="a"),
            Step("leaf", 8, 16, name="b"),
            Step("apply", 8, 16, (0, 1), name),
        ),
        (2,),
        cost,
    )


def candidate(window: Window, name: str) -> Candidate:
    """Return a proved candidate."""
    p = program(name)
    verdict = prove_window(window, [meaning(p, MACHINE.by_name)[r] for r in p.roots])
    assert isinstance(verdict, Proved)
    return Candidate(p, verdict)


@dataclass
class Counting:
    """Answers from a table (nothing for unknown windows) and counts how often it is asked."""

    complete: bool = True
    error: Exception | None = None
    asked: list[str] = field(default_factory=list)
    prepared: list[str] = field(default_factory=list)

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`."""
        self.prepared.extend(w.text() for w in windows)

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        self.asked.append(window.text())
        name = NAMES.get(window.text())
        found = (candidate(window, name),) if name else ()
        return Result(found, self.complete, "" if found else "nothing cheaper", 17, (), self.error)


def opened(folder: Path, seed: Path | None = None) -> Store:
    """Open a store in a folder, without the shipped seed."""
    store = open_store(str(folder), {}, seed=seed or folder / "no-seed")
    assert store is not None
    return store


def cached(
    inner: Counting,
    store: Store,
    *,
    prove_again: bool = False,
    options: Options | None = None,
    machine: Machine = MACHINE,
) -> CachedSynthesizer:
    """Put the cache in front of a synthesizer."""
    return CachedSynthesizer(inner, store, machine, options or Options(), prove_again)
