"""What a file is to be ported with: the flags that it is compiled with, its machine, the other."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from isel.cli.batch.compile_commands import Compile, read_commands
from isel.cli.files import read_bytes
from isel.cli.launcher.compiler_flags import Flag, Role, flags_in
from isel.cli.port.compile import Port, mistake, run_clang
from isel.cli.port.machines import CPUS, NAMES, headers_of, machine_of
from isel.cli.serve.front import clang_here
from isel.cli.target import spell_native
from isel.errors import FileProblem, UsageProblem

_DATABASE: Final = "compile_commands.json"
_INCLUDE: Final = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_KEPT: Final = (Role.SOURCE, Role.IR, Role.LANGUAGE)
_NEITHER: Final = ("-target", "--target=")


@dataclass(frozen=True, slots=True)
class _Flags:
    """Words for both compiles, those for the source's machine, and where clang runs."""

    both: tuple[str, ...] = ()
    machine: tuple[str, ...] = ()
    folder: Path = Path()


def port_of(arguments: argparse.Namespace) -> Port:
    """Return what the command line and a compilation database say; raises
    :class:`isel.errors.IselError`.
    """
    text = read_bytes(arguments.input).decode(errors="replace")
    given = _flags_of(arguments.input, arguments.build)
    more = _split(list(flags_in(arguments.flag)))
    path = arguments.input if given.folder == Path() else os.path.abspath(arguments.input)
    target = NAMES[arguments.to]
    cpu, features = spell_native(arguments.mcpu or CPUS[target], arguments.mattr)
    flags, machine = given.both + more.both, given.machine + more.machine
    clang = arguments.clang or clang_here()
    if clang is None:
        raise UsageProblem("no clang was found, expected one in $PATH or --clang")
    port = Port(path, clang, "", target, cpu, features, flags, machine, given.folder)
    source, level = machine_of(_INCLUDE.findall(text)) or _read_by(port)
    if source in ("", target):
        names = ", ".join(n for m in CPUS if m != target for n in headers_of(m))
        why = f"it includes none of {names}, expected intrinsics of another machine"
        raise FileProblem(arguments.input, why)
    return replace(port, source=source, machine=(level, *machine))


def _flags_of(path: str, build: str | None) -> _Flags:
    """Return the flags of a file in a database: of a folder, or of one that the file is in."""
    source = Path(path).absolute()
    beside = (folder / _DATABASE for folder in source.parents)
    where = (
        Path(build) / _DATABASE if build is not None else next(filter(Path.is_file, beside), None)
    )
    if where is None:
        return _Flags()
    resolved = source.resolve()
    entry = next((e for e in read_commands(where) if e.source.resolve() == resolved), None)
    if entry is not None:
        return _meaning(entry)
    if build is not None:
        raise FileProblem(str(where), f"no entry for {path}")
    return _Flags()


def _meaning(entry: Compile) -> _Flags:
    """Return the flags of an entry that say what its code means."""
    known = (f for f in flags_in(list(entry.words[1:])) if f.name and f.role in _KEPT)
    kept = [f for f in known if not f.name.startswith("-g")]  # places of lines
    return replace(_split(kept), folder=entry.folder)


def _split(flags: Sequence[Flag]) -> _Flags:
    """Return flags by whether another machine's compiler takes them as well."""
    known = [f for f in flags if not f.name.startswith(_NEITHER)]
    words = {True: list[str](), False: list[str]()}
    for f in known:
        own = f.words[0].startswith("-m") and f.name != "-mllvm"
        words[own] += f.words
    return _Flags(tuple(words[False]), tuple(words[True]))


def _read_by(port: Port) -> tuple[str, str]:
    """Return the machine whose headers a file reads by way of others, with their level; raises
    :class:`BadModule` for one that is not there.
    """
    said = ""
    for machine in CPUS:
        own = port.machine if machine != port.target else ()
        done = run_clang(port, machine, ["-ffreestanding", "-M", *own])
        found = machine_of(Path(word).name for word in done.stdout.split())
        if not done.returncode and found is not None and found[0] == machine:
            return found
        said = done.stderr
    if "file not found" in said:
        raise mistake(port, said)
    return "", ""
