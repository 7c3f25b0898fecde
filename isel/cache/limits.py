"""How long another machine's cache is waited for, and how much it may send."""

from __future__ import annotations

from typing import Final

# remote
REMOTE_CONNECT: Final = 0.1  # seconds
REMOTE_READ: Final = 10.0  # seconds, for an answer
REMOTE_AWAY: Final = 60.0  # seconds without it after a failure
REMOTE_LARGEST: Final = 1 << 24  # bytes of an answer
REMOTE_PART: Final = 1 << 16  # bytes of it that are read at once

# serving
SERVING_PATIENCE: Final = 60.0  # seconds without a request after which a connection is closed
