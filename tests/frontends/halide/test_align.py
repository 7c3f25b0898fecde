"""Stack buffers aligned for vectors: what is raised, what must stay, and that the result is the
same program.
"""

from __future__ import annotations

import re

import pytest

from frontends.halide.align import align_stack
from frontends.halide.build import assembly_of
from frontends.halide.retarget import retarget
from frontends.halide.targets import resolve
from frontends.llvm.linked import binding

LAYOUT = f'target datalayout = "{binding.data_layout("x86_64-unknown-linux-gnu")}"\n'
WIDER = (("x86", "haswell"), ("x86", "znver4"), ("x86", "nehalem"))  # targets and CPUs
FILL = """\
define void @f(ptr %p, i64 %i, i32 %k) {{
entry:
  %buffer = alloca {kind}, align 16
  {lines}
  store <16 x i32> zeroinitializer, ptr %q, align {before}
  ret void
}}
"""
STEPS = {
    "the buffer": ("%q = getelementptr i8, ptr %buffer, i64 0", 64),
    "rows": ("%r = mul i64 %i, 576\n  %q = getelementptr i8, ptr %buffer, i64 %r", 64),
    "rows of half a vector": (
        "%r = mul i64 %i, 96\n  %q = getelementptr i8, ptr %buffer, i64 %r",
        32,
    ),
    "elements": ("%q = getelementptr i32, ptr %buffer, i64 %i", 4),
    "behind": ("%q = getelementptr i8, ptr %buffer, i64 -192", 64),
    "a row and some bytes": (
        "%r = shl i64 %i, 8\n  %s = add i64 %r, 40\n  %q = getelementptr i8, ptr %buffer, i64 %s",
        8,
    ),
    "two steps": (
        "%o = getelementptr <16 x i32>, ptr %buffer, i64 %i\n  %q = getelementptr i8, ptr %o, i64 128",
        64,
    ),
    "a product that wraps in 32 bits": (
        "%r = mul i32 %k, 64\n  %s = sext i32 %r to i64\n  %q = getelementptr i8, ptr %buffer, i64 %s",
        1,
    ),
    "somebody else's": ("%q = getelementptr i8, ptr %p, i64 0", 1),
    "one of two": ("%c = icmp eq i64 %i, 0\n  %q = select i1 %c, ptr %p, ptr %buffer", 1),
}


def aligned(
    lines: str, kind: str = "[1152 x i32]", before: int = 1, natural: int = 64
) -> tuple[int, int]:
    """Return the alignments of the buffer and of the store."""
    text = align_stack(
        binding.normalise(LAYOUT + FILL.format(lines=lines, kind=kind, before=before)), natural
    )
    buffer, store = (
        int(n) for n in re.findall(r"(?:alloca|store).*, align (\d+)", binding.normalise(text))
    )
    return buffer, store


@pytest.mark.parametrize("case", STEPS)
def test_stores(case: str) -> None:
    lines, wanted = STEPS[case]
    assert aligned(lines) == (64, wanted)


def test_what_is_aligned_better_stays() -> None:
    assert aligned(STEPS["elements"][0], before=32) == (64, 32)
    assert aligned(STEPS["the buffer"][0], natural=8, before=16) == (16, 16)


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("[9 x i32]", 32),
        ("<4 x i32>", 16),
        ("{ i64, [7 x i64] }", 64),
        ("i32", 16),
        ("[0 x i32]", 16),
    ],
)
def test_a_buffer_is_aligned_to_what_it_holds(kind: str, wanted: int) -> None:
    assert aligned(STEPS["the buffer"][0], kind)[0] == wanted


@pytest.mark.parametrize("kind", ["[9 x i32], i64 %i", "<vscale x 4 x i32>"])
def test_buffers_of_unknown_size_stay(kind: str) -> None:
    assert aligned(STEPS["the buffer"][0], kind) == (16, 16)


def test_a_stack_that_is_not_realigned_stays() -> None:
    text = binding.normalise(
        LAYOUT
        + FILL.format(lines=STEPS["the buffer"][0], kind="[64 x i32]", before=16).replace(
            ") {", ') "no-realign-stack" {'
        )
    )
    assert align_stack(text, 64) == text


def test_spilled_vectors_are_aligned() -> None:
    rows = [f"%a{k} = load volatile <8 x i32>, ptr %p, align 32" for k in range(24)]
    rows += [f"store volatile <8 x i32> %a{k}, ptr %p, align 32" for k in range(24)]
    text = f"{LAYOUT}define void @f(ptr %p) {{\n  " + "\n  ".join((*rows, "ret void\n}\n"))
    target = resolve("x86", cpu="haswell")
    code = assembly_of(retarget(text, target, "f.ll"), target)
    spills = re.findall(r"(\w+)\s+%ymm\d+, -?\d*\(%rsp\)", code)
    assert set(spills) == {"vmovaps"}


def test_the_stack_is_aligned_for_vectors_that_are_wider_only() -> None:
    wide = {cpu: resolve(name, cpu=cpu).attributes() for name, cpu in WIDER}
    assert [cpu for cpu, found in wide.items() if "stackrealign" in found] == ["haswell", "znver4"]
