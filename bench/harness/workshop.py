"""The files of one kernel: modules, caches and objects, and the compiles that make them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.harness.compile import Answer, Job, compiled
from bench.harness.records import When
from bench.harness.sources import Pair
from frontends.halide.targets import HalideTarget
from isel.cache.database import Database

_SECONDS: Final = 900.0  # for one compile, a last resort


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder of a kernel; ``jobs`` is the number of workers of a compile, ``effort`` that of
    its search.
    """

    folder: Path
    target: HalideTarget
    jobs: int
    effort: int = 1

    def clear(self) -> None:
        """Start with an empty folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def cache(self, pair: Pair) -> Path:
        """Return the cache that the first compile of a pair fills."""
        return self.folder / f"{pair.ours}.sqlite"

    def rewritten(self, pair: Pair) -> str:
        """Return the module that isel made with an empty cache."""
        return self._module(pair, When.COLD).read_text()

    def compiled(
        self, pair: Pair, text: str, when: When, caches: Sequence[Path] = ()
    ) -> tuple[Answer, str]:
        """Rewrite a module of a pair under a state of the cache; ``caches`` are what the other
        kernels have left.

        Raises :class:`bench.harness.compile.CompileFailed`.
        """
        cache = self.cache(pair)
        if when in (When.VARIANT, When.OTHERS):
            cache = cache.with_suffix(f".{when}.sqlite")
            fill(cache, [self.cache(pair)] if when is When.VARIANT else caches)
        source, out = (
            self.folder / f"{pair.base}{'.variant' if when is When.VARIANT else ''}.ll",
            self._module(pair, when),
        )
        source.write_text(text)
        answer = compiled(
            Job(
                str(source),
                str(out),
                str(cache),
                self.target.cpu,
                self.target.features,
                self.jobs,
                pair.pipeline,
                self.effort,
            ),
            _SECONDS,
        )
        return answer, out.read_text()

    def add_object(self, version: str, code: bytes) -> None:
        """Keep a version's object file."""
        self.object(version).write_bytes(code)

    def object(self, version: str) -> Path:
        """Return the place of a version's object file."""
        return self.folder / f"{version}.o"

    def _module(self, pair: Pair, when: When) -> Path:
        return self.folder / f"{pair.ours}.{when}.ll"


def fill(cache: Path, sources: Iterable[Path]) -> None:
    """Make a cache that holds every row of ``sources``."""
    cache.unlink(missing_ok=True)
    filled = Database(cache)
    filled.probe()
    for path in sources:
        if not path.exists():
            continue
        source = Database(path)
        for row in source.results():
            filled.add_result(row)
        for key, value in source.verdicts():
            filled.put("verdicts", key, value)
        source.close()
    filled.seal()
