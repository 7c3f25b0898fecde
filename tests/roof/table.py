"""Measures by room, held against limits that only get less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from tests.roof.circles import circles
from tests.roof.complexity import complex_in
from tests.roof.floors import floors
from tests.roof.measures import constants, memos, participles, untested
from tests.roof.sources import length, modules, room_of, rooms

LIMITS: Final = Path(__file__).with_name("limits.tsv")
ALL: Final = "all"  # rooms together
_FREE: Final = "-"  # what has no limit
Values: TypeAlias = Mapping[str, Mapping[str, int]]


def _lines(name: str) -> list[str]:
    return [name] * length(name)


def _circle(name: str) -> list[str]:
    """Return a circle of modules at the first of them."""
    return [" ".join(c) for c in circles() if c[0] == name]


MEASURES: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "lines": _lines,
    "circles": _circle,
    "floors": floors,
    "constants": constants,
    "memos": memos,
    "complex": complex_in,
    "participles": participles,
    "untested": untested,
}
SAID: Final = """\
loaded: lines that one isel opt with a search loads, of straight code, loop: of a loop in C (both with
--loaded); trusted: lines that a proof imports, without LLVM's text, terms and solvers; circles: of
modules, imports in functions counted; floors: of folders that import each other, the longest chain;
constants: numbers with a name outside of a module limits; memos: without bound; complex: radon C and
worse; participles: functions named by nothing else; untested: modules that no file of the tests
imports"""


@cache
def counted(measure: str) -> Mapping[str, list[str]]:
    """Return what a measure counts in each room."""
    found: dict[str, list[str]] = {room: [] for room in rooms()}
    for name in modules():
        found[room_of(name)] += MEASURES[measure](name)
    return found


def limits() -> dict[tuple[str, str], int]:
    """Return the most that each measure may be in a room."""
    rows = [line.split("\t") for line in LIMITS.read_text().splitlines() if line[:1] != "#"]
    names = rows[0][1:]
    return {
        (measure, room): int(most)
        for room, *cells in rows[1:]
        for measure, most in zip(names, cells, strict=True)
        if most != _FREE
    }


def record(values: Values) -> None:
    """Lower the limits to what was counted where that is less."""
    head = [line for line in LIMITS.read_text().splitlines() if line[:1] == "#"]
    old = limits()
    names = tuple(dict.fromkeys(m for m, _ in old))
    rows = [("room", *names)] + [
        (room, *(_lowered(values, m, room, old.get((m, room))) for m in names))
        for room in dict.fromkeys(room for _, room in old)
    ]
    LIMITS.write_text("\n".join([*head, *map("\t".join, rows)]) + "\n")


def _lowered(values: Values, measure: str, room: str, most: int | None) -> str:
    if most is None:
        return _FREE
    return str(min(most, number(values, measure, room)) if measure in values else most)


def number(values: Values, measure: str, room: str) -> int:
    """Return what was counted in a room, in several (joined by ``+``), or in all rooms."""
    return sum(n for r, n in values[measure].items() if room == ALL or r in room.split("+"))


def passed(values: Values) -> list[str]:
    """Return a line for each limit that is passed."""
    return [
        f"{measure} in {room}: {n}, at most {most}"
        for (measure, room), most in limits().items()
        if measure in values and (n := number(values, measure, room)) > most
    ]


def text(values: Values) -> str:
    """Return the table, with the limit behind each number that is not at it."""
    most = limits()

    def cell(measure: str, room: str) -> str:
        n = number(values, measure, room)
        limit = most.get((measure, room), n)
        return f"{n}" if limit == n else f"{n} ({limit})"

    rows = [("room", *values)]
    several = dict.fromkeys(room for _, room in most if "+" in room)
    rows += [(room, *(cell(m, room) for m in values)) for room in (*rooms(), *several, ALL)]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    lines = [
        "  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows
    ]
    return "\n".join([*lines, "", SAID])
