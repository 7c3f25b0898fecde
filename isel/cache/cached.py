"""The decorator of the synthesizer: the same answers, sooner."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from isel import __version__
from isel.cache.rows import ResultRow
from isel.cache.store import Store
from isel.json_text import to_json
from isel.model.answer import Candidate, Options, Result, Synthesizer
from isel.model.machine import Machine
from isel.model.program import Program, outputs, read_program
from isel.model.verdict import Certificate, Proved, Verdict
from isel.model.window import Window
from isel.smt.versions import solver_versions
from isel.spec.instruction import Instruction
from isel.trust import UNREADABLE
from isel.verify.prove import Checker
from isel.verify.recorded import Recorded
from isel.verify.windows import prove_window

if TYPE_CHECKING:
    from isel.cache.remote import Remote

_FORMAT: Final = "isel result 7"


@dataclass(frozen=True, slots=True)
class _Kept:
    """What a row says of one program."""

    text: str
    cost: int
    certificate: Certificate
    claim: str
    facts: tuple[str, ...]


def proved_again(
    kept: _Kept,
    window: Window,
    instructions: Mapping[str, Instruction],
    effort: int,
    checker: Checker | None = None,
) -> Candidate | Verdict:
    """Derive the obligations of a program again and prove them; ``checker`` None asks the
    solvers.  What is no candidate is not proved.
    """
    plain = read_program(kept.text)
    program = Program(plain.steps, plain.roots, kept.cost)
    values = outputs(program, instructions, [r.lanes for r in window.roots])
    verdict = prove_window(window, values, effort, checker)
    if not isinstance(verdict, Proved):
        return verdict
    return Candidate(program, verdict, kept.claim, kept.facts)


def write_row(key: str, target: str, window: Window, result: Result) -> ResultRow:
    """Return the row of a complete result."""
    programs = [
        {
            "text": c.program.text(),
            "cost": c.program.cost,
            "queries": c.proof.certificate.queries,
            "solvers": c.proof.certificate.solvers,
            "claim": c.claim,
            "facts": c.facts,
        }
        for c in result.candidates
    ]
    data = {"programs": programs, "versions": solver_versions(), "lifted": result.lifted}
    text = to_json(data, sort_keys=True)
    return ResultRow(key, target, window.text(), text, result.reason, result.steps, __version__)


def read_programs(row: ResultRow) -> tuple[tuple[_Kept, ...], bool]:
    """Return the programs of a row, and whether the solvers still have the versions of its
    certificates.
    """
    data = json.loads(row.programs)
    kept = tuple(
        _Kept(
            p["text"],
            int(p["cost"]),
            Certificate(tuple(p["queries"]), tuple(p["solvers"])),
            str(p["claim"]),
            tuple(map(str, p["facts"])),
        )
        for p in data["programs"]
    )
    return kept, data["versions"] == solver_versions()


def read_lifted(row: ResultRow) -> tuple[str, ...]:
    """Return what a row says that the lanes are, in words."""
    return tuple(map(str, json.loads(row.programs).get("lifted", ())))


@dataclass(frozen=True)
class CachedSynthesizer:
    """Answers from ``store`` where it can, from ``inner`` otherwise; only whole results are
    kept.  Rows of a cache elsewhere are proved again, and what is proved is kept.

    Programs from the store are read again and their obligations derived again; each must be in the
    certificate or is put to the solvers.  ``prove_again`` puts all of them to the solvers.
    """

    inner: Synthesizer
    store: Store
    machine: Machine
    options: Options
    prove_again: bool = False
    remote: Remote | None = None

    @cached_property
    def _machine_text(self) -> str:
        prices = "\n".join(f"{i.name} {self.machine.cost(i)}" for i in self.machine.instructions)
        features = ",".join(sorted(self.machine.features))
        digest = self.machine.target.digest
        return (
            f"{_FORMAT}\n{self.machine.target.name} {digest}\n{features}\n"
            f"{self.machine.vector_bits}\n{prices}\n{self.options.text()}\n"
        )

    def key(self, window: Window) -> str:
        """Return the key of a window: it determines everything that the answer depends on."""
        return hashlib.sha256(f"{self._machine_text}{window.text()}".encode()).hexdigest()

    def prepare(self, windows: Sequence[Window]) -> None:
        """See :class:`isel.model.answer.Synthesizer`: nothing where every window has a row."""
        missing = [w for w in windows if self.store.result(self.key(w)) is None]
        if missing:
            self.inner.prepare(missing)

    def search(self, window: Window) -> Result:
        """See :class:`isel.model.answer.Synthesizer`."""
        known, current = self._kept_answer(window)
        result = known or self.foreign(window, whole=True) or self.inner.search(window)
        if result.is_whole and not current:
            self._add(window, result)
        return result

    def recall(self, window: Window) -> Result | None:
        """Return the answer that is kept for a window, None where there is none to rely on."""
        known, current = self._kept_answer(window)
        if known is not None and not current:
            self._add(window, known)
        return known

    def foreign(self, window: Window, *, whole: bool = False) -> Result | None:
        """Return what another machine found, proved here; that it found nothing cannot be proved:
        such an answer is not complete, and none where a ``whole`` one is wanted.
        """
        row = None if self.remote is None else self.remote.result(self.key(window))
        if row is None or self.remote is None:
            return None
        found, current = self._read(row, window, again=True)
        if found is None:
            self.remote.give_up("it sent what is not proved")
            return None
        if found.candidates:
            self._add(window, found)
            return found
        return replace(found, complete=False) if current and not whole else None

    def _kept_answer(self, window: Window) -> tuple[Result | None, bool]:
        """Return the answer that is kept, and whether these solvers' versions proved it."""
        row = self.store.result(self.key(window))
        found, current = self._read(row, window) if row is not None else (None, False)
        if found is not None and not found.candidates and not current:
            found = None  # what stayed open for other versions of the solvers may be proved here
        return found, current

    def _add(self, window: Window, result: Result) -> None:
        key = self.key(window)
        self.store.add_result(write_row(key, self.machine.target.name, window, result))

    def _read(
        self, row: ResultRow, window: Window, *, again: bool = False
    ) -> tuple[Result | None, bool]:
        """Return the row's result, or None where it is damaged or a program is not proved
        (``again``: by the solvers); and whether these solvers' versions proved it.
        """
        if row.window != window.text():
            return None, False
        try:
            kept, current = read_programs(row)
            certified = current and not (again or self.prove_again)
            candidates = tuple(self._candidate(k, window, certified) for k in kept)
            lifted = read_lifted(row)
        except UNREADABLE:
            return None, False
        sound = tuple(c for c in candidates if c is not None)
        if len(sound) < len(candidates):
            return None, False
        return Result(sound, True, row.reason, row.steps, lifted), current

    def _candidate(self, kept: _Kept, window: Window, certified: bool) -> Candidate | None:
        checker = Recorded(kept.certificate, self.options.effort) if certified else None
        found = proved_again(kept, window, self.machine.by_name, self.options.effort, checker)
        return found if isinstance(found, Candidate) else None
