"""The only module that imports the ``halide`` package: pipelines in, text and object code out."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final, Protocol, TypeAlias

from isel.errors import IselError, UnknownName, UsageProblem

PipelineFunction: TypeAlias = Callable[[], object]  # or a generator class

LEAN: Final = ("no_asserts", "no_bounds_query")


class Code(Protocol):
    """A ``Pipeline`` of the package, as it is compiled."""

    def compile_to(
        self,
        outputs: Mapping[object, str],
        arguments: Sequence[object],
        fn_name: str,
        target: object,
    ) -> None:
        """Write files, by kind of output."""
        ...


class HalideProblem(IselError):
    """A pipeline that Halide does not compile, or a function that returns none."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a compiled pipeline.

    ``dtype`` is numpy's name of its type, or ``bfloat16`` or ``handle``, which numpy does not have;
    ``dimensions`` is 0 for scalars; ``output`` buffers are written.
    """

    name: str
    dtype: str
    dimensions: int
    output: bool = False
    scalar: bool = False

    @property
    def in_numpy(self) -> bool:
        """Tell whether numpy has its type."""
        return not self.dtype.startswith(("bfloat", "handle"))


@dataclass(frozen=True, slots=True)
class Signature:
    """A compiled pipeline's name and its arguments in the order of the call, outputs last."""

    name: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """What Halide makes of a pipeline for one target; ``assembly`` and ``object`` are empty where
    only IR was asked for.
    """

    text: str
    header: str
    assembly: str
    object: bytes


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a recipe makes, checked; ``code`` and ``arguments`` (the inputs) are the package's
    own objects.
    """

    signature: Signature
    code: Code
    arguments: tuple[object, ...]


def halide() -> ModuleType:
    """Return the package; raise :class:`UsageProblem` where it is missing."""
    try:
        return import_module("halide")
    except ImportError as problem:
        if problem.name not in (None, "halide"):
            raise
        raise UsageProblem(
            "the package 'halide' is missing, install it with: pip install 'isel[halide]'"
        ) from None


def compile_pipeline(
    pipeline: Pipeline, target: str, flags: Sequence[str] = (), *, code: bool = True
) -> Compiled:
    """Compile for a Halide target with more Halide features, to IR alone without ``code``; raises
    :class:`HalideProblem` with Halide's reason.
    """
    package, name = halide(), pipeline.signature.name
    _check_features(flags, package)
    kind = package.OutputFileType
    files = {kind.llvm_assembly: "m.ll", kind.c_header: "m.h"}
    if code:
        files |= {kind.assembly: "m.s", kind.object: "m.o"}
    with tempfile.TemporaryDirectory(prefix="isel-halide-") as folder:
        paths = {k: str(Path(folder, v)) for k, v in files.items()}
        try:
            made = package.Target("-".join([target, *flags, "no_runtime"]))
            pipeline.code.compile_to(paths, list(pipeline.arguments), name, made)
        except package.HalideError as problem:
            raise HalideProblem(f"Halide does not compile '{name}': {line_of(problem)}") from None
        read = {k: Path(path).read_bytes() for k, path in paths.items()}
    text, header = (read[k].decode() for k in (kind.llvm_assembly, kind.c_header))
    assembly = read.get(kind.assembly, b"").decode()
    return Compiled(text, _guarded(header, name), assembly, read.get(kind.object, b""))


def _guarded(header: str, name: str) -> str:
    """Name a header's guard for its pipeline instead of for the temporary file."""
    found = re.match(r"#ifndef (\w+)\n", header)
    return header.replace(found[1], f"HALIDE_{name.upper()}_H") if found else header


def natural_bytes(target: str) -> int:
    """Return the bytes of a vector that schedules for a Halide target are written in."""
    package = halide()
    return int(package.Target(target).natural_vector_size(package.UInt(8)))


def runtime_object(target: str) -> bytes:
    """Return Halide's run-time library for a Halide target as an object file."""
    package = halide()
    with tempfile.TemporaryDirectory(prefix="isel-halide-") as folder:
        path = Path(folder, "runtime.o")
        try:
            package.compile_standalone_runtime(str(path), package.Target(target))
        except package.HalideError as problem:
            what = f"Halide makes no run-time library for '{target}': {line_of(problem)}"
            raise HalideProblem(what) from None
        return path.read_bytes()


def _check_features(flags: Sequence[str], package: ModuleType) -> None:
    """Raise :class:`isel.errors.UnknownName` for what is no feature of a Halide target."""
    for flag in flags:
        try:
            package.Target(f"host-{flag}")
        except package.HalideError:
            names = package.TargetFeature.__members__
            known = (re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower() for name in names)
            raise UnknownName("Halide feature", flag, tuple(known)) from None


def line_of(problem: Exception) -> str:
    """Return what an exception says in one line, without Halide's prefix."""
    text = " ".join(str(problem).split()).removeprefix("Error:").strip()
    return text or type(problem).__name__
