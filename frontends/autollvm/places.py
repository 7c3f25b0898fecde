"""Where in a file something of a function is written: its module with places of lines says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from frontends.llvm.text.isolate import definition_of

_LOCATIONS: Final = ("!DILocation(", "distinct !DILocation(")
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
        chain = (x for line in span if word in line for x in self._chain(_number(line, "!dbg")))
        own = [line for file, line in chain if file == self._folder / self._path]
        heads = (self._nodes.get(_number(line, "!dbg"), "") for line in span[:1])
        found = next(filter(None, [*own, *(_number(node, "line:") for node in heads)]), "0")
        return f"{self._path}:{found}" if found != "0" else self._path

    def _chain(self, node: str) -> Iterator[tuple[Path, str]]:
        """Yield file and line of a place and of those that it is inlined at."""
        while (text := self._nodes.get(node, "")).startswith(_LOCATIONS):
            line = _number(text, "line:")
            if line in ("", "0"):
                return
            yield self._file(_number(text, "scope:")), line
            node = _number(text, "inlinedAt:")

    def _file(self, scope: str) -> Path:
        text = self._nodes.get(scope, "")
        file, outer = _number(text, "file:"), _number(text, "scope:")
        if not file:
            return self._file(outer) if outer else Path()
        name = _NAME.search(self._nodes.get(file, ""))
        return self._folder / name[2] / name[1] if name is not None else Path()


def _number(text: str, key: str) -> str:
    """Return the number, of a node or a line, behind a key; empty where there is none."""
    found = re.search(rf"(?<!\w){key} !?(\d+)", text)
    return found[1] if found is not None else ""
