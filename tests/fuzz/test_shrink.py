"""The reducer, on faults that are planted."""

from __future__ import annotations

import random
import re

from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from tests.fuzz.case import Call, Case, Pointer
from tests.fuzz.check import Opted, compare
from tests.fuzz.generate import Generated, generate
from tests.fuzz.guarded import Code
from tests.fuzz.modules import together
from tests.fuzz.shrink import named, shrunk

STRAIGHT = """
define void @f(ptr %a, ptr %b, ptr %out) {
  %1 = load <8 x i16>, ptr %a, align 1
  %2 = load <8 x i16>, ptr %b, align 1
  %3 = add nsw <8 x i16> %1, %2
  %4 = mul <8 x i16> %3, splat (i16 7)
  %5 = call <8 x i16> @llvm.uadd.sat.v8i16(<8 x i16> %4, <8 x i16> %1)
  %6 = xor <8 x i16> %5, %2
  store <8 x i16> %6, ptr %out, align 1
  ret void
}
declare <8 x i16> @llvm.uadd.sat.v8i16(<8 x i16>, <8 x i16>)
"""


def _planted(text: str, cpu: str) -> Opted:
    """A rewriter that takes every saturating sum for a sum."""
    return Opted(
        0,
        "",
        re.sub(
            r"call (<[^>]*>) @llvm\.uadd\.sat\.\w+\(<[^>]*> (\S+), <[^>]*> (\S+)\)",
            r"add \1 \2, \3",
            text,
        ),
        frozenset(),
    )


def _case(size: int) -> Case:
    rng = random.Random(5)
    calls = [
        Call(
            tuple(rng.randbytes(size) for _ in range(3)),
            (Pointer(0), Pointer(1), Pointer(2)),
            k % 2 == 0,
        )
        for k in range(4)
    ]
    return Case("f", tuple(calls))


def test_names_stand_for_numbers() -> None:
    text = named(binding.normalise(STRAIGHT))
    assert "%v6 = xor <8 x i16> %v5, %v2" in text
    assert binding.normalise(text)


def test_a_planted_fault_is_shrunk_to_a_few_lines() -> None:
    found = shrunk(binding.normalise(STRAIGHT), _case(64), _planted)
    lines = [
        x
        for x in found.text.splitlines()
        if x.strip()
        and not x.startswith((";", "source_filename", "target", "attributes", "declare"))
    ]
    assert len(lines) <= 7, found.text
    assert "uadd.sat" in found.text and "xor" not in found.text and "mul" not in found.text
    assert len(found.case.calls) == 1
    assert sum(map(len, found.case.calls[0].regions)) < 3 * 64


def _as_case(made: Generated) -> tuple[str, Case]:
    calls = [
        Call(tuple(regions), tuple(Pointer(i) for i in range(len(regions))), True)
        for regions in made.buffers(6)
    ]
    return binding.normalise(together([made]).replace("@f0(", "@f(")), Case("f", tuple(calls))


def test_a_fault_in_a_generated_loop_is_shrunk() -> None:
    candidates = (
        g for g in map(generate, range(1, 4000)) if "phi" in g.text and "uadd.sat" in g.text
    )
    with LlvmWorker() as worker:
        text, case = next(
            (t, c)
            for t, c in map(_as_case, candidates)
            if compare(worker, t, _planted(t, "").text, [c], Code())[0]
        )
    found = shrunk(text, case, _planted)
    instructions = [x for x in found.text.splitlines() if x.startswith("  ")]
    assert len(instructions) <= 12, found.text
    assert len(instructions) < sum(x.startswith("  ") for x in text.splitlines())
