"""From kernels to what is compared: modules of LLVM IR that isel rewrites, and code that others have made."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

from bench.harness.clang import ir_of
from bench.harness.kernels import Kernel
from frontends.halide.build import assembly_of, build
from frontends.halide.load import load_pipeline
from frontends.halide.package import Signature
from frontends.halide.targets import HalideTarget
from frontends.llvm import binding
from frontends.llvm.opt import Rewritten
from frontends.llvm.report import ModuleReport


@dataclass(frozen=True, slots=True)
class Pair:
    """A module that is measured as it is (``base``) and as isel rewrites it (``ours``), after LLVM's -O3 (``pipeline``) or not."""

    base: str
    ours: str
    text: str
    pipeline: bool


@dataclass(frozen=True, slots=True)
class Sources:
    """A kernel's modules, the objects of versions that do not pass through isel, and how a Halide pipeline is called."""

    pairs: tuple[Pair, ...]
    objects: tuple[tuple[str, bytes], ...] = ()
    signature: Signature | None = None


def sources(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    """Make the sources of a kernel; ``variant`` 1 is another schedule with vectors as wide.

    Raises :class:`isel.errors.IselError` for a kernel that Halide or clang does not compile.
    """
    return _c(kernel, target, variant) if kernel.kind == "c" else _halide(kernel, target, variant)


def _c(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    texts = (binding.normalise(ir_of(kernel.source, target.cpu, wide=w, variant=variant), f"{kernel.name}.ll") for w in (False, True))
    names = (("clang", "isel"), ("clang-512", "isel-512"))
    return Sources(tuple(Pair(*versions, text, False) for versions, text in zip(names, texts, strict=True)))


def _halide(kernel: Kernel, target: HalideTarget, variant: int) -> Sources:
    _, pipeline = load_pipeline(f"{kernel.source}:{kernel.entry}")
    scheduled = partial(cast("Callable[[int], object]", pipeline), variant)
    made = build(scheduled, target, _untouched, name=kernel.entry, compare=True)
    assert made.own is not None
    return Sources((Pair("llvm", "isel", made.plain_ll, True),), (("halide", made.own.object),), made.signature)


def _untouched(text: str, file: str) -> Rewritten:
    return Rewritten(text, text, ModuleReport(file))


def same_code(pair: Pair, rewritten: str, target: HalideTarget) -> bool:
    """Tell whether LLVM makes the same machine code of a module and of what isel made of it."""
    first, second = (_unnamed(assembly_of(text, target, optimise=pair.pipeline)) for text in (pair.text, rewritten))
    return first == second


def _unnamed(assembly: str) -> str:
    return re.sub(r"^\s*\.(file|ident)\b.*\n", "", assembly, flags=re.MULTILINE)
