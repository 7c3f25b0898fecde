"""PITCHFORK's Table 1: each fixed-point function as it is lowered, proved equal to its definition
in wider arithmetic.

A definition computes in four times the bits (twice at 32 and for signed products of 16, there
shifted by 15), where nothing overflows, and clamps or wraps at the end.
"""

from __future__ import annotations

from typing import Final

import pytest

from frontends.halide.expr.lower import Lowered, Spelling, lower
from frontends.halide.expr.parse import parse
from frontends.llvm.linked import binding
from frontends.llvm.text.ast import Module
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted, Verdict
from tests.verdicts import verify_function

# {T} is the type, {U} its unsigned and {S} its signed form, {D} has twice the bits and {W} is wide
# and signed; {a} and {b} are operands, {A} and {B} the same in {W}, {c} an amount within the bits
# and {C} the same in {W}.
TABLE: Final = {
    "widening_add": ("({D})widening_add({a}, {b})", "{D}({A} + {B})"),
    "widening_sub": ("({DS})widening_sub({a}, {b})", "{DS}({A} - {B})"),
    "widening_mul": ("({D})widening_mul({a}, {b})", "{D}({A}*{B})"),
    "extending_add": ("({D})extending_add(({D})w(x), {b})", "{D}({W}(({D})w(x)) + {B})"),
    "extending_sub": ("({D})extending_sub(({D})w(x), {b})", "{D}({W}(({D})w(x)) - {B})"),
    "extending_mul": ("({D})extending_mul(({D})w(x), {b})", "{D}({W}(({D})w(x))*{B})"),
    "widening_shl": ("({D})widening_shl({a}, {c})", "{D}(({W})shift_left({A}, {C}))"),
    "widening_shr": ("({D})widening_shr({a}, {c})", "{D}(({W})shift_right({A}, {C}))"),
    "abs": ("({U})abs({a})", "{U}(select({A} > ({W})0, {A}, ({W})0 - {A}))"),
    "absd": ("({U})absd({a}, {b})", "{U}(select({A} > {B}, {A} - {B}, {B} - {A}))"),
    "saturating_add": ("({T})saturating_add({a}, {b})", "{T}(max(min({A} + {B}, {high}), {low}))"),
    "saturating_sub": ("({T})saturating_sub({a}, {b})", "{T}(max(min({A} - {B}, {high}), {low}))"),
    "saturating_shl": (
        "({T})saturating_shl({a}, {c})",
        "{T}(max(min(({W})shift_left({A}, {C}), {high}), {low}))",
    ),
    "halving_add": ("({T})halving_add({a}, {b})", "{T}(({A} + {B})/({W})2)"),
    "halving_sub": ("({T})halving_sub({a}, {b})", "{T}(({A} - {B})/({W})2)"),
    "rounding_halving_add": (
        "({T})rounding_halving_add({a}, {b})",
        "{T}((({A} + {B}) + ({W})1)/({W})2)",
    ),
    "rounding_shl": (
        "({T})rounding_shl({a}, {n})",
        "{T}(select({N} < ({W})0, ({W})shift_right({A} + {halfup}, {down}), ({W})shift_left({A}, {up})))",
    ),
    "rounding_shr": (
        "({T})rounding_shr({a}, {n})",
        "{T}(select({N} > ({W})0, ({W})shift_right({A} + {half}, {up}), ({W})shift_left({A}, {down})))",
    ),
    "mul_shr": (
        "({T})mul_shr({a}, {b}, {c})",
        "{T}(max(min(({W})shift_right({A}*{B}, {C}), {high}), {low}))",
    ),
    "rounding_mul_shr": (
        "({T})rounding_mul_shr({a}, {b}, {c})",
        "{T}(max(min(({W})shift_right({A}*{B} + ({W})shift_left(({W})1, {C})/({W})2, {C}), {high}), {low}))",
    ),
    "saturating_narrow": (
        "({T})saturating_narrow(({D})w(x))",
        "{T}(max(min({W}(({D})w(x)), {high}), {low}))",
    ),
    "saturating_cast": (
        "({S})saturating_cast(({D})w(x))",
        "{S}(max(min({W}(({D})w(x)), {shigh}), {slow}))",
    ),
}
UNDEFINED: Final = [
    (f"extending_{op}", "int") for op in ("add", "sub", "mul")
]  # of 16 bits they overflow in int32
CASES: Final = [(n, code) for n in TABLE for code in ("int", "uint")]
LONGER: Final = (
    "halving_add",
    "halving_sub",
    "rounding_halving_add",
    "absd",
    "abs",
    "saturating_add",
    "saturating_sub",
    "widening_add",
    "widening_sub",
)


