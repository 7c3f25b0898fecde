"""Makes the indices of the instructions for the wheel, so that an installed program reads them and
not what they were made from.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class IndexHook(BuildHookInterface):
    """Adds the indices to a wheel; an editable installation makes one in the user's cache
    directory.
    """

    def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
        """Make the indices beside the tree, which stays as it is."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from semantics import isas
        from semantics.library import index_name, packaged_index

        self._folder = tempfile.TemporaryDirectory()
        for isa in isas():
            path = Path(self._folder.name) / index_name(isa)
            path.write_bytes(packaged_index(isa))
            build_data["force_include"][str(path)] = f"semantics/{isa.name}/{path.name}"

    def finalize(
        self, version: str, build_data: dict[str, dict[str, str]], artifact_path: str
    ) -> None:
        """Remove what was made."""
        if version != "editable":
            self._folder.cleanup()
