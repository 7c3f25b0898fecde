"""Two loops as one: what is proposed, that it is proved, and does the same."""

from __future__ import annotations

import pytest

from frontends.llvm.transform import fused_loops
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import do_the_same, transformed, whys
from tests.frontends.llvm.turned_loops import behind, calls

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
    after, verdict = transformed(fused_loops, behind(*text.split()))
    assert after.count(" = phi ") == 1 and not isinstance(verdict, Proved)


def test_what_is_not_proposed() -> None:
    assert whys(fused_loops, behind("b=a", "c=b")) == [("", "")]
    assert whys(fused_loops, behind("b=a", "c=d")) == []
    assert whys(fused_loops, behind("b=a", "c=b", stop=17)) == []
    code = "  %q = load i8, ptr %a, align 1\n"
    assert whys(fused_loops, behind("b=a", "c=b", code=code)) == []
    small = behind("b=a", "c=b").replace(") {", ") minsize {")
    assert whys(fused_loops, small) == [("", "the function is to be small")]
