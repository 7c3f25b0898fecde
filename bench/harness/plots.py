"""Plots of a run as SVG: speed-up bars, compile times, memory.  Needs matplotlib (the extra ``bench``)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bench.harness.records import Record, Run, When
from bench.harness.summary import speed_up
from bench.harness.versions import COMPARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def available() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def plots(run: Run) -> tuple[tuple[str, str], ...]:
    """Return title and SVG text of each plot that has something to show; the same run gives the same text."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "isel"
    made: list[tuple[str, str]] = []
    for c in COMPARED:
        bars = [(r.name, s) for r in run.records if (s := speed_up(r, c)) is not None]
        if bars:
            made.append((c.title, _speed_ups(bars)))
    timed = [r for r in run.records if r.compiled(When.COLD)]
    if timed:
        made.append(("Compile time", _compile_times(timed)))
        made.append(("Peak memory", _memory(timed)))
    return tuple(made)


def _figure(count: int) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(6.0, 0.32 * count + 2), 4.2), layout="constrained")
    return figure, figure.add_subplot()


def _svg(figure: Figure) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue().partition("<svg")[1] + out.getvalue().partition("<svg")[2]


def _label(axes: Axes, names: Sequence[str]) -> None:
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=8)
    axes.grid(axis="y", alpha=0.3)


def _speed_ups(bars: Sequence[tuple[str, float]]) -> str:
    figure, axes = _figure(len(bars))
    colours = ["tab:red" if v < 0.98 else "tab:green" if v > 1.02 else "tab:grey" for _, v in bars]
    axes.bar(range(len(bars)), [v - 1 for _, v in bars], bottom=1, color=colours)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_ylabel("times faster")
    _label(axes, [name for name, _ in bars])
    return _svg(figure)


def _compile_times(records: Sequence[Record]) -> str:
    figure, axes = _figure(len(records))
    for when in When:
        places = [(i, sum(c.seconds for c in r.compiled(when))) for i, r in enumerate(records) if r.compiled(when)]
        axes.plot([i for i, _ in places], [s for _, s in places], "o", markersize=4, label=when)
    llvm = [sum(c.llvm_seconds for c in r.compiled(When.COLD)) for r in records]
    axes.plot(range(len(records)), llvm, "_", color="black", label="LLVM alone")
    axes.set_yscale("log")
    axes.set_ylabel("seconds")
    axes.legend(fontsize=8)
    _label(axes, [r.name for r in records])
    return _svg(figure)


def _memory(records: Sequence[Record]) -> str:
    figure, axes = _figure(len(records))
    axes.bar(range(len(records)), [max(c.peak_mib for c in r.compiles) for r in records])
    axes.set_ylabel("MiB, the largest process")
    _label(axes, [r.name for r in records])
    return _svg(figure)
