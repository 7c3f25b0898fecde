"""A portion: which functions it is spent on, what is left, and that nothing but the text decides."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import cast

import pytest

from frontends.llvm.pipeline.budget import budget_of
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten, Tools
from frontends.llvm.text.isolate import declare
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform.table import MECHANISMS
from isel.api.tools import Making
from isel.cache.cached import CachedSynthesizer
from isel.cli.launcher import limits, quick, searching
from isel.cli.launcher.elsewhere import Answers, Elsewhere
from isel.cli.launcher.hot import Found, by_heat, read_list
from isel.cli.launcher.order import Order, asked_for
from isel.cli.launcher.portion import (
    LEFT,
    Piece,
    Portioned,
    Share,
    is_worth,
    piece_of,
    portion_of,
    read,
    spend,
)
from isel.json_text import to_json
from isel.model.answer import Result
from isel.model.mechanisms import TACTICS
from isel.model.window import Window

LOOP = """\
define void @{0}(ptr %p) {{
  br label %1

1:
  %v = load <4 x i32>, ptr %p
  %w = add <4 x i32> %v, %v
  br i1 undef, label %1, label %2

2:
  ret void
}}
"""
F, G = LOOP.format("f"), LOOP.format('"g h"')
STRAIGHT = "define void @s(ptr %p) {\n  store <4 x i8> zeroinitializer, ptr %p\n  ret void\n}\n"
FOUND = Found(0.0, 1, 10, 10, 20, "f")


class Rows:
    """Says what was asked, and spends so much on each function."""

    def __init__(self, spent: int, finished: str = "") -> None:
        self.spent, self.finished = spent, finished
        self.given: dict[str, int] = {}
        self.seen: list[frozenset[str]] = []

    def whole(self, alone: str, name: str) -> Piece | None:
        """Return what was finished."""
        return Piece(2, 1, (f"; {name}",)) if name == self.finished else None

    def part(self, alone: str, name: str, given: int, seen: frozenset[str]) -> Piece:
        """Return a piece."""
        assert alone.count("define ") == 1
        self.given[name] = given
        self.seen.append(seen)
        return Piece(1, spent=self.spent, cut=self.spent > given, searched=(*seen, name))


def test_the_portion_ends() -> None:
    text = F + G + STRAIGHT
    found = by_heat(text, {})
    price = limits.PORTION_LOOK + found[0].lines // limits.PORTION_READ
    rows = Rows(100)
    done = spend(text, found, 1000, rows)
    assert rows.given == {"f": 1000 - price, "g h": 900 - 2 * price}
    assert rows.seen == [frozenset(), frozenset({"f"})]
    assert (list(done.pieces), done.left) == (["f", "g h"], ["s"])
    assert spend(text, found, 1000, Rows(940)).left == ["g h", "s"]
    assert spend(text, found, 1000, Rows(980)).left == ["f", "g h", "s"]


def test_what_is_finished_costs_nothing() -> None:
    text = F + G + STRAIGHT
    rows = Rows(0, finished="s")
    done = spend(text, by_heat(text, {}), 0, rows)
    assert (list(done.pieces), done.left, rows.given) == (["s"], ["f", "g h"], {})


@pytest.mark.parametrize(
    ("function", "worth"),
    [
        (FOUND, True),
        (FOUND._replace(depth=0), False),
        (FOUND._replace(depth=0, weight=limits.PORTION_WEIGHT), True),
        (FOUND._replace(lines=10 * limits.PORTION_DENSE + 1), False),
        (FOUND._replace(lines=1000, weight=limits.PORTION_WEIGHT), True),
        (FOUND._replace(vectors=1000 // limits.PORTION_LIKELY + 1, lines=99), False),
    ],
)
def test_what_is_worth_a_look(function: Found, worth: bool) -> None:
    assert is_worth(function, 1000) == worth


def test_a_portion_grows_with_the_file_and_with_what_is_hot() -> None:
    assert portion_of(F, []) == limits.PORTION_LEAST + F.count("\n  ") // limits.PORTION_LINES
    assert portion_of(F * 10_000, []) == limits.PORTION_MOST
    hot = by_heat(F + G, read_list(f"{limits.PORTION_WEIGHT} f\n1 h"))
    assert portion_of(F, hot) == portion_of(F, []) + limits.PORTION_HOT


@pytest.mark.parametrize(
    ("new", "piece"),
    [
        ("", ((), ())),
        ("declare void @x()\n", None),
        ("define void @f() {\n  ret void\n}\n", (("define void @f() {", "  ret void"), ())),
        (
            "define void @f() {\n}\ndeclare i8 @n()\n",
            (("define void @f() {",), ("declare i8 @n()",)),
        ),
        ("define void @f() {\n}\n@g = global i8 0\n", None),
    ],
)
def test_what_a_function_became(new: str, piece: object) -> None:
    alone = declare(F + STRAIGHT + "!0 = !{}\n", {"s"})
    own = new and new + "declare void @s(ptr %p)\n!0 = !{}\n"
    assert piece_of(alone, own, "f") == piece


def test_pieces_are_put_where_their_functions_were() -> None:
    new = ('define void @"g h"() {', "  ret void")
    changed = {"g h": Piece(lines=new, declarations=("declare i8 @n()",)), "f": Piece()}
    expected = F + 'define void @"g h"() {\n  ret void\n}\n' + STRAIGHT + "declare i8 @n()\n"
    assert Portioned(changed, []).text(F + G + STRAIGHT) == expected
    assert Portioned({"f": Piece()}, []).text(F) == ""


@pytest.mark.parametrize(
    ("given", "cut", "asked", "same"),
    [(9, False, 5, True), (9, False, 4, False), (9, True, 9, True), (9, True, 10, False)],
)
def test_rows_hold_for_what_may_be_spent(given: int, cut: bool, asked: int, same: bool) -> None:
    piece = Piece(1, 1, ("x",), ("y",), "z", "why", spent=5, given=given, cut=cut, searched=("w",))
    kept = read(to_json(piece))
    assert kept == piece
    assert kept.is_same(asked) == same
    assert read(None) is read("[") is None


def test_no_search_is_begun_that_would_not_end() -> None:
    (function,) = parse_module(F).functions
    share = Share(3 * limits.PORTION_SEARCH, frozenset())
    budget = share.budget(function, 1)
    assert budget.given == share.given
    budget.expect(["a", "a"])
    assert budget.may_search()
    budget.searched("a", 1000)
    budget.expect(["a", "b"])
    assert budget.may_search()
    assert share.total == budget.spent
    budget.expect(["b", "c"])
    assert not budget.may_search()
    assert budget.may_judge()
    assert share.is_cut
    assert len(share.windows) == 1
    again = Share(share.given, frozenset(share.windows)).budget(function, 1)
    again.searched("a", 1000)
    assert again.spent == 0
    usual = budget_of(function, 1)
    usual.expect(map(str, range(10_000)))
    assert usual.may_search()


@pytest.mark.parametrize(
    ("content", "said"),
    [("3 f\n", ""), ("# nothing\n", "names nothing"), (None, "no such file or directory")],
)
def test_lists_that_are_none_are_said(content: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "hot"
    if content is not None:
        path.write_text(content)
    found, warning = quick._hot_list(str(path))
    assert bool(found) == (not said)
    assert warning.endswith(said)
    assert warning.startswith("ISEL_HOT: " if said else "")
    assert LEFT in quick._join(Portioned({}, ["f"]), "", by_heat(F, {}), 0).reasons[0]


class Kept:
    """A cache with one row, of this machine or of another one."""

    def __init__(self, known: Result | None = None, found: Result | None = None) -> None:
        self.known, self.found = known, found

    def recall(self, window: Window) -> Result | None:
        """Return what is kept."""
        return self.known

    def foreign(self, window: Window) -> Result | None:
        """Return what others found."""
        return self.found


@pytest.mark.parametrize("complete", [True, False])
def test_what_nobody_has_answered_is_left(complete: bool) -> None:
    known, window = Result((), complete, "", 9), Window((), ())
    for kept, proved, left in (
        (Kept(known=known), 0, 0),
        (Kept(found=known), 1, 0),
        (Kept(), 0, 1),
        (None, 0, 1),
    ):
        counts = Elsewhere()
        answer = Answers(cast(CachedSynthesizer | None, kept), counts).search(window)
        assert answer == (Result((), False, LEFT, 0) if left else known)
        assert (counts.proved, counts.left) == (proved, left)


def test_a_portion_goes_without_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """In what plans functions, and in what searches their windows."""
    seen = list[tuple[object, ...]]()

    def rewrite(text: str, options: Options, *, tools: Tools, file: str) -> Rewritten:
        made = tools.make
        assert isinstance(made, Making)
        seen.append((options.disabled, made.disabled))
        return rewrite_module(text, options, tools, file)

    monkeypatch.setattr(searching, "rewrite_module", rewrite)
    with searching.setting(Order("", "", "a.c", 19, 3, ""), None, "") as given:
        for share in (Share(1), None):
            searching.search(given, STRAIGHT, share=share)
    without = ("regrouped-reductions", "joined-windows", "cegis")
    assert seen == [(without, without), ((), ())]
    assert set(searching._DEAR) <= {m.name for m in (*MECHANISMS, *TACTICS)}


def test_flags_may_name_functions() -> None:
    assert asked_for("--only-function=f.*")[0] == {"strict": False, "only_function": "f.*"}
    order = Order("", "", "a.c", 19, 3, "--only-function=g.*", quick=True)
    pieces = quick._Pieces(order, None, None, "", ExitStack())
    made = quick._decide(order, STRAIGHT, {}, pieces)
    assert (made.reasons, made.left) == ((), 0)
