"""A folder of modules as users have them: shipped examples, random functions, C through a
compilation database, and garbage.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Final

from frontends.llvm.linked import binding
from tests.fuzz.generate import generate
from tests.fuzz.modules import together
from tests.fuzz.small import small

ROOT: Final = Path(__file__).parents[2]
_C_FLAGS: Final = (
    "-target",
    "x86_64-linux-gnu",
    "-march=sapphirerapids",
    "-mprefer-vector-width=512",
    "-fno-unroll-loops",
    "-O3",
    "-g0",
)
_GARBAGE: Final = {
    "empty.ll": b"",
    "text.ll": b"this is no module\n",
    "cut.ll": b"define void @f() {\n",
    "cut.bc": b"BC\xc0\xde\x35\x14\0\0",
    "bytes.bc": bytes(99),
}


def make(
    folder: Path, seed: int, *, random: int, functions: int, kernels: int, examples: int = 10
) -> tuple[str, ...]:
    """Fill a folder with ``random`` modules of so many functions, ``examples`` and garbage.

    Returns what ``isel batch`` is to be given: the folder, and a compilation database of C
    ``kernels``.
    """
    place = folder / "in"
    for sub in ("examples/avx2", "random", "garbage"):
        (place / sub).mkdir(parents=True)
    for path in sorted((ROOT / "examples").rglob("*.ll"))[:examples]:
        shutil.copy(path, place / path.relative_to(ROOT))
    for k in range(random):
        text = together(
            [
                (small if k % 2 else generate)(seed * 10_000 + k * functions + n)
                for n in range(functions)
            ]
        )
        if k % 5:
            (place / "random" / f"{k}.ll").write_text(text)
        else:
            (place / "random" / f"{k}.bc").write_bytes(binding.text_to_bitcode(text))
    for name, data in _GARBAGE.items():
        (place / "garbage" / name).write_bytes(data)
    sources = sorted((ROOT / "bench" / "c").glob("*.c"))[:kernels]
    if not sources:
        return (str(place),)
    compiler = [sys.executable, "-m", "ziglang", "cc", *_C_FLAGS]
    entries = [
        {
            "directory": str(p.parent),
            "file": p.name,
            "arguments": [*compiler, "-c", p.name, "-o", f"obj/{p.stem}.o"],
        }
        for p in sources
    ]
    database = folder / "compile_commands.json"
    database.write_text(json.dumps(entries))
    return str(place), str(database)
