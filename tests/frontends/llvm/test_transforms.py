"""The table of transforms, and what is taken back of them."""

from __future__ import annotations

from frontends.llvm.opt.judge import Refusal
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.table import BEFORE_WINDOWS, MECHANISMS, before_windows


def test_every_row_is_a_module_that_proposes() -> None:
    assert [callable(row.load().sites) for row in BEFORE_WINDOWS] == [True] * len(BEFORE_WINDOWS)
    assert {row.name for row in BEFORE_WINDOWS} <= {m.name for m in MECHANISMS}


def test_what_is_off_is_left_out() -> None:
    names = [row.name for row in BEFORE_WINDOWS]
    assert [row.name for row in before_windows(())] == names
    assert [row.name for row in before_windows((names[0],))] == names[1:]


def test_the_first_reason_holds() -> None:
    ledger, entry = Ledger(), Entry("windows", "f", "r")
    assert ledger.why(entry) is None and not ledger.take_back([])
    assert ledger.take_back([(entry, Refusal("not proved"))])
    assert not ledger.take_back([(entry, Refusal("slower"))])
    assert ledger.why(entry) == Refusal("not proved")
    assert ledger.why(entry._replace(root="s")) is None
