"""What users run, timed from start to end with the programs of both builds of a library."""

from __future__ import annotations

import resource
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.real.build import Build
from bench.real.library import Use, Words
from bench.real.pictures import scene, y4m

_ROUNDS: Final = 9
_STILL: Final = (3840, 2160)  # width, height
_VIDEO: Final = (1280, 720)


@dataclass(frozen=True, slots=True)
class Timed:
    """CPU seconds of a use (user and system, medians of interleaved rounds) by each build."""

    use: str
    plain: float
    ours: float

    @property
    def ratio(self) -> float:
        """How many times as fast the programs behind the launcher are."""
        return self.plain / self.ours

    def __str__(self) -> str:
        return f"{self.use:16}{self.plain:8.3f} s{self.ours:8.3f} s{self.ratio:7.3f}"


def timed(
    plain: Build,
    ours: Build,
    folder: Path,
    rounds: int = _ROUNDS,
    size: tuple[int, int] = _STILL,
) -> Iterator[Timed]:
    """Time each use of a library on a picture of a size, videos on a smaller one; raises
    :class:`bench.real.build.Failed` where a program does.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for use in plain.library.uses:
        places = {"{in}": folder / "scene", "{coded}": folder / "coded", "{out}": folder / "out"}
        shown = _VIDEO if use.picture is y4m else size
        places["{in}"].write_bytes(use.picture(scene(*shown)))
        if use.prepare:
            plain.must(_words(use.prepare, plain, places))
        yield _of(use, (plain, ours), places, rounds)


def _of(use: Use, builds: Sequence[Build], places: dict[str, Path], rounds: int) -> Timed:
    seconds: tuple[list[float], list[float]] = ([], [])
    for k in range(rounds):
        for which in (0, 1) if k % 2 else (1, 0):
            words = _words(use.words, builds[which], places)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            builds[which].must(words)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            seconds[which].append(spent)
    return Timed(use.name, statistics.median(seconds[0]), statistics.median(seconds[1]))


def _words(words: Words, build: Build, places: dict[str, Path]) -> list[str]:
    program, *rest = words
    return [str(build.folder / program), *(str(places.get(word, word)) for word in rest)]
