"""Plots as SVG text, a row a name, so that they fit a narrow screen: bars from zero, and dots
on a logarithmic scale.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from isel.page.parts import Html, text

_WIDTH: Final = 336
_NAME: Final = 118  # units for names
_VALUE: Final = 44  # units for values
_ROW: Final = 15
_LETTERS: Final = 21  # of a name that fit


@dataclass(frozen=True, slots=True)
class Series:
    """Values by the row's number, and what they are called."""

    title: str
    values: Sequence[float | None]


def bars(
    names: Sequence[str], values: Sequence[float], unit: str = "", one: float | None = None
) -> Html:
    """Return a bar a name, from zero; with a line at ``one``, those clearly below and above it
    are coloured.
    """
    most = max([*values, one or 0.0]) or 1.0
    room = _WIDTH - _NAME - _VALUE
    out = list(_names(names))
    for k, v in enumerate(values):
        kind = (
            "s0" if one is None else "bad" if v < 0.98 * one else "good" if v > 1.02 * one else "s0"
        )
        length = room * v / most
        out.append(
            f'<rect class="{kind}" stroke="none" x="{_NAME}" y="{k * _ROW + 3}" '
            f'width="{length:.1f}" height="{_ROW - 6}"/>'
        )
        out.append(
            f'<text x="{_NAME + length + 4:.1f}" '
            f'y="{k * _ROW + 11}">{v:.{2 if v < 100 else 0}f}{text(unit)}</text>'
        )
    if one is not None:
        x = _NAME + room * one / most
        out.append(f'<path class="one" d="M{x:.1f} 0V{len(values) * _ROW}"/>')
    return _svg(len(values) * _ROW, out)


def dots(names: Sequence[str], series: Sequence[Series], unit: str) -> Html:
    """Return a row of dots a name, one of each series, on a logarithmic scale with a line at
    each power of ten.
    """
    values = [v for s in series for v in s.values if v is not None and v > 0]
    if not values:
        return _svg(0, [])
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    room = _WIDTH - _NAME - 10
    height = len(names) * _ROW

    def at(v: float) -> float:
        return _NAME + room * (math.log10(v) - low) / max(high - low, 1)

    out = []
    for power in range(low, high + 1):
        out.append(f'<path class="rule" d="M{at(10.0**power):.1f} 0V{height}"/>')
        out.append(
            f'<text class="soft" text-anchor="middle" x="{at(10.0**power):.1f}" '
            f'y="{height + 11}">{10.0**power:g}{text(unit)}</text>'
        )
    out.extend(_names(names))
    for n, s in enumerate(series):
        for k, v in enumerate(s.values):
            if v is not None and v > 0:
                out.append(
                    f'<circle class="s{n % 4}" cx="{at(v):.1f}" cy="{k * _ROW + 7}" '
                    f'r="{2.5 if n < 4 else 1.5}"><title>{text(s.title)}</title></circle>'
                )
        x, y = _NAME * (n % 3), height + 26 + n // 3 * 13
        out.append(
            f'<circle class="s{n % 4}" cx="{x + 4}" cy="{y - 3}" '
            f'r="{2.5 if n < 4 else 1.5}"/><text x="{x + 10}" y="{y}">{text(s.title)}</text>'
        )
    return _svg(height + 32 + (len(series) - 1) // 3 * 13, out)


def _names(names: Sequence[str]) -> Iterator[str]:
    for k, name in enumerate(names):
        shown = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
        yield f'<text x="0" y="{k * _ROW + 11}">{text(shown)}<title>{text(name)}</title></text>'


def _svg(height: float, parts: Sequence[str]) -> Html:
    return Html(
        f'<svg viewBox="0 0 {_WIDTH} {height:g}" role="img">\n' + "\n".join(parts) + "\n</svg>"
    )
