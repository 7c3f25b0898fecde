"""The HTML report: summary, plots, tables, and every rewritten window before and after, side by side."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from html import escape

from bench.harness.records import Record, Run, Window
from bench.harness.summary import speed_up, summarise
from bench.harness.versions import COMPARED

_STYLE = """
body { font: 15px/1.4 sans-serif; margin: 2em auto; max-width: 110em; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { border: 1px solid #ccc; padding: .2em .6em; text-align: left; vertical-align: top }
td.n { text-align: right; font-variant-numeric: tabular-nums } td.low { background: #fdd } td.high { background: #dfd }
pre { font-size: 12px; white-space: pre-wrap; margin: 0 } .side { width: 100%; table-layout: fixed } del { background: #fdd; text-decoration: none }
ins { background: #dfd; text-decoration: none } svg { max-width: 100%; height: auto }
"""


def page(run: Run, plots: Sequence[tuple[str, str]]) -> str:
    """Return the page; ``plots`` are titles and SVG texts."""
    parts = ["<h1>isel: benchmark</h1>", _facts(run.facts), "<h2>Speed</h2>", _summaries(run), _speeds(run.records)]
    if not plots:
        parts.append("<p>No plots: they need matplotlib, which <code>make bench</code> installs.</p>")
    parts.extend(f"<h2>{escape(title)}</h2>\n{svg}" for title, svg in plots)
    parts.append("<h2>Rewritten windows</h2>")
    parts.extend(_windows(r) for r in run.records if r.windows)
    parts.append("<h2>Windows left as they were</h2>")
    parts.append(_table(("kernel", "window", "reason"), ([r.name, k.place, k.reason] for r in run.records for k in r.kept)))
    if run.failed:
        parts.append("<h2>Failed</h2>")
        parts.append(_table(("kernel", "why"), ([r.name, r.error] for r in run.failed)))
    body = "\n".join(parts)
    return f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>isel: benchmark</title><style>{_STYLE}</style>\n<body>\n{body}\n</body></html>\n'


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(h)}</th>" for h in header)
    body = "\n".join("<tr>" + "".join(f"<td>{escape(c)}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table><tr>{head}</tr>\n{body}</table>"


def _facts(facts: Sequence[tuple[str, str]]) -> str:
    return _table(("machine and tools", ""), facts)


def _summaries(run: Run) -> str:
    rows = []
    for s in summarise(run.records):
        least, most = (f"{value:.3f} {name}" for value, name in (s.least, s.most))
        rows.append((s.comparison.title, str(s.kernels), f"{s.mean:.3f}", str(s.groups), f"{s.group_mean:.3f}", least, most))
    return _table(("comparison", "kernels", "geomean", "groups", "geomean of groups", "least", "most"), rows)


def _speeds(records: Sequence[Record]) -> str:
    head = "".join(f"<th>{escape(f'{c.ours} / {c.base}')}</th>" for c in COMPARED)
    rows = "\n".join(f"<tr><td>{escape(r.name)}</td>{''.join(_cell(speed_up(r, c)) for c in COMPARED)}</tr>" for r in records)
    return f"<table><tr><th>kernel</th>{head}</tr>\n{rows}</table>"


def _cell(value: float | None) -> str:
    if value is None:
        return "<td></td>"
    mark = " low" if value < 0.98 else " high" if value > 1.02 else ""
    return f'<td class="n{mark}">{value:.3f}</td>'


def _windows(record: Record) -> str:
    return f"<h3>{escape(record.name)}</h3>\n" + "\n".join(_window(w) for w in record.windows)


def _window(w: Window) -> str:
    costs = f"{w.cost_before:.2f} to {w.cost_after:.2f} cycles by the model; " if w.cost_before is not None and w.cost_after is not None else ""
    before, after = _marked(w.before, w.after)
    caption = f"<p>{escape(w.place)}: {costs}{escape(w.proof)}</p>"
    return f'{caption}<table class="side"><tr><th>before</th><th>after</th></tr><tr><td><pre>{before}</pre></td><td><pre>{after}</pre></td></tr></table>'


def _marked(before: Sequence[str], after: Sequence[str]) -> tuple[str, str]:
    """Return both sides with the lines marked that are only in one of them."""
    left: list[str] = []
    right: list[str] = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same = what == "equal"
        left.extend(escape(x) if same else f"<del>{escape(x)}</del>" for x in before[a:b])
        right.extend(escape(x) if same else f"<ins>{escape(x)}</ins>" for x in after[c:d])
    return "\n".join(left), "\n".join(right)
