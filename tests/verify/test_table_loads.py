"""Loads at an index as lanes of a table: what is proved, and what may not be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest

from frontends.llvm.cuts import tables
from frontends.llvm.function.alias import Writes
from frontends.llvm.text import build
from frontends.llvm.text.ast import IntType, Local, PtrType, VectorType
from tests.frontends.llvm.transformed import proves

_TABLE: Final = (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 92, 7, 34, 255)
_TEXT: Final = (
    "@t = internal constant [16 x i8] "
    'c"\\03\\01\\04\\01\\05\\09\\02\\06\\05\\03\\05\\08\\\\\\07\\22\\FF"'
)
_OUTSIDE: Final = "@t = external constant [16 x i8]"
_GIVEN: Final = "ptr noalias dereferenceable(16) %t, "


def _literal(*entries: int) -> str:
    return f"<{', '.join(f'i8 {x}' for x in entries)}>"


@dataclass(frozen=True, slots=True)
class Pair:
    """A loop that reads two bytes, looks each up, and writes what it found: what a module says, a
    parameter, an index of an element, what comes first in the function, in the loop of both, and in
    front of the target's loop, and the target's table and index.
    """

    said: str = ""
    given: str = ""
    index: str = "and i8 {}, 15"
    first: str = ""
    between: str = ""
    before: str = ""
    table: str = _literal(*_TABLE)
    own: str = ""
    step: str = "getelementptr [16 x i8], ptr {}, i64 0, i64 {}"
    load: str = "load i8"
    cast: str = "zext"
    lane: str = "extractelement <16 x i8> {}, i8 {}"
    out: str = "ptr noalias %d"

    def sides(self) -> tuple[str, str]:
        """Return both modules."""
        pointer = "%t" if self.given else "@t"
        old, new, index = list[str](), list[str](), self.own or self.index
        for k in range(2):
            value = f"%x{k} = extractelement <2 x i8> %x, i64 {k}"
            old += [value, f"%a{k} = {self.index.format(f'%x{k}')}"]
            old += [f"%z{k} = {self.cast} i8 %a{k} to i64"]
            old += [f"%q{k} = {self.step.format(pointer, f'%z{k}')}"]
            old += [f"%v{k} = {self.load}, ptr %q{k}, align 1"]
            new += [value, f"%a{k} = {index.format(f'%x{k}')}"]
            new += [f"%v{k} = {self.lane.format(self.table, f'%a{k}')}"]
        return self._module(old, ""), self._module(new, self.before)

    def _module(self, lanes: list[str], before: str) -> str:
        body = "\n".join(lanes)
        return f"""target datalayout = "e-i64:64"
