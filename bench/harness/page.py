"""The HTML report: summary and plots first, then tables, and every rewritten window before and
after, folded.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence

from bench.harness.plots import plots
from bench.harness.records import Record, Run, Window
from bench.harness.summary import speed_up, summarise
from bench.harness.versions import COMPARED
from frontends.llvm.report.phrases import cycles, plural
from frontends.llvm.text.masks import readable
from isel.page import Html, document, folded, paragraph, side_by_side, table, tag, text


def page(run: Run) -> str:
    """Return the page."""
    return document("isel: benchmark", _parts(run))


def _parts(run: Run) -> Iterator[Html]:
    yield tag("h1", text("isel: benchmark"))
    yield _summaries(run)
    if run.failed:
        yield tag("h2", text("Failed"))
        yield table(("kernel", "why"), ((r.name, r.error) for r in run.failed))
    for title, picture in plots(run):
        yield tag("h2", text(title))
        yield picture
    yield tag("h2", text("Speed-ups"))
    yield _speeds(run.records)
    yield tag("h2", text("Rewritten windows"))
    for r in run.records:
        if r.windows:
            yield folded(
                f"{r.name}: {plural(len(r.windows), 'window')}",
                Html("".join(map(_window, r.windows))),
            )
    yield tag("h2", text("Windows left as they were"))
    for r in run.records:
        if r.kept:
            yield folded(
                f"{r.name}: {plural(len(r.kept), 'window')}",
                table(("window", "why"), ((k.place, k.reason) for k in r.kept)),
            )
    yield tag("h2", text("Machine and tools"))
    yield table(("", ""), run.facts)


def _summaries(run: Run) -> Html:
    rows = []
    for s in summarise(run.records):
        least, most = (f"{value:.3f} {name}" for value, name in (s.least, s.most))
        rows.append(
            (
                s.comparison.title,
                f"{s.mean:.3f}",
                str(s.kernels),
                f"{s.group_mean:.3f}",
                str(s.groups),
                least,
                most,
            )
        )
    return table(
        ("times faster", "geomean", "kernels", "of groups", "groups", "least", "most"),
        rows,
        numbers=(1, 2, 3, 4),
    )


def _speeds(records: Sequence[Record]) -> Html:
    compared = [c for c in COMPARED if any(speed_up(r, c) is not None for r in records)]
    rows = (
        [r.name, *("" if (s := speed_up(r, c)) is None else f"{s:.3f}" for c in compared)]
        for r in records
    )
    return table(
        ("kernel", *(f"{c.ours} / {c.base}" for c in compared)),
        rows,
        numbers=range(1, len(compared) + 1),
    )


def _window(w: Window) -> Html:
    costs = (
        f", {cycles(w.cost_before, w.cost_after)} by the model"
        if w.cost_before is not None and w.cost_after is not None
        else ""
    )
    before, after = _marked([readable(x) for x in w.before], [readable(x) for x in w.after])
    became = w.chosen or plural(len(w.after), "instruction")
    operations = w.operations or len(w.before)
    said = f"{w.place}: {operations} operations -> {became}{costs}; {w.proof}"
    return Html(
        paragraph(said) + side_by_side(("before", tag("pre", before)), ("after", tag("pre", after)))
    )


def _marked(before: Sequence[str], after: Sequence[str]) -> tuple[Html, Html]:
    """Return both sides with the lines marked that are only in one of them."""
    left: list[Html] = []
    right: list[Html] = []
    for what, a, b, c, d in difflib.SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        same = what == "equal"
        left.extend(text(x) if same else tag("del", text(x)) for x in before[a:b])
        right.extend(text(x) if same else tag("ins", text(x)) for x in after[c:d])
    return Html("\n".join(left)), Html("\n".join(right))
