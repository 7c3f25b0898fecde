"""The table of transforms, and what is taken back of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from frontends.llvm.limits import VARIANTS_MOST
from frontends.llvm.linked import binding
from frontends.llvm.pipeline import layers, session
from frontends.llvm.pipeline.function import FunctionWork
from frontends.llvm.pipeline.judge import Refusal
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options
from frontends.llvm.pipeline.planned import Planned
from frontends.llvm.pipeline.run import Run
from frontends.llvm.pipeline.search import Outcome
from frontends.llvm.pipeline.track import Attempt
from frontends.llvm.pipeline.variants import _layers, _share, variants_of
from frontends.llvm.splicing.write import Edits
from frontends.llvm.text.ast import Instr, VectorType
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.ledger import Entry, Ledger
from frontends.llvm.transform.site import Change, Scope
from frontends.llvm.transform.table import BEFORE_WINDOWS, MECHANISMS, Row, before_windows
from isel.cost.judgement import Judgement
from isel.deadline import clock_of
from isel.failures import Net
from tests.frontends.llvm.toy import TOOLS


def test_every_row_is_a_module_that_proposes() -> None:
    assert [callable(row.load().sites) for row in BEFORE_WINDOWS] == [True] * len(BEFORE_WINDOWS)
    assert {row.name for row in BEFORE_WINDOWS} <= {m.name for m in MECHANISMS}


def test_what_is_off_is_left_out() -> None:
    names = [*(row.name for row in BEFORE_WINDOWS), "regrouped-reductions"]
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
        own, name = self.root.text.strip(), self.root.name
        texts = {
            "is no IR": ("%s = what",),
            "is wrong": (f"%{name} = add {self.root.type} poison, poison",),
            "is the same": (own,),
            "is no gain": (own.replace(f"%{name} ", f"%{next(names)} "), own),
        }
        lines = texts[self.how]
        return Change({self.root.line: lines}, self.how)


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
        (Worse("is the same"), "it is written so already"),
        (Worse("is wrong", forever=True), "what was written is not proved: "),
    ],
    ids=["raises", "no IR", "wrong", "the same", "never ends"],
)
def test_a_bad_transform_is_named_and_the_rest_done(
    transform: Worse, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = Row.load
    monkeypatch.setattr(
        Row, "load", lambda row: transform if row.name == "neighbouring-loads" else good(row)
    )
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    text = (Path(__file__).parent / "opt" / "spliced.ll").read_text()
    done = rewrite_module(text, Options(strict=False), TOOLS, "x.ll")
    reasons = [w.reason for w in done.report.windows if w.by == "neighbouring-loads"]
    caught = [f"{f.reason} {where}" for where, f in done.report.failures]
    assert any(said in x for x in (*reasons, *caught))
    assert all("neighbouring-loads" in x for x in caught)
    assert {w.by for w in done.report.rewritten} == {"carried-loads", "windows"}


AVERAGES = """\
target triple = "x86_64-pc-linux-gnu"

define <16 x i8> @one(<16 x i8> %a, <16 x i8> %b) {
  %x = zext <16 x i8> %a to <16 x i16>
  %y = zext <16 x i8> %b to <16 x i16>
  %s = add <16 x i16> %x, %y
  %i = add <16 x i16> %s, splat (i16 1)
  %h = lshr <16 x i16> %i, splat (i16 1)
  %r = trunc <16 x i16> %h to <16 x i8>
  ret <16 x i8> %r
}
"""


def test_only_the_function_of_what_is_taken_back_is_decided_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A row that is patient waits for what windows make of it."""
    good = Row.load
    monkeypatch.setattr(
        Row, "load", lambda row: Worse("is no gain") if row.name == "checked-blocks" else good(row)
    )
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: function.name == "two")
    text = AVERAGES + AVERAGES.partition("\n\n")[2].replace("@one", "@two").replace(
        "%b to", "%a to"
    )
    watched: list[str] = []
    tools = replace(TOOLS, watch=lambda stage, said: watched.append(f"{stage}: {said()}"))
    done = rewrite_module(text, Options(), tools, "x.ll")
    cut = [re.findall(r"^(?:windows: )?@(\w+) %r:$", x, re.MULTILINE) for x in watched]
    assert [x for x in cut if x] == [["two", "one"], ["two"]]
    assert {w.place.function for w in done.report.rewritten} == {"one"}
    assert [w.reason for w in done.report.windows if w.by == "checked-blocks"] == ["no gain"]