def words(name: str, code: str, bits: int) -> dict[str, str]:
    """Return what the placeholders of the table stand for."""
    times = 2 if "mul_shr" in name and (code, bits) == ("int", 16) else 4
    t, u, s, w = f"{code}{bits}", f"uint{bits}", f"int{bits}", f"int{min(times * bits, 64)}"
    low, high = (
        (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if code == "int" else (0, (1 << bits) - 1)
    )
    amount = f"(({u})c(x) % ({u}){bits})" if times == 4 else f"({u}){bits - 1}"
    signed = f"((({s})c(x) % ({s}){bits}) - ({s}){bits // 2})"
    wide = f"{w}({signed})"
    return {
        "T": t, "U": u, "S": s, "D": f"{code}{2 * bits}", "DS": f"int{2 * bits}", "W": w, "a": f"({t})a(x)", "b": f"({t})b(x)",
        "A": f"{w}(({t})a(x))", "B": f"{w}(({t})b(x))", "c": amount, "C": f"{w}({amount})", "n": signed, "N": wide,
        "up": f"max({wide}, ({w})0)", "down": f"max(({w})0 - {wide}, ({w})0)",
        "half": f"({w})shift_left(({w})1, max({wide}, ({w})0))/({w})2", "halfup": f"({w})shift_left(({w})1, max(({w})0 - {wide}, ({w})0))/({w})2",
        "low": f"({w}){low}", "high": f"({w}){high}", "slow": f"({w}){-(1 << (bits - 1))}", "shigh": f"({w}){(1 << (bits - 1)) - 1}",
    }  # fmt: skip


def pair(
    name: str, code: str, bits: int, spelling: Spelling | None = None
) -> tuple[Lowered, Lowered]:
    """Return a function of the table and its definition, lowered for one lane."""
    given, meant = (t.format(**words(name, code, bits)) for t in TABLE[name])
    definition, found = lower(parse(meant), 1), lower(parse(given), 1, spelling)
    order = [i.buffer for i in definition.inputs]
    assert sorted(order) == sorted(i.buffer for i in found.inputs)
    return definition, found


def module(lowered: Lowered, order: list[str]) -> Module:
    """Return the module of a lowered function with its arguments in a given order."""
    head, _, rest = lowered.text.partition(") {\n")
    start, _, arguments = head.partition("(")
    by_buffer = dict(zip([i.buffer for i in lowered.inputs], arguments.split(", "), strict=True))
    return parse_module(
        binding.normalise(f"{start}({', '.join(by_buffer[b] for b in order)}) {{\n{rest}")
    )


def verdict_on(definition: Lowered, found: Lowered) -> Verdict:
    order = [i.buffer for i in definition.inputs]
    a, b = module(definition, order), module(found, order)
    return verify_function(a.functions[0], b.functions[0], None, (a, b))


def refines(name: str, code: str, bits: int, spelling: Spelling | None = None) -> bool:
    definition, found = pair(name, code, bits, spelling)
    verdict = verdict_on(definition, found)
    assert not isinstance(verdict, Refuted), (name, code, bits, found.text, definition.text)
    return isinstance(verdict, Proved)


@pytest.mark.parametrize(("name", "code"), CASES)
def test_the_lowering_is_the_definition(name: str, code: str) -> None:
    assert refines(name, code, 8)


@pytest.mark.parametrize(("name", "code"), [c for c in CASES if c not in UNDEFINED])
def test_at_16_bits(name: str, code: str) -> None:
    assert refines(name, code, 16)


@pytest.mark.parametrize("code", ["int", "uint"])
@pytest.mark.parametrize("name", LONGER)
def test_at_32_bits(name: str, code: str) -> None:
    assert refines(name, code, 32)


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("absd", "uint"),
        ("halving_add", "int"),
        ("halving_sub", "int"),
        ("halving_sub", "uint"),
        ("rounding_halving_add", "int"),
        ("saturating_narrow", "int"),
    ],
)
def test_the_second_spelling(name: str, code: str, bits: int) -> None:
    assert refines(name, code, bits, Spelling(otherwise=True))


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("halving_add", "rounding_halving_add"),
        ("mul_shr", "rounding_mul_shr"),
        ("rounding_shr", "rounding_shl"),
    ],
)
def test_neighbours_are_told_apart(name: str, instead: str) -> None:
    """The proofs can fail: one function is not the definition of another."""
    definition, _ = pair(instead, "int", 8)
    _, found = pair(name, "int", 8)
    assert isinstance(verdict_on(definition, found), Refuted)
