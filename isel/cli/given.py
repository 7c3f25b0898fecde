"""What a command was given or made that no file of its command line holds: a reproducer has it."""

from __future__ import annotations

from typing import Final

GIVEN: Final[dict[str, bytes]] = {}  # by the name of the file in the reproducer; one command's
