"""A picture of lanes: the sources above and below, the result between them, and a wire from
each lane that a result lane reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from isel.page.parts import Html, text

_WIDTH: Final = 336
_MOST: Final = 64  # lanes of a row that are drawn
_CELL: Final = 9  # its height
_GAP: Final = 46  # between sources and result
_STEP: Final = 24  # between two sources
_TITLE: Final = 11


def wires(
    sources: Sequence[tuple[str, int]], reads: Sequence[Sequence[tuple[int, int]]], result: str
) -> Html:
    """Draw which lanes of ``sources`` (names and numbers of lanes) each result lane reads: pairs of
    source and lane.

    Rows have their lowest lane on the left; of long ones the first lanes are drawn, and their
    number is told.
    """
    above = list(range(0, len(sources), 2))
    below = list(range(1, len(sources), 2))
    middle = _TITLE + len(above) * _STEP + _GAP - 10
    tops = {s: _TITLE + k * _STEP for k, s in enumerate(above)} | {
        s: middle + _CELL + _GAP + k * _STEP for k, s in enumerate(below)
    }
    shown = reads[:_MOST]
    width = _WIDTH / min(_MOST, max([len(shown), *(n for _, n in sources)], default=1))
    out = []
    for i, lanes in enumerate(shown):
        for s, lane in lanes:
            if lane < _MOST:
                from_above = s in above
                start = tops[s] + (_CELL if from_above else 0)
                end = middle + (0 if from_above else _CELL)
                x, to, bend = (lane + 0.5) * width, (i + 0.5) * width, (start + end) / 2
                out.append(
                    f'<path class="wire s{s % 4}" d="M{x:.1f} {start}C{x:.1f} {bend:g} {to:.1f} '
                    f'{bend:g} {to:.1f} {end}"/>'
                )
    for s, (name, count) in enumerate(sources):
        used = {lane for lanes in shown for source, lane in lanes if source == s}
        out.extend(
            _row(
                name,
                count,
                tops[s],
                width,
                [f"s{s % 4}" if k in used else "cell" for k in range(count)],
            )
        )
    out.extend(_row(result, len(reads), middle, width, ["cell"] * len(reads)))
    height = max([middle, *(tops[s] for s in below)]) + _CELL + 4
    return Html(f'<svg viewBox="0 0 {_WIDTH} {height}" role="img">\n' + "\n".join(out) + "\n</svg>")


def _row(name: str, count: int, top: int, width: float, kinds: Sequence[str]) -> list[str]:
    title = f"{name}, {count} lanes" + (f" ({_MOST} of them shown)" if count > _MOST else "")
    cells = [
        f'<rect class="{kind}" x="{k * width:.2f}" y="{top}" width="{max(width - 0.6, 0.5):.2f}" '
        f'height="{_CELL}"/>'
        for k, kind in enumerate(kinds[:_MOST])
    ]
    return [f'<text class="soft" x="0" y="{top - 2}">{text(title)}</text>', *cells]
