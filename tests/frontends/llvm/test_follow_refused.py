"""What a witness may not say: ways that the source does not go, and what a followed text is made of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontends.llvm.cuts.early import with_early
from frontends.llvm.cuts.follow import Followed, follow
from frontends.llvm.meaning.numbers import number_of
from frontends.llvm.passes.guess import guess
from frontends.llvm.passes.left import Left
from frontends.llvm.passes.witness import Leg, Stand, Witness
from frontends.llvm.text.parse import parse_instruction
from tests.frontends.llvm.test_follow import FIRST, HEAD, LOOP, _graphs
from tests.frontends.llvm.transformed import scope_of, verifies


def test_a_target_that_ends_where_the_source_begins_a_loop_is_no_loop() -> None:
    ends = f"{HEAD}  br label %loop\nloop:\n  ret void\n}}\n"
    source, target = (scope_of(x).view for x in (LOOP, ends))
    guess(source, target)
    assert not verifies(LOOP, ends)


@pytest.mark.parametrize(
    ("text", "given", "wanted"),
    [
        ("%r = add nuw i8 %x, %y", (200, 55), 255),
        ("%r = add nuw i8 %x, %y", (200, 56), None),
        ("%r = icmp slt i8 %x, %y", (255, 0), 1),
        ("%r = udiv i8 %x, %y", (7, 0), None),
        ("%r = add i8 %x, %y", (7, None), None),
        ("%r = zext i8 %x to i32", (200,), 200),
    ],
)
def test_what_an_instruction_makes_of_numbers(
    text: str, given: tuple[int | None, ...], wanted: int | None
) -> None:
    assert number_of(parse_instruction(text, 0), given) == wanted


TWINS = f"""{HEAD}  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %kn, %loop ]
  %p = phi i8 [ 0, %entry ], [ %r, %loop ]
  %q = phi i8 [ 0, %entry ], [ %s, %loop ]
  %r = phi i8 [ 1, %entry ], [ %x, %loop ]
  %s = phi i8 [ 1, %entry ], [ 1, %loop ]
  %at = getelementptr i8, ptr %a, i64 %k
  %x = load i8, ptr %at, align 1
  %y = sub i8 %p, %q
  store i8 %y, ptr %b, align 1
  %kn = add i64 %k, 1
  %done = icmp eq i64 %kn, 4
  br i1 %done, label %out, label %loop
out:
  ret void
}}
"""
ENDLESS = f"{HEAD}  br label %loop\nloop:\n  store i8 0, ptr %b, align 1\n  br label %loop\n}}\n"


@pytest.mark.parametrize(
    ("target", "witness", "why"),
    [
        (LOOP, FIRST | {"entry": Leg(Stand("entry"), ("entry",))}, "two values are one"),
        (
            ENDLESS,
            {
                "entry": Leg(Stand("entry"), ("entry",)),
                "loop": Leg(Stand("loop"), ("loop", "loop")),
            },
            "the source may go elsewhere",
        ),
    ],
    ids=["values that are one at first", "a loop that is never left"],
)
def test_where_the_source_does_not_go(target: str, witness: Witness, why: str) -> None:
    source, other = _graphs(TWINS, target)
    with pytest.raises(Left, match=why):
        follow(source, other, witness)


LOADED = """  %x = load i64, ptr %a, align 8, !noundef !0
  %p = inttoptr i64 %x to ptr
  %y = load i8, ptr %p, align 1
"""


def _loads_first(lines: str) -> str:
    """Say why a block cannot load first, nothing where it can."""
    text = f"{HEAD}  br label %loop\nloop:\n{lines}  ret void\n}}\n!0 = !{{}}\n"
    (graph,) = _graphs(text)
    try:
        with_early(Followed(graph.function, {"loop": ""}, frozenset()), graph)
    except Left as why:
        return str(why)
    return ""


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("%x = load i64, ptr %a, align 8\nstore i64 %x, ptr %a, align 8\n", ""),
        ("%x = load i63, ptr %a, align 8\nstore i63 %x, ptr %a, align 8\n", "that is its bytes"),
        ("%x = load <4 x i8>, ptr %a, align 8\n", ""),
        ("%x = load <4 x float>, ptr %a, align 8\n", "than integers"),
        (LOADED, "or loaded"),
    ],
    ids=["words", "bits of no whole bytes", "lanes", "lanes of floats", "a loaded address"],
)
def test_which_blocks_load_first(lines: str, why: str) -> None:
    found = _loads_first(lines)
    assert why in found and bool(why) == bool(found)


def test_a_phi_of_zeros_keeps_a_bit() -> None:
    (graph,) = _graphs(LOOP.replace("[ 1, %entry ], [ %x,", "[ 0, %entry ], [ 0,"))
    witness = {b: Leg(Stand(b), (b,)) for b in graph.body}
    witness["loop"] = replace(witness["loop"], bits=(("s", 1),))
    loop = follow(graph, graph, witness).function.view.block("loop")
    assert [i.text.partition("zext ")[2][:2] for i in loop.instrs if i.opcode == "zext"] == ["i1"]
