"""``isel-cc CC ARGS…``: compile in two steps with the rewriter between them, or leave
everything to the compiler.
"""

from __future__ import annotations

import gc
import os
import sys

from isel.cli.launcher import children, counters
from isel.cli.launcher.classify import Compile, Unchanged, classify
from isel.cli.launcher.compiler import Compiler, clang_version, compiler_in
from isel.cli.launcher.light import Record, suppress
from isel.cli.launcher.notices import name_other
from isel.cli.launcher.recorded import record
from isel.cli.launcher.settings import wrong_flags
from isel.cli.launcher.vectors import SCALABLE, has_vectors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, NoReturn

OLDEST: Final = 14  # the oldest clang whose IR is read
READING: Final = 15  # the oldest clang that reads what is written
NEWEST: Final = 22  # the newest clang whose IR is read
_ORDER: Final = b"uselistorder"
_FRAME: Final = b"stack frame size ("
_USAGE: Final = """\
usage: isel-cc COMPILER ARGS…     compile as COMPILER does, vector code rewritten on the way
       isel-cc isel-clang ARGS…   the same with the clang of isel[clang]; isel-clang++ for C++
       isel-cc --show-stats       what was done since the counters were last zeroed
       isel-cc --zero-stats

environment: ISEL_DISABLE=1, ISEL_LOG=FILE, ISEL_FLAGS (as '--effort=0 --time-limit=60'), ISEL_CACHE
"""


