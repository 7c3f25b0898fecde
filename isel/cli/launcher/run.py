"""``isel-cc CC ARGS…``: compile in two steps with the rewriter between them, or leave
everything to the compiler.
"""

from __future__ import annotations

import gc
import os
import sys

from isel.cli.launcher import ccache, children, counters
from isel.cli.launcher.classify import Unchanged, classify
from isel.cli.launcher.compiler import Compiler, clang_version, compiler_in
from isel.cli.launcher.job import Failed, Job, back, front
from isel.cli.launcher.light import suppress
from isel.cli.launcher.notices import name_other, say_once
from isel.cli.launcher.remarks import tell, wanted_remarks
from isel.cli.launcher.rewriting import READING, holds_vectors, order_of, rewritten

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final, NoReturn

OLDEST: Final = 14  # the oldest clang whose IR is read
NEWEST: Final = 22  # the newest clang whose IR is read
_SEVERAL: Final = ("several sources", "not a compile")  # why a command may be several
_FRAME: Final = b"stack frame size ("
_USAGE: Final = """\
usage: isel-cc COMPILER ARGS…     compile as COMPILER does, vector code rewritten on the way
       isel-cc COMPILER --ccache-key   what ccache's check of the compiler is to hash
       isel-cc isel-clang ARGS…   the same with the clang of isel[clang]; isel-clang++ for C++
       isel-cc bisect -- COMMAND…      find the rewrite that lets COMMAND fail (which builds, too)
       isel-cc --show-stats       what was done since the counters were last zeroed
       isel-cc --zero-stats

environment: ISEL_DISABLE=1, ISEL_LOG=FILE, ISEL_FLAGS (as '--effort=1 --time-limit=60'),
ISEL_CACHE, ISEL_REMOTE_CACHE=http://HOST:PORT, ISEL_JOURNAL=off, ISEL_SERVER=off,
ISEL_REMARKS=DIR, ISEL_HOT=FILE
"""


def launch(words: list[str]) -> NoReturn:
    """Do what a command line asks for and end or replace the process."""
    gc.disable()  # a short run
    if words and (len(words) == 1 and words[0] in ("--show-stats", "--zero-stats", "--help")):
        _obey(words[0])
    if words and words[0] == "bisect":
        from isel.cli.launcher.bisect import main

        os._exit(main(words[1:]))
    compiler, arguments = compiler_in(words)
    if compiler is None:
        _end(
            "isel-cc: error: no compiler: none was named, and there is neither clang nor the "
            "package 'isel[clang]'",
            1,
        )
    environment = os.environ
    _obey_early(compiler, arguments)
    try:
        what = _understand(compiler, arguments, environment)
        if isinstance(what, Unchanged) and what.reason in _SEVERAL:
            _compile_each(compiler, arguments)
        if isinstance(what, Job) and _is_for_ccache(compiler, arguments, words):
            what = Unchanged("ccache without --ccache-key")
        if isinstance(what, Job):
            os._exit(_compile(what))
        reason = f"unchanged: {what.reason}"
    except children.Interrupted as signal:
        children.die_of(signal.number)
    except Failed as failure:
        reason = f"fallback: {failure.reason}"
        arguments = [*arguments, "-w"] if failure.quiet else arguments
    except Exception as bug:  # whatever it is, it is ours
        reason = f"fallback: {type(bug).__name__}: {bug}"
    counters.add({reason: 1}, environment)
    counters.log(reason)
    _become(compiler, arguments)


def _obey_early(compiler: Compiler, arguments: list[str]) -> None:
    """Do what needs no look at what is asked for."""
    if arguments == [ccache.FLAG]:
        os.write(1, f"{ccache.key_of(compiler, os.environ)}\n".encode())
        os._exit(0)
    if os.environ.get("ISEL_DISABLE", "0") not in ("", "0"):
        _become(compiler, arguments)


def _is_for_ccache(compiler: Compiler, arguments: list[str], words: list[str]) -> bool:
    """Tell whether ccache would keep an object without knowing what it depends on, and say so."""
    named = len(arguments) < len(words)
    if not ccache.is_unasked(compiler, os.environ, named=named):
        return False
    say_once(ccache.WARNING, arguments, os.environ)
    return True


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
        what = error.filename or "standard output"
        _end(f"isel-cc: error: {what}: {(error.strerror or str(error)).lower()}", 1)
    os._exit(0)


def _understand(
    compiler: Compiler, arguments: list[str], environment: Mapping[str, str]
) -> Job | Unchanged:
    what = classify(arguments, environment)
    if isinstance(what, Unchanged):
        return what
    version = clang_version(compiler, environment)
    if not OLDEST <= version <= NEWEST:
        name_other(compiler.own[0], version, arguments, environment)
        return Unchanged(f"clang {version}" if version else "another compiler")
    if what.recorded and compiler.is_zig:  # it records names of temporary files
        return Unchanged(what.recorded)
    plain = os.path.isfile(what.output) and not os.path.islink(what.output)
    if os.path.lexists(what.output) and not plain:
        return Unchanged("the output is no plain file")
    folder = os.path.join(
        os.path.dirname(what.output),
        f".{os.path.basename(what.output)}.isel-{os.getpid()}-{os.urandom(4).hex()}",
    )
    remarks = wanted_remarks(what.remarks, environment)
    return Job(compiler, tuple(arguments), version, what, folder, remarks)


