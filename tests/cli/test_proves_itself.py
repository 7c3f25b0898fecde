"""``isel verify`` proves what ``isel opt`` writes: the README's lines, and every example."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.cli.modules import EXAMPLES, Run

_README: Final = (EXAMPLES.parent / "README.md").read_text()
_COMMANDS: Final = re.findall(r"^    \$ \.venv/bin/isel (.*\bexamples/.*)$", _README, re.MULTILINE)
_MODULES: Final = sorted((*EXAMPLES.glob("*.ll"), *(EXAMPLES / "avx2").glob("*.ll")))


def test_the_lines_of_the_readme(
    isel: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(EXAMPLES)
    assert [c.split()[0] for c in _COMMANDS] == ["opt", "verify"]
    ran = [isel(*shlex.split(c)) for c in _COMMANDS]
    assert [r.code for r in ran] == [0, 0], ran
    assert ran[1].out.startswith("@q15_multiply: proved (")
    assert (tmp_path / "out.ll").read_text() != (EXAMPLES / "q15_multiply.ll").read_text()


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.relative_to(EXAMPLES).as_posix()) for p in _MODULES]
)
def test_examples(path: Path, isel: Run, tmp_path: Path) -> None:
    assert (
        isel("opt", path, "-S", "-effort", "0", "-cache", "off", "-o", tmp_path / "out.ll").code
        == 0
    )
    ran = isel("verify", path, tmp_path / "out.ll")
    assert ran.code == 0, ran.out


def test_there_are_examples() -> None:
    assert len(_MODULES) >= 10
