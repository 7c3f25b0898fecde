"""What is hashed of the tool, compilers and variables, and the portion of a search."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from isel.cache.cached import CachedSynthesizer
from isel.cli.batch import journal as batch
from isel.cli.launcher import ccache, journal, rewriter, tool
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.limits import PORTION_LINES, PORTION_STEPS
from isel.cli.launcher.portion import LEFT, Portion, QuickSynthesizer
from isel.cli.launcher.stamps import own_settings, stamp_of, tool_stamps
from isel.model.answer import Result, Synthesizer
from isel.model.window import Window
from isel.trust import Signer

NONE = Window((), ())


def test_files_by_stamp(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert stamp_of(str(path)) == ""
    path.write_text("one")
    first = stamp_of(str(path))
    other = tmp_path / "b"
    other.write_text("one")
    other.replace(path)
    assert stamp_of(str(path)) != first


def test_our_variables_count_and_the_log_does_not() -> None:
    environment = {"ISEL_X": "1", "ISEL_LOG": "2", "CPATH": "3", "OTHER": "4"}
    assert list(own_settings(environment)) == ["ISEL_X=1"]


def test_the_key_for_ccache_is_of_the_compiler(tmp_path: Path) -> None:
    one, two = (Compiler((name,), (name,)) for name in ("/bin/sh", "/bin/ls"))
    assert ccache.key_of(one, {}) == ccache.key_of(one, {"ISEL_LOG": "x"})
    assert (
        len({ccache.key_of(one, {}), ccache.key_of(two, {}), ccache.key_of(one, {"ISEL_A": ""})})
        == 3
    )
    assert not ccache.is_unasked(one, {}, named=True)  # nothing of ccache runs this


def test_the_identity_of_the_tool_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def find_out() -> str:
        asked.append(1)
        return "tool\0of\nlines"

    monkeypatch.setattr(tool, "_find_out", find_out)
    environment = {"XDG_STATE_HOME": str(tmp_path)}
    signer = Signer(b"k" * 32)
    assert {tool.identity(environment, signer) for _ in range(3)} == {"tool\0of\nlines"}
    assert len(asked) == 1
    file = tmp_path / "isel" / "tool"
    file.write_text(file.read_text().replace("lines", "lies"))
    assert tool.identity(environment, signer) == "tool\0of\nlines"
    assert tool.identity(environment, None) == "tool\0of\nlines"
    assert len(asked) == 3
    own = tmp_path / "own"
    own.mkdir()
    before = list(tool_stamps({"ISEL_SEMANTICS": str(own)}))
    (own / "a.sem").write_text("")
    assert list(tool_stamps({"ISEL_SEMANTICS": str(own)})) != before


class Searching:
    """Finds nothing, in so many steps; a cache without rows."""

    def __init__(
        self, steps: int, known: Result | None = None, found: Result | None = None
    ) -> None:
        self.result = Result((), True, "nothing", steps)
        self.known, self.found = known, found
        self.count = 0

    def prepare(self, windows: object) -> None:
        """Do nothing."""

    def search(self, window: Window) -> Result:
        """Return the answer."""
        self.count += 1
        return self.result

    def recall(self, window: Window) -> Result | None:
        """Return what is kept."""
        return self.known

    def foreign(self, window: Window) -> Result | None:
        """Return what others found."""
        return self.found


def quick(whole: Searching | None, first: Searching, portion: Portion) -> QuickSynthesizer:
    """Return a search of a portion."""
    return QuickSynthesizer(
        cast(CachedSynthesizer | None, whole), cast(Synthesizer, first), portion
    )


def test_a_portion_ends_and_is_never_complete() -> None:
    first, portion = Searching(PORTION_STEPS // 2 + 1), Portion()
    search = quick(None, first, portion)
    windows = [replace(NONE, price=k) for k in (1, 2, 3)]
    answers = [search.search(w) for w in windows]
    assert [(a.complete, a.reason) for a in answers] == [(False, LEFT)] * 3
    assert (first.count, portion.searched, len(portion.left)) == (2, 2, 3)
    assert portion.is_spent()


@pytest.mark.parametrize("complete", [True, False])
def test_what_is_known_costs_nothing(complete: bool) -> None:
    known = Result((), complete, "", 10**9)
    for whole in (Searching(1, known=known), Searching(1, found=known)):
        portion = Portion()
        assert quick(whole, Searching(1), portion).search(NONE) is known
        assert (portion.steps, portion.left, portion.searched) == (PORTION_STEPS, set(), 0)
        assert portion.proved == (whole.found is not None)


def test_a_large_module_is_left_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the journal it is what a batch searches."""
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "ISEL_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(rewriter, "identity", lambda environment, signer: "tool")
    monkeypatch.setattr(rewriter, "_search", lambda *_: (rewriter.Result(1, 1, 1, "new"), True))
    order = rewriter.Order("", "", "a.c", 19, 3, "", quick=True, output="/x/a.o")
    large = "define void @f() {\n" + "  ret void\n" * (PORTION_LINES + 2)
    result, known = rewriter.decide(order, large)
    assert (result.left, result.rewritten, known) == (1, 0, False)
    entry = journal.read(journal.path_of("/x/a.o", os.environ))
    assert entry is not None
    assert (entry.text, entry.written) == (large, "")
    late = order._replace(quick=False, late=True)
    assert rewriter.decide(late, large)[0].rewritten == 1
    assert rewriter.decide(order, large) == (rewriter.Result(1, 1, 1, "new"), True)
    assert journal.paths(os.environ) == []


def test_an_entry_that_was_written_anew_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.left"
    path.write_text("one")
    stamp = stamp_of(str(path))
    other = tmp_path / "b"
    other.write_text("two")
    other.replace(path)
    batch._remove(str(path), stamp)
    assert path.read_text() == "two"
    batch._remove(str(path), stamp_of(str(path)))
    assert not path.exists()
