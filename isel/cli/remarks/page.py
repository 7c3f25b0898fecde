"""The page of a build, in one file: what was rewritten, the hottest first, then the rest, by
reason.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from frontends.llvm.report.phrases import plural
from isel.cli.limits import REMARKS_PLOTTED, REMARKS_SHOWN
from isel.cli.remarks.build import Build
from isel.cli.remarks.findings import REWRITTEN, RULES, Finding
from isel.page import Html, bars, document, entry, folded, joined, paragraph, tag, text

_NOTE: Final = (
    "Cycles are those of one pass through the block of a window, by the table model of its "
    "CPU. The model is no measurement."
)


def build_page(build: Build, root: str) -> str:
    """Return the page; files below the folder ``root`` are named from there."""
    return document("isel: a build", _parts(build, root))


def _parts(build: Build, root: str) -> Iterator[Html]:
    yield from _head(build)
    if build.rewritten:
        yield from _rewrites(build.rewritten, root)
    kept = [f for f in build.findings if f.rule != REWRITTEN]
    if kept:
        yield tag("h2", text("Left as it was, and why"))
        for rule in RULES:
            found = [f for f in kept if f.rule == rule]
            if found:
                shown = joined(_entry(f, root) for f in found[:REMARKS_SHOWN])
                title = f"{rule}, {len(found)}: {RULES[rule]}"
                yield folded(title, joined([shown, *_rest(found)]))


def _head(build: Build) -> Iterator[Html]:
    objects = plural(build.objects, "object")
    if build.windows:
        yield tag("h1", text(f"{len(build.rewritten)} of {build.windows} windows rewritten"))
        yield paragraph(objects, "soft")
    else:
        yield tag("h1", text("No windows"))
        yield paragraph(f"{objects}, and no vector code in them that could be rewritten", "soft")
    for name, why in build.unread:
        yield paragraph(f"{os.path.basename(name)} was left out: {why}", "bad")


def _rewrites(done: Sequence[Finding], root: str) -> Iterator[Html]:
    yield tag("h2", text("Rewritten, the hottest first"))
    yield from _plot(done)
    yield joined(_entry(f, root) for f in done[:REMARKS_SHOWN])
    yield from _rest(done)
    yield paragraph(_NOTE, "soft")
    yield tag("h2", text("By file"))
    yield _files(done, root)


def _rest(found: Sequence[Finding]) -> list[Html]:
    over = len(found) - REMARKS_SHOWN
    return [paragraph(f"and {over} more", "soft")] if over > 0 else []


def _plot(done: Sequence[Finding]) -> Iterator[Html]:
    """Yield a plot of how much faster the hottest functions are."""
    named: dict[str, float] = {}
    for f in done:
        if f.before is not None and f.after:
            named.setdefault(f"@{f.function}", f.before / f.after)
    if len(named) > 1:
        shown = list(named.items())[:REMARKS_PLOTTED]
        yield bars([n for n, _ in shown], [v for _, v in shown], " x", one=1.0)


def _entry(f: Finding, root: str) -> Html:
    gain = f"{f.before / f.after:.2f} x" if f.rule == REWRITTEN and f.before and f.after else ""
    loops = "" if not f.loops else " in a loop" if f.loops == 1 else f" in {f.loops} loops"
    function, place = f"@{f.function}{loops}" if f.function else "", _place(f, root)
    parts = [paragraph(function, "soft")] if place and function else []
    return entry(place or function, gain, joined([*parts, paragraph(f.message)]))


def _place(f: Finding, root: str) -> str:
    if not f.file:
        return ""
    inside = os.path.relpath(f.file, root)
    name = f.file if inside.split(os.sep, 1)[0] == os.pardir else inside
    return f"{name}:{f.line}" if f.line else name


def _files(done: Sequence[Finding], root: str) -> Html:
    counts = Counter(_place(f, root).rpartition(":")[0] for f in done if f.line)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:REMARKS_SHOWN]
    return joined(entry(name, str(n), Html("")) for name, n in rows)
