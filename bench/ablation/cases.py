"""The functions that names are tried on, for x86, Neon and HVX: golden windows, listed kernels, C
kernels, loops of C that transforms are for, everyday C, blocks as libraries of pictures and video
have them, windows and modules that people reported, values in several spellings, every so-manieth
row of Halide's ``op_check``, ten terms at 8 to 32 bits, combined sums, and terms of terms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from bench.ablation.lanes import TERMS, Term, function, nests, sums
from bench.harness.clang import ir_with
from bench.kernels import C
from bench.listed import KERNELS, module
from bench.spellings.__main__ import module as spelled
from bench.spellings.values import VALUES
from bench.spellings.writer import SPELLINGS
from frontends.halide.expr.lower import Spelling
from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.reference import source_text
from frontends.halide.expr.rows import read_rows
from isel.ir.expr import leaves
from semantics import isa_named

_BENCH: Final = Path(__file__).parents[1]
_TESTS: Final = _BENCH.parent / "tests"
_CLANG: Final = {
    "x86": ("-target", "x86_64-linux-gnu", "-march=znver4"),
    "arm": ("-target", "aarch64-linux-musl", "-mcpu=neoverse_v1-sve"),
}
_CPUS: Final = {"x86": "znver4", "arm": "neoverse-v1"}  # of C and of what is given
_FOLDERS: Final = {"x86": "x86", "arm": "aarch64", "hvx": "hexagon"}  # of windows
_REGISTERS: Final = {"x86": 512, "arm": 128, "hvx": 1024}  # bits, of terms
_WIDTHS: Final = {"x86": (8, 16), "arm": (8, 16), "hvx": (16, 32)}  # of ten terms
# Of how many rows, combinations, functions, kernels one is a case.
_EVERY: Final = 32
_EVERY_SUM: Final = 18
_EVERY_NEST: Final = 86
_EVERY_SPELLING: Final = 46
_EVERY_FUNCTION: Final = 4
_EVERY_KERNEL: Final = 2
_DEFINED: Final = re.compile(r"^define .*?@(\w+)\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """A module, and the flags of ``isel opt`` that it is rewritten with."""

    kind: str
    name: str
    text: str
    triple: str
    cpu: str
    features: str = ""
    vector_width: int | None = None
    only: str = ""


def _golden() -> Iterator[Case]:
    for path in sorted((_TESTS / "golden" / "windows").glob("*.ll")):
        text = path.read_text(encoding="utf-8")
        isa, cpu, bits = text.partition("\n")[0].removeprefix(";").split()
        triple = isa_named(isa).machine.triple
        yield Case("golden", path.stem, text, triple, cpu, vector_width=int(bits))


def _listed() -> Iterator[Case]:
    for kernel in KERNELS:
        for target in _CLANG:
            yield _usual("listed", f"{kernel.__name__} {target}", module(kernel), target)


def _usual(kind: str, name: str, text: str, target: str) -> Case:
    isa = isa_named(target)
    return Case(kind, name, text, isa.machine.triple, isa.usual.cpu, isa.usual.features)


def _c() -> Iterator[Case]:
    triple = isa_named("x86").machine.triple
    for kernel in C[::_EVERY_KERNEL]:
        yield Case("C", kernel.name, ir_with(kernel.source, _CLANG["x86"]), triple, _CPUS["x86"])


def _loops() -> Iterator[Case]:
    for path in sorted((Path(__file__).parent / "loops").glob("*.c")):
        for target, flags in _CLANG.items():
            triple = isa_named(target).machine.triple
            name = f"{path.stem} {target}"
            yield Case("loop", name, ir_with(path, flags), triple, _CPUS[target])


def _everyday() -> Iterator[Case]:
    for name in ("fields", "masks", "moves", "pixels", "tables"):
        yield from _functions("everyday", _BENCH / "everyday" / f"{name}.c")


def _blocks() -> Iterator[Case]:
    for name in ("blocks", "pixels"):
        yield from _functions("block", _BENCH / "signs" / f"{name}.c")


def _functions(kind: str, path: Path) -> Iterator[Case]:
    """Yield every so-manieth function of a file as a case of its own."""
    text, triple = ir_with(path, _CLANG["x86"]), isa_named("x86").machine.triple
    for name in _DEFINED.findall(text)[::_EVERY_FUNCTION]:
        yield Case(kind, f"{path.stem} {name}", text, triple, _CPUS["x86"], only=name)


def _spellings() -> Iterator[Case]:
    every = ((v, s, t) for t in _CLANG for v in VALUES for s in SPELLINGS)
    for value, spelling, target in islice(every, 0, None, _EVERY_SPELLING):
        triple = isa_named(target).machine.triple
        text = spelled(value, spelling, _CPUS[target], triple)
        name = f"{value.name} {spelling.name} {target}"
        yield Case("spelling", name, text, triple, _CPUS[target])


def _windows() -> Iterator[Case]:
    for target, folder in _FOLDERS.items():
        for path in sorted((_TESTS / "suites" / "windows" / folder).glob("*.ll")):
            yield _given("window", path, f"{path.stem} {target}")


def _reports() -> Iterator[Case]:
    for path in sorted((_TESTS / "suites" / "reports").glob("*.ll")):
        yield _given("report", path, path.stem)


def _given(kind: str, path: Path, name: str) -> Case:
    text = path.read_text(encoding="utf-8")
    target = next((t for t, folder in _FOLDERS.items() if f'triple = "{folder}' in text), "x86")
    if target not in _CPUS:
        return _usual(kind, name, text, target)
    return Case(kind, name, text, isa_named(target).machine.triple, _CPUS[target])


def _op_check() -> Iterator[Case]:
    folder = _TESTS / "suites" / "op_check"
    for target in _FOLDERS:
        for path in (folder / f"{target}.tsv", folder / f"{target}_reductions.tsv"):
            rows = read_rows(path.read_text(encoding="utf-8"), path.name)
            for k in range(0, len(rows), _EVERY):
                try:
                    text = source_text(rows[k], isa_named(target).machine.triple, Spelling())
                except NotLowered:
                    continue
                yield _usual("op_check", f"{path.stem} {k}", text, target)


def _terms() -> Iterator[Case]:
    for target in _REGISTERS:
        for term in TERMS:
            for width in _WIDTHS[target]:
                yield _vectors("term", term, width, target)


def _sums() -> Iterator[Case]:
    for target in _REGISTERS:
        for term, width in zip(sums(_EVERY_SUM), cycle((8, 16, 32)), strict=False):
            yield _vectors("sum", term, width, target)


def _nests() -> Iterator[Case]:
    for target in _REGISTERS:
        for term, width in zip(nests(_EVERY_NEST), cycle((8, 16)), strict=False):
            yield _vectors("nest", term, width, target)


def _vectors(kind: str, term: Term, width: int, target: str) -> Case:
    lane = term.lane(width)
    lanes = _REGISTERS[target] // max(e.width for e in (lane, *leaves(lane)))
    return _usual(kind, f"{term.name} {width} {target}", function("f", lane, lanes), target)


KINDS: Final[Mapping[str, Callable[[], Iterator[Case]]]] = {
    "golden": _golden,
    "listed": _listed,
    "C": _c,
    "loop": _loops,
    "everyday": _everyday,
    "block": _blocks,
    "spelling": _spellings,
    "window": _windows,
    "report": _reports,
    "op_check": _op_check,
    "term": _terms,
    "sum": _sums,
    "nest": _nests,
}


def cases(kinds: Iterable[str] = KINDS) -> Iterator[Case]:
    """Yield every case of some kinds."""
    for kind in kinds:
        yield from KINDS[kind]()
