"""Faults in what proves that splices are loads: each lets ``isel verify`` prove a wrong pair, and
the rewriter writes nothing wrong all the same, because what plans the loads is another mind.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from semantics import target_named
from tests.children import Done, in_children
from tests.planted.faults import IN_THE_PROOF
from tests.planted.run import rewritten
from tests.transplant import replaced, transplant
from tests.verdicts import verify_modules

_PAIRS: Final = Path(__file__).parents[1] / "verify" / "pairs"


def _proves(text: str) -> bool:
    ((_, verdict),) = verify_modules(parse_module(normalise(text)), None, target_named("x86"))
    return isinstance(verdict, Proved)


def _with_fault(job: tuple[str, str, str, str]) -> tuple[bool, bool]:
    name, old, new, pair = job
    module = import_module(name)
    transplant(module, replaced(module, old, new))
    text = (_PAIRS / f"{pair}.ll").read_text()
    done = rewritten(text.replace("define void @tgt(", "define void @other("))
    source = done.text.partition("@other(")[0].partition("@src(")[2]
    return _proves(text), "%s = shufflevector" in source


@pytest.mark.parametrize("fault", [pytest.param(f, id=f[3]) for f in IN_THE_PROOF])
def test_a_fault_in_the_proof(fault: tuple[str, str, str, str]) -> None:
    text = (_PAIRS / f"{fault[3]}.ll").read_text()
    assert not _proves(text), "without the fault"
    ((_, found),) = in_children(_with_fault, [fault], jobs=1, seconds=120)
    assert isinstance(found, Done), found
    proves, kept = found.value
    assert proves, "the fault is one"
    assert kept, "nothing is planned that only the fault would prove"
