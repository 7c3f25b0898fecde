"""Instructions as words, by the assembler of the package ``ziglang``."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from semantics.emission.clang import NoClang

# Extensions beyond the base, in the order in which they are tried; LLVM's names of the features.
EXTENSIONS: Final = ("", "crc", "rdm", "dotprod", "i8mm", "aes", "sha2", "sha3", "sm4")
_BASE: Final = "armv8-a"
_ERROR: Final = re.compile(r"^\S*?:(\d+):\d+: error: ", re.MULTILINE)


def words(lines: Iterable[str]) -> dict[str, tuple[int, str]]:
    """Return the word and the extension that is needed for each line that can be assembled."""
    left = list(dict.fromkeys(lines))
    found: dict[str, tuple[int, str]] = {}
    for extension in EXTENSIONS:
        done = _assembled(left, extension)
        found.update({line: (word, extension) for line, word in done.items()})
        left = [line for line in left if line not in done]
    return found


def _assembled(lines: Sequence[str], extension: str) -> dict[str, int]:
    head = f".arch {_BASE}{'+' if extension else ''}{extension}\n"
    left = list(lines)
    while left:
        with tempfile.TemporaryDirectory() as folder:
            source, out = Path(folder) / "f.s", Path(folder) / "f.o"
            source.write_text(head + "\n".join(left) + "\n", encoding="utf-8")
            done = _run(source, out)
            if not done.returncode:
                code = _text_section(out.read_bytes())
                return dict(zip(left, struct.unpack(f"<{len(left)}I", code), strict=True))
        bad = {int(m[1]) - 2 for m in _ERROR.finditer(done.stderr)}
        if not bad & set(range(len(left))):
            raise RuntimeError(done.stderr.strip()[-400:])
        left = [line for k, line in enumerate(left) if k not in bad]
    return {}


def _run(source: Path, out: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable, "-P", "-m", "ziglang", "cc", "-target", "aarch64-linux-musl", "-c",
        "-ferror-limit=0", "-o", str(out), str(source),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True)
    if "No module named" in done.stderr:
        raise NoClang
    return done


def _text_section(data: bytes) -> bytes:
    """Return the code of an ELF object of 64 bits."""
    table, size, count, names = struct.unpack_from("<Q10xHHH", data, 0x28)
    headers = [struct.unpack_from("<IIQQQQ", data, table + k * size) for k in range(count)]
    strings = headers[names][4]
    for name, _, _, _, offset, length in headers:
        if data[strings + name : strings + name + 6] == b".text\0":
            return data[offset : offset + length]
    return b""
