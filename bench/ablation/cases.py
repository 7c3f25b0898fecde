"""The modules that every name is tried on: the golden windows, the listed kernels, the C kernels,
loops of C that transforms are for, windows and modules that people reported, every so-manieth row
of Halide's ``op_check``, ten terms at 8 and 16 bits, combined sums at 8 to 32, and terms of terms,
for both targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from bench.ablation.lanes import TERMS, Term, function, nests, sums
from bench.harness.clang import ir_with
from bench.kernels import C
from bench.listed import KERNELS, module
from frontends.halide.expr.lower import Spelling
from frontends.halide.expr.places import NotLowered
from frontends.halide.expr.reference import source_text
from frontends.halide.expr.rows import read_rows
from isel.ir.expr import leaves
from semantics import isa_named

_TESTS: Final = Path(__file__).parents[2] / "tests"
_CLANG: Final = {
    "x86": ("-target", "x86_64-linux-gnu", "-march=znver5"),
    "arm": ("-target", "aarch64-linux-musl", "-mcpu=neoverse_v1-sve"),
}
_CPUS: Final = {"x86": "znver5", "arm": "neoverse-v1"}  # of C and of reported modules
_REGISTERS: Final = {"x86": 512, "arm": 128}  # bits, of terms
_EVERY: Final = 12  # of how many rows of op_check one is a case
_EVERY_SUM: Final = 7  # of how many combinations
_EVERY_NEST: Final = 34  # of how many terms of terms


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


def _golden() -> Iterator[Case]:
    for path in sorted((_TESTS / "golden" / "windows").glob("*.ll")):
        text = path.read_text(encoding="utf-8")
        isa, cpu, bits = text.partition("\n")[0].removeprefix(";").split()
        triple = isa_named(isa).machine.triple
        yield Case("golden", path.stem, text, triple, cpu, vector_width=int(bits))


def _listed() -> Iterator[Case]:
    for kernel in KERNELS:
        for target in _CPUS:
            yield _usual("listed", f"{kernel.__name__} {target}", module(kernel), target)


def _usual(kind: str, name: str, text: str, target: str) -> Case:
    isa = isa_named(target)
    return Case(kind, name, text, isa.machine.triple, isa.usual.cpu, isa.usual.features)


def _c() -> Iterator[Case]:
    for kernel in C:
        for target, flags in _CLANG.items():
            text = ir_with(kernel.source, flags)
            triple = isa_named(target).machine.triple
            yield Case("C", f"{kernel.name} {target}", text, triple, _CPUS[target])


def _loops() -> Iterator[Case]:
    for path in sorted((Path(__file__).parent / "loops").glob("*.c")):
        for target, flags in _CLANG.items():
            triple = isa_named(target).machine.triple
            name = f"{path.stem} {target}"
            yield Case("loop", name, ir_with(path, flags), triple, _CPUS[target])


def _windows() -> Iterator[Case]:
    for target, folder in (("x86", "x86"), ("arm", "aarch64")):
        for path in sorted((_TESTS / "suites" / "windows" / folder).glob("*.ll")):
            yield _given("window", path, f"{path.stem} {target}")


def _reports() -> Iterator[Case]:
    for path in sorted((_TESTS / "suites" / "reports").glob("*.ll")):
        yield _given("report", path, path.stem)


def _given(kind: str, path: Path, name: str) -> Case:
    text = path.read_text(encoding="utf-8")
    target = "arm" if 'triple = "aarch64' in text else "x86"
    return Case(kind, name, text, isa_named(target).machine.triple, _CPUS[target])


def _op_check() -> Iterator[Case]:
    folder = _TESTS / "suites" / "op_check"
    for target in _CPUS:
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
            for width in (8, 16):
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
