"""Windows and programs as ``@src`` and ``@tgt``: what is written means what the terms mean, and
is proved as it is written.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.refine.report import verify_report
from frontends.llvm.report.pair import pair_text
from frontends.llvm.splicing.emit import EmissionError
from frontends.llvm.splicing.term_lines import TermWriter
from frontends.llvm.text.ast import Local
from frontends.llvm.text.build import give, integers, typed
from frontends.llvm.text.parse import parse_module
from isel.cache.window_text import read_window
from isel.interp.evaluate import evaluate
from isel.interp.integer import Integer
from isel.ir.build import ult
from isel.ir.expr import Expr, const, elem, leaves, substitute, term
from isel.ir.ops import OPS, Attr
from isel.model.program import read_program
from isel.model.verdict import Proved, Refuted, Verdict
from semantics import target_named
from tests.ir.terms import every_application, random_term
from tests.reference.interpreter import run
from tests.reference.values import POISON, Lane, Memory

LANES, WIDTH = 4, 8
SOURCES = {name: Local(name, integers(LANES, WIDTH)) for name in ("a", "b", "c")}
DIVISIONS = {"udiv", "urem", "sdiv", "srem"}
AVERAGE = "(extract 0 8 (lshr (add (add (zext 16 {a}) (zext 16 {b})) 1:16) 1:16))"


def raw(op: str, args: tuple[Expr, ...], attr: Attr = ()) -> Expr:
    return term(op, *args, attr=attr)


def lane(e: Expr, i: int) -> Expr:
    """Return a term over one-letter variables with each in lane ``i`` of its source; a single
    bit is a comparison.
    """
    at = {x: elem(x.source, i * WIDTH, WIDTH) for x in leaves(e) if x.width == WIDTH}
    at |= {
        x: ult(elem(x.source, i * WIDTH, WIDTH), const(128, WIDTH))
        for x in leaves(e)
        if x.width == 1
    }
    return substitute(e, at, raw)


def ran(
    lanes: Sequence[Expr | None],
    defined: Sequence[Expr],
    width: int,
    inputs: dict[str, tuple[int, ...]],
) -> tuple[Lane, ...]:
    """Write lanes and execute what was written with the interpreter of IR."""
    writer = TermWriter(SOURCES, "s")
    value = writer.lanes(lanes, defined, width)
    parameters = ", ".join(map(typed, SOURCES.values()))
    body = "\n  ".join([*writer.lines, give(value)])
    (function,) = parse_module(
        normalise(f"define {value.type} @f({parameters}) {{\n  {body}\n}}")
    ).functions
    return tuple(run(function, [inputs[s] for s in SOURCES], Memory()))


def wanted(
    lanes: Sequence[Expr | None], defined: Sequence[Expr], inputs: dict[str, tuple[int, ...]]
) -> tuple[Lane, ...]:
    found: list[Lane] = []
    for e, d in zip(lanes, defined, strict=True):
        env = {
            x: inputs[x.source][x.offset // WIDTH] for x in leaves(*([d] if e is None else [e, d]))
        }
        found.append(
            POISON if e is None or not evaluate(d, env, Integer()) else evaluate(e, env, Integer())
        )
    return tuple(found)


def values(rng: random.Random) -> dict[str, tuple[int, ...]]:
    return {
        s: tuple(
            rng.choice([0, 1, 7, 8, 9, 127, 128, 255, rng.randrange(256)]) for _ in range(LANES)
        )
        for s in SOURCES
    }


@pytest.mark.parametrize("op", sorted(OPS))
def test_every_primitive_means_what_the_table_says(op: str) -> None:
    rng = random.Random(op)
    for name, args, attr in every_application(WIDTH):
        if name != op or (op == "extract" and attr[1] not in (1, 3, 8)):
            continue
        if op in DIVISIONS:
            args = (args[0], const(11, WIDTH))
        e = term(name, *args, attr=attr)
        lanes = [lane(e, i) for i in range(LANES)]
        defined = [
            const(1, 1),
            const(1, 1),
            ult(elem("c", 16, WIDTH), const(100, WIDTH)),
            const(1, 1),
        ]
        for _ in range(8):
            inputs = values(rng)
            assert ran(lanes, defined, e.width, inputs) == wanted(lanes, defined, inputs), (
                e,
                inputs,
            )


@pytest.mark.parametrize("by", [0, 255])
@pytest.mark.parametrize("op", sorted(DIVISIONS))
def test_divisions_that_could_be_undefined_are_refused(op: str, by: int) -> None:
    a = elem("a", 0, WIDTH)
    for divisor in (const(by, WIDTH), elem("b", 0, WIDTH)):
        with pytest.raises(EmissionError, match="division"):
            ran([term(op, a, divisor)], [const(1, 1)], WIDTH, values(random.Random(0)))


def test_random_lanes_of_many_functions() -> None:
    rng = random.Random(5)
    done = 0
    while done < 60:
        terms = [random_term(rng, WIDTH, 3) for _ in range(2)]
        if any(x.op in DIVISIONS for e in terms for x in _all(e)):
            continue
        at = {x: _place(x, rng) for e in terms for x in leaves(e)}
        if any(v is None for v in at.values()):
            continue
        mapping = {k: v for k, v in at.items() if v is not None}
        lanes = [
            None if rng.random() < 0.1 else substitute(rng.choice(terms), mapping, raw)
            for _ in range(5)
        ]
        defined = [const(1, 1)] * 5
        inputs = values(rng)
        assert ran(lanes, defined, WIDTH, inputs) == wanted(lanes, defined, inputs)
        done += 1


def _all(e: Expr) -> list[Expr]:
    return [e, *(x for a in e.args for x in _all(a))]


def _place(x: Expr, rng: random.Random) -> Expr | None:
    return (
        elem(rng.choice("abc"), WIDTH * rng.randrange(LANES), WIDTH) if x.width == WIDTH else None
    )


def verdict(window: str, program: str) -> tuple[str, Verdict]:
    target = target_named("x86")
    text = pair_text(
        read_window(window),
        read_program(program),
        {i.name: i for i in target.instructions()},
        triple="x86_64-unknown-linux-gnu",
    )
    (answer,) = verify_report(parse_module(normalise(text)), None, target)
    return text, answer.verdict


def window(
    lane_text: str, leaves_: str = "leaf a0 16x8\nleaf a1 16x8\n", tail: str = "", lanes: int = 16
) -> str:
    rows = [lane_text.format(a=f"a0[{8 * i}]:8", b=f"a1[{8 * i}]:8") for i in range(lanes)]
    return f"{leaves_}root {lanes}x8\n" + "".join(f"  {r}\n" for r in rows) + tail


TWO = "%0 = leaf 16x8 a0\n%1 = leaf 16x8 a1\n%2 = apply 16x8 {} %0 %1\nroots 2\n"


def test_a_pair_is_proved_and_a_wrong_program_is_not() -> None:
    text, found = verdict(window(AVERAGE), TWO.format("_mm_avg_epu8"))
    assert isinstance(found, Proved)
    assert "splat (i16 1)" in text and text.count("freeze <16 x i8> %a0") == 1
    assert isinstance(verdict(window(AVERAGE), TWO.format("_mm_adds_epu8"))[1], Refuted)


def test_where_a_lane_is_not_defined_anything_will_do() -> None:
    total = "(add {a} {b})"
    fits = " if (ule (add (zext 9 {a}) (zext 9 {b})) 255:9)"
    text, found = verdict(window(total + fits), TWO.format("_mm_adds_epu8"))
    assert isinstance(found, Proved) and "<16 x i8> poison" in text
    assert isinstance(verdict(window(total), TWO.format("_mm_adds_epu8"))[1], Refuted)


def test_facts_are_said() -> None:
    small = "".join(f"fact (ult a{k}[{8 * i}]:8 100:8)\n" for k in (0, 1) for i in range(16))
    assert isinstance(
        verdict(window("(add {a} {b})", tail=small), TWO.format("_mm_adds_epu8"))[1], Proved
    )


def test_lanes_of_two_functions_and_lanes_that_nobody_reads() -> None:
    rows = [
        f"(add a0[{8 * i}]:8 a1[{8 * i}]:8)" if i % 2 else "-" if i == 4 else f"a1[{8 * i}]:8"
        for i in range(16)
    ]
    given = "leaf a0 16x8\nleaf a1 16x8\nroot 16x8\n" + "".join(f"  {r}\n" for r in rows)
    mask = "[" + ",".join("128" if i % 2 else "0" for i in range(16)) + "]"
    program = "%0 = leaf 16x8 a0\n%1 = leaf 16x8 a1\n%2 = apply 16x8 _mm_add_epi8 %0 %1\n"
    program += f"%3 = const 16x8 {mask}\n%4 = apply 16x8 _mm_blendv_epi8 %1 %2 %3\nroots 4\n"
    assert isinstance(verdict(given, program)[1], Proved)


def test_leaves_that_share_memory_are_one_parameter() -> None:
    shared = "leaf a0 16x8 r0 0 0\nleaf a1 16x8 r0 8 0\n"
    text, found = verdict(window(AVERAGE, shared), TWO.format("_mm_avg_epu8"))
    assert isinstance(found, Proved) and "@src(<17 x i8> %r0)" in text


def test_a_repeated_scalar_is_one_parameter() -> None:
    repeated = "leaf a0 16x8 r0 0 16\nleaf a1 16x8\n"
    text, found = verdict(window(AVERAGE, repeated), TWO.format("_mm_avg_epu8"))
    assert isinstance(found, Proved) and "@src(<2 x i8> %r0, <16 x i8> %a1)" in text


def test_what_is_computed_before_a_loop_is_in_the_pair() -> None:
    scalar = "leaf a0 16x8 v0 0 8 scalar invariant\nleaf a1 16x8\n"
    text, found = verdict(window(AVERAGE, scalar), TWO.format("_mm_avg_epu8"))
    assert isinstance(found, Proved) and "shufflevector" in text
    before = TWO.format("_mm_avg_epu8").partition("%2")[0]
    before += "%2 = apply 16x8 _mm_avg_epu8 %0 %0\n%3 = apply 16x8 _mm_avg_epu8 %2 %1\nroots 3\n"
    assert isinstance(verdict(window(AVERAGE, scalar), before)[1], Proved)
