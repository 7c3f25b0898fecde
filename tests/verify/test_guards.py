"""Guards of the proof block by block that matter: without one a wrong pair is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from frontends.llvm.cuts.graph import Graph
from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.functions import verify_modules
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Verdict
from semantics import target_named

_PAIRS = Path(__file__).parent / "pairs"


def _verdict(name: str) -> Verdict:
    module = parse_module(normalise((_PAIRS / f"{name}.ll").read_text()))
    ((_, verdict),) = verify_modules(module, None, target_named("x86"))
    return verdict


@pytest.mark.parametrize(
    "name",
    ["loop_freeze_sunk_into_the_loop", "loop_nest_freeze_sunk", "loop_freeze_sunk_beside_the_last"],
)
def test_what_the_source_chose_before(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice of the source may not follow ones that the target makes later, and more often."""
    assert not isinstance(_verdict(name), Proved)
    monkeypatch.setattr(Graph, "chosen_in_time", lambda self, s, t, block: True)
    assert isinstance(_verdict(name), Proved)


@pytest.mark.parametrize(
    "name",
    ["pointer_of_a_collector", "pointer_that_is_unstable", "pointers_of_a_collector_compared"],
)
def test_what_a_collector_moves(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a pointer points may not be asked behind a call that the source asks before."""
    assert not isinstance(_verdict(name), Proved)
    monkeypatch.setattr(Graph, "_unstable", lambda self, i: False)
    assert isinstance(_verdict(name), Proved)
