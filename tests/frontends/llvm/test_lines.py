"""Lines that move lanes give what they should: rows become columns."""

from __future__ import annotations

import re
from itertools import count

import pytest

from frontends.llvm.text.ast import Local
from frontends.llvm.text.build import integers
from frontends.llvm.text.lines import Lines
from frontends.llvm.text.rewording import spell


def _run(lines: list[str], given: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return what lines that move lanes give, of named lanes."""
    known = dict(given)
    for line in lines:
        name, _, said = line.partition(" = ")
        wide = re.search(r"<(\d+) x", said)
        assert wide is not None
        poison = ["poison"] * int(wide[1])
        names = re.findall(r"%\w+|(?<=> )poison", said)
        a, b = [*(known.get(x, poison) for x in names), poison][:2]
        if said.startswith("shuffle"):
            known[name] = [(a + b)[int(k)] for k in re.findall(r"i32 (\d+)", said)]
        elif said.startswith("insert"):
            at = int(said.rpartition(" ")[2])
            known[name] = [*a[:at], *known[names[1]], *a[at + 1 :]]
        else:
            known[name] = [a[int(said.rpartition(" ")[2])]]
    return known


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 8, 16])
@pytest.mark.parametrize("lanes", [1, 2, 4, 5, 8, 16])
def test_rows_become_columns(rows: int, lanes: int) -> None:
    writer = Lines(f"v{n}" for n in count())
    given = {f"%r{n}": [f"{n}.{k}" for k in range(lanes)] for n in range(rows)}
    columns = writer.transpose([Local(x[1:], integers(lanes, 16)) for x in given])
    known = _run(writer.lines, given)
    assert [known[spell(c)] for c in columns] == [
        [f"{n}.{k}" for n in range(rows)] for k in range(lanes)
    ]
