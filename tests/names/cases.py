"""What is renamed: pairs with known answers and modules that are rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from isel.errors import IselError
from tests.alive2.conventions import cases as of_alive2
from tests.alive2.judge import numbered
from tests.suites import SUITES

ROOT: Final = Path(__file__).parents[2]
_PAIRS: Final = (ROOT / "tests/verify/pairs", ROOT / "tests/verify/attacks", SUITES)
_MODULES: Final = (SUITES, ROOT / "examples", ROOT / "tests/golden", ROOT / "tests/frontends")
_CPUS: Final = {"aarch64": "neoverse-v1", "hexagon": "hexagonv68", "": "znver5"}
_NUMBERED: Final = re.compile(r"((?:isel(?:\.[a-z]+)+|mul)\.)\d+")
_ISAS: Final = {"aarch64": "arm", "hexagon": "hvx", "": "x86"}


@dataclass(frozen=True, slots=True)
class Case:
    """A module, as LLVM prints it: with a pair ``@src`` and ``@tgt`` or, of a pair of two modules,
    the first one; to be rewritten where it has no pair.
    """

    name: str
    text: str
    target: str = ""
    flags: tuple[str, ...] = ()

    @property
    def isa(self) -> str:
        """The target whose intrinsics it calls."""
        return _ISAS[_machine(self.text)]


def _machine(text: str) -> str:
    return next((m for m in ("aarch64", "hexagon") if f"{m}-" in text or f"llvm.{m}" in text), "")


def read(path: Path) -> str:
    """Return a module as LLVM prints it, nothing for what it does not read."""
    try:
        return normalise(numbered(path.read_bytes().decode(errors="surrogateescape")))
    except (IselError, OSError):
        return ""


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    """Yield modules below folders, those of equal text once."""
    seen = set[str]()
    for folder in folders:
        for path in sorted(folder.rglob("*.ll")):
            text = path.read_text(errors="replace")
            if text not in seen and not path.name.startswith("two_"):
                seen.add(text)
                yield path


def _name(path: Path) -> str:
    return "/".join(path.parts[-3:]).removesuffix(".ll")


def is_pair(text: str) -> bool:
    """Tell whether a module has a pair of functions."""
    return all(re.search(rf"^define .*@{x}\d*\(", text, re.MULTILINE) for x in ("src", "tgt"))


def pairs(shared: Path | None = None, alive2: Path | None = None) -> Iterator[Case]:
    """Yield the pairs of the tests, of the suites beside the checkout and of Alive2's tests."""
    folders = (*_PAIRS, *([] if shared is None else [shared]))
    for path in _files(folders):
        if is_pair(text := read(path)):
            yield Case(_name(path), text)
    for folder in folders:
        for first in sorted(folder.rglob("two_*a.ll")):
            second = read(first.with_name(f"{first.stem[:-1]}b.ll"))
            yield Case(_name(first), read(first), second)
    for c in [] if alive2 is None else of_alive2(alive2):
        text = read(c.source)
        other = "" if c.target is None else read(c.target)
        if text and (other if c.target else is_pair(text)):
            yield Case(f"alive2/{c.name}", text, other)


def modules(kernels: Path | None = None, shared: Path | None = None) -> Iterator[Case]:
    """Yield modules: of a folder that ``tests.house`` wrote, of the tests, the examples and the
    suites beside the checkout.
    """
    if kernels is not None:
        from tests.house.cases import cases

        for case in cases(kernels):
            if text := _printed(case.text):
                yield Case(f"house/{case.name}", text, flags=case.flags)
    for path in _files((*_MODULES, *([] if shared is None else [shared]))):
        text = read(path)
        if "define " in text and not is_pair(text):
            yield Case(_name(path), text, flags=(f"-mcpu={_CPUS[_machine(text)]}",))


def _printed(text: str) -> str:
    try:
        return normalise(text)
    except IselError:
        return ""


def of_number(path: Path, k: int) -> Case | None:
    """Return a pair with ``k`` for the numbers in the names that isel writes or looks up, None
    where it has no such name.
    """
    text = path.read_text()
    if not is_pair(text) or not _NUMBERED.search(text):
        return None
    return Case(f"{_name(path)} {k}", normalise(_NUMBERED.sub(rf"\g<1>{k}", text)))


def sample(found: Sequence[Case], count: int) -> list[Case]:
    """Return so many cases, spread over all."""
    step = max(1.0, len(found) / count)
    return [found[int(k * step)] for k in range(min(count, len(found)))]
