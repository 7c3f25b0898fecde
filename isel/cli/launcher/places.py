"""Where the launcher keeps what it counts, and what it knows of compilers: see
:mod:`isel.places`, which takes longer to import.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def counts_file(environment: Mapping[str, str]) -> str:
    """Return the file of the counters: below $XDG_STATE_HOME or ~/.local/state."""
    return _state("launcher.counts", environment)


def tool_file(environment: Mapping[str, str]) -> str:
    """Return the file of the tool's identity."""
    return _state("tool", environment)


def journal_folder(environment: Mapping[str, str]) -> str:
    """Return the folder of what was left to search."""
    return _state("journal", environment)


def server_folder(environment: Mapping[str, str]) -> str:
    """Return the folder of sockets: below $XDG_RUNTIME_DIR, else beside the counters."""
    running = environment.get("XDG_RUNTIME_DIR", "")
    return (
        os.path.join(running, "isel") if os.path.isdir(running) else _state("server", environment)
    )


def said_folder(environment: Mapping[str, str]) -> str:
    """Return the folder that remembers what was said today, beside the counters."""
    return os.path.join(os.path.dirname(counts_file(environment)), "said")


def compilers_file(environment: Mapping[str, str]) -> str:
    """Return the file of the compilers' versions: below $XDG_CACHE_HOME or ~/.cache."""
    return os.path.join(_base("XDG_CACHE_HOME", ".cache", environment), "isel", "compilers")


def away_file(url: str, environment: Mapping[str, str]) -> str:
    """Return the file that remembers that a cache elsewhere failed."""
    import hashlib

    name = hashlib.sha256(url.encode(errors="surrogateescape")).hexdigest()[:16]
    return _state(f"away-{name}", environment)


def _state(name: str, environment: Mapping[str, str]) -> str:
    return os.path.join(_base("XDG_STATE_HOME", ".local/state", environment), "isel", name)


def _base(variable: str, usual: str, environment: Mapping[str, str]) -> str:
    return environment.get(variable) or os.path.join(
        environment.get("HOME") or os.path.expanduser("~"), usual
    )
