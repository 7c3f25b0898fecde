"""Wide integers as vectors of their bytes: what becomes one, what stays, and that both are proved
and do the same.
"""

from __future__ import annotations

import random

import pytest

from frontends.llvm.meaning.lanes import NO, Value
from frontends.llvm.meaning.wide import by_bytes
from frontends.llvm.transform import wide_integers
from isel.ir.build import make
from isel.ir.canon import instantiate
from isel.ir.expr import const, elem
from tests.frontends.llvm.transformed import became, change, verifies, whys
from tests.fuzz.case import Call, Pointer


def function(*lines: str, bits: int = 128, more: str = "") -> str:
    """Return a function that loads ``%x`` and ``%y``, and stores ``%z`` unless a line does."""
    body = [
        f"%x = load i{bits}, ptr %a, align 1",
        f"%v = load <{bits // 8} x i8>, ptr %b, align 1",
        f"%y = bitcast <{bits // 8} x i8> %v to i{bits}",
        *lines,
    ]
    if not any(x.startswith("store") for x in lines):
        body.append(f"store i{bits} %z, ptr %c, align 1")
    text = "\n".join(f"  {x}" for x in body)
    head = f"define void @f(ptr noalias %a, ptr noalias %b, ptr noalias %c{more})"
    return f"{head} {{\n{text}\n  ret void\n}}\n"


def calls(bits: int = 128, seed: int = 0) -> list[Call]:
    size, rng = bits // 8, random.Random(seed)
    regions = (rng.randbytes(size), rng.randbytes(size), bytes(size))
    return [Call(regions, (Pointer(0), Pointer(1), Pointer(2)), high=h) for h in (True, False)]


RIGHT = {
    "up by a byte": ("%z = shl i128 %x, 8",),
    "down by five": ("%z = lshr i128 %x, 40",),
    "by nothing": ("%t = shl i128 %x, 0", "%z = xor i128 %t, %y"),
    "flags": ("%t = shl i128 %x, 64", "%u = lshr i128 %y, 64", "%z = or disjoint i128 %u, %t"),
    "all of it": ("%z = lshr i128 %x, 120",),
    "logic": ("%t = and i128 %x, %y", "%u = xor i128 %t, %x", "%z = or i128 %u, %y"),
    "a number": ("%z = and i128 %x, 340282366920938463463374607431768211200",),
    "a negative number": ("%z = xor i128 %x, -2",),
    "two of them": ("%t = shl i128 %x, 64", "%u = lshr i128 %y, 64", "%z = or i128 %t, %u"),
    "a sum of bytes": (
        "%t = shl i128 %x, 8", "%w = bitcast i128 %t to <16 x i8>", "%s = add <16 x i8> %v, %w",
        "store <16 x i8> %s, ptr %c, align 1",
    ),
    "other lanes": (
        "%t = lshr i128 %x, 32", "%w = bitcast i128 %t to <4 x i32>", "%s = add <4 x i32> %w, %w",
        "store <4 x i32> %s, ptr %c, align 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_vectors_of_bytes_are_proved_and_do_the_same(name: str) -> None:
    text = function(*RIGHT[name])
    assert became(wide_integers, text, calls()) == "the same"
    after = change(wide_integers, text)
    assert verifies(text, after)
    assert "shl i128" not in after and "lshr i128" not in after


STAYS = {
    "bits": ("%z = shl i128 %x, 7",),
    "as far as the value says": ("%n = zext i8 8 to i128", "%z = shl i128 %x, %n"),
    "further than it is wide": ("%z = lshr i128 %x, 128",),
    "a sum": ("%t = shl i128 %x, 8", "%z = add i128 %t, %y"),
    "half of it": ("%z = shl i128 %x, 8", "%h = trunc i128 %z to i64", "store i64 %h, ptr %c, align 1"),
    "a volatile store": ("%t = shl i128 %x, 8", "store volatile i128 %t, ptr %c, align 1"),
    "an argument": ("%z = xor i128 %x, %k",),
    "nothing": ("%z = xor i128 %x, undef",),
    "a number with a point": (
        "%t = shl i128 %x, 8", "%w = bitcast i128 %t to fp128", "store fp128 %w, ptr %c, align 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STAYS)
def test_others_stay_with_a_reason(name: str) -> None:
    found = whys(wide_integers, function(*STAYS[name], more=", i128 %k"))
    assert found and all(why for _, why in found)


def test_narrow_integers_are_no_site() -> None:
    assert whys(wide_integers, function("%z = shl i64 %x, 8", bits=64)) == []


_AFTER = change(wide_integers, function(*RIGHT["two of them"]))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("i32 16, i32 17,", "i32 17, i32 16,"),
        ("<16 x i8> zeroinitializer, <16 x i8> %x", "<16 x i8> %x, <16 x i8> %x"),
        ("= or <16 x i8>", "= and <16 x i8>"),
        ("load <16 x i8>, ptr %a, align 1", "load <16 x i8>, ptr %a, align 16"),
        ("load <16 x i8>, ptr %a", "load <16 x i8>, ptr %b"),
    ],
)
def test_other_bytes_are_not_proved(old: str, new: str) -> None:
    assert old in _AFTER
    assert not verifies(function(*RIGHT["two of them"]), _AFTER.replace(old, new, 1))


@pytest.mark.parametrize("op", ["shl", "lshr", "and", "xor"])
@pytest.mark.parametrize("by", [0, 7, 8, 20, 64, 125, 127])
def test_bytes_of_a_wide_lane_are_what_it_is(op: str, by: int) -> None:
    x = elem("x", 0, 128)
    lane = make(op, (x, const(by, 128)))
    value = by_bytes(Value(128, (lane,), (NO,)))
    rng = random.Random(by)
    for _ in range(8):
        given = {x: const(rng.getrandbits(128), 128)}
        assert instantiate(value.lanes[0], given) is instantiate(lane, given)


def _random(seed: int) -> tuple[str, int]:
    rng = random.Random(seed)
    bits = rng.choice((128, 128, 256))
    names, lines = ["%x", "%y"], list[str]()
    for k in range(rng.randint(2, 7)):
        name = f"%t{k}"
        one, other = rng.choice(names), rng.choice((*names, str(rng.getrandbits(bits))))
        if rng.random() < 0.5:
            op, other = rng.choice(("shl", "lshr")), str(8 * rng.randrange(bits // 8))
        else:
            op = rng.choice(("and", "or", "xor"))
        lines.append(f"{name} = {op} i{bits} {one}, {other}")
        names.append(name)
    lines.append(f"%z = xor i{bits} {names[-1]}, %x")
    return function(*lines, bits=bits), bits


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_random_webs_do_the_same(first: int) -> None:
    """Where a value meets itself, undef bytes may keep one from being proved."""
    found = list[str]()
    for seed in range(first, first + 10):
        text, bits = _random(seed)
        found.append(became(wide_integers, text, calls(bits, seed)))
    assert {*found} <= {"the same", "not proved"} and found.count("the same") >= 7
