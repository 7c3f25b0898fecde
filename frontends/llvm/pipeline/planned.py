"""What a transform makes of one function, until something speaks against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from frontends.llvm.report.tried import Outcome, Place, WindowReport, place_of
from frontends.llvm.splicing.write import Edits
from frontends.llvm.text.ast import Function, Instr, Module
from frontends.llvm.transform.ledger import Entry
from frontends.llvm.transform.site import Change, Opportunity, Part, Way
from frontends.llvm.transform.table import Row
from isel.cost.judgement import Judgement

if TYPE_CHECKING:
    from frontends.llvm.passes.witness import Exchange

NOTHING: Final = Edits({}, {})


@dataclass(frozen=True, slots=True)
class Planned:
    """What a transform makes of a function: its sites, with what their lines become or why they
    stay, or in place of them what was ``told`` of each; ``edits`` are empty and ``why`` says so
    where nothing stays.  Of a row with several ways to write a function it is one.
    """

    row: Row
    module: Module
    function: Function
    sites: tuple[tuple[Opportunity, Change | str], ...]
    edits: Edits
    way: Way | None = None
    number: int = 0  # of the way
    why: str = ""
    judgement: Judgement | None = None
    proof: str = ""

    @property
    def kept(self) -> bool:
        """Whether it changes the function."""
        return bool(self.edits.lines)

    @property
    def exchanges(self) -> list[Exchange]:
        """Which passes come in another order."""
        return [x for _, c in self.sites if isinstance(c, Change) for x in c.exchanges]

    @property
    def entry(self) -> Entry:
        """What is taken back with it."""
        return Entry(self.row.name, self.function.name, f"way {self.number}" if self.way else "")

    def leave(self, why: str) -> Planned:
        """Return it with nothing done, for a reason."""
        return replace(self, edits=NOTHING, why=why)

    def subjects(self) -> Iterator[tuple[Instr, Change | str]]:
        """Yield what each report is of, and what was changed there, or why nothing."""
        yield from ((part.root, self.why) for part in (self.way.parts if self.way else ()))
        yield from ((site.root, change) for site, change in self.sites)

    def reports(self) -> Iterator[WindowReport]:
        """Yield a report for each site."""
        for part in self.way.parts if self.way else ():
            yield self._tell_part(part)
        for site, change in self.sites:
            place = place_of(self.module, self.function.name, site.root)
            if isinstance(change, Change) and self.kept:
                yield self._tell(place, site, change)
                continue
            why = change if isinstance(change, str) else self.why
            text = (site.root.text.strip(),)
            yield WindowReport(place, Outcome.KEPT, text, reason=why, by=self.row.name)

    def _tell_part(self, part: Part) -> WindowReport:
        """Return the report of a value that a way computes otherwise, or could have."""
        return WindowReport(
            place_of(self.module, self.function.name, part.root),
            Outcome.REWRITTEN if self.kept else Outcome.KEPT,
            part.before,
            after=part.after,
            proof=self.proof,
            operations=len(part.before),
            reason=self.why,
            by=self.row.name,
        )

    def _tell(self, place: Place, site: Opportunity, change: Change) -> WindowReport:
        """Return the report of what was written, with the cycles of its loop."""
        of, j = self.module.lines, self.judgement or Judgement(False, "")
        before, after = j.cycles(*self.function.view.around(site.root)) or (None, None)
        return WindowReport(
            place,
            Outcome.REWRITTEN,
            tuple(of[k].strip() for k in change.lines),
            tuple(x.strip() for texts in change.lines.values() for x in texts),
            before,
            after,
            self.proof,
            chosen=change.says,
            by=self.row.name,
            beside=sum(isinstance(c, Change) for _, c in self.sites) - 1,
        )
