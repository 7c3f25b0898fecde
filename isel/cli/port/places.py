"""Where in a file something of a function is written: its module with places of lines says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from frontends.llvm.text.isolate import definition_of
from isel.cli.port.compile import Port, source_module

_PLACE: Final = re.compile(r"!dbg !(\d+)")
_LOCATION: Final = re.compile(r"!DILocation\(line: (\d+),.*?scope: !(\d+)(?:, inlinedAt: !(\d+))?")
_LINE: Final = re.compile(r"\bline: (\d+)")
_OUTER: Final = re.compile(r"\bscope: !(\d+)")
_FILE: Final = re.compile(r"\bfile: !(\d+)")
_NAME: Final = re.compile(r'!DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


class Places:
    """The lines of a file, once they are asked for."""

    def __init__(self, port: Port) -> None:
        self._path, self._folder = port.path, port.folder.absolute()
        self._lines = source_module(port, "-gline-tables-only").splitlines()
        nodes = (line.partition(" = ") for line in self._lines if line.startswith("!"))
        self._nodes = {name[1:]: text for name, _, text in nodes}

    def of(self, function: str, word: str) -> str:
        """Return ``file:line`` of the first instruction of a function with a word in it, where the
        file itself has it, not a header that it is inlined from; of the function where it has none;
        the file where it lacks the function.
        """
        span = [self._lines[k] for k in definition_of(self._lines, function)]
        places = (m[1] for line in span if word in line and (m := _PLACE.search(line)))
        chain = (place for node in places for place in self._chain(node))
        own = [line for file, line in chain if file == self._folder / self._path and line != "0"]
        head = _PLACE.search(span[0]) if span else None
        start = _LINE.search(self._nodes.get(head[1], "")) if head is not None else None
        line = next(iter(own), start[1] if start is not None else "")
        return f"{self._path}:{line}" if line else self._path

    def _chain(self, node: str) -> Iterator[tuple[Path, str]]:
        """Yield file and line of a place and of those that it is inlined at."""
        while found := _LOCATION.search(self._nodes.get(node, "")):
            yield self._file(found[2]), found[1]
            node = found[3] or ""

    def _file(self, scope: str) -> Path:
        text = self._nodes.get(scope, "")
        file, outer = _FILE.search(text), _OUTER.search(text)
        if file is None:
            return self._file(outer[1]) if outer is not None else Path()
        name = _NAME.search(self._nodes.get(file[1], ""))
        return self._folder / name[2] / name[1] if name is not None else Path()
