"""A compile on its way, and the command lines of its two steps."""

from __future__ import annotations

import os

from isel.cli.launcher.classify import Compile
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.light import Record
from isel.cli.launcher.recorded import record
from isel.cli.launcher.remarks import LOCATED, Wanted


class Failed(Exception):
    """The plain compile must do; whether the front end has said all that it has to say."""

    def __init__(self, reason: str, *, quiet: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.quiet = quiet


class Job(Record):
    """A compile on its way: the compiler, its version, the folder beside the object for what is
    made on the way, and remarks that are wanted.
    """

    compiler: Compiler
    arguments: tuple[str, ...]
    version: int
    what: Compile
    folder: str
    remarks: Wanted | None = None

    @property
    def ir(self) -> str:
        """The user's IR."""
        return os.path.join(self.folder, f"{self.what.stem}.ll")

    @property
    def rewritten(self) -> str:
        """What the rewriter writes: IR, or the object where the compiler does not read that."""
        return os.path.join(self.folder, "isel.out")

    @property
    def notes(self) -> str:
        """What the rewriter knows for remarks."""
        return os.path.join(self.folder, "isel.remarks")

    @property
    def object(self) -> str:
        """The object, or assembly."""
        return os.path.join(
            self.folder, "isel.o" if self.what.kept is None else os.path.basename(self.what.output)
        )


def front(job: Job) -> list[str]:
    """Return the first step: source to IR, with the dependency file, and with everything that
    the compiler has to say.
    """
    order = ("-Xclang", "-emit-llvm-uselists")  # code depends on the orders of uses
    kind = ("-S", "-emit-llvm")
    # it loses the IR where it writes a dependency file, and links what is no object where it writes
    # none
    if job.compiler.is_zig:
        kind = (
            "-Qunused-arguments",
            *(("-Xclang", "-emit-llvm", "-c") if {"-MD", "-MMD"} & set(job.what.front) else kind),
        )
    located = () if job.remarks is None else (LOCATED,)
    words = [*job.compiler.words, *job.what.front, *located, *kind, *order]
    words += ["-o", job.ir, job.what.source]
    said = os.path.join(job.folder, "isel.said")
    return words + (record(job.compiler.own, job.arguments, said) if job.what.recorded else [])


def back(job: Job, ir: str) -> list[str]:
    """Return the second step: IR to object, no pass between them; it does not say again what clang
    19 says of a CPU with AVX10 in each step.
    """
    mode = "-S" if job.what.assembly else "-c"
    said = ("-Wno-unknown-warning-option", "-Wno-invalid-feature-combination")
    own = ("-Qunused-arguments", "-Xclang", "-disable-llvm-passes", mode, "-o", job.object, ir)
    return [*job.compiler.words, *job.what.back, *said, *own]
