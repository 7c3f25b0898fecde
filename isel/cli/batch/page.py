"""The summary as one HTML file: no script, no network, readable on a telephone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import quote

from isel.cli.batch.summary import DONE, Row, Summary, shown

_STYLE = """
body { font: 15px/1.4 sans-serif; margin: 1em auto; max-width: 70em; padding: 0 1em;
  color: #222; background: #fff }
table { border-collapse: collapse; margin: 1em 0; width: 100% }
td, th { border-bottom: 1px solid #ddd; padding: .2em .5em; text-align: left; vertical-align: top }
td { overflow-wrap: anywhere }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
"""


_HEAD = """\
<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">\
<title>isel batch</title>"""


def page(summary: Summary) -> str:
    """Return the page; it lies beside the outputs, which it links."""
    parts = ["<h1>isel batch</h1>", f"<p>{escape(summary.headline())}</p>"]
    if summary.failed:
        failed = [
            (_name(r), escape(r.status), escape(shown(r.error.splitlines()[0] if r.error else "")))
            for r in summary.failed
        ]
        parts += ["<h2>Without an output</h2>", _table(0, ("module", "", "why"), failed)]
    done = [_done(r) for r in summary.rows if r.status in DONE]
    if done:
        parts += [
            "<h2>Modules by cycles saved</h2>",
            _table(4, ("saved", "before", "after", "windows", "module"), done),
        ]
    reasons = [
        (str(r.windows), str(r.modules), escape(shown(r.text)), escape(shown(r.example)))
        for r in summary.reasons()
    ]
    if reasons:
        parts += [
            "<h2>Why windows stay as they are</h2>",
            _table(2, ("windows", "modules", "reason", "most of them in"), reasons),
        ]
    body = "".join(f"{p}\n" for p in parts)
    return f"{_HEAD}<style>{_STYLE}</style>\n<body>\n{body}</body></html>\n"


def _done(row: Row) -> Sequence[str]:
    cycles = [
        f"{value:.2f}" if row.rewritten else "" for value in (row.saved, row.before, row.after)
    ]
    notes = ["the time limit was reached"] * row.late + [f"{row.failures} failures"] * bool(
        row.failures
    )
    name = _name(row) + "".join(f" <em>({note})</em>" for note in notes)
    return (*cycles, f"{row.rewritten} of {row.windows}", name)


def _name(row: Row) -> str:
    """Link a module's output, or where there is none its record."""
    target = row.output if row.status in DONE else f"{row.output}.json"
    return (
        f'<a href="{escape(quote(target, errors="surrogateescape"))}">{escape(shown(row.name))}</a>'
    )


def _table(numbers: int, header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of HTML cells whose first columns are ``numbers``."""
    classes = [' class="n"' if k < numbers else "" for k in range(len(header))]
    lines = ["".join(f"<th{c}>{h}</th>" for c, h in zip(classes, header, strict=True))]
    lines += [
        "".join(f"<td{c}>{cell}</td>" for c, cell in zip(classes, row, strict=True)) for row in rows
    ]
    return "<table>" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "</table>"
