"""What a benchmark kernel is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from bench.inputs import Array, aligned

Shape = tuple[tuple[int, ...], str]
Inputs = Callable[[np.random.Generator], list[Array]]
Meaning = Callable[[list[Array]], Array]


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel with its inputs and its meaning.

    ``entry`` is a function of ``source``: of kind ``halide`` a pipeline of Python,
    ``entry(variant)``, whose parameters are the inputs in order; of kind ``c``
    ``void entry(const T *restrict …, T *restrict out, int n)`` with ``n`` the number of elements of
    the output. ``inputs`` makes arrays aligned to 64 bytes, corner values among them; ``output`` is
    shape and type, outermost extent first; ``reference`` returns the exact result. Kernels of one
    ``group`` are one expression and count once in a de-duplicated mean.
    """

    name: str
    kind: Literal["halide", "c"]
    source: Path
    entry: str
    inputs: Inputs
    output: Shape
    reference: Meaning
    group: str
    quick: bool = False

    def empty_output(self) -> Array:
        """Return zeros of the output's shape and type, aligned as the pipelines promise their
        buffers to be.
        """
        return aligned(*self.output)
