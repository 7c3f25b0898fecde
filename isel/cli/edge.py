"""Where everything ends: errors become one line, bugs a reproducer folder, signals a quiet exit."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from isel import interrupts
from isel.cli.given import forget
from isel.errors import IselError, at_the_edge, file_problem

OK: Final = 0
USER_ERROR: Final = 1
REFUTED: Final = 2
NOT_PROVED: Final = 3
BUG: Final = 70
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141


def guard(argv: Sequence[str] | None) -> int:
    """Run the command of ``argv`` (default: of this process); no exception leaves this function."""
    words = list(sys.argv[1:] if argv is None else argv)
    forget()
    with interrupts.answered():
        try:
            code = _run(words)
            sys.stdout.flush()
            interrupts.settle()
        except KeyboardInterrupt:
            code = _say("isel: interrupted", INTERRUPTED)
        except BrokenPipeError:
            code = BROKEN_PIPE
        except IselError as error:
            code = _say(at_the_edge(error), USER_ERROR)
        except MemoryError:
            code = _say("isel: error: out of memory", USER_ERROR)
        except OSError as error:
            code = _say(at_the_edge(file_problem(_culprit(error), error)), USER_ERROR)
        except RecursionError:
            code = _say("isel: error: the input is nested too deeply", USER_ERROR)
        # Python wraps an interrupt that comes while it makes a class in another exception
        except Exception as error:
            stopped = interrupts.interrupted()
            code = _say("isel: interrupted", INTERRUPTED) if stopped else _bug(error, words)
    return _close(code)


def _culprit(error: OSError) -> str:
    """Say which file an error of the operating system is about; what is written without a name
    are standard streams.
    """
    if error.filename:
        return str(error.filename)
    of_streams = (errno.ENOSPC, errno.EBADF, errno.EIO, errno.EFBIG, errno.EDQUOT)
    return "a standard stream" if error.errno in of_streams else "system"


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


def _say(text: str, code: int) -> int:
    try:
        print(text, file=sys.stderr)
    except OSError:
        return code
    return code


def _close(code: int) -> int:
    """Flush what can be flushed, so that the interpreter does not complain about a closed pipe
    at exit.
    """
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return code or BROKEN_PIPE
    return code


def _bug(error: Exception, words: Sequence[str]) -> int:
    """Leave a reproducer and name it in one line."""
    import traceback

    from isel.cli.reproducer import reproducer

    what = " ".join(f"{type(error).__name__}: {error}".split())
    left = reproducer(
        words, "".join(traceback.format_exception(error)), getattr(error, "__notes__", ())
    )
    return _say(f"isel: bug: {what}; {left}", BUG)


def leave(code: int) -> NoReturn:
    """End the process at once, with everything written: tearing down solvers and LLVM takes longer
    than many commands.

    It also keeps Python from answering an interrupt, which was dealt with, by ending itself with a
    signal.
    """
    if "isel.workers" in sys.modules:
        from isel.workers import settle_log

        settle_log()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            code = code or BROKEN_PIPE
    os._exit(code)
