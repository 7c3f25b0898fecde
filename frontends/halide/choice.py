"""Which candidate a pipeline's code is: measured where it can be run here, by the model
otherwise; and the figures of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from frontends.halide.build import Built
from frontends.halide.candidates import Candidate, by_model, by_time, candidates_of
from frontends.halide.targets import HalideTarget
from frontends.halide.trial import Measured, NotRun, Trial, measured
from isel.timing import Times, ratio


@dataclass(frozen=True, slots=True)
class Choice:
    """Candidates, the one chosen, and what was measured; ``reason`` says why nothing was."""

    candidates: tuple[Candidate, ...]
    chosen: Candidate
    measured: Measured | None
    reason: str

    @property
    def sentence(self) -> str:
        """What was chosen, how, and what ``isel`` did there."""
        how = "measured" if self.measured is not None else f"by the model ({self.reason})"
        if len(self.candidates) == 1:
            how = f"the only one ({self.reason})"
        did, report = "", self.chosen.report
        if report is not None:
            did = f"; {len(report.windows)} windows, {len(report.rewritten)} rewritten"
        return f"{self.chosen.name}, {how}{did}"

    def table(self) -> str:
        """Return the figures of all candidates: the model's cycles, measured time, and speed-up
        over Halide's own.
        """
        times = () if self.measured is None else self.measured.times
        lines = ["candidate        rewritten   cycles  -O3         ns  over own"]
        for c in self.candidates:
            r, passes = c.report, "yes" if c.code.passes else "no"
            rewritten = "-" if r is None else f"{len(r.rewritten)} of {len(r.windows)}"
            figures = f"{c.code.total:8.1f}  {passes:3} {_measured(c.name, times)}"
            lines.append(f"{c.name:15} {rewritten:>10} {figures}{self._mark(c)}")
        if self.measured is not None:
            every = ((n, "x".join(map(str, x))) for n, x in self.measured.extents)
            sizes = ", ".join(f"{name} {size or '0-dimensional'}" for name, size in every)
            lines.append(f"measured with {sizes}")
            lines += [
                f"'{n}' differs in outputs of floating point from Halide's own: not chosen"
                for n in self.measured.different
            ]
        return "\n".join(lines) + "\n"

    def _mark(self, c: Candidate) -> str:
        """Say of a candidate why it is, or is not, the one chosen."""
        if c is self.chosen:
            how = "the cheapest" if self.measured is None else "the fastest"
            return f"  <- chosen: {how}"
        if self.measured is not None:
            return ""
        return f"  not compared: {c.barred}" if c.barred else "  not cheaper than what is chosen"


def _measured(name: str, times: Sequence[Times]) -> str:
    found = next((t for t in times if t.version == name), None)
    if found is None:
        return f"{'-':>10} {'-':>9}"
    return f"{min(found.rounds):10.0f} {ratio(times[0].rounds, found.rounds) or 0.0:9.2f}"


def choose(
    built: Built, target: HalideTarget, *, size: Sequence[int] = (), run: bool = True
) -> Choice:
    """Choose between the candidates of a pipeline built with ``compare`` (and ``checked``, to be
    run).

    ``size`` are extents of the outputs, innermost first.  Raises
    :class:`frontends.halide.trial.Differs` where candidates compute different integers.
    """
    candidates = candidates_of(built, target)
    if built.lacks:
        return Choice(candidates, candidates[0], None, built.lacks)
    if not run:
        return Choice(candidates, by_model(candidates), None, "not run")
    versions = tuple((c.name, c.code.object) for c in candidates)
    try:
        found = measured(Trial(built.signature, target, versions, built.checked, tuple(size)))
    except NotRun as problem:
        return Choice(candidates, by_model(candidates), None, problem.message())
    return Choice(candidates, by_time(candidates, found.times, found.different), found, "")
