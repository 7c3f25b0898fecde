"""Programs as IR lines: every kind of step, read back by LLVM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.splicing.emit import EmissionError, Emitted, constant_lanes, emit
from frontends.llvm.text.ast import IntType, Local, Symbol, VectorType
from frontends.llvm.text.build import constant, give
from frontends.llvm.windows.regions import Input
from isel.model.program import Program, Step
from isel.model.window import Leaf
from isel.spec.instruction import Instruction
from tests.frontends.llvm.toy import ADD_TWICE, AVERAGE

TABLE: dict[str, Instruction] = {i.name: i for i in (AVERAGE, ADD_TWICE)}


def vector(name: str, lanes: int, width: int, *, fixed: bool = True) -> Input:
    return Input(Leaf(name, width, lanes), Local(name, VectorType(lanes, IntType(width))), fixed)


def scalar(name: str, width: int, *, fixed: bool = True) -> Input:
    return Input(Leaf(name, width, 1), Local(name, IntType(width)), fixed)


def written(
    steps: list[Step], inputs: list[Input], roots: tuple[int, ...] | None = None
) -> Emitted:
    """Emit, and let LLVM read the lines in a function of the inputs."""
    program = Program(tuple(steps), roots or (len(steps) - 1,))
    emitted = emit(program, inputs, TABLE, _fresh())
    arguments = ", ".join(f"{x.operand.type} %{x.leaf.name}" for x in inputs)
    value = emitted.roots[0]
    body = "".join(f"  {line}\n" for line in emitted.lines)
    normalise(
        f"define {value.type} @f({arguments}) {{\n{body}  {give(value)}\n}}\n"
        + "\n".join(emitted.declarations.values())
    )
    return emitted


def _fresh() -> Iterator[str]:
    k = -1
    while True:
        k += 1
        yield f"t{k}"


A16 = Step("leaf", 8, 16, name="a")


def test_planes_of_a_load_are_frozen_behind_the_shuffles_that_take_it_apart() -> None:
    """Only where nothing looks at elements of several planes together."""
    whole = vector("a", 8, 8, fixed=False)
    apart = replace(whole, planes=2)
    even = [Step("slice", 8, 1, (0,), first=k) for k in (0, 2, 4, 6)]
    odd = [Step("slice", 8, 1, (0,), first=k) for k in (1, 3, 5, 7)]
    joined = [Step("join", 8, 4, (1, 2, 3, 4)), Step("join", 8, 4, (5, 6, 7, 8))]
    steps = [Step("leaf", 8, 8, name="a"), *even, *odd, *joined]
    average = [
        Step("join", 8, 16, (9, 9, 9, 9)),
        Step("join", 8, 16, (10, 10, 10, 10)),
        Step("apply", 8, 16, (11, 12), name="avg16"),
    ]
    lines = written([*steps, *average], [apart]).lines
    assert lines[:2] == (
        "%t0 = shufflevector <8 x i8> %a, <8 x i8> poison, <4 x i32> <i32 0, i32 2, i32 4, i32 6>",
        "%t1 = freeze <4 x i8> %t0",
    )
    assert sum("freeze" in line for line in lines) == 2
    assert written([*steps, *average], [whole]).lines[0] == "%t0 = freeze <8 x i8> %a"
    both = [Step("join", 8, 8, (9, 10)), Step("join", 8, 16, (11, 11))]
    mixed = [*steps, *both, Step("apply", 8, 16, (12, 12), name="avg16")]
    assert written(mixed, [apart]).lines[0] == "%t0 = freeze <8 x i8> %a"


def test_a_leaf_is_frozen_once_at_its_own_type() -> None:
    steps = [A16, A16, Step("apply", 8, 16, (0, 1), name="avg16")]
    emitted = written(steps, [vector("a", 16, 8, fixed=False)])
    assert emitted.lines == (
        "%t0 = freeze <16 x i8> %a",
        "%t1 = call <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8> %t0, <16 x i8> %t0)",
    )
    assert emitted.declarations == {
        "llvm.x86.sse2.pavg.b": "declare <16 x i8> @llvm.x86.sse2.pavg.b(<16 x i8>, <16 x i8>)"
    }


def test_a_leaf_of_unused_steps_is_not_frozen() -> None:
    assert (
        written(
            [A16, Step("const", 8, 16, values=(1,) * 16)], [vector("a", 16, 8, fixed=False)]
        ).lines
        == ()
    )


def test_temporaries_and_immediates_are_replaced() -> None:
    steps = [Step("leaf", 32, 4, name="a"), Step("apply", 32, 4, (0,), "add2", (("k", 7),))]
    assert written(steps, [vector("a", 4, 32)]).lines == (
        "%t0 = add <4 x i32> %a, splat (i32 7)",
        "%t1 = add <4 x i32> %t0, %a",
    )


@pytest.mark.parametrize(
    ("values", "lanes"),
    [
        ((1, None, 2, None), (1, 1, 2, 1)),
        ((None, None), (0, 0)),
        ((3, 5, 5, None), (3, 5, 5, 5)),
        ((4,), (4,)),
    ],
)
def test_lanes_that_may_be_anything_repeat_the_commonest(
    values: tuple[int | None, ...], lanes: tuple[int, ...]
) -> None:
    assert constant_lanes(values) == lanes


def test_constants_are_operands() -> None:
    steps = [
        A16,
        Step("const", 8, 16, values=(3,) * 15 + (None,)),
        Step("apply", 8, 16, (0, 1), name="avg16"),
    ]
    (line,) = written(steps, [vector("a", 16, 8)]).lines
    assert line.count("i8 3") == 16


def test_undefined_values_are_frozen() -> None:
    assert written([Step("undef", 8, 16)], []).lines == ("%t0 = freeze <16 x i8> poison",)


@pytest.mark.parametrize(
    ("lanes", "width", "line"),
    [
        (8, 16, "bitcast <16 x i8> %a to <8 x i16>"),
        (1, 128, "bitcast <16 x i8> %a to i128"),
        (128, 1, "bitcast <16 x i8> %a to <128 x i1>"),
    ],
)
def test_views(lanes: int, width: int, line: str) -> None:
    assert written([A16, Step("view", width, lanes, (0,))], [vector("a", 16, 8)]).lines == (
        f"%t0 = {line}",
    )


def test_a_view_of_a_constant_is_a_constant() -> None:
    emitted = written(
        [Step("const", 8, 4, values=(0x11, 0x22, 0x33, 0x44)), Step("view", 16, 2, (0,))], []
    )
    assert emitted.lines == ()
    assert emitted.roots == (constant((0x2211, 0x4433), 16),)


def test_slices() -> None:
    assert written([A16, Step("slice", 8, 2, (0,), first=6)], [vector("a", 16, 8)]).lines == (
        "%t0 = shufflevector <16 x i8> %a, <16 x i8> poison, <2 x i32> <i32 6, i32 7>",
    )
    assert written([A16, Step("slice", 8, 1, (0,), first=6)], [vector("a", 16, 8)]).lines == (
        "%t0 = extractelement <16 x i8> %a, i64 6",
    )
    assert written([A16, Step("slice", 8, 16, (0,), first=0)], [vector("a", 16, 8)]).lines == ()


@pytest.mark.parametrize(
    "shape",
    [(4, 4), (4, 4, 4, 4), (8, 4), (4, 8), (1, 1, 1), (4, 1), (1, 4), (2, 4, 8, 1, 1), (3, 5)],
)
def test_joins(shape: tuple[int, ...]) -> None:
    inputs = [vector(f"a{k}", n, 32) if n > 1 else scalar(f"a{k}", 32) for k, n in enumerate(shape)]
    steps = [Step("leaf", 32, n, name=f"a{k}") for k, n in enumerate(shape)]
    steps.append(Step("join", 32, sum(shape), tuple(range(len(shape)))))
    emitted = written(steps, inputs)
    assert emitted.roots[0].type == VectorType(sum(shape), IntType(32))


def test_joined_constants_are_a_constant() -> None:
    steps = [
        Step("const", 8, 2, values=(1, 2)),
        Step("const", 8, 1, values=(3,)),
        Step("join", 8, 3, (0, 1)),
    ]
    assert written(steps, []).roots == (constant((1, 2, 3), 8),)


def test_vectors_of_one_element_are_scalars() -> None:
    leaf = Input(Leaf("a", 64, 1), Local("a", VectorType(1, IntType(64))), False)
    steps = [Step("leaf", 64, 1, name="a"), Step("view", 8, 8, (0,))]
    assert written(steps, [leaf]).lines == (
        "%t0 = freeze <1 x i64> %a",
        "%t1 = bitcast <1 x i64> %t0 to i64",
        "%t2 = bitcast i64 %t1 to <8 x i8>",
    )


def test_a_leaf_may_be_a_constant_expression() -> None:
    leaf = Input(Leaf("a", 64, 1), Symbol("ptrtoint (ptr @f to i64)", IntType(64)), False)
    emitted = emit(Program((Step("leaf", 64, 1, name="a"),), (0,)), [leaf], TABLE, _fresh())
    assert emitted.lines == ("%t0 = freeze i64 ptrtoint (ptr @f to i64)",)


@pytest.mark.parametrize(
    ("lanes", "width", "lines"),
    [
        (
            8,
            8,
            ["<8 x i8> %a, <8 x i8> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5,"],
        ),
        (4, 16, ["<4 x i16> %a, <4 x i16> poison, <8 x i32> <i32 0,", "bitcast <8 x i16> %t0 to"]),
        (8, 32, ["<8 x i32> %a, <8 x i32> poison, <4 x i32> <i32 0,", "bitcast <4 x i32> %t0 to"]),
        (1, 64, ["insertelement <2 x i64> poison, i64 %a, i64 0", "bitcast <2 x i64> %t0 to"]),
    ],
    ids=["half", "half of other lanes", "twice", "one lane"],
)
def test_an_operand_of_another_size_is_padded_with_poison_or_cut(
    lanes: int, width: int, lines: list[str]
) -> None:
    leaf = scalar("a", width) if lanes == 1 else vector("a", lanes, width)
    steps = [Step("leaf", width, lanes, name="a"), Step("apply", 8, 16, (0, 0), name="avg16")]
    found = written(steps, [leaf]).lines
    assert all(line in text for line, text in zip(lines, found, strict=False)), found


@pytest.mark.parametrize(
    "step",
    [
        Step("view", 32, 2, (0,)),
        Step("slice", 8, 8, (0,), first=9),
        Step("apply", 8, 16, (0,), "broken"),
    ],
)
def test_programs_that_do_not_fit_are_errors(step: Step) -> None:
    broken = Instruction(
        "broken",
        "broken",
        (AVERAGE.operands[0],),
        (),
        8,
        16,
        frozenset(),
        ("%r = add <16 x i8> %a, %b",),
        "",
        AVERAGE.lane,
    )
    with pytest.raises(EmissionError):
        emit(
            Program((A16, step), (1,)),
            [vector("a", 16, 8)],
            {**TABLE, "broken": broken},
            _fresh(),
        )


@pytest.mark.parametrize(
    ("lanes", "joined"),
    [(16, "%a, <16 x i8> zeroinitializer"), (128, "%a, <128 x i8> %a")],
)
def test_half_of_a_register_is_filled_with_what_costs_least(lanes: int, joined: str) -> None:
    steps = [
        Step("leaf", 8, lanes, name="a"),
        Step("undef", 8, lanes),
        Step("join", 8, 2 * lanes, (0, 1)),
    ]
    lines = written(steps, [vector("a", lanes, 8)]).lines
    assert joined in lines[0] and len(lines) == 1


def test_what_may_be_anything_elsewhere_too_is_frozen() -> None:
    steps = [
        Step("leaf", 8, 16, name="a"),
        Step("undef", 8, 16),
        Step("join", 8, 32, (0, 1)),
        Step("slice", 8, 8, (1,), first=8),
    ]
    lines = written(steps, [vector("a", 16, 8)], roots=(2, 3)).lines
    assert "freeze <16 x i8> poison" in lines[0]
