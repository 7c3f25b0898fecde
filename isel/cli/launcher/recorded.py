"""The command line that ``-grecord-command-line`` and ``-frecord-command-line`` put into an object:
of the plain compile, not of a step of ours.
"""

from __future__ import annotations

from isel.cli.launcher import children

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_ASKING: Final = "-###"
_KINDS: Final = ("-dwarf-debug-flags", "-record-command-line")


def record(compiler: Sequence[str], arguments: Sequence[str], file: str) -> list[str]:
    """Return the flags by which clang records what it would for these arguments, none where it
    would not; ``file`` is for what it says.

    Raises :class:`OSError` where clang does not say it, or not in one way.
    """
    import re
    from itertools import pairwise

    code = children.run([*compiler, _ASKING, *arguments], errors=file)
    with open(file, encoding="utf-8", errors="surrogateescape") as said:
        quoted = re.findall(r' "((?:[^"\\]|\\.)*)"', said.read())
    words = [re.sub(r"\\(.)", r"\1", word) for word in quoted]
    found: list[str] = []
    for kind in _KINDS:
        lines = {after for word, after in pairwise(words) if word == kind}
        if code or len(lines) > 1 or any(f" {_ASKING} " not in line for line in lines):
            raise OSError("no command line to record")
        for line in lines:
            line_alone = line.replace(f" {_ASKING} ", " ", 1)
            found += ["-Xclang", kind, "-Xclang", line_alone]
    return found
