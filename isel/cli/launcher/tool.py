"""What determines every answer beside input and options: the identity of the tool, found again by
what the file system says of the tool's files, which changes with them.

A file beside the counters has the identity that goes with these stamps, signed by the user's key,
so that keys are made of contents alone and yet few files are read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from isel.cli.launcher.light import suppress
from isel.cli.launcher.places import tool_file
from isel.cli.launcher.stamps import tool_stamps
from isel.cli.launcher.whole import write_whole
from isel.trust import Signer

_TABLE: Final = "tool"  # of the code


def identity(environment: Mapping[str, str], signer: Signer | None) -> str:
    """Return what :func:`isel.api.tools.tool_identity` does: the tool, LLVM, the solvers and all
    semantics.
    """
    wanted = _stamps(environment.get("ISEL_SEMANTICS"))
    file = tool_file(environment)
    if signer is None:
        return _find_out()
    with suppress(OSError, ValueError), open(file, encoding="utf-8", newline="") as lines:
        mac, found, made = lines.read().split("\n", 2)
        if found == wanted and signer.signed(mac, _TABLE, found, made):
            return made
    made = _find_out()
    with suppress(OSError):
        text = f"{signer.mac(_TABLE, wanted, made)}\n{wanted}\n{made}"
        write_whole(file, text.encode())
    return made


@lru_cache(1)
def _stamps(semantics: str | None) -> str:
    """Return a hash of what tells the files of this process's tool from others."""
    found = "\0".join(tool_stamps({"ISEL_SEMANTICS": semantics} if semantics else {}))
    return hashlib.sha256(found.encode("utf-8", "surrogateescape")).hexdigest()


def _find_out() -> str:
    from isel.api.tools import tool_identity

    return tool_identity()
