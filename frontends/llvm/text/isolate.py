"""One function of a module by itself, so that judging it does not compile the others."""

from __future__ import annotations

import re
from typing import Final

from frontends.llvm.text.tokens import called

_LINKAGE: Final = (
    r"(?:private|internal|available_externally|linkonce|linkonce_odr|weak|weak_odr|common|appending"
    r"|external|extern_weak)"
)
_DEFINE: Final = re.compile(rf"^define (?:{_LINKAGE} )?(?:dso_local |dso_preemptable )?")
_FILE: Final = re.compile(r"^(?:; ModuleID|source_filename) = .*\n", re.MULTILINE)
_GROUP: Final = re.compile(r"(?<= )#\d+")


def defined_name(header: str) -> str:
    """Return the name (as it is spelled) of the function that a ``define`` line starts."""
    return called(header)[0]


def nameless(text: str) -> str:
    """Return a module without the names of its file: no code depends on where that lies."""
    return _FILE.sub("", text)


def isolated(text: str, function: str) -> str:
    """Return the module with ``function`` external and every other function only declared."""
    out: list[str] = []
    skipping = False
    for line in text.splitlines():
        if skipping:
            skipping = line != "}"
            continue
        if not line.startswith("define "):
            out.append(line)
            continue
        if defined_name(line).strip('"') == function.strip('"'):
            out.append(_DEFINE.sub("define ", line))
            continue
        out.append(_declaration(line))
        skipping = True
    return "\n".join(out) + "\n"


def _declaration(header: str) -> str:
    _, start = called(header)
    if start < 0:
        return header
    end = _closing(header, start)
    group = _GROUP.search(header, end)
    return _DEFINE.sub("declare ", header[: end + 1]) + (f" {group.group()}" if group else "")


def _closing(text: str, opening: int) -> int:
    depth = 0
    quoted = False
    for k in range(opening, len(text)):
        c = text[k]
        if c == '"':
            quoted = not quoted
        if quoted:
            continue
        if c == "(":
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                return k
    return len(text) - 1
