"""What is asked for beside the module, checked: patterns, numbers, CPUs and features."""

from __future__ import annotations

import re

from frontends.llvm.linked import binding
from isel.errors import UsageProblem


def check_pattern(pattern: str, what: str) -> None:
    """Raise :class:`isel.errors.UsageProblem` where ``what`` was given is no regular expression."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise UsageProblem(f"{what} '{pattern}' is no regular expression: {error}") from None


def check_numbers(effort: int, time_limit: float) -> None:
    """Raise :class:`isel.errors.UsageProblem` for what is less than nothing, or no number."""
    if effort < 0:
        raise UsageProblem(f"effort {effort}, expected 0 or more")
    if not time_limit >= 0:
        raise UsageProblem(f"time limit {time_limit}, expected seconds, 0 or more, or None")


def check_machine(text: str, triple: str, cpu: str, features: str) -> None:
    """Raise :class:`isel.errors.UnknownName` for what LLVM would ignore; a module's own triple
    counts where none is given.
    """
    if triple or cpu or features:
        from frontends.llvm.linked.names import check_names

        own = re.search(r'^target triple = "([^"]*)"', text, re.MULTILINE)
        check_names(triple or (own[1] if own else "") or binding.host_triple(), cpu, features)


def host_machine(features: str) -> tuple[str, str]:
    """Return CPU and features of this machine, with what is asked for beside them."""
    host = binding.host_feature_string()
    return binding.host_cpu(), ",".join(x for x in (host, features) if x)
