"""From kernels to what is compared: modules of LLVM IR that isel rewrites, and code that others
have made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

from bench.harness.clang import ir_of
from bench.harness.kernels import Kernel
from frontends.halide.build import build, recipe
from frontends.halide.load import load_pipeline
from frontends.halide.model import Compiled, Model
from frontends.halide.package import HalideProblem, Signature
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked import binding
from frontends.llvm.linked.worker import LlvmWorker
from frontends.llvm.pipeline.options import Rewritten
from frontends.llvm.report.tried import ModuleReport


@dataclass(frozen=True, slots=True)
class Pair:
    """A module that is measured as it is (``base``) and as isel rewrites it (``ours``).

    After LLVM's -O3 where the model says that this is faster (``pipeline``), or as it stands.
    """

    base: str
    ours: str
    text: str
    pipeline: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """A kernel's modules, the objects of versions that do not pass through isel, and how a
    Halide pipeline is called.
    """

    pairs: tuple[Pair, ...]
    objects: tuple[tuple[str, bytes], ...] = ()
    signature: Signature | None = None


def sources(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    """Make the sources of a kernel; ``variant`` 1 is another schedule with vectors as wide.

    Raises :class:`isel.errors.IselError` for a kernel that Halide or clang does not compile.
    """
    return _c(kernel, target, variant) if kernel.kind == "c" else _halide(kernel, target, variant)


def _c(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    texts = (
        binding.normalise(
            ir_of(kernel.source, target.cpu, wide=w, variant=variant), f"{kernel.name}.ll"
        )
        for w in (False, True)
    )
    names = (("clang", "isel"), ("clang-512", "isel-512"))
    return Sources(
        tuple(Pair(*versions, text, False) for versions, text in zip(names, texts, strict=True))
    )


def _halide(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    scheduled = partial(cast("Callable[[int], object]", pipeline), variant)
    made = build(recipe(scheduled, target, kernel.entry), target, _untouched, compare=True)
    if made.own is None or made.own_ir is None:
        raise HalideProblem(made.lacks)
    pairs = (
        Pair("llvm", "isel", made.plain_ll, True),
        Pair("own", "isel-own", made.own_ir.before, True),
    )
    return Sources(pairs, (("halide", made.own.object),), made.signature)


def _untouched(text: str, file: str) -> Rewritten:
    return Rewritten(text, text, ModuleReport(file), text)


def code_of(pair: Pair, text: str, target: HalideTarget) -> Compiled:
    """Return the code of a module of a pair; raises :class:`isel.errors.IselError` where LLVM
    generates none.
    """
    with LlvmWorker() as worker:
        model = Model(target, worker)
        return model.best(text) if pair.pipeline else model.plain(text)


def same_code(first: Compiled, second: Compiled) -> bool:
    """Tell whether the machine code of two modules is the same."""
    return _unnamed(first.assembly) == _unnamed(second.assembly)


def _unnamed(assembly: str) -> str:
    return re.sub(r"^\s*\.(file|ident)\b.*\n", "", assembly, flags=re.MULTILINE)