TWICE = """\
target triple = "x86_64-pc-linux-gnu"

define void @two(<16 x i8> %a, <16 x i8> %b, ptr %p) {
"""
for _n in "ab":
    TWICE += f"""\
  %x{_n} = zext <16 x i8> %a to <16 x i16>
  %y{_n} = zext <16 x i8> %b to <16 x i16>
  %s{_n} = add <16 x i16> %x{_n}, %y{_n}
  %i{_n} = add <16 x i16> %s{_n}, splat (i16 1)
  %h{_n} = lshr <16 x i16> %i{_n}, splat (i16 1)
  %r{_n} = trunc <16 x i16> %h{_n} to <16 x i8>
  store <16 x i8> %r{_n}, ptr %p, align 1
"""
TWICE += "  ret void\n}\n"


@dataclass(frozen=True)
class Hidden(Bad):
    """An average that no window sees, as what it begins with is frozen."""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        name, kind, old = self.root.name, self.root.type, next(names)
        own = self.root.text.strip().replace(f"%{name} =", f"%{old} =")
        lines = (own, f"%{name} = freeze {kind} %{old}")
        return Change({self.root.line: lines}, self.how)


@dataclass(frozen=True)
class Hiding:
    """A transform that hides the first sum."""

    def sites(self, scope: Scope) -> Iterator[Hidden]:
        yield Hidden(next(i for i in scope.view if i.opcode == "add"), "hidden")


