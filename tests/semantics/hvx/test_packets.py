"""Prices against the packets that LLVM makes: what the search adds up is never more."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from frontends.llvm.linked import binding
from isel.cost.block import block_cost
from isel.cost.code import Block, Code
from semantics.assembly import read_functions
from semantics.hvx.asm import DIALECT, PACKET
from semantics.hvx.costs import SHIPPED
from semantics.hvx.isa import ISA
from tests.tools import shared

PRICES = SHIPPED.prices_for("hexagonv66")
ATTRIBUTES = (
    'attributes #0 = { "target-cpu"="hexagonv66" "target-features"="+hvxv66,+hvx-length128b" }\n'
)
KINDS = {8: "<128 x i8>", 16: "<64 x i16>", 32: "<32 x i32>"}
OPERATIONS = (
    "add",
    "sub",
    "and",
    "or",
    "xor",
    "smin",
    "smax",
    "umax",
    "uadd.sat",
    "ssub.sat",
    "mul",
)
# One of ours each, with what LLVM 22 makes of it at -O3.
WINDOWS = (
    ("umin", "%r = call <128 x i8> @llvm.umin.v128i8(<128 x i8> %x, <128 x i8> %y)", 2),
    ("sum", "%r = add <128 x i8> %x, %y", 2),
    ("both", "%s = xor <128 x i8> %x, %y\n  %r = add <128 x i8> %s, %y", 3),
)


def compiled(text: str) -> dict[str, Code]:
    triple, features = ISA.machine.triple, ISA.usual.features
    better = binding.optimise(text, triple=triple, cpu="hexagonv66", features=features)
    made = binding.assembly(better, triple=triple, cpu="hexagonv66", features=features)
    return read_functions(made, DIALECT)


def packets(code: Code) -> int:
    return sum(o.form == PACKET for b in code.blocks for o in b.operations)


def bound(b: Block) -> float:
    """Return what the prices of a block's instructions add up to, packets left out."""
    inner = Block(b.label, tuple(o for o in b.operations if o.form != PACKET))
    cost = block_cost(inner, PRICES)
    assert not cost.missing, cost.missing
    return cost.ports


def window(name: str, body: str) -> str:
    return (
        f"define void @{name}(ptr noalias %p, ptr noalias %q, ptr noalias %o) #0 {{\n"
        "  %x = load <128 x i8>, ptr %p, align 128\n  %y = load <128 x i8>, ptr %q, align 128\n"
        f"  {body}\n  store <128 x i8> %r, ptr %o, align 128\n  ret void\n}}\n"
    )


@pytest.mark.parametrize(("name", "body", "wanted"), WINDOWS, ids=[w[0] for w in WINDOWS])
def test_window(name: str, body: str, wanted: int) -> None:
    code = compiled(window(name, body) + ATTRIBUTES)[name]
    assert packets(code) == wanted


def random_function(name: str, rng: random.Random) -> str:
    """Return a function of up to twelve operations on vectors of one width."""
    width = rng.choice((8, 16, 32))
    kind = KINDS[width]
    suffix = kind.strip("<>").replace(" x ", "")
    values = ["%x", "%y"]
    lines: list[str] = []
    for k in range(rng.randrange(1, 13)):
        operation = rng.choice(OPERATIONS)
        a, b = rng.choice(values[-4:]), rng.choice(values)
        call = f"call {kind} @llvm.{operation}.v{suffix}({kind} {a}, {kind} {b})"
        plain = operation in ("add", "sub", "and", "or", "xor", "mul")
        lines.append(f"%v{k} = " + (f"{operation} {kind} {a}, {b}" if plain else call))
        values.append(f"%v{k}")
    return (
        f"define void @{name}(ptr noalias %p, ptr noalias %q, ptr noalias %o) #0 {{\n"
        f"  %x = load {kind}, ptr %p, align 128\n  %y = load {kind}, ptr %q, align 128\n  "
        + "\n  ".join(lines)
        + f"\n  store {kind} {values[-1]}, ptr %o, align 128\n  ret void\n}}\n"
    )


def test_no_bound_is_above_the_packets() -> None:
    """On 200 random functions."""
    rng = random.Random(42)
    text = "".join(random_function(f"f{k}", rng) for k in range(200)) + ATTRIBUTES
    found = compiled(text)
    assert len(found) == 200
    assert not list(above(list(found.values())))


def above(codes: Sequence[Code]) -> list[tuple[str, float, int]]:
    """Return the blocks whose bound is above their packets."""
    rows = [
        (c.name, bound(b), sum(o.form == PACKET for o in b.operations))
        for c in codes
        for b in c.blocks
    ]
    return [row for row in rows if row[1] > row[2] + 1e-6]


@pytest.mark.shared
def test_twelve_windows() -> None:
    files = sorted((shared() / "suites" / "windows" / "hexagon").glob("*.ll"))
    found = {
        f.stem: next(
            iter(
                compiled(
                    f.read_text().replace("{ nounwind }", ATTRIBUTES.partition("=")[2].strip())
                ).values()
            )
        )
        for f in files
    }
    assert [packets(c) for c in found.values()] == [3, 7, 12, 41, 7, 2, 10, 29, 69, 2, 6, 27]
    assert not above(list(found.values()))
