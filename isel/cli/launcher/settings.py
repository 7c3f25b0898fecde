"""What is wrong with ``$ISEL_FLAGS``, asked where the rewriter failed."""

from __future__ import annotations

from isel.cli.launcher.notices import say_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def wrong_flags(flags: str, words: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Tell whether flags as of ``isel opt`` are not understood, after a line that says why; the
    command ``words`` is compiled.
    """
    wrong = _mistake(flags) if flags.strip() else ""
    if wrong:
        say_once(f"warning: ISEL_FLAGS: {wrong}: compiled as written", words, environment)
    return bool(wrong)


def _mistake(flags: str) -> str:
    import shlex

    from isel.cli.grammar.flags import search_flags
    from isel.errors import IselError

    try:
        search_flags("ISEL_FLAGS", shlex.split(flags))
    except IselError as problem:
        return " ".join(problem.message().split())
    except ValueError as problem:  # a quote that is not closed
        return str(problem).lower()
    except SystemExit:  # a flag that asks for help
        return "no flags of a search"
    return ""
