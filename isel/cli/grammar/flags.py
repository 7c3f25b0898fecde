"""Parsers of commands, kinds of values, and flags that several commands have."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from isel.cli.examples import example
from isel.cli.passes import MECHANISMS, gather
from isel.errors import UsageProblem


class Parser(argparse.ArgumentParser):
    """An argument parser whose mistakes are :class:`isel.errors.UsageProblem`, with suggestions."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of exiting."""
        raise UsageProblem(f"{message} (see '{self.prog} --help')")

    def flags(self) -> tuple[str, ...]:
        """Return every flag this parser knows."""
        return tuple(self._option_string_actions)


def new_parser(prog: str, what: str) -> Parser:
    """Return the parser of a command, with the examples of its help."""
    return Parser(
        prog=prog,
        description=what,
        epilog=example(prog),
        allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def count(text: str) -> int:
    """Read a number from 1."""
    value = int(text)
    if value < 1:
        raise ValueError
    return value


def natural(text: str) -> int:
    """Read a number from 0."""
    value = int(text)
    if value < 0:
        raise ValueError
    return value


def llvm_version(text: str) -> int:
    """Read a version of LLVM from 15 to 22."""
    value = int(text)
    if not 15 <= value <= 22:
        raise ValueError
    return value


def seconds(text: str) -> float:
    """Read a number of seconds above 0."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def size(text: str) -> tuple[int, ...]:
    """Read extents as 1920x1080."""
    return tuple(count(x) for x in text.split("x"))


def parameter(text: str) -> tuple[str, str]:
    """Read NAME=VALUE."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise ValueError
    return name, value


_KINDS: Final[Mapping[str, Callable[[str], object]]] = {
    k.__name__: k for k in (llvm_version, count, natural, seconds, size)
}
for _kind, _words in (
    (llvm_version, "version from 15 to 22"),
    (count, "number from 1"),
    (natural, "number"),
    (seconds, "number of seconds above 0"),
    (size, "size"),
    (parameter, "NAME=VALUE"),
):
    _kind.__name__ = _words


_HEAD: Final = re.compile(
    r"(?P<short>-\w )?-(?P<name>-[\w-]+)(?: (?P<value>\S+))?(?: (?P<kind>\w+))?"
)


def add_flags(
    group: argparse._ActionsContainer,
    text: str,
    *,
    dest: str = "",
    action: str | type[argparse.Action] = "store",
    default: object = None,
    required: bool = False,
) -> None:
    """Add flags under one dash and two, from text with a line a flag, which further lines go on.

    ``--name: help`` is a switch; ``--name VALUE: help`` has a value, of a kind where one follows
    (``N count``), or one of some words (``a|b|c``).  A short name may come first.  What follows the
    text is that of :meth:`argparse.ArgumentParser.add_argument`, for all of them.
    """
    for flag in re.split(r"\n\s*(?=-)", text.strip()):
        head, _, words = flag.partition(": ")
        found = _HEAD.fullmatch(head)
        assert found is not None, head
        short, name, value, kind = found.groups()
        names = [*([short.strip()] if short else []), name, f"-{name}"]
        place, told = dest or name[1:].replace("-", "_"), " ".join(words.split())
        if value is None:
            group.add_argument(*names, dest=place, action="store_true", help=told)
            continue
        choices = value.split("|") if "|" in value else None
        group.add_argument(
            *names,
            dest=place,
            action=action,
            default=default,
            required=required,
            choices=choices,
            metavar=None if choices else value,
            type=_KINDS[kind] if kind else str,
            help=told,
        )


def add_action(parser: argparse.ArgumentParser, *actions: str) -> None:
    """Add the word that says what a command does."""
    text = f"{', '.join(actions[:-1])} or {actions[-1]}"
    parser.add_argument("action", metavar="ACTION", choices=actions, help=text)


def add_names(parser: argparse.ArgumentParser, text: str) -> None:
    """Add names, none of which has to be given."""
    parser.add_argument("names", metavar="NAME", nargs="*", help=text)


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the module that is read."""
    text = "module as text or bitcode, '-' is standard input"
    parser.add_argument("input", metavar="IN", help=text)


def add_output(
    group: argparse._ActionsContainer,
    metavar: str = "OUT",
    text: str = "where to write, '-' (the default) is standard output",
    *,
    default: str | None = None,
) -> None:
    """Add where to write, under one dash."""
    group.add_argument("-o", dest="output", metavar=metavar, default=default, help=text)


def target_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say what functions without attributes are compiled for."""
    add_flags(
        parser.add_argument_group("target (default: the module's and its functions' own)"),
        """
        --mtriple TRIPLE: target triple of a module that names none
        --mcpu CPU: CPU of functions that name none; 'native' is this machine's
        --mattr FEATURES: features of functions that name none, as +a,-b
        """,
    )


def add_effort(group: argparse._ActionsContainer, more: str = "") -> None:
    """Add the flag for how much is tried."""
    add_flags(group, f"--effort N natural: scale of all limits in steps (default 1{more})")


def add_search_flags(group: argparse._ActionsContainer) -> None:
    """Add the flags of a search."""
    add_flags(
        group,
        """
        -j --jobs N count: worker processes (default: one a processor; the output does not depend
            on it)
        """,
    )
    add_effort(group, "; 0 is a quick look")
    add_flags(
        group,
        """
        --time-limit S seconds: seconds that the whole run should take; hot code comes first, and
            what was found and proved by then is kept
        --vector-width N count: use no register wider than this many bits
        --cache PATH: folder or file of the cache, or 'off'
        """,
    )
    what = "do without a mechanism that 'isel passes' lists (may be repeated, or a,b)"
    action = gather("mechanism", MECHANISMS)
    add_flags(group, f"--disable NAME: {what}", dest="disabled", action=action)
    add_flags(
        group,
        """
        --strict: let a bug end the run, where otherwise it costs the window or function that it
            shows in
        """,
    )


def search_flags(prog: str, words: Sequence[str]) -> argparse.Namespace:
    """Return the flags of a search that are given, None for others; raises
    :class:`UsageProblem`.
    """
    parser = new_parser(prog, "")
    add_search_flags(parser)
    add_flags(parser, "--only-function R: as of 'isel opt'\n--bisect-limit N natural: as of that")
    found = parser.parse_args(words)
    if found.only_function:
        from isel.api.asked import check_pattern

        check_pattern(found.only_function, "--only-function")
    return found


def add_short_search(group: argparse._ActionsContainer, workers: str) -> None:
    """Add the flags of a search that is for one answer."""
    add_flags(group, f"-j --jobs N count: {workers}")
    add_effort(group)
    add_flags(group, "--cache PATH: folder or file of the cache, or 'off'")


def filter_flags(parser: argparse.ArgumentParser) -> None:
    """Add the flags by which instructions are listed."""
    what = "list: only what needs this feature (may be repeated)"
    add_flags(parser, f"--feature F: {what}", action="append")
    what = "list: only what has registers of this many bits, and no wider ones"
    add_flags(parser, f"--width BITS count: {what}")
