"""Makes the index of the instructions for the wheel, so that an installed program reads it and
not what it was made from.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IndexHook(BuildHookInterface):
    """Adds the index to a wheel; an editable installation makes one in the user's cache
    directory.
    """

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Make the index beside the tree, which stays as it is."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from semantics.x86.target import INDEX, packaged_index

        self._folder = tempfile.TemporaryDirectory()
        path = Path(self._folder.name) / INDEX
        path.write_bytes(packaged_index())
        build_data["force_include"][str(path)] = f"semantics/x86/{INDEX}"

    def finalize(
        self, version: str, build_data: dict[str, dict[str, str]], artifact_path: str
    ) -> None:
        """Remove what was made."""
        if version != "editable":
            self._folder.cleanup()
