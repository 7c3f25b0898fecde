"""ASL in our own words: read, executed, refused; and the functions that stand for shifts."""

from __future__ import annotations

import numpy as np
import pytest

from isel.interp.evaluate import evaluate
from isel.interp.lanes import NumpyLanes
from isel.ir.expr import Expr, elem, leaves
from semantics.arm.importer.builtin import rounded_right, saturated_left, shifted_either
from semantics.arm.importer.encodings import Text
from semantics.arm.importer.execute import Machine, Scope
from semantics.arm.importer.parser import parse_block, parse_function
from semantics.arm.importer.registers import Registers
from semantics.arm.importer.syntax import Function
from semantics.arm.importer.values import as_bits, as_integer, bits, truth
from semantics.importing.syntax import TextMistake
from semantics.importing.values import Val, low_bits, signed, unsigned

HALVE = """
bits(N) Halved(bits(N) x)
    return LSR(x, 1);
"""
COUNTS = np.arange(1 << 16, dtype=np.uint64)
X, COUNT = elem("x", 0, 8), elem("c", 0, 8)
OPERANDS = {"x": COUNTS & np.uint64(255), "c": COUNTS >> np.uint64(8)}


def function(name: str) -> Function | None:
    return parse_function(HALVE.strip().splitlines(), 1) if name == "Halved" else None


def executed(text: str, **operands: Expr) -> Scope:
    """Run statements with 64-bit operands ``n`` and ``m`` in registers 1 and 2."""
    registers = Registers({1: operands.get("n", elem("n", 0, 64)), 2: elem("m", 0, 64)}, {})
    scope: Scope = {"n": 1, "m": 2, "d": 0, "esize": 16, "elements": 4}
    Machine(registers, function).run(parse_block(text.splitlines(), 1), scope)
    return scope | {"V": registers.written.get(("V", 0), 0)}


def test_elements_and_branches() -> None:
    text = """
bits(64) a = V[n];
bits(64) b = V[m];
bits(64) result;
for e = 0 to elements-1
    x = UInt(Elem[a, e, esize]);
    y = UInt(Elem[b, e, esize]);
    if x < y then Elem[result, e, esize] = Halved(Elem[b, e, esize]);
    else
        Elem[result, e, esize] = (x - y)[esize-1:0];
V[d] = result;
"""
    whole = as_bits(executed(text)["V"])
    lane = whole.part(16, 16).term
    a, b = elem("n", 16, 16), elem("m", 16, 16)
    given = {a: np.array([5, 9], np.uint16), b: np.array([7, 4], np.uint16)}
    assert evaluate(lane, given, NumpyLanes()).tolist() == [3, 5]


def test_integers_are_exact_and_slices_cut_them() -> None:
    scope = executed(
        "integer big = (1 << 70) + 3;\nbits(4) low = big[3:0];\nbit top = big[70];\n"
        "integer half = (SInt(low) - 5) DIV 2;"
    )
    assert as_integer(scope["big"]) == (1 << 70) + 3
    assert as_bits(scope["low"]).term.value == 3 and as_bits(scope["top"]).term.value == 1
    assert scope["half"] == -1


def test_cases_and_patterns() -> None:
    text = """
bits(3) f = '101';
case f of
    when '0xx' integer k = 1;
    when '10x', '111'
        k = 2;
    otherwise UNDEFINED;
"""
    assert executed(text)["k"] == 2


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("x = (1 + ;", 1, "a bracket that is not closed"),
        ("x = 1 + ;", 1, "';', expected a value"),
        ("x = 1;\n  y = 2;", 2, "an indentation of no block"),
        ("for e = 0 to 3\nx = 1;", 1, "nothing, expected an indented block"),
        ("x = 1;\ny = $;", 2, "'$;', expected a name, number or operator"),
        ("x = nothing;", 1, "unknown name 'nothing'"),
        ("x = Unheard(1);", 1, "unknown function 'Unheard' of 1"),
        ("bits(64) a = V[n];\nfor e = 0 to UInt(a)\n    x = 1;", 2, "expected a number that no operand decides"),
        ("bits(64) a = V[n];\nx = a[64];", 2, "bits 64 to 64 of 64"),
        ("x = UInt(1, 2);", 1, "2 arguments of 'UInt'"),
    ],
)  # fmt: skip
def test_mistakes_have_a_line(text: str, line: int, what: str) -> None:
    with pytest.raises(TextMistake) as caught:
        executed(text)
    assert caught.value.at == line and what in caught.value.what


def values(term: Expr) -> list[int]:
    """Return a term's values for all operands and counts; leaves are slices of them."""
    env = {
        e: (OPERANDS[e.source] >> np.uint64(e.offset) & np.uint64((1 << e.width) - 1)).astype(
            np.uint8
        )
        for e in leaves(term)
    }
    return [int(v) for v in evaluate(term, env, NumpyLanes())]


def number(x: int, *, is_unsigned: bool) -> int:
    return x if is_unsigned or x < 128 else x - 256


def limited(x: int, *, is_unsigned: bool) -> int:
    low, high = (0, 255) if is_unsigned else (-128, 127)
    return max(low, min(high, x))


@pytest.mark.parametrize("is_unsigned", [False, True])
@pytest.mark.parametrize("saturating", [False, True])
@pytest.mark.parametrize("rounding", [False, True])
def test_shifts_either_way_for_every_count(
    rounding: bool, saturating: bool, is_unsigned: bool
) -> None:
    """As the vendor's text has it, in integers without bounds."""
    made = shifted_either(
        bits(X), signed(COUNT), truth(rounding), truth(saturating), truth(is_unsigned)
    )
    for k, got in enumerate(values(as_bits(made).term)):
        x, count = number(k & 255, is_unsigned=is_unsigned), number(k >> 8, is_unsigned=False)
        add = (1 << (-count - 1)) if rounding and count < 0 else 0
        exact = x + add << count if count >= 0 else x + add >> -count
        wanted = limited(exact, is_unsigned=is_unsigned) if saturating else exact
        assert got == wanted & 255, (x, count)


@pytest.mark.parametrize("to_unsigned", [False, True])
def test_saturated_shifts_to_the_left(to_unsigned: bool) -> None:
    made = saturated_left(bits(X), Val(COUNT, (0, 7)), truth(False), truth(to_unsigned))
    for k, got in enumerate(values(as_bits(made).term)):
        count = k >> 8
        if count < 8:
            exact = number(k & 255, is_unsigned=False) << count
            assert got == limited(exact, is_unsigned=to_unsigned) & 255, (k & 255, count)


def test_rounded_shifts_to_the_right() -> None:
    for value, is_unsigned in ((signed(X), False), (unsigned(X), True)):
        made = rounded_right(value, Val(COUNT, (1, 8)), truth(True))
        for k, got in enumerate(values(low_bits(as_integer(made), 8))):
            count = k >> 8
            if 1 <= count <= 8:
                x = number(k & 255, is_unsigned=is_unsigned)
                assert got == (x + (1 << (count - 1)) >> count) & 255, (x, count)


def test_texts_keep_their_lines() -> None:
    from semantics import isa_named
    from semantics.arm.importer.patches import patched

    text = Text(("x = 1;", "integer idxdsize = if H == '1' then 128 else 64;"), 7)
    changed = patched("\n".join(text.lines))
    assert changed.splitlines()[1] == "integer idxdsize = 128;"
    assert all(len(reason) > 20 for reason in isa_named("arm").corrections().values())
