"""Where everything ends: errors become one line, bugs a reproducer folder, signals a quiet exit."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from isel import interrupts
from isel.errors import IselError, at_the_edge, file_problem

OK: Final = 0
USER_ERROR: Final = 1
REFUTED: Final = 2
NOT_PROVED: Final = 3
BUG: Final = 70
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def guarded(argv: Sequence[str] | None) -> int:
    """Run the command of ``argv`` (default: of this process); no exception leaves this function."""
    words = list(sys.argv[1:] if argv is None else argv)
    handlers = {number: signal.signal(number, interrupts.answer) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGALRM)}
    hook, sys.unraisablehook = sys.unraisablehook, _ignored
    try:
        code = _run(words)
        sys.stdout.flush()
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        code = _say("isel: interrupted", INTERRUPTED)
    except BrokenPipeError:
        code = BROKEN_PIPE
    except IselError as error:
        code = _say(at_the_edge(error), USER_ERROR)
    except MemoryError:
        code = _say("isel: error: out of memory", USER_ERROR)
    except OSError as error:
        code = _say(at_the_edge(file_problem(str(error.filename or "system"), error)), USER_ERROR)
    except RecursionError:
        code = _say("isel: error: the input is nested too deeply", USER_ERROR)
    except Exception as error:
        code = _bug(error, words)
    finally:
        interrupts.forget()
        for number, handler in handlers.items():
            signal.signal(number, handler)
        sys.unraisablehook = hook
    return _closed(code)


def _run(words: list[str]) -> int:
    from isel.cli.parser import parse_arguments

    command = parse_arguments(words)
    if command is None:
        return OK
    _start_log()
    return command()


def _start_log() -> None:
    import logging

    from isel.workers import LOG

    class Line(logging.Formatter):
        """One line a record, as compilers write them."""

        def format(self, record: logging.LogRecord) -> str:
            return f"isel: {record.levelname.lower()}: {record.getMessage()}"

    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.set_name(LOG)
    handler.setFormatter(Line())
    logging.basicConfig(level=logging.WARNING, handlers=[handler])


def _ignored(lost: sys.UnraisableHookArgs) -> None:
    """Say nothing once an interrupt came: it may have left half-made objects, whose ends fail."""
    if not interrupts.interrupted():
        sys.__unraisablehook__(lost)


def _say(text: str, code: int) -> int:
    try:
        print(text, file=sys.stderr)
    except OSError:
        return code
    return code


def _closed(code: int) -> int:
    """Flush what can be flushed, so that the interpreter does not complain about a closed pipe at exit."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return code or BROKEN_PIPE
    return code


def _bug(error: Exception, words: Sequence[str]) -> int:
    """Leave a folder with input, command and trace, and name it in one line."""
    import tempfile

    what = " ".join(f"{type(error).__name__}: {error}".split())
    try:
        folder = Path(tempfile.mkdtemp(prefix="isel-bug-"))
        _describe(folder, error, words)
    except OSError as problem:
        return _say(f"isel: bug: {what} (and no reproducer could be written: {problem.strerror})", BUG)
    return _say(f"isel: bug: {what}; the reproducer is in {folder}, please report it", BUG)


def _describe(folder: Path, error: Exception, words: Sequence[str]) -> None:
    import shlex
    import shutil
    import traceback

    from isel.cli.versions import version_text

    (folder / "command.txt").write_text(shlex.join(["isel", *words]) + "\n")
    (folder / "trace.txt").write_text("".join(traceback.format_exception(error)))
    for word in words:
        if Path(word).is_file():
            shutil.copyfile(word, folder / Path(word).name)
    for note in getattr(error, "__notes__", ()):
        with (folder / "query.smt2").open("a") as out:
            out.write(note + "\n")
    try:
        (folder / "versions.txt").write_text(version_text())
    except Exception as problem:
        (folder / "versions.txt").write_text(f"not known: {problem}\n")


def leave(code: int) -> NoReturn:
    """End the process at once, with everything written: tearing down solvers and LLVM takes longer than many commands.

    It also keeps Python from answering an interrupt, which was dealt with, by ending itself with a signal.
    """
    from isel.workers import settle_log

    settle_log()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or BROKEN_PIPE
    os._exit(code)
