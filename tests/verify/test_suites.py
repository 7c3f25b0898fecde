"""Pairs of others, read by their first lines: border, Neon and public reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.cli import main
from isel.model.verdict import Proved, Refuted, Verdict
from semantics import target_named
from tests.verdicts import verify_modules

_SUITES = Path(__file__).parents[1] / "suites"
_BORDER = {
    p.stem: p
    for p in sorted((_SUITES / "border").glob("*.ll"))
    if "@src" in p.read_text() and "@tgt" in p.read_text()
}
_REPORTS = {
    p.stem: p for p in sorted((_SUITES / "reports").glob("*.ll")) if "@tgt" in p.read_text()
}
_NEON = {p.stem: p for p in sorted((_SUITES / "neon").rglob("*.ll")) if "@tgt" in p.read_text()}


def _verdict(path: Path, target: str) -> Verdict:
    module = parse_module(normalise(path.read_text(), str(path)))
    ((_, verdict),) = verify_modules(module, None, target_named(target))
    return verdict


@pytest.fixture(scope="session", autouse=True)
def semantics() -> None:
    """Read the semantics of both machines before a test does: all of them share it."""
    _verdict(next(iter(_NEON.values())), "arm")
    _verdict(next(iter(_BORDER.values())), "x86")


def test_pairs_are_there() -> None:
    """A folder that was not found would pass everything below."""
    assert len(_BORDER) >= 5 and len(_NEON) >= 38 and len(_REPORTS) >= 11


@pytest.mark.parametrize("name", _BORDER)
def test_border(name: str) -> None:
    wanted = _BORDER[name].read_text().partition("\n")[0].removeprefix("; WANT:").strip()
    verdict = _verdict(_BORDER[name], "x86")
    if wanted.startswith("ok"):
        assert isinstance(verdict, Proved), verdict
    else:
        assert wanted.startswith("bad") and not isinstance(verdict, Proved)
        assert "is refuted" not in wanted or isinstance(verdict, Refuted)


@pytest.mark.parametrize("name", _NEON)
def test_neon(name: str) -> None:
    """Right ones are proved, and of the wrong ones (``w``) none is."""
    verdict = _verdict(_NEON[name], "arm")
    assert isinstance(verdict, Proved) is not name.startswith("w"), verdict


@pytest.mark.parametrize("name", _REPORTS)
def test_the_best_code_of_a_report_is_proved(name: str) -> None:
    verdict = _verdict(_REPORTS[name], "arm" if name.startswith("a64") else "x86")
    assert isinstance(verdict, Proved), verdict


def test_nontemporal_loads_stay(tmp_path: Path) -> None:
    """Border 03: the window over them is rewritten, and they are what they were."""
    path, out = _SUITES / "border/03_opt_nontemporal_merged.ll", tmp_path / "out.ll"
    assert main(["opt", str(path), "-S", "-o", str(out), "-cache", "off"]) == 0
    text = out.read_text()
    loads = [x for x in text.splitlines() if " = load " in x]
    assert len(loads) == 3 and all("!nontemporal" in x for x in loads) and "@llvm.x86." in text


@pytest.mark.parametrize(
    "word", ["x86_intrcc", "ghccc", "hhvmcc", "returns_twice", "presplitcoroutine"]
)
def test_what_is_written_is_proved(word: str, tmp_path: Path) -> None:
    """Border 07: whatever else the head says."""
    text = (_SUITES / "border/07_own_output_unknown.ll").read_text()
    if not word.endswith("cc"):
        text = text.replace("x86_intrcc ", "").replace(' "disable', f' {word} "disable')
    text = text.replace("x86_intrcc", word) if word != "x86_intrcc" else text
    paths = [tmp_path / name for name in ("in.ll", "out.ll")]
    paths[0].write_text(text)
    assert main(["opt", str(paths[0]), "-S", "-o", str(paths[1]), "-cache", "off"]) == 0
    assert "@llvm.x86." in paths[1].read_text()
    assert main(["verify", *map(str, paths)]) == 0
