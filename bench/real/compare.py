"""The outputs of two builds of a library: what each encodes and decodes of the same pictures must
be the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.real.build import Build
from bench.real.library import Codec, Words
from bench.real.pictures import Pixels


@dataclass(frozen=True, slots=True)
class Outputs:
    """How many outputs were compared, and the command lines whose outputs differ."""

    compared: int
    different: tuple[str, ...]


def compared(plain: Build, other: Build, pictures: Mapping[str, Pixels], folder: Path) -> Outputs:
    """Encode pictures with both builds, decode what the plain one made with both, and compare
    files, exit codes and what is said.
    """
    pairs = [
        (pair, f"{name}: {words}")
        for codec in plain.library.codecs
        for name, source in _sources(codec, pictures, folder)
        for words, pair in _round_trips(codec, source, (plain, other), folder)
    ]
    different = tuple(what for (first, second), what in pairs if first != second)
    return Outputs(len(pairs), different)


def _sources(
    codec: Codec, pictures: Mapping[str, Pixels], folder: Path
) -> Iterator[tuple[str, Path]]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, pixels in pictures.items():
        path = folder / f"{name}.picture"
        path.write_bytes(codec.picture(pixels))
        yield name, path


_CLOCK: Final = re.compile(rb"[\d.]+ fps|eta [\d:]+|\r[^\n]*\r")  # what depends on the clock
Made = tuple[int, bytes, bytes]


def _round_trips(
    codec: Codec, source: Path, builds: Sequence[Build], folder: Path
) -> Iterator[tuple[str, tuple[Made, Made]]]:
    for encode in codec.encode:
        coded = folder / f"coded.{codec.suffix}"
        yield " ".join(encode), _both(encode, source, coded, builds)
        for decode in codec.decode if coded.exists() else ():
            yield " ".join((*encode, *decode)), _both(decode, coded, folder / "decoded", builds)


def _both(words: Words, source: Path, out: Path, builds: Sequence[Build]) -> tuple[Made, Made]:
    """Return what the other and the plain build make; the plain one's file stays."""
    plain, other = builds
    second = _made(words, source, out, other)
    return _made(words, source, out, plain), second


def _made(words: Words, source: Path, out: Path, build: Build) -> Made:
    """Return exit code, output and messages of a program of a build."""
    out.unlink(missing_ok=True)
    places = {"{in}": str(source), "{out}": str(out)}
    program, *rest = (places.get(word, word) for word in words)
    done = build.run([str(build.folder / program), *rest])
    said = _CLOCK.sub(b"", (done.stdout + done.stderr).replace(bytes(build.folder), b""))
    return done.returncode, out.read_bytes() if out.exists() else b"", said
