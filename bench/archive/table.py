"""Tables that come back from archives: checked, and merged into one of Markdown.

A table is text that may have been through mail: spaces may have changed, lines of other things may
be around it.  What is between ``isel-bench 1`` and ``end`` must be whole.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.archive.runner import COLUMNS, FLOOR, HEAD
from isel.errors import IselError

_FACTS: Final = ("archive", "cpu", "system", "python", "processors")
_END: Final = re.compile(r"end (\d+) ([0-9a-f]{8})")
_NAME: Final = re.compile(r"[\w.-]{1,60}")
_FIGURE: Final = re.compile(r"\d{1,9}\.\d{2,3}")
_SAID: Final = ("ok", "slower", "noisy")


class NotATable(IselError):
    """A text is not a table that the runner wrote."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(f"{file}: {why}")


@dataclass(frozen=True, slots=True)
class Row:
    """A kernel on a level: nanoseconds, ratios of two runs, that of a copy, and what was said."""

    level: str
    kernel: str
    before: float
    after: float
    ratio: float
    again: float
    control: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Table:
    """A machine's facts by name, and its rows."""

    facts: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]

    def fact(self, name: str) -> str:
        """Return a fact."""
        return dict(self.facts)[name]


def read(text: str, file: str) -> Table:
    """Return the table in a text; raises :class:`NotATable`."""
    lines = [" ".join(line.lstrip("> ").split()) for line in text.splitlines()]
    if HEAD not in lines:
        raise NotATable(file, f"no line '{HEAD}'")
    body = [line for line in lines[lines.index(HEAD) :] if line]
    ends = [k for k, line in enumerate(body) if _END.fullmatch(line)]
    if not ends:
        raise NotATable(file, "it is cut: no last line 'end'")
    body, last = body[: ends[0]], body[ends[0]]
    found = _END.fullmatch(last)
    assert found is not None
    if int(found[2], 16) != zlib.crc32("\n".join(body).encode()):
        raise NotATable(file, "it is not as it was printed: its sum is another")
    facts, rows = _facts(body[1 : len(_FACTS) + 1], file), body[len(_FACTS) + 2 :]
    if body[len(_FACTS) + 1 : len(_FACTS) + 2] != [COLUMNS] or len(rows) != int(found[1]):
        raise NotATable(file, "its rows are not as many as it says, or not of these columns")
    read_rows = tuple(_row(line, file) for line in rows)
    if len({(r.level, r.kernel) for r in read_rows}) != len(read_rows):
        raise NotATable(file, "a kernel is there twice")
    return Table(facts, read_rows)


def _facts(lines: Sequence[str], file: str) -> tuple[tuple[str, str], ...]:
    pairs = [line.partition(": ") for line in lines]
    if tuple(name for name, _, _ in pairs) != _FACTS:
        raise NotATable(file, f"expected facts: {', '.join(_FACTS)}")
    return tuple((name, value) for name, _, value in pairs)


def _row(line: str, file: str) -> Row:
    cells = line.split(" ")
    good = (
        len(cells) == 8
        and all(map(_NAME.fullmatch, cells[:2]))
        and all(map(_FIGURE.fullmatch, cells[2:7]))
        and cells[7] in _SAID
    )
    if not good:
        raise NotATable(file, f"not a row: '{line[:80]}'")
    before, after, ratio, again, control = map(float, cells[2:7])
    found = Row(cells[0], cells[1], before, after, ratio, again, control, cells[7])
    if not _is_one(found):
        raise NotATable(file, f"figures that do not go together: '{line[:80]}'")
    return found


def _is_one(row: Row) -> bool:
    """Tell whether times, ratios and verdict can be of one measurement."""
    if min(row.before, row.after, row.ratio, row.again, row.control) <= 0:
        return False
    slower = max(row.ratio, row.again) < FLOOR
    said = row.verdict == "noisy" or (row.verdict == "slower") == slower
    # Least times are over places and runs, ratios the middle of places: near, not equal.
    near = row.before / row.after / math.sqrt(row.ratio * row.again)
    return said and (row.verdict == "noisy" or 0.5 < near < 2)


def markdown(tables: Sequence[Table]) -> str:
    """Return one table: a row a kernel, a column a machine and level, and geometric means."""
    columns = [(t, level) for t in tables for level in dict.fromkeys(r.level for r in t.rows)]
    cells = [{r.kernel: r for r in t.rows if r.level == level} for t, level in columns]
    kernels = list(dict.fromkeys(name for c in cells for name in c))
    head = ["kernel", *(f"{t.fact('cpu')}, {level}" for t, level in columns)]
    lines = [head, ["---"] * len(head)]
    lines += [[k, *(_cell(c.get(k)) for c in cells)] for k in kernels]
    lines += [["geometric mean", *(f"{_mean(list(c.values())):.2f}" for c in cells)]]
    escaped = ([x.replace("|", "\\|") for x in line] for line in lines)
    rows = "\n".join(f"| {' | '.join(line)} |" for line in escaped)
    made = "; ".join(dict.fromkeys(t.fact("archive") for t in tables))
    return (
        "How many times as fast as before, the middle of two runs; `slower`: below "
        f"{FLOOR:g} in both; `noisy`: the runs do not agree. isel {made}.\n\n{rows}\n"
    )


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    said = "" if row.verdict == "ok" else f" {row.verdict}"
    return f"{(row.ratio + row.again) / 2:.2f}{said}"


def _mean(rows: Sequence[Row]) -> float:
    sure = [r for r in rows if r.verdict != "noisy"]
    logs = [math.log(math.sqrt(r.ratio * r.again)) for r in sure]
    return math.exp(sum(logs) / len(logs)) if logs else 1.0
