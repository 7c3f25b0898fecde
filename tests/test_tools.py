"""What is missing for ``make test-all`` is named, with the line to type."""

from __future__ import annotations

from pathlib import Path

from tests.tools import PACKAGES, SHARED, missing


def test_nothing_is_missing(tmp_path: Path) -> None:
    for name in SHARED:
        (tmp_path / name).mkdir()
    assert missing(lambda command: command, tmp_path) == []


def test_the_line_to_type_names_packages() -> None:
    found = missing(lambda c: None if c in {"ninja", "clang-14"} else c, Path("/nonexistent"))
    assert found == [
        "missing: clang-14, ninja; type: sudo apt-get install clang-14 ninja-build",
        "missing: specs, prototype in /nonexistent; type: export ISEL_SHARED=FOLDER_THAT_HAS_THEM",
    ]


def test_what_ci_installs_is_what_is_asked_for() -> None:
    text = (Path(__file__).parents[1] / ".ci/run").read_text(encoding="utf-8")
    assert [p for p in PACKAGES.values() if p not in text.split()] == []