@pytest.mark.parametrize("rival", [False, True])
def test_of_a_function_with_and_without_a_rival_the_faster_stays(
    rival: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = replace(BEFORE_WINDOWS[0], patient=True, rival=rival)
    monkeypatch.setattr(Row, "load", lambda row: Hiding())
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    monkeypatch.setattr(layers, "before_windows", lambda disabled: (row,))
    done = rewrite_module(TWICE, Options(), TOOLS, "x.ll")
    kept = {w.place.root for w in done.report.rewritten if w.by == "windows"}
    assert kept == ({"ra", "rb"} if rival else {"rb"})
    reasons = [w.reason for w in done.report.windows if w.by == row.name]
    assert reasons == ["the function is faster without it" if rival else ""]


@pytest.mark.parametrize("beaten", [False, True])
def test_what_cannot_beat_its_rival_is_not_searched(
    beaten: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched, note = list[str](), FunctionWork.note

    def noted(work: FunctionWork, attempt: Attempt, outcome: Outcome) -> None:
        searched.extend([attempt.root] if work.rival else ())
        note(work, attempt, outcome)

    monkeypatch.setattr(FunctionWork, "note", noted)
    if not beaten:
        monkeypatch.setattr(FunctionWork, "is_beaten", lambda work: False)
    monkeypatch.setattr(Row, "load", lambda row: Hiding())
    rows = (replace(BEFORE_WINDOWS[0], patient=True, rival=True),)
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    monkeypatch.setattr(layers, "before_windows", lambda disabled: rows)
    rewrite_module(TWICE, Options(), TOOLS, "x.ll")
    assert ("rb" in searched) is not beaten and bool(searched) is not beaten


@dataclass(frozen=True)
class Renaming:
    """A transform that gives one more value another name."""

    def sites(self, scope: Scope) -> Iterator[Bad]:
        yield Bad(next(i for i in scope.view if i.opcode == "lshr"), "is no gain")


def test_of_rivals_without_end_so_many_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with few first, and all of them last."""
    rows = tuple(
        replace(BEFORE_WINDOWS[0], name=f"row {k}", patient=True, rival=True) for k in range(5)
    )
    monkeypatch.setattr(Row, "load", lambda row: Renaming())
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    monkeypatch.setattr(layers, "before_windows", lambda disabled: rows)
    run = Run(parse_module(binding.normalise(TWICE)), Options(), TOOLS, "x.ll", clock_of(None))
    layering = layers.Layering(run, Net(strict=True))
    found = variants_of(layering, Ledger(), run.module.functions)["two"]
    assert [len(v.kept) for v in found] == [0, 1, 2, 5]  # equal ones once
    assert len(list(_layers(layering, Ledger(), frozenset(("two",))))) == VARIANTS_MOST


def test_rivals_that_save_most_come_first() -> None:
    module = parse_module(binding.normalise(TWICE))
    plan = Planned(BEFORE_WINDOWS[0], module, module.functions[0], (), Edits({}, {}))
    plans = [replace(plan, judgement=Judgement(True, "", 10.0, x)) for x in (9.0, 5.0)]
    assert sorted([*plans, plan], key=_share) == [*plans[::-1], plan]


@dataclass(frozen=True)
class Storing:
    """A transform that names a store, which gives no value, and leaves it."""

    def sites(self, scope: Scope) -> Iterator[Bad]:
        yield Bad(next(i for i in scope.view if i.opcode == "store"), "kept", "it stays")


def test_what_gives_no_value_is_reported_on_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [replace(BEFORE_WINDOWS[0], name=name) for name in ("renaming", "storing")]
    both = {"renaming": Renaming(), "storing": Storing()}
    monkeypatch.setattr(Row, "load", lambda row: both[row.name])
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    monkeypatch.setattr(layers, "before_windows", lambda disabled: rows)
    done = rewrite_module(TWICE, Options(), TOOLS, "x.ll")
    (w,) = (w for w in done.report.windows if w.by == "storing")
    assert done.before.split("\n")[w.place.line - 1].strip().startswith("store ")


@dataclass(frozen=True)
class Wrong(Bad):
    """An average that is written as something else."""

    def edits(self, scope: Scope, names: Iterator[str]) -> Change:
        line = f"%{self.root.name} = or <16 x i8> %a, %b"
        unused = tuple(i for i in scope.view if i.name.endswith("a") and i is not self.root)
        return Change({self.root.line: (line,)}, self.how, unused)


@dataclass(frozen=True)
class Wronging:
    """A transform that writes the first average wrongly."""

    def sites(self, scope: Scope) -> Iterator[Wrong]:
        yield Wrong(next(i for i in scope.view if i.opcode == "trunc"), "wrong")


def test_a_rival_that_is_not_beaten_is_proved_before_it_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = replace(BEFORE_WINDOWS[0], patient=True, rival=True)
    monkeypatch.setattr(FunctionWork, "is_beaten", lambda work: False)
    monkeypatch.setattr(Row, "load", lambda row: Wronging())
    monkeypatch.setattr(layers, "has_word", lambda module, function, word: True)
    monkeypatch.setattr(layers, "before_windows", lambda disabled: (row,))
    done = rewrite_module(TWICE, Options(), TOOLS, "x.ll")
    assert {w.place.root for w in done.report.rewritten} == {"ra", "rb"}
    (why,) = (w.reason for w in done.report.windows if w.by == row.name)
    assert why.startswith("what was written is not proved") and " or <" not in done.written


def test_what_was_taken_back_is_not_chosen_by_another_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A function that is decided anew, for a transform, knows which windows are not proved."""
    ledger = Ledger()
    ledger.take_back([(Entry("windows", "two", "ra"), Refusal("not proved"))])
    monkeypatch.setattr(session, "Ledger", lambda: ledger)
    done = rewrite_module(TWICE, Options(), TOOLS, "x.ll")
    assert {w.place.root for w in done.report.rewritten} == {"rb"}
    assert [w.reason for w in done.report.windows if w.place.root == "ra"] == ["not proved"]
