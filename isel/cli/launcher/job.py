"""A compile on its way, and the command lines of its two steps."""

from __future__ import annotations

import os

from isel.cli.launcher.classify import Compile
from isel.cli.launcher.compiler import Compiler
from isel.cli.launcher.light import Record
from isel.cli.launcher.recorded import record
from isel.cli.launcher.remarks import LOCATED, Wanted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from isel.cli.launcher.objects import Request


class Failed(Exception):
    """The plain compile must do; whether the front end has said all that it has to say."""

    def __init__(self, reason: str, *, quiet: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.quiet = quiet


class Job(Record):
    """A compile on its way: the compiler, its version, the folder beside the object for what is
    made on the way, remarks that are wanted, and where its object is kept, None where it is made
    each time.
    """

    compiler: Compiler
    arguments: tuple[str, ...]
    version: int
    what: Compile
    folder: str
    remarks: Wanted | None = None
    request: Request | None = None

    @property
    def dependencies(self) -> str:
        """Where the compiler is to write the dependency file, nothing where it is to write none."""
        words = self.what.front
        if not {"-MD", "-MMD"} & set(words):
            return ""
        last = next(k for k in reversed(range(len(words))) if words[k].startswith("-MF"))
        return words[last][3:] or words[last + 1]

    @property
    def own_dependencies(self) -> str:
        """Where it writes that file, or one for us."""
        return os.path.join(self.folder, "isel.d")

    @property
    def front_said(self) -> str:
        """What the first step has to say, where that is kept."""
        return os.path.join(self.folder, "isel.front")

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
    watching = () if job.request is None else _watching(job)
    words = [*job.compiler.words, *job.what.front, *watching, *located, *kind, *order]
    words += ["-o", job.ir, job.what.source]
    said = os.path.join(job.folder, "isel.said")
    return words + (record(job.compiler.own, job.arguments, said) if job.what.recorded else [])


def _watching(job: Job) -> list[str]:
    """Return flags by which the compiler says what it reads, and speaks to a file as it would to
    the terminal.
    """
    words = ["-MF", job.own_dependencies]
    if not job.dependencies:
        words += ["-MD", "-MT", "isel"]
    if os.isatty(2) and os.environ.get("TERM", "dumb") != "dumb":
        words.insert(0, f"-fmessage-length={os.get_terminal_size(2).columns}")
        if not any("color" in w for w in job.what.front):
            words.insert(0, "-fcolor-diagnostics")
    return words


def back(job: Job, ir: str) -> list[str]:
    """Return the second step: IR to object, no pass between them."""
    mode = "-S" if job.what.assembly else "-c"
    own = ("-Qunused-arguments", "-Xclang", "-disable-llvm-passes", mode, "-o", job.object, ir)
    return [*job.compiler.words, *job.what.back, *own]
