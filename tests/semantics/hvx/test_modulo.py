"""What moves bytes by a general register takes the low seven bits of it: so it is proved, and
executed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved, Refuted
from semantics import isa_named, target_named
from semantics.emulated import Emulated
from semantics.execution import NotRun
from tests.emulated import emulate
from tests.fuzz.case import Call, Case, Pointer
from tests.semantics.hvx.pairs import ATTRIBUTES, HEAD
from tests.verdicts import verify_modules

SHUFFLES = ("vshuffvdd", "vdealvdd")
MOVES = ("valignb", "vlalignb")
# by a register, what it is modulo 128, and what it is not
VALUES = ((-2, 126, 124), (-4, 124, 126), (126, 126, 62), (190, 62, 60))


def call(name: str, value: int) -> tuple[str, str]:
    """Return the result's type, and the line of a call on two registers."""
    kind = "<64 x i32>" if name in SHUFFLES else "<32 x i32>"
    given = f"<32 x i32> %a, <32 x i32> %b, i32 {value}"
    return kind, f"%r = call {kind} @llvm.hexagon.V6.{name}.128B({given})"


def pair(name: str, first: int, second: int) -> str:
    """Return a module of two functions that make a call by one value and by another one."""
    return HEAD + "\n".join(
        f"define {kind} @{f}(<32 x i32> noundef %a, <32 x i32> noundef %b) #0 {{\n"
        f"  {line}\n  ret {kind} %r\n}}"
        for f, (kind, line) in (("src", call(name, first)), ("tgt", call(name, second)))
    ) + (
        f"\ndeclare {call(name, 0)[0]} @llvm.hexagon.V6.{name}.128B(<32 x i32>, <32 x i32>, i32)\n"
        f"{ATTRIBUTES}\n"
    )  # fmt: skip


@pytest.mark.parametrize("name", [*SHUFFLES, *MOVES])
@pytest.mark.parametrize("values", VALUES, ids=[str(v[0]) for v in VALUES])
def test_a_register_is_proved_to_be_its_low_bits(name: str, values: tuple[int, int, int]) -> None:
    given, same, other = values
    for value, wanted in ((same, Proved), (other, Refuted)):
        module = parse_module(normalise(pair(name, given, value), "pair.ll"))
        ((_, verdict),) = verify_modules(module, None, target_named("hvx"))
        assert isinstance(verdict, wanted), verdict


def module(values: Sequence[int]) -> str:
    """Return a function of memory for each move by each value."""
    bodies = "".join(
        f"define void @{name}.{k}(ptr %to, ptr %x, ptr %y) {{\n"
        "  %a = load <32 x i32>, ptr %x, align 1\n  %b = load <32 x i32>, ptr %y, align 1\n"
        f"  {line}\n  store {kind} %r, ptr %to, align 1\n  ret void\n}}\n"
        for name in (*SHUFFLES, *MOVES)
        for k, v in enumerate(values)
        for kind, line in [call(name, v)]
    )
    declared = "".join(
        f"declare {call(n, 0)[0]} @llvm.hexagon.V6.{n}.128B(<32 x i32>, <32 x i32>, i32)\n"
        for n in (*SHUFFLES, *MOVES)
    )
    return HEAD + bodies + declared


@pytest.mark.tools
def test_the_machine_takes_the_low_bits_too() -> None:
    isa = isa_named("hvx")
    emulated = isa.executor()
    assert isinstance(emulated, Emulated)
    r = random.Random(2026)
    a, b = r.randbytes(128), r.randbytes(128)
    one = Call((bytes(256), a, b), tuple(Pointer(k) for k in range(3)), high=False)
    cases = [
        Case(f"{n}.{k}", (one,)) for n in (*SHUFFLES, *MOVES) for k in range(len(VALUES))
    ]  # fmt: skip
    given, same, other = (
        emulate(emulated, module(column), cases, cpu=isa.usual.cpu, features=isa.usual.features)
        for column in zip(*VALUES, strict=True)
    )
    assert not isinstance(given, NotRun), given
    assert not isinstance(other, NotRun), other
    assert given == same
    assert all(x != y for x, y in zip(given, other, strict=True))
