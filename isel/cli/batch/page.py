"""The summary as one HTML file: no script, no network, readable on a telephone."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from isel.cli.batch.summary import DONE, Row, Summary, show
from isel.page import document, paragraph, table, tag, text


def page(summary: Summary) -> str:
    """Return the page; it lies beside the outputs, which it links."""
    parts = [tag("h1", text("isel batch")), paragraph(summary.headline())]
    if summary.failed:
        failed = [
            (show(r.name), r.status, show(r.error.partition("\n")[0])) for r in summary.failed
        ]
        parts.append(tag("h2", text("Without an output")))
        parts.append(table(("module", "", "why"), failed, links=_targets(summary.failed)))
    done = [r for r in summary.rows if r.status in DONE]
    if done:
        head = ("module", "saved", "before", "after", "windows", "")
        parts.append(tag("h2", text("Modules by cycles saved")))
        parts.append(table(head, map(_finish, done), numbers=(1, 2, 3, 4), links=_targets(done)))
    reasons = [
        (str(r.windows), str(r.modules), show(r.text), show(r.example)) for r in summary.reasons()
    ]
    if reasons:
        titles = ("windows", "modules", "reason", "most of them in")
        parts.append(tag("h2", text("Why windows stay as they are")))
        parts.append(table(titles, reasons, numbers=(0, 1)))
    return document("isel batch", parts)


def _finish(row: Row) -> Sequence[str]:
    values = (row.saved, row.before, row.after)
    cycles = [f"{value:.2f}" if row.rewritten else "" for value in values]
    late = ["the time limit was reached"] * row.late
    notes = late + [f"{row.failures} failures"] * bool(row.failures)
    return (show(row.name), *cycles, f"{row.rewritten} of {row.windows}", "; ".join(notes))


def _targets(rows: Sequence[Row]) -> list[str]:
    """Return the addresses of modules' outputs, or of the record where there is no output."""
    names = (r.output if r.status in DONE else f"{r.output}.json" for r in rows)
    return [quote(name, errors="surrogateescape") for name in names]
