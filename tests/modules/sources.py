"""The modules of the benchmark's kernels for one CPU: Halide's generic IR, the IR of Halide's own
back end, and C by clang -O3; for AArch64, whose objects run in an emulator, C only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from bench.emulated import c_driver
from bench.harness.clang import cpu_name, ir_with
from bench.harness.measure import Code, Task, check
from bench.harness.sources import sources
from bench.kernel import Kernel
from frontends.halide.package import Signature
from frontends.halide.targets import HalideTarget
from frontends.llvm.linked.binding import object_code
from frontends.llvm.linked.worker import LlvmWorker, WorkerFailed
from isel.errors import IselError
from isel.timing import Plan
from semantics import isa_named
from semantics.emulated import Emulated
from semantics.execution import NotRun

_REGISTRY: Final = "bench.kernels"
_SEED: Final = 2024
_UNTIMED: Final = Plan(1, 1)


@dataclass(frozen=True, slots=True)
class Source:
    """A module, ``kernel.version`` by name, and how its kernel is called."""

    kernel: Kernel
    version: str
    text: str
    target: HalideTarget
    signature: Signature | None

    @property
    def name(self) -> str:
        """The name in reports and of files."""
        return f"{self.kernel.name}.{self.version}"

    def wrong(self, made: Path, seconds: float = 60) -> str:
        """Link an object with the benchmark's runner, run it on the benchmark's inputs, and
        return the first difference from numpy, empty where there is none.
        """
        if self.target.name == "arm":
            return _difference_emulated(self, made)
        codes = (Code("it", str(made)),)
        task = Task(
            _REGISTRY, self.kernel.name, codes, self.signature, self.target, _SEED, _UNTIMED
        )
        with LlvmWorker(seconds=seconds) as worker:
            found = worker.run(partial(_difference, task))
        return f"it ends its process: {found.reason}" if isinstance(found, WorkerFailed) else found


def _difference(task: Task) -> str:
    try:
        check(task)
    except IselError as problem:
        return problem.message()
    return ""


def _difference_emulated(module: Source, made: Path) -> str:
    """The same in an emulator."""
    kernel, target = module.kernel, module.target
    emulated = isa_named("arm").executor()
    assert isinstance(emulated, Emulated)
    given = kernel.inputs(np.random.default_rng(_SEED))
    arrays = [*given, kernel.empty_output()]
    with LlvmWorker() as worker, tempfile.TemporaryDirectory() as folder:
        found = emulated.output(
            c_driver(kernel.entry, arrays, 1),
            b"".join(a.tobytes() for a in given),
            arrays[-1].nbytes,
            worker,
            Path(folder),
            cpu=target.cpu,
            features=target.features,
            beside=made.read_bytes(),
        )
    if isinstance(found, NotRun):
        return found.reason
    same = found == np.ascontiguousarray(kernel.reference(given)).tobytes()
    return "" if same else "differs from numpy"


def plain_object(module: Source) -> bytes:
    """Return a module's object as LLVM 22 makes it, without a rewrite."""
    cpu, features = module.target.cpu, module.target.features
    return object_code(module.text, triple="", cpu=cpu, features=features, level=2)


def sources_of(kernels: Sequence[Kernel], target: HalideTarget) -> Iterator[Source]:
    """Yield the modules of kernels; C for 512-bit vectors only where the CPU has them."""
    if target.name == "arm":
        flags = ["-target", "aarch64-linux-musl", f"-mcpu={cpu_name(target.cpu)}"]
        for kernel in (k for k in kernels if k.kind == "c"):
            yield Source(kernel, "clang", ir_with(kernel.source, flags), target, None)
        return
    for kernel in kernels:
        made = sources(kernel, target, 0)
        for pair in made.pairs:
            if not (pair.base == "clang-512" and target.vector_bits < 512):
                yield Source(kernel, pair.base, pair.text, target, made.signature)
