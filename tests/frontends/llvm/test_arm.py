"""AArch64 through the rewriter: windows of our own as golden text, and what is left alone."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import pytest

from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.module import rewrite_module
from frontends.llvm.pipeline.options import Options, Rewritten
from frontends.llvm.refine.report import verify_report
from frontends.llvm.text.parse import parse_module
from isel.api.tools import make_tools
from isel.model.verdict import Proved
from semantics.arm.asm import read_operation
from semantics.arm.costs import SHIPPED
from semantics.arm.target import target

HERE: Final = Path(__file__).parent / "arm"
SOURCE: Final = HERE / "windows.ll"
TRIPLE: Final = "aarch64-unknown-linux-gnu"
DOUBLING: Final = """
define void @f(ptr %a, ptr %o) {
  %x = load <16 x i8>, ptr %a
  %y = add <16 x i8> %x, %x
  store <16 x i8> %y, ptr %o
  ret void
}
"""


def rewritten(text: str, features: str = "-sve,-sve2", only: str = "") -> Rewritten:
    options = Options(cpu="neoverse-v1", features=features, only_function=only)
    with LlvmWorker() as worker, make_tools(worker, options, "off") as tools:
        return rewrite_module(text, options, tools, SOURCE.name)


def test_the_order_that_a_load_brings_is_work() -> None:
    """The gate counts it: a program that moves elements itself may save it."""
    prices = SHIPPED.prices_for("neoverse-v1")
    for line, plain in (
        ("ld2 { v0.8b, v1.8b }, [x0]", ("ldr d,mem",) * 2),
        ("ld4 { v0.16b, v1.16b, v2.16b, v3.16b }, [x0]", ("ldr q,mem",) * 4),
        ("st3 { v0.4s, v1.4s, v2.4s }, [x0]", ("str q,mem",) * 3),
        ("ld2r { v0.8b, v1.8b }, [x0]", ()),
        ("ldp q0, q1, [x0]", ()),
    ):
        assert read_operation(line).plain_forms == plain
    assert prices.beyond("ld2 2x16b,mem", ("ldr q,mem",) * 2) == 52  # two vector operations
    assert prices.beyond("ldp q,q,mem", ("ldr q,mem",) * 2) == 0
    assert prices.beyond("ld2 2x16b,mem", ("nothing",)) is None


def test_text() -> None:
    """Dot products of mixed signs and weighted neighbours become better than LLVM has them; of
    doubled products it makes as much, so they stay.
    """
    golden = SOURCE.with_suffix(".out")
    result = rewritten(SOURCE.read_text())
    if os.environ.get("ISEL_BLESS") == "1":
        golden.write_text(result.written)
    assert result.written == golden.read_text(), (
        f"if the new text is right, run again with ISEL_BLESS=1 to rewrite {golden.name}"
    )
    found = verify_report(parse_module(result.before), parse_module(result.text), target())
    assert [isinstance(a.verdict, Proved) for a in found] == [True] * 4


def test_a_load_that_takes_pixels_apart_stays_one() -> None:
    """A freeze between it and the shuffles of its planes would make LLVM load in another way; where
    there are dot products planes are not wanted.
    """
    features = "-sve,-sve2,-i8mm,-dotprod"
    result = rewritten(SOURCE.read_text(), features, only="planes")
    assert "freeze <48 x i8>" not in result.text and "umull" in result.text
    with LlvmWorker() as worker:
        for text in (result.before, result.text):
            code = worker.assembly(text, triple=TRIPLE, cpu="neoverse-v1", features=features)
            assert isinstance(code, str) and code.count("ld3") == 1


def test_only_what_the_features_allow() -> None:
    without = rewritten(SOURCE.read_text(), "-sve,-sve2,-i8mm", "mixed").text
    assert "usdot" not in without
    neither = rewritten(SOURCE.read_text(), "-sve,-sve2,-i8mm,-dotprod", "mixed").text
    assert not re.search(r"[us]dot", neither)


@pytest.mark.parametrize(
    ("triple", "layout"),
    [
        ("aarch64_be-unknown-linux-gnu", "E-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"),
        ("armv7-unknown-linux-gnueabihf", "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"),
    ],
)
def test_other_machines_of_the_name_are_left_alone(triple: str, layout: str) -> None:
    head = f'target datalayout = "{layout}"\ntarget triple = "{triple}"\n'
    result = rewritten(head + DOUBLING)
    assert not result.changed
    assert result.written == head + DOUBLING
    assert [f.skipped for f in result.report.functions] == [f"no target for the triple '{triple}'"]


def test_scalable_vectors_are_left_alone() -> None:
    text = 'target triple = "aarch64-unknown-linux-gnu"\n' + DOUBLING.replace(
        "<16 x i8>", "<vscale x 16 x i8>"
    )
    result = rewritten(text, "+sve")
    assert not result.changed
    assert result.report.left_out()["'add' of a type other than integers"] == 1
