"""Bytes that are loaded from tables and put together, as lanes of these: what is proposed, what
stays, and that both do the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import pytest

from frontends.llvm.transform import table_loads
from tests.frontends.llvm.transformed import change, do_the_same, whys
from tests.fuzz.case import Call, Pointer

_TEXT: Final = '@t = internal constant [17 x i8] c"0123456789abcdef\\00"'
_GIVEN: Final = "ptr noalias dereferenceable(16) %t"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop that looks bytes up: what a module says, the table's parameter, what comes after the
    loads, an index of a byte, how it is extended, and how many lanes there are.
    """

    said: str = ""
    given: str = "ptr %unused"
    after: str = ""
    index: tuple[str, ...] = ("and i8 %x{0}, 15",)
    cast: str = "zext i8 %i{0} to i64"
    lanes: int = 4
    load: str = "load i8"
    step: str = "getelementptr inbounds i8, ptr {1}, i64 %z{0}"

    def text(self) -> str:
        """Return the module."""
        table = "%t" if "%t" in self.given else "@t"
        lines, last = list[str](), "poison"
        for k in range(self.lanes):
            lines += [f"%p{k} = getelementptr i8, ptr %p, i64 {k}"]
            lines += [f"%x{k} = load i8, ptr %p{k}, align 1"]
            steps = [x.format(k) for x in self.index]
            names = [*(f"%i{k}.{n}" for n in range(len(steps) - 1)), f"%i{k}"]
            lines += [f"{name} = {x}" for name, x in zip(names, steps, strict=True)]
            lines += [f"%z{k} = {self.cast.format(k)}"]
            lines += [f"%q{k} = {self.step.format(k, table)}"]
            lines += [f"%v{k} = {self.load}, ptr %q{k}, align 1"]
        lines += [self.after]
        for k in range(self.lanes):
            lines += [f"%r{k} = insertelement <{self.lanes} x i8> {last}, i8 %v{k}, i64 {k}"]
            last = f"%r{k}"
        body = "\n".join(lines)
        return f"""{self.said}
declare void @g()
define void @f(ptr noalias %d, ptr %s, {self.given}, i64 %n) {{
entry:
br label %loop
loop:
%i = phi i64 [ 0, %entry ], [ %j, %loop ]
%p = getelementptr i8, ptr %s, i64 %i
{body}
%e = getelementptr i8, ptr %d, i64 %i
store <{self.lanes} x i8> {last}, ptr %e, align 1
%j = add i64 %i, {self.lanes}
%c = icmp ult i64 %j, %n
br i1 %c, label %loop, label %done
done:
ret void
}}
"""


_WIDE: Final = ("zext i8 %x{0} to i32", "lshr i32 %i{0}.0, 4")
_TAKEN: Final = {
    "a constant": Loop(_TEXT),
    "an argument": Loop(given=_GIVEN),
    "computed in more bits": Loop(given=_GIVEN, index=_WIDE, cast="zext nneg i32 %i{0} to i64"),
    "lanes of a register": Loop(given=_GIVEN, lanes=16),
    "through an array": Loop(_TEXT, step="getelementptr [17 x i8], ptr {1}, i64 0, i64 %z{0}"),
    "the first of more": Loop(given="ptr noalias dereferenceable(64) %t"),
    "all that there is, and no more": Loop(_TEXT, index=("and i8 %x{0}, 16",)),
}
_LEFT: Final = {
    "an index of any byte": Loop(given=_GIVEN, index=("add i8 %x{0}, 1",)),
    "a table that may end sooner": Loop(given="ptr noalias dereferenceable(15) %t"),
    "no table": Loop(given="ptr noalias %t"),
    "a part of a register": Loop(
        given="ptr noalias dereferenceable(12) %t", index=("and i8 %x{0}, 8",)
    ),
    "written meanwhile": Loop(given=_GIVEN, after="store i8 1, ptr %t"),
    "a call": Loop(given=_GIVEN, after="call void @g()"),
    "used by others": Loop(given=_GIVEN, after="store i8 %v1, ptr %d"),
    "a volatile load": Loop(given=_GIVEN, load="load volatile i8"),
    "a row of a table of tables": Loop(
        "@t = internal constant [16 x [16 x i8]] zeroinitializer",
        step="getelementptr [16 x [16 x i8]], ptr {1}, i64 0, i64 %z{0}, i64 %z{0}",
    ),
    "two lanes": Loop(given=_GIVEN, lanes=2),
}


@pytest.mark.parametrize("loop", _TAKEN.values(), ids=_TAKEN)
def test_lanes_of_a_table(loop: Loop) -> None:
    text, draw = loop.text(), random.Random(7)
    assert whys(table_loads, text) == [(f"r{loop.lanes - 1}", "")]
    after = change(table_loads, text)
    assert after.count("load i8") == 0 and "extractelement" in after
    calls = []
    for high in (False, True):
        out, data, table = (draw.randbytes(n) for n in (64, 64, 64))
        given = (Pointer(0), Pointer(1), Pointer(2), 64)
        calls.append(Call((out, data, table), given, high))
    assert do_the_same(text, after, calls)


@pytest.mark.parametrize("loop", _LEFT.values(), ids=_LEFT)
def test_what_stays(loop: Loop) -> None:
    assert whys(table_loads, loop.text()) == []


def test_a_table_is_loaded_once_and_frozen() -> None:
    """Its lanes are looked at in each pass, out of which it is loaded."""
    after = change(table_loads, Loop(given=_GIVEN).text())
    entry, _, loop = after.partition("loop:")
    assert "load <16 x i8>, ptr %t" in entry and "freeze <16 x i8>" in entry
    assert "load <4 x i8>" in loop and "freeze" not in loop and "ptr %t" not in loop
