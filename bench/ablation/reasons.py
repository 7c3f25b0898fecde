"""Why mechanisms stay that change fewer than three of the modules of the ablation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

REASONS: Final[Mapping[str, str]] = {}
