"""The ratios of the kernels as an SVG: the same figures give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.numba.compare import Found


def draw(found: Sequence[Found], path: Path) -> None:
    """Write a bar a kernel, the fastest on top."""
    rows = sorted(found, key=lambda f: f.ratio)
    with mpl.rc_context({"svg.hashsalt": "isel", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.add_subplot()
        bars = axes.barh(
            [f.name for f in rows], [f.ratio - 1 for f in rows], left=1, color="#4477aa"
        )
        labels = ["same code" if f.same_code else f"{f.ratio:.2f}" for f in rows]
        axes.bar_label(bars, labels, padding=3)
        axes.axvline(1, color="black", linewidth=0.8)
        axes.set_xscale("log", base=2)
        ticks = [1, 2, 4, 8, 16]
        axes.set_xticks(ticks, list(map(str, ticks)))
        axes.set_xlim(0.8, max(f.ratio for f in rows) * 1.4)
        axes.set_xlabel("times as fast as numba alone")
        axes.spines[["top", "right"]].set_visible(False)
        figure.savefig(text := StringIO(), format="svg", metadata={"Date": None, "Creator": None})
    path.write_text("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))
