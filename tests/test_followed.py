"""The functions by which docs/architecture.md follows a window are called, in that order."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

from isel.cli import main

_ROOT = Path(__file__).parents[1]
_MODULE = _ROOT / "examples" / "average_down.ll"
_MOST = 25


def test_a_window_is_followed_from_the_command_line_to_the_last_proof(tmp_path: Path) -> None:
    text = (_ROOT / "docs" / "architecture.md").read_text()
    listed = re.findall(r"^\d+\. `([\w.]+\.\w+)`", text, re.MULTILINE)
    assert 0 < len(listed) <= _MOST
    called: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            called.setdefault(f"{frame.f_globals.get('__name__')}.{code.co_qualname}")

    out, before = tmp_path / "out.ll", sys.getprofile()
    words = ["opt", "-S", "-j", "1", "-effort", "0", "-cache", "off", "-o", str(out), str(_MODULE)]
    sys.setprofile(note)
    try:
        code = main(words)
    finally:
        sys.setprofile(before)
    assert code == 0 and out.read_text() != _MODULE.read_text()
    assert [name for name in called if name in listed] == listed
