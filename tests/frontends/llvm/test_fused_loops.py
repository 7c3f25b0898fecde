"""Two loops as one: what is proposed, that it is proved, and does the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.passes.witness import UNTOLD, Exchange
from frontends.llvm.refine.decide import decide
from frontends.llvm.refine.frames import Frames
from frontends.llvm.refine.options import Options
from frontends.llvm.text.parse import parse_module
from frontends.llvm.transform import fused_loops
from frontends.llvm.transform.site import Opportunity, Scope
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import do_the_same, scope_of, transformed, whys
from tests.frontends.llvm.turned_loops import behind, calls


class Bold:
    """Proposes what the transform sees no reason for, too."""

    def sites(self, scope: Scope) -> Iterator[Opportunity]:
        return (replace(x, why_not="") for x in fused_loops.sites(scope))


RIGHT = ["b=a c=b", "b=a c=b-1", "b=a b=c", "a=a a=a-1", "b+32=a c=b", "b=a-3 c=a+5"]


@pytest.mark.parametrize("text", RIGHT)
@pytest.mark.parametrize("between", [True, False])
def test_two_loops_as_one(text: str, between: bool) -> None:
    before = behind(*text.split())
    if not between:
        before = before.replace("label %between", "label %two").replace("%between ]", "%one ]")
        before = before.replace("between:\n  br label %two\n", "")
    after, verdict = transformed(fused_loops, before)
    assert isinstance(verdict, Proved) and after.count(" = phi ") == 1 and after.count("icmp") == 1
    assert do_the_same(before, after, calls())


@pytest.mark.parametrize("text", ["b=a c=b+1", "b=a-1 a=c", "a=c a=d"])
def test_what_is_wrong_is_not_proved(text: str) -> None:
    after, verdict = transformed(Bold(), behind(*text.split()))
    assert after.count(" = phi ") == 1 and not isinstance(verdict, Proved)


def test_what_is_not_proposed() -> None:
    assert whys(fused_loops, behind("b=a", "c=b")) == [("", "")]
    assert whys(fused_loops, behind("b=a", "c=d")) == []
    assert whys(fused_loops, behind("b=a", "c=b", stop=17)) == []
    code = "  %q = load i8, ptr %a, align 1\n"
    assert whys(fused_loops, behind("b=a", "c=b", code=code)) == []
    assert whys(fused_loops, behind("a=c", "a=d")) == [("", "its loops may meet in memory")]
    small = behind("b=a", "c=b").replace(") {", ") minsize {")
    assert whys(fused_loops, small) == [("", "the function is to be small")]


def test_the_witness_is_handed_over() -> None:
    """What the transform says is enough; nothing, and what is wrong, proves nothing."""
    before = parse_module(normalise(behind("b=a", "c=b")))
    after = parse_module(transformed(fused_loops, before.text)[0])
    (site,) = fused_loops.sites(scope := scope_of(before.text))
    handed = site.edits(scope, scope.view.free_names()).exchanges
    assert handed == (Exchange("one", "two"),)
    for exchanges in (handed, (), (Exchange("two", "one"),), (Exchange("one", "elsewhere"),)):
        options = Options(guesses=UNTOLD.told(exchanges), whole=False)
        both = before.functions[0], after.functions[0]
        found = decide(*both, None, Frames.of(before, after), options).verdict
        assert isinstance(found, Proved) is (exchanges == handed), exchanges
