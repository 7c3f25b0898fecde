"""Cases from outside, as files; the README beside this says what each folder holds."""

from __future__ import annotations

from pathlib import Path
from typing import Final

SUITES: Final = Path(__file__).parent
