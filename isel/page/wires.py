"""A picture of lanes: the sources above and below, the result between them, and a wire from
each lane that a result lane reads.  Names stand in a column of their own, so that nothing covers
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from isel.page.parts import Html, text

_WIDTH: Final = 336
_NAMES: Final = 88  # units for names
_MOST: Final = 64  # lanes of a row that are drawn
_CELL: Final = 10  # its height
_GAP: Final = 40  # between sources and result
_STEP: Final = 26  # between two sources: two lines of text


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
    middle = _CELL + max(len(above) - 1, 0) * _STEP + _CELL + _GAP
    tops = {s: _CELL + k * _STEP for k, s in enumerate(above)} | {
        s: middle + _CELL + _GAP + k * _STEP for k, s in enumerate(below)
    }
    shown = reads[:_MOST]
    count = min(_MOST, max([len(shown), *(n for _, n in sources)], default=1))
    width = (_WIDTH - _NAMES) / max(count, 1)
    out = []
    for i, lanes in enumerate(shown):
        for s, lane in lanes:
            if lane < _MOST:
                from_above = s in above
                start = tops[s] + (_CELL if from_above else 0)
                end = middle + (0 if from_above else _CELL)
                x, to = (_NAMES + (k + 0.5) * width for k in (lane, i))
                bend = (start + end) / 2
                out.append(
                    f'<path class="wire s{s % 4}" d="M{x:.1f} {start}C{x:.1f} {bend:g} {to:.1f} '
                    f'{bend:g} {to:.1f} {end}"/>'
                )
    for s, (name, lanes_of) in enumerate(sources):
        used = {lane for lanes in shown for source, lane in lanes if source == s}
        kinds = [f"s{s % 4}" if k in used else "cell" for k in range(lanes_of)]
        out.extend(_row(name, lanes_of, tops[s], width, kinds))
    out.extend(_row(result, len(reads), middle, width, ["cell"] * len(reads)))
    height = max([middle, *tops.values()]) + _CELL + 8
    return Html(f'<svg viewBox="0 0 {_WIDTH} {height}" role="img">\n' + "\n".join(out) + "\n</svg>")


def _row(name: str, count: int, top: int, width: float, kinds: Sequence[str]) -> list[str]:
    lanes = f"{count} lanes" + (f", {_MOST} shown" if count > _MOST else "")
    cells = [
        f'<rect class="{kind}" x="{_NAMES + k * width:.2f}" y="{top}" '
        f'width="{max(width - 0.6, 0.5):.2f}" height="{_CELL}"/>'
        for k, kind in enumerate(kinds[:_MOST])
    ]
    letters = _NAMES // 6  # that fit
    short = name if len(name) <= letters else f"{name[: letters - 1]}…"
    return [
        f'<text x="0" y="{top + 4}">{text(short)}<title>{text(name)}</title></text>',
        f'<text class="soft" x="0" y="{top + 15}">{lanes}</text>',
        *cells,
    ]
