"""``isel rules learn`` writes a book and its proofs, what was proved before a stop among it."""

from __future__ import annotations

from pathlib import Path

import pytest

from isel.cli import learning, main
from isel.cli.edge import INTERRUPTED, OK, USER_ERROR
from isel.learn.search import Learner
from isel.learn.sources import Sources

GRAMMAR = "given x\nTERM = (sat_u w (sext {2*w} x)) | (sat_u w (shl (sext {2*w} x) 1:{2*w}))\n"


@pytest.fixture(autouse=True)
def few_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "shipped_sources", lambda: Sources(GRAMMAR, "test"))


def test_several_targets_give_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "learned"
    assert main(["rules", "learn", "x86", "arm", "--size", "1", "-o", str(out)]) == OK
    assert "common.sat_u.1: (sat_u w (sext {2*w} x:w))" in (out / "common.rules").read_text()
    assert (out / "common.proved").read_text().count("common.sat_u.") == 2
    assert ":" not in (out / "arm.rules").read_text().partition("\n\n")[2]


def test_what_was_proved_before_a_stop_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(self: Learner, *given: object) -> None:
        run(self, *given)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    run = Learner.run
    monkeypatch.setattr(Learner, "run", stopped)
    book = tmp_path / "x86.rules"
    assert main(["rules", "learn", "x86", "--size", "1", "-o", str(book)]) == INTERRUPTED
    assert "# A part:" in book.read_text()
    assert "sat_u.2:" in book.read_text()


def test_a_book_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "learn", "x86"]) == USER_ERROR
    assert "-o with the book to write" in capsys.readouterr().err


def test_a_book_that_cannot_be_written_is_named_before_the_search(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Learner, "run", None)
    book = str(tmp_path / "none" / "x86.rules")
    assert main(["rules", "learn", "x86", "-o", book]) == USER_ERROR
    assert book in capsys.readouterr().err


def test_terms_of_instructions_are_left_sides_where_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(Learner, "run", lambda self, *given: asked.append(self.instructions))
    book = tmp_path / "x86.rules"
    for flags in ([], ["--instructions"]):
        assert main(["rules", "learn", "x86", "-o", str(book), *flags]) == OK
    assert asked == [False, True]
    assert "isel rules learn x86 --size 2 --instructions'" in book.read_text()
