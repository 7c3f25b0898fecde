"""Tells the user of failures that cost a window or a function only."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from frontends.llvm.report.tried import ModuleReport, say_failures


def tell_failures(report: ModuleReport, words: Sequence[str]) -> str:
    """Leave a reproducer of the command ``words`` for what failed, warn in one line, and say
    where it is; nothing if nothing failed.
    """
    if not report.failures:
        return ""
    from isel.cli.reproducer import reproducer

    trace = "\n".join(f"{where}:\n{failure.trace}" for where, failure in report.failures)
    said = reproducer(words, trace)
    logging.getLogger("isel").warning("%s; %s", say_failures(report), said)
    return said
