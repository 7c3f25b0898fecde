"""Where a user's files are that the tool keeps between runs.

The folders are those of the XDG base directory specification.  ``platformdirs`` has them too, for
an import that costs half again as much as that of this module; it reads no environment but the
process's own, and passes over a relative ``$XDG_CACHE_HOME``, which counts here.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

FILE: Final = "cache.sqlite"
OFF: Final = "off"


def overlay_path(given: str | None, environment: Mapping[str, str]) -> Path:
    """Return the per-user file: of the command line, $ISEL_CACHE, $XDG_CACHE_HOME/isel or
    ~/.cache/isel.
    """
    chosen = given or environment.get("ISEL_CACHE") or ""
    if chosen:
        path = Path(chosen).expanduser()
        return path if path.suffix == ".sqlite" or path.is_file() else path / FILE
    return _base("XDG_CACHE_HOME", ".cache", environment) / "isel" / FILE


def key_path(environment: Mapping[str, str]) -> Path:
    """Return the file of the key that signs what is kept: below $XDG_STATE_HOME or
    ~/.local/state.
    """
    return _base("XDG_STATE_HOME", ".local/state", environment) / "isel-key" / "key"


def _base(variable: str, usual: str, environment: Mapping[str, str]) -> Path:
    chosen = environment.get(variable) or ""
    return Path(chosen) if chosen else Path(environment.get("HOME") or "~").expanduser() / usual


def is_off(given: str | None, environment: Mapping[str, str]) -> bool:
    """Whether no per-user file is used, by the command line or else by $ISEL_CACHE."""
    return (given or environment.get("ISEL_CACHE")) == OFF


def cache_folder(environment: Mapping[str, str]) -> Path | None:
    """Return the per-user directory, which is that of the file; None where it is off."""
    return None if is_off(None, environment) else overlay_path(None, environment).parent
