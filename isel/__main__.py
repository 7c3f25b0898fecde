"""``python -m isel`` is ``isel``."""

from isel.cli import entry

entry()
