"""Keeps what a compile read and wrote (:mod:`isel.cli.launcher.objects`), unless it cannot be told
what it read.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from isel.cli.launcher import children, limits
from isel.cli.launcher.compiler import program
from isel.cli.launcher.job import Job
from isel.cli.launcher.light import Record
from isel.cli.launcher.objects import (
    SETTINGS,
    WHOLE,
    Outputs,
    Request,
    Seen,
    list_file,
    names_in,
    outputs_file,
    seal,
    seen_by,
    unseal,
)
from isel.cli.launcher.request import compiler_stamps, settings
from isel.cli.launcher.whole import keep_within, write_whole

# What an object depends on beside the contents of files, or what names files in words of its own.
_TIME: Final = (b"__DATE__", b"__TIME__", b"__TIMESTAMP__")
_HINTS: Final = (b".inc", b"embed", b"dependency")  # found sooner than what follows
_UNSAFE: Final = re.compile(
    rb"\.inc(?:bin|lude)\b|__has_embed|#\s*embed|#\s*pragma\s+GCC\s+dependency"
)
_ASKED: Final = re.compile(rb"\w*has_include\w*\s*\(\s*(?:[<\"]([^>\"\n]+)[>\"])?")
_DEFINED: Final = re.compile(rb"#\s*define\s+\w*has_include\w*\(.*")
_PRECOMPILED: Final = (".pch", ".gch")  # read instead of the header of this name
_DROPPED: Final = ("-D", "-U", "-W", "-M", "-O", "-g", "-include", "-imacros")
_VALUED: Final = ("-D", "-U", "-MF", "-MT", "-MQ", "-include", "-imacros")
_LISTED: Final = re.compile(r"^(?: (/.*?|[^ ].*?)|ignoring nonexistent directory \"(.*)\")$")
_GCC: Final = re.compile(r"^Selected GCC installation: (.*)$", re.MULTILINE)


class Unknown(Exception):
    """It cannot be told what a compile read; the message says why."""


class _Search(Record):
    """Where a compiler looks for files, and the folders all of whose names have a say in that."""

    places: tuple[str, ...]
    whole: tuple[str, ...]


def keep(
    request: Request, job: Job, started: int, outputs: Outputs, pending: tuple[str, str]
) -> None:
    """Keep a compile that began at ``started`` (nanoseconds); raises :class:`Unknown` and
    :class:`OSError`.
    """
    before = started - limits.KEEPING_SLACK
    read, search = _read(request, job, os.fsdecode(outputs.dependencies))
    asked = set(_precompiled_names(job.what.front))
    files = {path: _file(path, before, asked) for path in dict.fromkeys(read)}
    names, folders = _search_places(files, search.places, asked)
    for folder in folders:
        _check_folder(folder, names, before)
        _check_precompiled(folder, names)
    rows = [(folder, "", names_in(folder, "", names)) for folder in folders]
    rows += [(folder, WHOLE, names_in(folder, WHOLE, names)) for folder in search.whole]
    binary = os.path.dirname(os.path.realpath(program(job.compiler.own[0])))
    rows.append((binary, SETTINGS, names_in(binary, SETTINGS, names)))
    text = repr((request.key, sorted(files.items()), sorted(rows)))
    number = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    seen = Seen(tuple(files.items()), tuple(sorted(names)), tuple(rows), number, pending)
    _write(outputs_file(request, number), seal(request, b"outputs", number, _row(outputs)))
    others = [s for s in seen_by(request) if s.outputs != number][: limits.KEEPING_LAST - 1]
    listed = [_row(s) for s in (seen, *others)]
    _write(list_file(request), seal(request, b"list", request.key, listed))


def _search_places(
    files: Iterable[str], places: Sequence[str], asked: set[str]
) -> tuple[frozenset[str], list[str]]:
    """Return the names that count, and the folders in which the compiler may look for them."""
    beside = [os.path.dirname(p) or "." for p in files]
    starts = list(dict.fromkeys([*places, *beside, "."]))
    sought = {name for path in files for name in _names(path, starts)} | asked
    below = {os.path.dirname(name) for name in sought}
    folders = dict.fromkeys(x for s in starts for name in below for x in _walk(s, name))
    return frozenset(_parts(sought)), list(folders)


def _parts(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield from (part for part in name.split("/") if part not in ("", "."))


def _row(record: Seen | Outputs) -> tuple[object, ...]:
    return tuple(getattr(record, name) for name in record.__annotations__)


def _file(path: str, before: int, asked: set[str]) -> str:
    """Return the hash of a file that was read, and add the names that it asks for."""
    status = os.stat(path)
    if max(status.st_mtime_ns, status.st_ctime_ns) >= before:
        raise Unknown(f"{path} changed just now")
    with open(path, "rb") as file:
        text = file.read()
    if any(word in text for word in _TIME):
        raise Unknown(f"{path} has the time")
    if any(word in text for word in _HINTS) and _UNSAFE.search(text):
        raise Unknown(f"{path} names files in words of its own")
    if b"has_include" in text:
        asked.update(_asked_by(path, text))
    return hashlib.sha256(text).hexdigest()


def _asked_by(path: str, text: bytes) -> Iterator[str]:
    """Yield the names that a file asks for by ``__has_include``."""
    for found in _ASKED.finditer(_DEFINED.sub(b"", text)):
        if found[1] is None:
            raise Unknown(f"{path} asks for files by a macro")
        yield os.fsdecode(found[1])


def _names(path: str, places: Sequence[str]) -> Iterator[str]:
    """Yield how a file may have been named: by itself, and from each place that it is below."""
    yield os.path.basename(path)
    for place in places:
        if path.startswith(place + "/"):
            yield path[len(place) + 1 :]


def _walk(place: str, name: str) -> Iterator[str]:
    """Yield a place and the folders that a relative name leads through from there."""
    yield place
    for part in name.split("/") if name else ():
        place = os.path.join(place, part)
        if not os.path.isdir(place):
            return
        yield place


def _check_folder(folder: str, names: frozenset[str], before: int) -> None:
    """Raise :class:`Unknown` where something with one of the names appeared during the compile."""
    try:
        if os.stat(folder).st_mtime_ns < before:
            return
        for name in names.intersection(os.listdir(folder)):
            if name != ".." and os.lstat(os.path.join(folder, name)).st_ctime_ns >= before:
                raise Unknown(f"{os.path.join(folder, name)} changed just now")
    except OSError:
        return


def _precompiled_names(front: Sequence[str]) -> Iterator[str]:
    """Yield names of precompiled headers that clang takes for headers before the source."""
    for k, word in enumerate(front):
        if word.startswith("-include"):
            name = word.removeprefix("-include") or "".join(front[k + 1 : k + 2])
            for suffix in _PRECOMPILED:
                yield from (name + suffix, os.path.basename(name) + suffix)


def _check_precompiled(folder: str, names: frozenset[str]) -> None:
    """Raise :class:`Unknown` where a precompiled header is there."""
    for name in names:
        if name.endswith(_PRECOMPILED) and os.path.exists(path := os.path.join(folder, name)):
            raise Unknown(f"{path} is read for a header")


def _read(request: Request, job: Job, dependencies: str) -> tuple[list[str], _Search]:
    """Return the files that a compile read, by what the compiler wrote of them, and where it looks
    for files.
    """
    if "-MMD" not in job.what.front:
        search = _known_search(request, job, [*_flags(job.what.front, _DROPPED), *_empty(job)])
    else:  # which leaves the system's headers out
        listed = os.path.join(job.folder, "isel.all")
        flags = _flags(job.what.front, ("-M",))
        search = _search(job, [*flags, "-MT", "isel", "-MF", listed, job.what.source], "-M")
        with open(listed, encoding="utf-8", errors="surrogateescape") as file:
            dependencies = file.read()
    read = dependencies_in(dependencies)
    if job.what.source not in read:
        raise Unknown("the compiler does not say what it reads")
    return read, search


def _empty(job: Job) -> list[str]:
    """Return an empty source of the same language."""
    if "-x" in job.what.front:
        return [os.devnull]
    return ["-x", "c" if job.what.source.endswith((".c", ".i")) else "c++", os.devnull]


def _known_search(request: Request, job: Job, words: Sequence[str]) -> _Search:
    """Return where the compiler looks for files with some flags, asked once for many sources: again
    where another GCC, whose headers it takes, may be there.
    """
    stamps = compiler_stamps(job.compiler.own[0])
    text = repr((stamps, list(settings(os.environ)), os.getcwd(), list(words)))
    number = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
    path = outputs_file(request, number)
    data = unseal(path, request, b"search", number)
    if isinstance(data, tuple) and data[2] == _names_of(data[1]):
        return _Search(data[0], data[1])
    found = _search(job, words, "-E")
    row = (found.places, found.whole, _names_of(found.whole))
    _write(path, seal(request, b"search", number, row))
    return found


def _names_of(folders: Sequence[str]) -> tuple[str, ...]:
    return tuple(names_in(folder, WHOLE, frozenset()) for folder in folders)


def _search(job: Job, words: Sequence[str], mode: str) -> _Search:
    """Return where the compiler looks for files when it preprocesses something, which it says."""
    said = os.path.join(job.folder, "isel.search")
    command = [*job.compiler.words, mode, "-v", "-w", "-o", os.devnull, *words]
    if children.run(command, errors=said):
        raise Unknown("the compiler does not say where it looks for files")
    with open(said, encoding="utf-8", errors="surrogateescape") as file:
        text = file.read()
    found = [m[1] or m[2] for m in map(_LISTED.match, text.splitlines()) if m]
    gcc = _GCC.search(text)
    whole = [os.path.dirname(gcc[1]), os.path.dirname(os.path.dirname(gcc[1]))] if gcc else []
    return _Search(tuple(p for p in found if not p.startswith('"')), tuple(whole))


def _flags(front: Sequence[str], dropped: tuple[str, ...]) -> Iterator[str]:
    """Yield the flags without those that start with some words, and their values."""
    words = iter(front)
    for word in words:
        if not word.startswith(dropped):
            yield word
        elif word in _VALUED:
            next(words, None)


def dependencies_in(text: str) -> list[str]:
    """Return the files that the rule of a dependency file names, as clang writes them."""
    rule = re.sub(r"\\\r?\n", " ", text).partition(": ")[2].partition("\n")[0]
    words = re.findall(r"(?:\\.|\$\$|[^\s\\])+", rule)
    return [re.sub(r"\\(.)", r"\1", w).replace("$$", "$") for w in words]


def _write(path: str, data: bytes) -> None:
    """Write a file, and keep its folder within its share."""
    write_whole(path, data)
    keep_within(os.path.dirname(path), limits.KEEPING_LARGEST // limits.KEEPING_FOLDERS)
