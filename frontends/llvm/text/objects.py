"""What a module's text says of the bytes of an object: how many there are, and which for good."""

from __future__ import annotations

import re
from typing import Final

# Bytes that no other module's, and nothing outside, take the place of.
_GLOBAL: Final = re.compile(
    r"(?:(?:private|internal|external|linkonce_odr|weak_odr|dso_local|hidden|protected|"
    r"(?:local_)?unnamed_addr) )*(?:constant|global) \[(?P<size>\d+) x i8\]"
)
_CONSTANT: Final = re.compile(r"(?:(?!global )[^ ]+ )*?constant ")
_WRITTEN: Final = re.compile(r'(?:[a-z_ ]+ )?constant [^]]*\] (?:(zeroinitializer)|c"([^"]*)")')
_ARGUMENT: Final = re.compile(r".*\bdereferenceable\((?P<size>\d+)")
_CHARACTER: Final = re.compile(r"\\([0-9A-Fa-f]{2})|\\?(.)", re.DOTALL)


def size_of_global(text: str) -> int:
    """Return the bytes of a global array, 0 for another or one that may not be there."""
    return _size(_GLOBAL.match(text))


def size_behind(attributes: str) -> int:
    """Return the bytes that may be read behind an argument where a function begins."""
    return _size(_ARGUMENT.match(attributes))


def _size(found: re.Match[str] | None) -> int:
    return int(found["size"]) if found else 0


def is_constant(text: str) -> bool:
    """Tell whether nothing is stored to a global."""
    return _CONSTANT.match(text) is not None


def constant_bytes(text: str, count: int) -> list[int]:
    """Return the first bytes of a constant array, none where the module does not say them."""
    written = _WRITTEN.match(text)
    parts = _CHARACTER.findall(written[2] or "") if written else []
    every = [int(code, 16) if code else ord(one) for code, one in parts]
    return (every or ([0] * count if written else []))[:count]
