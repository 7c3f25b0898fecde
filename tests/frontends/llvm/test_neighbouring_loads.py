"""Scalars that lie side by side and are put together, as one load."""

from __future__ import annotations

import pytest

from frontends.llvm.transform import neighbouring_loads
from isel.model.verdict import Proved
from tests.frontends.llvm.transformed import transformed, whys


def put_together(
    kind: str, cast: str = "", steps: tuple[int, ...] = (0, 1, 2, 3), **more: str
) -> str:
    wide = cast.partition(" to ")[2] or kind
    lines = [f"%p{k} = getelementptr {kind}, ptr %p, i64 {steps[k]}" for k in range(4)]
    for k in range(4):
        lines.append(f"%l{k} = load {kind}, ptr %p{k}, align 1")
        if k == 1 and "between" in more:
            lines.append(more["between"])
    if cast:
        lines += [f"%x{k} = {cast.replace('$', f'%l{k}')}" for k in range(4)]
    part = "x" if cast else "l"
    before = "poison"
    for k in range(4):
        lines.append(f"%v{k} = insertelement <4 x {wide}> {before}, {wide} %{part}{k}, i64 {k}")
        before = f"%v{k}"
    body = "".join(f"  {line}\n" for line in lines)
    head = f"define <4 x {wide}> @f(ptr %p, ptr %q, {kind} %s) {{\n"
    return f"declare void @g()\n{head}{body}{more.get('end', '')}  ret <4 x {wide}> %v3\n}}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (put_together("i32"), "%v3 = load <4 x i32>, ptr %p0, align 1"),
        (put_together("i8", "zext i8 $ to i32"), "%v3 = zext <4 x i8> %isel.0 to <4 x i32>"),
        (put_together("i16", "sext i16 $ to i64"), "%v3 = sext <4 x i16> %isel.0 to <4 x i64>"),
    ],
)
def test_one_load(text: str, said: str) -> None:
    assert whys(neighbouring_loads, text) == [("v3", "")]
    after, verdict = transformed(neighbouring_loads, text)
    assert isinstance(verdict, Proved)
    assert said in after and after.count("load ") == 1 and "insertelement" not in after


@pytest.mark.parametrize(
    "text",
    [
        put_together("i8", steps=(0, 1, 2, 4)),
        put_together("i8", steps=(1, 0, 2, 3)),
        put_together("i12"),
        put_together("i8", end="  store i8 %l1, ptr %q\n"),
        put_together("i8").replace("poison", "%c").replace("ptr %q,", "ptr %q, <4 x i8> %c,"),
        put_together("i8").replace("i8 %l2, i64 2", "i8 %s, i64 2"),
        put_together("i8").replace("load i8, ptr %p1", "load volatile i8, ptr %p1"),
        put_together("i8", "zext i8 $ to i32").replace("zext i8 %l2", "sext i8 %l2"),
    ],
    ids=[
        "a gap",
        "out of order",
        "no bytes",
        "used elsewhere",
        "into others",
        "another scalar",
        "volatile",
        "casts",
    ],
)
def test_what_is_no_row(text: str) -> None:
    assert whys(neighbouring_loads, text) == []


def test_what_may_be_written_between() -> None:
    text = put_together("i8", between="call void @g()")
    assert whys(neighbouring_loads, text) == [("v3", "'call void @g()' may write in between")]