def _compile_each(compiler: Compiler, arguments: list[str]) -> None:
    """Do what is several compiles as these, and end the process."""
    from isel.cli.launcher.several import parts_of, run_parts

    parts = parts_of(arguments)
    if parts is None or not OLDEST <= clang_version(compiler, os.environ) <= NEWEST:
        return
    code = run_parts(parts, [*compiler.words], launch)
    if code < 0:
        children.die_of(-code)
    os._exit(code)


def _compile(job: Job) -> int:
    """Compile and return the compiler's exit code; raises :class:`Failed` and
    :class:`children.Interrupted`, nothing half made left behind.
    """
    quiet = False
    try:
        children.answer_signals()
        os.mkdir(job.folder, 0o700)
        plain = [*job.compiler.words, *job.arguments]
        code = children.run(plain if job.what.remarks else front(job))
        if code == 1:  # what is wrong with the source was said
            if job.what.kept is None:  # an object of an earlier compile goes, as with clang
                with suppress(OSError):
                    os.unlink(job.what.output)
            counters.add({"files": 1}, os.environ)
            counters.log(f"{job.what.output}: the compiler failed")
            return 1
        if code:
            raise Failed("the front end ended badly", quiet=False)
        quiet = not job.what.recorded  # a flag more would be recorded
        if job.what.remarks:
            _improve(job)
        else:
            _finish(job)
    except OSError as error:
        raise Failed((error.strerror or str(error)).lower(), quiet=quiet) from None
    finally:
        with children.Held():
            _clean(job.folder)
    return 0


def _improve(job: Job) -> None:
    """Replace the object that the compiler has made, with all its remarks, by a rewritten one."""
    try:
        if children.run(front(job), errors=os.path.join(job.folder, "isel.said")):
            raise Failed("the front end ended badly", quiet=True)
        _finish(job)
    except (OSError, Failed) as problem:
        counters.add({f"kept: {problem}": 1}, os.environ)
        counters.log(f"{job.what.output}: kept: {problem}")


def _finish(job: Job) -> None:
    """Make the object of the IR and put it in its place."""
    before = _count_spent()
    counts = {"files": 1}
    done = ""
    if not holds_vectors(job.ir, counts):
        counts["scalar"] = 1
    elif job.version < READING and (job.what.own or job.what.assembly):
        counts[f"kept: clang {job.version} with {job.what.own or '-S'}"] = 1
    else:
        done = rewritten(job, counts)
    spent = counts.get("milliseconds", 0)  # elsewhere
    counts["milliseconds"] = spent + round(1000 * (_count_spent() - before))
    _put(job, done, counts)
    if job.remarks is not None:
        kept = next((k for k in counts if k.startswith("kept: ")), "").removeprefix("kept: ")
        what = job.what
        tell(job.remarks, job.arguments, what.source, what.output, found=job.notes, kept=kept)
    counters.tell_of(job.what.output, counts)
    if counts.get("loaded the search"):
        from isel.cli.launcher.server import start

        start(order_of(job))


def _put(job: Job, done: str, counts: dict[str, int]) -> None:
    """Put the object of what the rewriter has done in its place, else that of the user's IR,
    unless the compiler has put its own there.
    """
    if done == "object":
        os.replace(job.rewritten, job.object)
    elif done != "text" or not _is_accepted(job, counts):
        if job.what.remarks:
            return
        _compile_own(job)
    _deliver(job)


def _compile_own(job: Job) -> None:
    """Make the object of the compiler's own IR."""
    errors = os.path.join(job.folder, "isel.errors")
    if children.run(back(job, job.ir), errors=errors):
        raise Failed("no object of the compiler's own IR", quiet=not job.what.recorded)
    _say(errors)


def _count_spent() -> float:
    """Return the processor seconds of this process and its ended children: in a parallel build a
    clock counts what others do.
    """
    return sum(os.times()[:4])


def _is_accepted(job: Job, counts: dict[str, int]) -> bool:
    """Have the compiler make the object of the rewritten text, which replaces the user's IR
    unless the compiler fails on it.
    """
    errors = os.path.join(job.folder, "isel.errors")
    text = os.path.join(job.folder, "isel", f"{job.what.stem}.ll")
    os.mkdir(os.path.dirname(text))
    os.replace(job.rewritten, text)
    if not children.run(back(job, text), errors=errors):
        _say(errors, aloud=not job.what.remarks)
        return True
    with open(errors, encoding="utf-8", errors="replace") as file:
        said = file.readline().strip()
    counters.log(f"{job.what.output}: clang {job.version} on rewritten text: {said}")
    counts[f"kept: clang {job.version} refused the rewritten text"] = 1
    counts.pop("rewritten files")
    counts.pop("rewritten")
    return False


def _say(path: str, *, aloud: bool = True) -> None:
    """Pass on what a step said; raises :class:`Failed` for what only the plain compile says in its
    own words, and may take for an error: a step from IR knows neither lines nor ``-Werror``.
    """
    with open(path, "rb") as file:
        said = file.read()
    if _FRAME in said:
        raise Failed("a stack frame over its limit", quiet=False)
    if said and aloud:
        os.write(2, said)


def _deliver(job: Job) -> None:
    """Move what was made to its place, the object last."""
    if job.what.kept is not None:
        for name in os.listdir(job.folder):
            stem, _, suffix = name.partition(f"{job.what.stem}.")
            path = os.path.join(job.folder, name)
            if not stem and suffix in ("i", "ii", "s", "bc", "tmp.bc") and path != job.object:
                new = f"{job.what.stem}.{suffix.removeprefix('tmp.')}"
                os.replace(path, os.path.join(job.what.kept, new))
    os.replace(job.object, job.what.output)


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