target triple = "x86_64-unknown-linux-gnu"
{self.said}
@other = global i8 0
declare void @g()
define void @f({self.out}, ptr noalias %s, {self.given}i64 %n) {{
entry:
{self.first}
br label %before
before:
{before}
br label %loop
loop:
%i = phi i64 [ 0, %before ], [ %j, %loop ]
%p = getelementptr i8, ptr %s, i64 %i
%x = load <2 x i8>, ptr %p, align 1
{self.between}
{body}
%w = insertelement <2 x i8> poison, i8 %v0, i64 0
%r = insertelement <2 x i8> %w, i8 %v1, i64 1
%e = getelementptr i8, ptr %d, i64 %i
store <2 x i8> %r, ptr %e, align 1
%j = add i64 %i, 2
%c = icmp ult i64 %j, %n
br i1 %c, label %loop, label %done
done:
ret void
}}
"""


def _loaded(pointer: str, align: int = 1, count: int = 16) -> str:
    load = f"%l = load <{count} x i8>, ptr {pointer}, align {align}"
    return f"{load}\n%t.0 = freeze <{count} x i8> %l"


def _outside(said: str = _OUTSIDE, **more: str) -> Pair:
    return Pair(**{"said": said, "before": _loaded("@t"), "table": "%t.0", **more})


def _argument(given: str = _GIVEN, **more: str) -> Pair:
    return Pair(**{"given": given, "before": _loaded("%t"), "table": "%t.0", **more})


_ELEMENTS: Final = f"[{', '.join(f'i8 {x}' for x in _TABLE)}]"
_RIGHT: Final = {
    "bytes as a text": Pair(_TEXT),
    "bytes one by one": Pair(f"@t = private unnamed_addr constant [16 x i8] {_ELEMENTS}, align 4"),
    "nothing but zeros": Pair("@t = constant [16 x i8] zeroinitializer", table=_literal(*[0] * 16)),
    "anything else where nothing is read": Pair(
        _TEXT, index="and i8 {}, 3", table=_literal(3, 1, 4, 1, *[77] * 12)
    ),
    "the high half": Pair(_TEXT, index="lshr i8 {}, 4"),
    "a constant of another module": _outside(),
    "a constant, wherever is written": _outside(out="ptr %d"),
    "a variable that nothing else is": _outside("@t = external global [16 x i8]"),
    "an argument": _argument(),
    "an argument, not frozen": _argument(before="%t.0 = load <16 x i8>, ptr %t, align 1"),
    "an argument beside one that nothing else is": _argument("ptr dereferenceable(16) %t, "),
    "more than is read": _argument("ptr noalias dereferenceable(99) %t, "),
}
_WRONG: Final = {
    "the first entry": Pair(_TEXT, table=_literal(2, *_TABLE[1:])),
    "the last entry": Pair(_TEXT, table=_literal(*_TABLE[:-1], 254)),
    "entries moved by one": Pair(_TEXT, table=_literal(*_TABLE[1:], 3)),
    "an entry too few": Pair(
        _TEXT, table=_literal(*_TABLE[:-1]), lane="extractelement <15 x i8> {}, i8 {}"
    ),
    "another index": Pair(_TEXT, own="and i8 {}, 7"),
    "the other half": Pair(_TEXT, own="lshr i8 {}, 4"),
    "zeros out of range": _argument(
        index="and i8 {}, 31",
        before=f"{_loaded('%t')}\n%t.1 = shufflevector <16 x i8> %t.0, <16 x i8> zeroinitializer, "
        f"<32 x i32> <{', '.join(f'i32 {k}' for k in range(32))}>",
        table="%t.1",
        lane="extractelement <32 x i8> {}, i8 {}",
    ),
    "wrapped out of range": _argument(index="and i8 {}, 31", own="and i8 {}, 15"),
    "kept out of range": _argument(index="and i8 {}, 31"),
    "out of range of what is said of another module's": _outside(index="and i8 {}, 31"),
    "before the table": _argument(index="or i8 {}, -16", own="and i8 {}, 15", cast="sext"),
    "a byte beyond what may be read": _argument("ptr noalias dereferenceable(15) %t, "),
    "nothing or all": _argument("ptr noalias dereferenceable_or_null(16) %t, "),
    "three entries that are read": _argument("ptr noalias %t, ", index="and i8 {}, 3"),
    "beyond a global": _outside("@t = external constant [15 x i8]"),
    "a global that may not be there": _outside("@t = extern_weak constant [16 x i8]"),
    "more of a global than there is": _outside(
        before=_loaded("@t", 1, 17), lane="extractelement <17 x i8> {}, i8 {}"
    ),
    "aligned beyond what is said": _outside(f"{_OUTSIDE}, align 8", before=_loaded("@t", 16)),
    "a constant that another module may define": Pair(_TEXT.replace("internal", "weak")),
    "a constant that is set from outside": Pair(
        _TEXT.replace("internal", "externally_initialized")
    ),
    "a variable": Pair(_TEXT.replace("constant", "global")),
    "written by what else it may be": _outside("@t = external global [16 x i8]", out="ptr %d"),
    "an argument that is written": _argument("ptr dereferenceable(16) %t, ", out="ptr %d"),
    "a byte written in the loop": _argument(between="store i8 7, ptr %t, align 1"),
    "a byte written before": _argument(first="store i8 7, ptr %t, align 1"),
    "a call in the loop": _argument(between="call void @g()"),
    "a call before": _outside("@t = external global [16 x i8]", first="call void @g()"),
    "wider elements": _argument(step="getelementptr [8 x i16], ptr {}, i64 0, i64 {}"),
    "behind the first element": _argument(
        step="getelementptr {{ i8, [15 x i8] }}, ptr {}, i64 0, i32 1, i64 {}"
    ),
    "a volatile load": _argument(load="load volatile i8"),
    "the first half twice": Pair(_TEXT, table=_literal(*_TABLE[:8], *_TABLE[:8])),
}


@pytest.mark.parametrize("pair", _RIGHT.values(), ids=_RIGHT)
def test_lanes_of_a_table_are_what_is_loaded(pair: Pair) -> None:
    assert proves(*pair.sides())


@pytest.mark.parametrize("pair", _WRONG.values(), ids=_WRONG)
def test_what_is_not_proved(pair: Pair) -> None:
    assert not proves(*pair.sides())


def test_what_is_written_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte may be written before it is looked up."""
    sides = _WRONG["a byte written in the loop"].sides()
    monkeypatch.setattr(Writes, "never", lambda self, block, address, until=None: True)
    monkeypatch.setattr(Writes, "leaves", lambda self, effect, span: True)
    assert proves(*sides)


def test_what_may_be_read_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table may end before what is read of it."""
    sides = _WRONG["a byte beyond what may be read"].sides()
    load = build.load(VectorType(16, IntType(8)), Local("t", PtrType()), 1)
    monkeypatch.setattr(tables, "_bytes", lambda graph, base: load)
    assert proves(*sides)
