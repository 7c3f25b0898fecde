"""Pairs of functions with known answers: no bad pair proved, no good pair refuted, and all of ours decided."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from frontends.llvm.binding import normalise
from frontends.llvm.parse import parse_module
from frontends.llvm.refine import Options, verify_modules
from isel.smt.query import Answer, GaveUp, Query
from isel.verify.verdict import Proved, Refuted, Unknown, Verdict
from semantics import target_named

_HERE = Path(__file__).parent / "pairs"
_SECONDS = ("pmulhrsw_saturation_not_reached", "pmaddubsw_range_may_be_undef")  # of a solver
_OURS = sorted(p.stem for p in _HERE.glob("*.ll"))
_SHARED = Path(os.environ.get("ISEL_SHARED", Path(__file__).parents[3] / "shared")) / "suites" / "refinement"
_EXCUSED = ("floating point", "memory")


@cache
def _verdict(path: Path) -> tuple[str, Verdict]:
    text = path.read_text()
    wanted = text.partition("\n")[0].removeprefix("; WANT:").split()[0]
    ((_, verdict),) = verify_modules(parse_module(normalise(text, str(path))), None, target_named("x86"))
    return wanted, verdict


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in _SECONDS else n for n in _OURS])
def test_ours(name: str) -> None:
    """Every pair of ours is decided, and rightly."""
    wanted, verdict = _verdict(_HERE / f"{name}.ll")
    assert isinstance(verdict, {"ok": Proved, "bad": Refuted}[wanted]), verdict


def test_there_are_many_of_both_kinds() -> None:
    """A folder that was not found would pass everything above."""
    first = [(_HERE / f"{n}.ll").read_text().partition("\n")[0] for n in _OURS]
    assert min(first.count("; WANT: ok"), first.count("; WANT: bad")) >= 60


@pytest.mark.shared
def test_shared() -> None:
    """The pairs that nobody here wrote: memory and floating point may be unknown."""
    paths = sorted(_SHARED.glob("*.ll"))
    assert paths, f"no pairs in {_SHARED}; set ISEL_SHARED"
    wrong: list[str] = []
    for path in paths:
        wanted, verdict = _verdict(path)
        if isinstance(verdict, {"ok": Proved, "bad": Refuted}[wanted]):
            continue
        if isinstance(verdict, Unknown) and verdict.reason.startswith(_EXCUSED):
            continue
        wrong.append(f"{path.name}: wanted {wanted}, {verdict}")
    assert not wrong


@pytest.mark.parametrize("name", _OURS)
def test_everything_refines_itself(name: str) -> None:
    """Identity, of the source and of the target, also where the text is not the same but for names."""
    text = (_HERE / f"{name}.ll").read_text()
    module = parse_module(normalise(text))
    other = parse_module(normalise(text.replace("%r", "%other.name")))
    for a, b in ((module, module), (module, other)):
        assert all(isinstance(v, Proved) for _, v in verify_modules(a, b, target_named("x86")))


class _GivesUp:
    """A solver without answers."""

    def check(self, query: Query) -> Answer:
        return GaveUp("told to")


@pytest.mark.parametrize("name", _OURS[::4])
def test_unknown_is_never_yes(name: str) -> None:
    """Without a solver bad pairs are not proved and good ones not refuted."""
    text = (_HERE / f"{name}.ll").read_text()
    wanted = text.partition("\n")[0].removeprefix("; WANT:").split()[0]
    ((_, verdict),) = verify_modules(parse_module(normalise(text)), None, target_named("x86"), Options(checker=_GivesUp()))
    assert not isinstance(verdict, {"ok": Refuted, "bad": Proved}[wanted])
