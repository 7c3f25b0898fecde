"""Random functions for AArch64 and Hexagon, both versions under qemu."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.emulated import emulate, padded
from tests.fuzz.case import Call, Case, Pointer
from tests.fuzz.emulated import ARM, PROCESSORS, check, made
from tests.fuzz.modules import only

pytestmark = pytest.mark.tools
_COPY = """target triple = "aarch64-linux-gnu"
define void @f(ptr %p, i32 %n, ptr %q) {
  %at = getelementptr i8, ptr %p, i32 %n
  %x = load i16, ptr %at, align 1
  store i16 %x, ptr %q, align 1
  ret void
}
"""


@pytest.mark.parametrize("name", ["carried", "c"])
def test_both_versions_do_the_same(name: str) -> None:
    found = check(made(name, 1014))
    assert not found.wrong
    assert found.functions > found.unrunnable


@pytest.mark.parametrize(
    ("isa", "name"),
    [
        ("arm", "lookups"),
        ("arm", "tables"),
        ("arm", "masks"),
        ("arm", "moves"),
        ("arm", "squares"),
        ("hvx", "tables"),
        ("hvx", "squares"),
    ],
)
def test_the_first_few_do_the_same(isa: str, name: str) -> None:
    processor = PROCESSORS[isa]
    every = made(name, 1014, processor)
    cases = every.cases[:5]
    few = replace(every, text=only(every.text, {c.name for c in cases}), cases=cases)
    found = check(few, processor)
    assert not found.wrong and not found.unrunnable


def test_regions_are_as_the_function_left_them() -> None:
    """Pointers into regions, integers with a sign, and what is written beside a region."""
    calls = (
        Call((b"abcd", b"xyz"), (Pointer(0, 2), -1, Pointer(1)), high=False),
        Call((b"abcd",), (Pointer(0), 0, Pointer(0, 3)), high=False),
    )
    found = emulate(ARM.emulated, _COPY, [Case("f", calls)], cpu=ARM.cpu, features=ARM.features)
    (first, (second,)) = found[0] if isinstance(found, list) else pytest.fail(str(found))
    assert first == (padded(b"abcd"), padded(b"bcz"))
    assert second.startswith(padded(b"abca")[:-128] + b"b")
