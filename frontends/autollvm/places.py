"""Where in a file something of a function is written: its module with places of lines says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from frontends.llvm.text.isolate import definition_of

_PLACE: Final = re.compile(r"!dbg !(\d+)")
_LOCATION: Final = re.compile(
    r"!DILocation\(line: ([1-9]\d*),.*?scope: !(\d+)(?:, inlinedAt: !(\d+))?"
)
_LINE: Final = re.compile(r"\bline: (\d+)")
_OUTER: Final = re.compile(r"\bscope: !(\d+)")
_FILE: Final = re.compile(r"\bfile: !(\d+)")
_NAME: Final = re.compile(r'!DIFile\(filename: "([^"]*)", directory: "([^"]*)"')


class Places:
    """The lines of a C file by its module, which was compiled in a folder with places of lines."""

    def __init__(self, text: str, path: str, folder: Path) -> None:
        self._path, self._folder = path, folder.absolute()
        self._lines = text.splitlines()
        nodes = (line.partition(" = ") for line in self._lines if line.startswith("!"))
        self._nodes = {name[1:]: text for name, _, text in nodes}

    def of(self, function: str, word: str) -> str:
        """Return ``file:line`` of the first instruction of a function with a word in it, where the
        file itself has it, not a header that it is inlined from; of the function where it has none;
        the file where it lacks the function.
        """
        span = [self._lines[k] for k in definition_of(self._lines, function)]
        chain = (place for line in span if word in line for place in self._chain(self._at(line)))
        own = [line for file, line in chain if file == self._folder / self._path]
        found = next(iter([*own, *self._start(span)]), "0")
        return f"{self._path}:{found}" if found != "0" else self._path

    def _start(self, span: Sequence[str]) -> list[str]:
        """Return the line at which a function starts, where it is known."""
        nodes = (self._nodes.get(self._at(line), "") for line in span[:1])
        return [m[1] for node in nodes if (m := _LINE.search(node))]

    @staticmethod
    def _at(line: str) -> str:
        found = _PLACE.search(line)
        return found[1] if found is not None else ""

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
