"""The report for people: a line a function, the hottest first, then its windows, then what was
in none and why.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from frontends.llvm.report.phrases import became, hottest, plural, sentence
from frontends.llvm.report.tried import SCALABLE, ModuleReport, WindowReport, say_failures
from frontends.llvm.text.masks import readable


def table(report: ModuleReport, reproducer: str = "") -> str:
    """Return the report; ``reproducer`` has what failed."""
    shown = [x for x in hottest(report) if x[1]]
    out = [sentence(f, windows) for f, windows in shown]
    if any(f.cost for f, _ in shown):
        out.append(
            "  cycles: one pass through the innermost loops of the function, and a tenth of what "
            "is around a loop, as the table of its CPU has them"
        )
    out.extend(chain.from_iterable(_window(w) for _, windows in shown for w in windows))
    out.extend(_summary(report))
    if report.failures:
        out.append(f"  {say_failures(report)}{f'; {reproducer}' if reproducer else ''}")
    return "\n".join(out) + "\n"


def _window(w: WindowReport) -> Iterable[str]:
    yield ""
    yield f"{w.place.where}: {became(w)}" if w.place.where else f"{w.place}: {became(w)}"
    if w.place.where:
        yield f"  window: %{w.place.root} of @{w.place.function}"
    if w.selected and w.chosen:
        yield f"  LLVM:   {w.selected}"
    yield from _block("before", w.before)
    yield from _block("after", w.after)
    yield from _block("lifted", w.lifted)
    yield from _block("given", w.facts)
    if w.proof:
        yield f"  proof:  {w.proof}"
    if w.claim:
        yield f"  search: {w.claim}"
    judged = f"{plural(w.steps, 'step')}, {plural(w.attempts, 'candidate')} judged"
    yield f"  time:   {w.seconds:.2f} s, {judged}"


def _block(title: str, lines: Iterable[str]) -> list[str]:
    return [
        f"  {title + ':' if k == 0 else '':8}{readable(line.strip())}"
        for k, line in enumerate(lines)
    ]


def _summary(report: ModuleReport) -> Iterable[str]:
    total = sum(f.instructions for f in report.functions)
    inside = sum(f.in_windows for f in report.functions)
    if report.windows:
        yield ""
    windows = f"{len(report.rewritten)} of {plural(len(report.windows), 'window')} rewritten"
    yield f"{report.file}: {windows}; {inside} of {plural(total, 'instruction')} in windows"
    yield from (f"  {count:6} {reason}" for reason, count in report.left_out().items())
    for reason, count in report.skipped().items():
        if count > 1:
            yield f"  {count:6} functions skipped: {reason}"
    yield from (f"  function @{f.name} skipped: {f.skipped}" for f in report.functions if f.skipped)
    yield from (f"  function @{f.name}: {SCALABLE}" for f in report.functions if f.scalable)
    if report.timed_out:
        yield "  the time limit was reached: more may be found without it"
