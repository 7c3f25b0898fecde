"""Pairs of functions with known answers: no bad pair proved, no good pair refuted, and all of
ours decided.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.options import Options
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Unknown, Verdict
from isel.smt.query import Answer, GaveUp, Query
from semantics import target_named
from tests.suites import SUITES
from tests.verdicts import verify_modules

_HERE = Path(__file__).parent / "pairs"
_ATTACKS = sorted((_HERE.parent / "attacks").glob("*.ll"))
_OURS = sorted(p.stem for p in _HERE.glob("*.ll"))
_EXCUSED = ("floating point", "memory: an address that is not a constant", "a loop")


@cache
def _verdict(path: Path) -> tuple[str, Verdict]:
    text = path.read_text()
    first = text.partition("\n")[0].removeprefix("; WANT:").strip()
    ((_, verdict),) = verify_modules(
        parse_module(normalise(text, str(path))), None, target_named("x86")
    )
    return first, verdict


@pytest.mark.parametrize("name", _OURS)
def test_ours(name: str) -> None:
    """Every pair of ours is decided, and rightly; one that says ``unknown`` is refused for the
    reason that it names.
    """
    wanted, verdict = _verdict(_HERE / f"{name}.ll")
    answer, _, reason = wanted.partition(", unknown: ")
    if reason:
        assert isinstance(verdict, Unknown) and reason in verdict.reason, verdict
    else:
        assert isinstance(verdict, {"ok": Proved, "bad": Refuted}[answer]), verdict


def test_there_are_many_of_both_kinds() -> None:
    """A folder that was not found would pass everything above."""
    first = [(_HERE / f"{n}.ll").read_text().partition("\n")[0] for n in _OURS]
    assert min(sum(x.startswith(f"; WANT: {kind}") for x in first) for kind in ("ok", "bad")) >= 60


@pytest.mark.parametrize("suite", ["refinement", "refinement2"])
def test_pairs_from_outside(suite: str) -> None:
    """The pairs that nobody here wrote: no bad one proved, no good one refuted, at most a tenth
    of those without floats, loops and open addresses unknown.
    """
    paths = sorted(p for p in (SUITES / suite).glob("*.ll") if not p.name.startswith("two_"))
    assert len(paths) >= 20, f"no pairs in {SUITES / suite}"
    wrong: list[str] = []
    good: list[bool] = []
    for path in paths:
        wanted, verdict = _verdict(path)
        if isinstance(verdict, {"ok": Refuted, "bad": Proved}[wanted.split()[0].rstrip(",")]):
            wrong.append(f"{path.name}: wanted {wanted}, {verdict}")
        if wanted.startswith("ok") and not (
            isinstance(verdict, Unknown) and verdict.reason.startswith(_EXCUSED)
        ):
            good.append(isinstance(verdict, Proved))
    assert not wrong
    assert sum(good) >= 0.9 * len(good)


def test_modules_from_outside() -> None:
    """Pairs of modules, all of them bad."""
    firsts = sorted((SUITES / "refinement2").glob("two_*a.ll"))
    assert firsts, f"no pairs of modules in {SUITES}"
    for path in firsts:
        modules = [
            parse_module(normalise(p.read_text()))
            for p in (path, path.with_name(f"{path.stem[:-1]}b.ll"))
        ]
        verdicts = verify_modules(modules[0], modules[1], target_named("x86"))
        assert verdicts and not any(isinstance(v, Proved) for _, v in verdicts), path.name


@pytest.mark.parametrize(
    "path", [pytest.param(p, id=p.stem) for p in _ATTACKS if not p.stem.startswith("two_")]
)
def test_attacks(path: Path) -> None:
    """Pairs made to break the verifier: none is answered wrongly."""
    wanted, verdict = _verdict(path)
    assert not isinstance(verdict, {"ok": Refuted, "bad": Proved}[wanted.split()[0]]), verdict


@pytest.mark.parametrize(
    "first", [pytest.param(p, id=p.stem[:-1]) for p in _ATTACKS if p.match("two_*a.ll")]
)
def test_attacks_of_two_modules(first: Path) -> None:
    """The same with a module each: not all of it is proved."""
    a, b = (
        parse_module(normalise(p.read_text()))
        for p in (first, first.with_name(f"{first.stem[:-1]}b.ll"))
    )
    assert not all(isinstance(v, Proved) for _, v in verify_modules(a, b, target_named("x86")))


@pytest.mark.parametrize("name", _OURS)
def test_everything_refines_itself(name: str) -> None:
    """Identity, of the source and of the target, also where the text is not the same but for
    names.
    """
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
    wanted = text.partition("\n")[0].removeprefix("; WANT: ")[:2]
    ((_, verdict),) = verify_modules(
        parse_module(normalise(text)), None, target_named("x86"), Options(checker=_GivesUp())
    )
    assert not isinstance(verdict, {"ok": Refuted, "ba": Proved}[wanted])
