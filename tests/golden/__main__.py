"""``python -m tests.golden [FILES]``: write into golden files what is found now."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.golden.golden import WINDOWS, found, without_answers

for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(WINDOWS.glob("*.ll")):
    module = without_answers(path.read_text())
    path.write_text(module + found(module))
    sys.stdout.write(f"{path.name}\n")
