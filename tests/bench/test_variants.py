"""The variants of a pipeline: other loops, the same vectors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.kernel import Kernel
from bench.kernels import HALIDE
from tests.bench.realise import pipeline

DENSE = re.compile(r"ramp\([^\n]*?, 1, (\d+)\)")


def lowered(kernel: Kernel, variant: int, folder: Path) -> str:
    """Return Halide's loops, without the numbers by which it tells names apart."""
    import halide as hl

    func, params = pipeline(kernel, variant)
    path = folder / f"{variant}.stmt"
    func.compile_to_lowered_stmt(str(path), params, hl.StmtOutputFormat.Text)
    return re.sub(r"\$\d+", "", path.read_text())


@pytest.mark.parametrize("kernel", HALIDE, ids=lambda k: k.name)
def test_variants_differ_in_loops_but_not_in_vectors(kernel: Kernel, tmp_path: Path) -> None:
    texts = [lowered(kernel, variant, tmp_path) for variant in (0, 1)]
    widths = [set(DENSE.findall(text)) for text in texts]
    assert texts[0] != texts[1]
    assert widths[0] == widths[1]
    assert widths[0] & {"16", "32", "64"}
