"""Findings as a compiler says its remarks: ``file:line:col: remark: … [-Rpass=isel]``, of the
kinds that are asked for.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Final

from isel.cli.remarks.findings import REWRITTEN, SKIPPED, UNCHANGED, Finding

PASS: Final = "isel"
_KINDS: Final = {REWRITTEN: "-Rpass", SKIPPED: "-Rpass-analysis", UNCHANGED: "-Rpass-analysis"}
_MISSED: Final = "-Rpass-missed"


def wants(pattern: str) -> bool:
    """Tell whether a regular expression, as clang searches it in names of passes, finds ours."""
    try:
        return re.search(pattern, PASS) is not None
    except re.error:  # clang has said so
        return False


def remark_lines(
    findings: Iterable[Finding], asked: Iterable[tuple[str, str]], folder: str
) -> Iterator[str]:
    """Yield a line a finding whose kind is ``asked`` for: pairs of flag and pattern; of a flag that
    is given twice the last holds.  Files below ``folder`` are named from there.
    """
    flags = {flag for flag, pattern in dict(asked).items() if wants(pattern)}
    for f in findings:
        flag = _KINDS.get(f.rule, _MISSED)
        if flag in flags:
            name = f"@{f.function}: " if f.function else ""
            yield f"{_place(f, folder)}remark: {name}{f.message} [{flag}={PASS}]"


def _place(f: Finding, folder: str) -> str:
    if not f.file:
        return ""
    inside = os.path.relpath(f.file, folder)
    file = f.file if inside.split(os.sep, 1)[0] == os.pardir else inside
    line = f":{f.line}" + (f":{f.column}" if f.column else "") if f.line else ""
    return f"{file}{line}: "