class _Failed(Exception):
    """The plain compile must do; whether the front end has said all that it has to say."""

    def __init__(self, reason: str, *, quiet: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.quiet = quiet


class _Job(Record):
    """A compile on its way: the compiler, its version, and the folder beside the object for
    what is made on the way.
    """

    compiler: Compiler
    arguments: tuple[str, ...]
    version: int
    what: Compile
    folder: str

    @property
    def ir(self) -> str:
        """The user's IR."""
        return os.path.join(self.folder, f"{self.what.stem}.ll")

    @property
    def rewritten(self) -> str:
        """What the rewriter writes: IR, or the object where the compiler does not read that."""
        return os.path.join(self.folder, "isel.out")

    @property
    def object(self) -> str:
        """The object, or assembly."""
        return os.path.join(
            self.folder, "isel.o" if self.what.kept is None else os.path.basename(self.what.output)
        )


def launch(words: list[str]) -> NoReturn:
    """Do what a command line asks for and end or replace the process."""
    gc.disable()  # a short run
    if words and (len(words) == 1 and words[0] in ("--show-stats", "--zero-stats", "--help")):
        _obey(words[0])
    compiler, arguments = compiler_in(words)
    if compiler is None:
        _end(
            "isel-cc: error: no compiler: none was named, and there is neither clang nor the "
            "package 'isel[clang]'",
            1,
        )
    environment = os.environ
    if environment.get("ISEL_DISABLE", "0") not in ("", "0"):
        _become(compiler, arguments)
    try:
        what = _understand(compiler, arguments, environment)
        if isinstance(what, _Job):
            os._exit(_compile(what))
        reason = f"unchanged: {what.reason}"
    except children.Interrupted as signal:
        children.die_of(signal.number)
    except _Failed as failure:
        reason, arguments = (
            f"fallback: {failure.reason}",
            [*arguments, "-w"] if failure.quiet else arguments,
        )
    except Exception as bug:  # whatever it is, it is ours
        reason = f"fallback: {type(bug).__name__}: {bug}"
    counters.add({reason: 1}, environment)
    counters.log(reason)
    _become(compiler, arguments)


def _obey(word: str) -> NoReturn:
    try:
        if word == "--help":
            sys.stdout.write(_USAGE)
        elif word == "--show-stats":
            counters.show(os.environ)
        else:
            counters.zero(os.environ)
        sys.stdout.flush()
    except OSError as error:
        _end(
            f"isel-cc: error: {error.filename or 'standard output'}: "
            f"{(error.strerror or str(error)).lower()}",
            1,
        )
    os._exit(0)


def _understand(
    compiler: Compiler, arguments: list[str], environment: Mapping[str, str]
) -> _Job | Unchanged:
    what = classify(arguments, environment)
    if isinstance(what, Unchanged):
        return what
    version = clang_version(compiler, environment)
    if not OLDEST <= version <= NEWEST:
        name_other(compiler.own[0], version, arguments, environment)
        return Unchanged(f"clang {version}" if version else "another compiler")
    if what.recorded and compiler.is_zig:  # it records names of temporary files
        return Unchanged(what.recorded)
    if os.path.lexists(what.output) and (
        os.path.islink(what.output) or not os.path.isfile(what.output)
    ):
        return Unchanged("the output is no plain file")
    folder = os.path.join(
        os.path.dirname(what.output),
        f".{os.path.basename(what.output)}.isel-{os.getpid()}-{os.urandom(4).hex()}",
    )
    return _Job(compiler, tuple(arguments), version, what, folder)


def _compile(job: _Job) -> int:
    """Compile and return the compiler's exit code; raises :class:`_Failed` and
    :class:`children.Interrupted`, nothing half made left behind.
    """
    quiet = False
    try:
        children.answer_signals()
        os.mkdir(job.folder, 0o700)
        code = children.run(_front(job))
        if code == 1:  # what is wrong with the source was said
            _remove_output(job.what)
            counters.add({"files": 1}, os.environ)
            counters.log(f"{job.what.output}: the compiler failed")
            return 1
        if code:
            raise _Failed("the front end ended badly", quiet=False)
        quiet = not job.what.recorded  # a flag more would be recorded
        _finish(job)
    except OSError as error:
        raise _Failed((error.strerror or str(error)).lower(), quiet=quiet) from None
    finally:
        with children.Held():
            _clean(job.folder)
    return 0


def _front(job: _Job) -> list[str]:
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
    words = [*job.compiler.words, *job.what.front, *kind, *order, "-o", job.ir, job.what.source]
    said = os.path.join(job.folder, "isel.said")
    return words + (record(job.compiler.own, job.arguments, said) if job.what.recorded else [])


def _back(job: _Job, ir: str) -> list[str]:
    """Return the second step: IR to object, no pass between them."""
    mode = "-S" if job.what.assembly else "-c"
    return [
        *job.compiler.words,
        *job.what.back,
        "-Qunused-arguments",
        "-Xclang",
        "-disable-llvm-passes",
        mode,
        "-o",
        job.object,
        ir,
    ]


def _finish(job: _Job) -> None:
    """Make the object of the IR and put it in its place."""
    started = _count_spent()
    counts = {"files": 1}
    done = ""
    if not _has_vectors(job.ir, counts):
        counts["scalar"] = 1
    elif job.version < READING and (job.what.own or job.what.assembly):
        counts[f"kept: clang {job.version} with {job.what.own or '-S'}"] = 1
    else:
        done = _rewritten(job, counts)
    counts["milliseconds"] = round(1000 * (_count_spent() - started))
    if done == "object":
        os.replace(job.rewritten, job.object)
    elif done != "text" or not _is_accepted(job, counts):
        _compile_own(job)
    _deliver(job)
    counters.add(counts, os.environ)
    counters.log(f"{job.what.output}: " + ", ".join(f"{n} {name}" for name, n in counts.items()))


def _compile_own(job: _Job) -> None:
    """Make the object of the compiler's own IR."""
    errors = os.path.join(job.folder, "isel.errors")
    if children.run(_back(job, job.ir), errors=errors):
        raise _Failed("no object of the compiler's own IR", quiet=not job.what.recorded)
    _say(errors)


def _count_spent() -> float:
    """Return the processor seconds of this process and its ended children: in a parallel build a
    clock counts what others do.
    """
    return sum(os.times()[:4])


def _has_vectors(path: str, counts: dict[str, int]) -> bool:
    """Tell whether IR has vectors of integers.  Orders of uses of constants, which clang does not
    always read as it writes them, are taken out of the file.
    """
    with open(path, "rb") as file:
        text = file.read()
    if b"\n" + _ORDER in text:
        lines = (x for x in text.splitlines(keepends=True) if not x.startswith(_ORDER))
        text = b"".join(lines)
        with open(path, "wb") as file:
            file.write(text)
    if SCALABLE in text:
        counts["kept: scalable vectors: compile with +nosve"] = 1
    return has_vectors(text)


def _rewritten(job: _Job, counts: dict[str, int]) -> str:
    """Run the rewriter; return ``text`` or ``object`` for what it wrote, nothing where it
    changed or could do nothing.
    """
    said, answer = (os.path.join(job.folder, name) for name in ("isel.said", "isel.answer"))
    version = job.version if job.version >= READING else 0
    code = children.run_forked(lambda: _rewrite(job, version, answer), said=said)
    if code:
        counts[_why_kept(job, code, said)] = 1
        return ""
    with open(answer, encoding="utf-8", errors="replace") as file:
        for line in file:
            n, _, name = line.rstrip("\n").partition(" ")
            if n.isdigit():
                counts[name] = int(n)
            else:  # why a function is as it was
                counters.log(f"{job.what.output}: {line.strip()}")
    if not counts.get("rewritten"):
        return ""
    counts["rewritten files"] = 1
    return "text" if version else "object"


def _why_kept(job: _Job, code: int, said: str) -> str:
    """Say why the rewriter did nothing, and log its last words, which are in the file ``said``."""
    if wrong_flags(os.environ.get("ISEL_FLAGS", ""), job.arguments, os.environ):
        return "kept: ISEL_FLAGS"
    with open(said, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    last = next((x for x in reversed(lines) if x.strip()), "it said nothing")
    counters.log(f"{job.what.output}: the rewriter ended with {code}: {last}")
    return "kept: the rewriter failed"


def _rewrite(job: _Job, version: int, answer: str) -> int:
    from isel.cli.launcher.rewriter import Order, rewrite

    counts, reasons = rewrite(
        Order(
            job.ir,
            job.rewritten,
            job.what.source,
            version,
            job.what.level,
            os.environ.get("ISEL_FLAGS", ""),
        )
    )
    with open(answer, "w", encoding="utf-8", errors="replace") as out:
        out.writelines(f"{n} {name}\n" for name, n in counts.items())
        out.writelines(f"{line}\n" for line in reasons)
    return 0


def _is_accepted(job: _Job, counts: dict[str, int]) -> bool:
    """Have the compiler make the object of the rewritten text, which replaces the user's IR
    unless the compiler fails on it.
    """
    errors = os.path.join(job.folder, "isel.errors")
    text = os.path.join(job.folder, "isel", f"{job.what.stem}.ll")
    os.mkdir(os.path.dirname(text))
    os.replace(job.rewritten, text)
    if not children.run(_back(job, text), errors=errors):
        _say(errors)
        return True
    with open(errors, encoding="utf-8", errors="replace") as file:
        counters.log(
            f"{job.what.output}: clang {job.version} on rewritten text: {file.readline().strip()}"
        )
    counts[f"kept: clang {job.version} refused the rewritten text"] = 1
    counts.pop("rewritten files")
    counts.pop("rewritten")
    return False


def _say(path: str) -> None:
    """Pass on what a step said; raises :class:`_Failed` for what only the plain compile says in its
    own words, and may take for an error: a step from IR knows neither lines nor ``-Werror``.
    """
    with open(path, "rb") as file:
        said = file.read()
    if _FRAME in said:
        raise _Failed("a stack frame over its limit", quiet=False)
    if said:
        os.write(2, said)


def _deliver(job: _Job) -> None:
    """Move what was made to its place, the object last."""
    if job.what.kept is not None:
        for name in os.listdir(job.folder):
            stem, _, suffix = name.partition(f"{job.what.stem}.")
            if (
                not stem
                and suffix in ("i", "ii", "s", "bc", "tmp.bc")
                and os.path.join(job.folder, name) != job.object
            ):
                os.replace(
                    os.path.join(job.folder, name),
                    os.path.join(job.what.kept, f"{job.what.stem}.{suffix.removeprefix('tmp.')}"),
                )
    os.replace(job.object, job.what.output)


def _remove_output(what: Compile) -> None:
    """Remove an object of an earlier compile, as clang does where it fails."""
    if what.kept is None:
        with suppress(OSError):
            os.unlink(what.output)


def _clean(folder: str) -> None:
    for inner in (os.path.join(folder, "isel"), folder):
        with suppress(OSError):
            for name in os.listdir(inner):
                with suppress(OSError):
                    os.unlink(os.path.join(inner, name))
            os.rmdir(inner)


def _become(compiler: Compiler, arguments: list[str]) -> NoReturn:
    try:
        children.become([*compiler.words, *arguments])
    except OSError as error:
        _end(f"isel-cc: error: {compiler.words[0]}: {(error.strerror or str(error)).lower()}", 1)


def _end(text: str, code: int) -> NoReturn:
    with suppress(OSError):
        os.write(2, f"{text}\n".encode(errors="surrogateescape"))
    os._exit(code)
