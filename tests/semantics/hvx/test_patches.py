"""Every body in QEMU's words against the same body in ours: compiled both, and run on the same
registers, whose bytes are at the bounds half of the time.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from semantics.hvx.importer.bodies import function_of, registers
from semantics.hvx.importer.patches import (
    PATCHES,
    PRELUDE,
    STATED,
    definitions,
    macros_in_other_words,
    patch_names,
    reword,
)
from semantics.hvx.importer.run import MACROS, read_listing
from tests.tools import shared

LIST = shared() / "specs" / "hvx" / "hvx_q6_map.json"
TRIALS = 300


@pytest.mark.shared
def test_bodies_in_other_words(tmp_path: Path) -> None:
    """The same results for every entry, on 300 settings of its registers."""
    entries, _, _ = read_listing(LIST.read_bytes(), str(LIST))
    some = list({e.builtin: e for e in entries}.values())
    macros = "\n".join((LIST.parent / name).read_text() for name in MACROS)
    macros = re.sub(r"^\s*#\s*include.*$", "", macros, flags=re.MULTILINE)
    ways: tuple[tuple[str, str, Callable[[str], str]], ...] = (
        ("theirs", "", lambda body: re.sub(r"\bfHIDE\(warn\(.*?\);\)", "", body)),
        ("ours", macros_in_other_words(), reword),
    )
    for name, further, worded in ways:
        text = f"{PRELUDE}{macros}\n{further}"
        for e in some:
            body = worded(STATED.get(e.builtin, e.body))
            text += function_of(f"{name}_{e.builtin}", body, registers(e))
        (tmp_path / f"{name}.c").write_text(text)
    helpers = Path(__file__).with_name("helpers.c").read_text()
    calls = "".join(called(e.builtin, registers(e)) for e in some)
    (tmp_path / "main.c").write_text(f"{helpers}\nint main(void)\n{{\n{calls}    return 0;\n}}\n")
    command = [sys.executable, "-m", "ziglang", "cc", "-O1", "-w", "-fwrapv", "-fno-sanitize=all",
               "-fno-strict-aliasing", "-std=gnu11", "-o", "compare", "theirs.c", "ours.c", "main.c"]  # fmt: skip
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "compare"], capture_output=True, text=True, check=True)
    assert not done.stdout
    used = {p for e in some for p in patch_names(e.body, definitions(macros))}
    assert used == {p.name for p in PATCHES}


def called(name: str, registers: list[str]) -> str:
    """Return C that calls both functions on copies of random registers and compares those."""
    arguments = ", ".join(
        f"r[{k}]" if r[0] in "VQ" or r == "RdV" else "(int32_t)n" if r != "RttV" else "n"
        for k, r in enumerate(registers)
    )
    count = len(registers)
    by_value = next((r for r in registers if r[0] not in "VQ" and r != "RdV"), "")
    kind = "".join(
        f"{'void *' if r[0] in 'VQ' or r == 'RdV' else 'int64_t' if r == 'RttV' else 'int32_t'}, "
        for r in registers
    ).rstrip(", ")
    narrow = "n = n % 8 & 7;" if by_value[1:] == "iV" else ""  # immediates
    return f"""    {{
        void theirs_{name}({kind}), ours_{name}({kind});
        static uint8_t a[{count}][256] __attribute__((aligned(128))), b[{count}][256] __attribute__((aligned(128)));
        for (int t = 0; t < {TRIALS}; t++) {{
            int64_t n;
            fill((uint8_t *)a, sizeof a); fill((uint8_t *)&n, 8); {narrow}
            memcpy(b, a, sizeof a);
            {{ uint8_t (*r)[256] = a; theirs_{name}({arguments}); }}
            {{ uint8_t (*r)[256] = b; ours_{name}({arguments}); }}
            if (memcmp(a, b, sizeof a)) {{ puts("{name}"); break; }}
        }}
    }}
"""
