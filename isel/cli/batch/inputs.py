"""Which modules a batch has, what each is called, and where its output goes: all of it known
before any work starts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final

from isel.cli.batch.compile_commands import Compile, read_commands
from isel.errors import FileProblem, UsageProblem, file_problem

MODULES: Final = (".ll", ".bc")
PAGE: Final = "summary.html"


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its name below the inputs, the name of its output below OUT, its file or what
    makes it, and about how large it is.
    """

    name: str
    output: str
    source: Path | Compile
    size: int

    @property
    def record(self) -> str:
        """The name of the JSON file below OUT."""
        return f"{self.output}.json"


def _check_file(path: Path) -> None:
    if path.suffix not in MODULES:
        what = "expected a folder, a module (.ll or .bc) or a compile_commands.json"
        raise FileProblem(str(path), what)
    if not path.exists():
        raise FileProblem(str(path), "no such file or directory")


def modules_of(inputs: Sequence[str], out: Path, *, text: bool) -> list[Module]:
    """Return the modules of folders, files and compilation databases, the largest first; with
    ``text`` outputs are text.

    Raises :class:`isel.errors.IselError` for what is not there, and where two outputs have one name
    or one is an input.
    """
    found: list[Module] = []
    paths = [Path(given) for given in inputs]
    folders = [path for path in paths if path.is_dir()]
    for folder in folders:
        found += _folder(folder, out, text)
    files = [path for path in paths if path not in folders]
    named = [path for path in files if path.suffix != ".json"]
    for path in named:
        _check_file(path)
    found += [_module(path, name, text) for path, name in _name(named)]
    for database in (path for path in files if path.suffix == ".json"):
        found += _compile(database)
    _check(found, out)
    return sorted(found, key=lambda m: (-m.size, m.name))


def _folder(folder: Path, out: Path, text: bool) -> Iterable[Module]:
    """Return the modules below a folder, but not those that earlier batches wrote to ``out``."""

    def unreadable(error: OSError) -> None:
        raise file_problem(str(error.filename), error)

    found = []
    for where, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = [name for name in folders if not _same(Path(where, name), out)]
        found += [Path(where, name) for name in files if Path(name).suffix in MODULES]
    if not found:
        raise FileProblem(str(folder), "no module (.ll or .bc) below this folder")
    return [_module(path, str(path.relative_to(folder)), text) for path in found]


def _name(paths: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return files with their names below the folder that they have in common."""
    if not paths:
        return []
    absolute = [Path(os.path.abspath(path)) for path in paths]
    root = os.path.commonpath([path.parent for path in absolute])
    names = [str(whole.relative_to(root)) for whole in absolute]
    return list(zip(paths, names, strict=True))


def _module(path: Path, name: str, text: bool) -> Module:
    try:
        size = path.stat().st_size
    except OSError:
        size = 0  # said when it is read
    return Module(name, str(PurePath(name).with_suffix(".ll")) if text else name, path, size)


def _compile(path: Path) -> list[Module]:
    commands = read_commands(path)
    names = _name([command.named for command in commands])
    outputs = (str(PurePath(name).with_suffix(".ll")) for _, name in names)
    made = zip(commands, outputs, strict=True)
    return [Module(name, name, command, command.size) for command, name in made]


def _check(modules: Sequence[Module], out: Path) -> None:
    taken: dict[str, Module] = {}
    for module in sorted(modules, key=_where):
        other = taken.setdefault(module.output, module)
        if other is not module:
            both = f"{_where(other)} and {_where(module)}"
            raise UsageProblem(f"two modules would be written to {out / module.output}: {both}")
        if isinstance(module.source, Path) and _same(out / module.output, module.source):
            what = "would be overwritten by its own output, expected another folder after -o"
            raise FileProblem(str(module.source), what)
    files = {PAGE, *taken, *(module.record for module in modules)}
    for module in sorted(modules, key=_where):
        for above in map(str, PurePath(module.output).parents):
            if above in files:
                what = f"would be a file and the folder of what {_where(module)} becomes"
                raise UsageProblem(f"{out / above} {what}")


def _where(module: Module) -> str:
    return str(module.source if isinstance(module.source, Path) else module.source.named)


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)
