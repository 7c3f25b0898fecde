"""Faults of a line in what writes text for transforms, and in rules and tables of the proof: what
becomes of each is what ``rules.tsv`` says, and executing its case shows that it is one.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import do_the_same, transformed
from tests.planted.cases import changed, pair
from tests.planted.rules import Found, Row, What, rows, score, write

ROWS = rows()
# What writes text and is believed today: only ever less.
PROVED_TEXTS = 0


def _names() -> list[str]:
    """Return names of the rows that stay where others come and go."""
    seen = Counter[str]()
    found = list[str]()
    for r in ROWS:
        name = f"{r.module.rpartition('.')[2]}, {r.case}"
        seen[name] += 1
        found.append(f"{name}, {seen[name]}")
    return found


@pytest.mark.parametrize("row", ROWS, ids=_names())
def test_what_becomes_of_a_fault(row: Row) -> None:
    assert list(score([row])) == [row]


@pytest.mark.parametrize("name", sorted({r.case for r in ROWS if r.what is What.TEXT}))
def test_without_a_fault_both_do_the_same(name: str) -> None:
    case = changed(name)
    after, verdict = transformed(case.transform, case.text)
    assert isinstance(verdict, Proved)
    assert do_the_same(case.text, after, case.calls())


@pytest.mark.parametrize("name", sorted({r.case for r in ROWS if r.what is What.PROOF}))
def test_execution_shows_that_a_pair_is_wrong(name: str) -> None:
    """What finds each fault of the proof: the pair that it lets through does something else."""
    case = pair(name)
    assert not do_the_same(case.before, case.after, case.calls())


def test_they_are_many_and_of_every_rule() -> None:
    texts = Counter(r.module.rpartition(".")[2] for r in ROWS if r.what is What.TEXT)
    assert texts.total() >= 40
    kinds = (("unroll",), ("doubling",), ("whole", "few"), ("extents", "split"), ("straight",))
    assert all(sum(texts[x] for x in kind) >= 4 for kind in kinds)
    assert sum(r.what is What.PROOF for r in ROWS) >= 20
    assert len({(r.module, r.old, r.new, r.case) for r in ROWS}) == len(ROWS)


def test_all_that_is_found_is_wrong() -> None:
    """A text that does the same, or that LLVM does not read, would show nothing."""
    assert {r.found for r in ROWS} <= {Found.PROVED, Found.REFUSED}
    texts = [r for r in ROWS if r.what is What.TEXT and r.found is Found.PROVED]
    assert len(texts) == PROVED_TEXTS
    assert all(r.found is Found.PROVED for r in ROWS if r.what is What.PROOF)


def test_the_table_is_written_as_it_is_read(tmp_path: Path) -> None:
    copy = tmp_path / "rules.tsv"
    copy.write_text("# about\n")
    write(ROWS, copy)
    assert rows(copy) == ROWS
