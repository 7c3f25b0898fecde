"""Right pairs of functions with a promise more: of a load of the source they stay right, of one of
the target alone they are proved no more.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from isel.model.verdict import Proved
from semantics import target_named
from tests.fuzz.promises import pair, wrong
from tests.suites import SUITES
from tests.verdicts import verify_modules

_LOAD: Final = re.compile(r"^\s+%\S+ = load (?:<\d+ x )?(i\d+)>?, ptr [^!]*$")
_MACHINES: Final = {"aarch64": "arm", "hexagon": "hvx"}
_SAID: Final = (", !range !90001", ", !noundef !90002")
_VERIFY: Final = Path(__file__).parents[1] / "verify"
FOLDERS: Final = (_VERIFY / "pairs", _VERIFY / "attacks", SUITES)


def pairs() -> Sequence[Path]:
    """Return the files of the tests that have a pair with loads on both sides."""
    found = sorted(p for folder in FOLDERS for p in folder.rglob("*.ll"))
    return [p for p in found if all(any(_loads(p.read_text(), x)) for x in ("src", "tgt"))]


def _loads(text: str, name: str) -> Iterator[int]:
    """Yield the lines of a function that load integers of whole bytes, and promise nothing, from
    one on.
    """
    inside = False
    for n, line in enumerate(text.splitlines(), 1):
        inside = f"@{name}(" in line if line.startswith("define ") else inside
        found = _LOAD.match(line) if inside else None
        if found is not None and int(found[1][1:]) % 8 == 0:
            yield n


def _promise(text: str, line: int, said: str) -> str:
    """Return a module in which a load says that it has one value, or that it is defined."""
    lines = text.splitlines()
    found = _LOAD.match(lines[line - 1])
    assert found is not None
    lines[line - 1] += said
    nodes = f"!90001 = !{{{found[1]} 77, {found[1]} 78}}\n!90002 = !{{}}\n"
    return "\n".join((*lines, nodes))


def _is_proved(text: str) -> bool:
    machine = next((x for word, x in _MACHINES.items() if word in text), "x86")
    module = parse_module(normalise(text))
    return all(
        isinstance(v, Proved) for _, v in verify_modules(module, None, target_named(machine))
    )


def wrongs(path: Path) -> list[str] | None:
    """Return what is wrong of a pair with a promise more; None where it is not proved as it is."""
    text = normalise(path.read_text(), str(path))
    if not _is_proved(text):
        return None
    rng, found = random.Random(path.stem), list[str]()
    for said in _SAID:
        for name, wanted in (("src", True), ("tgt", False)):
            line = rng.choice([*_loads(text, name)])
            if _is_proved(_promise(text, line, said)) is not wanted:
                more = f"'{text.splitlines()[line - 1].strip()}{said}' of @{name}"
                found.append(f"{path.name}: {'not ' * wanted}proved with {more}")
    return found


def look(seed: int, count: int) -> int:
    """Look at so many random pairs, and at all of the tests; return 1 if anything is wrong."""
    found = [x for n in range(seed, seed + count) if (x := wrong(pair(n)))]
    looked = [lines for p in pairs() if (lines := wrongs(p)) is not None]
    found += [line for lines in looked for line in lines]
    print(
        "\n".join((*found, f"{count} random pairs, {len(looked)} of the tests, {len(found)} wrong"))
    )
    return 1 if found else 0
