"""The table of transforms, and what is taken back of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from frontends.llvm.opt import layers
from frontends.llvm.opt.judge import Refusal
from frontends.llvm.opt.module import rewrite_module
from frontends.llvm.opt.options import Options
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.table import BEFORE_WINDOWS, MECHANISMS, Row, before_windows
from tests.frontends.llvm.toy import TOOLS


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


@dataclass(frozen=True)
class Bad:
    """A site of a transform that is wrong in some way."""

    root: Instr
    how: str
    why_not: str = ""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        if self.how == "raises":
            raise ZeroDivisionError("division by zero")
        text = {
            "is no IR": "%s = what",
            "is wrong": f"%{self.root.name} = add {self.root.type} poison, poison",
        }
        return Change({self.root.line: scope.indent(self.root, text[self.how])}, self.how)


@dataclass(frozen=True)
class Worse:
    """A transform of nothing but bad sites, without an end where it is so asked."""

    how: str
    forever: bool = False

    def sites(self, scope: Scope) -> Iterator[Bad]:
        root = next(i for i in scope.view if isinstance(i.type, VectorType))
        yield Bad(root, self.how)
        while self.forever:
            yield Bad(root, self.how, "one more")


@pytest.mark.parametrize(
    ("transform", "said"),
    [
        (Worse("raises"), "failed: ZeroDivisionError: division by zero"),
        (Worse("is no IR"), "LLVM does not accept it: "),
        (Worse("is wrong"), "what was written is not proved: "),
        (Worse("is wrong", forever=True), "what was written is not proved: "),
    ],
    ids=["raises", "no IR", "wrong", "never ends"],
)
def test_a_bad_transform_is_named_and_the_rest_done(
    transform: Worse, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = Row.load
    monkeypatch.setattr(
        Row, "load", lambda row: transform if row.name == "neighbouring-loads" else good(row)
    )
    monkeypatch.setattr(layers, "_has", lambda module, function, word: True)
    text = (Path(__file__).parent / "opt" / "spliced.ll").read_text()
    done = rewrite_module(text, Options(strict=False), TOOLS, "x.ll")
    reasons = [w.reason for w in done.report.windows if w.by == "neighbouring-loads"]
    caught = [f"{f.reason} {where}" for where, f in done.report.failures]
    assert any(said in x for x in (*reasons, *caught))
    assert all("neighbouring-loads" in x for x in caught)
    assert {w.by for w in done.report.rewritten} == {"carried-loads", "windows"}
