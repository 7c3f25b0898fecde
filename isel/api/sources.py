"""Modules whose functions were decided, with what was asked for, as text: whoever has one can
decide its functions again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Final

from frontends.llvm.pipeline.options import Options
from isel.api.limits import SOURCES_LARGEST
from isel.json_text import to_json
from isel.trust import UNREADABLE

_FIELDS: Final[dict[str, type | tuple[type, ...]]] = {
    "triple": str,
    "cpu": str,
    "features": str,
    "effort": int,
    "vector_width": (int, type(None)),
    "only_function": str,
    "assume_no_undef": bool,
}


@dataclass(frozen=True, slots=True)
class Source:
    """A module as LLVM prints it, without the names of its file; what was asked for; and the
    tool that decided.
    """

    text: str
    options: Options
    tool: str


def write_source(source: Source) -> tuple[str, str]:
    """Return key and value of a source."""
    packed = base64.b64encode(zlib.compress(source.text.encode(errors="surrogateescape"))).decode()
    options = {name: getattr(source.options, name) for name in _FIELDS}
    value = to_json({"module": packed, "options": options, "tool": source.tool}, sort_keys=True)
    return hashlib.sha256(value.encode()).hexdigest(), value


def read_source(value: str) -> Source | None:
    """Return what was written, or None where it is damaged."""
    try:
        data = json.loads(value)
        given = data["options"]
        if given.keys() != _FIELDS.keys() or any(
            not isinstance(given[name], kind) for name, kind in _FIELDS.items()
        ):
            return None
        unpacked = zlib.decompressobj()
        text = unpacked.decompress(base64.b64decode(data["module"], validate=True), SOURCES_LARGEST)
        if not unpacked.eof:
            return None
        options = Options(**given, strict=False)
        return Source(text.decode(errors="surrogateescape"), options, str(data["tool"]))
    except (*UNREADABLE, zlib.error):
        return None
