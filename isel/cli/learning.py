"""``isel rules learn``: rules that are found by looking at all small terms of targets."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.cli.autollvm import triple_of
from isel.cli.edge import INTERRUPTED, OK
from isel.cli.files import read_bytes
from isel.cli.target import cpu_of
from isel.egraph.tables import rules
from isel.errors import UsageProblem
from isel.ir.canon import canonical
from isel.ir.expr import Expr
from isel.learn.book import COMMON, Shelf, head_of, text_of, write_book
from isel.learn.lanes import general
from isel.learn.limits import SIZE
from isel.learn.search import Count, Learner
from isel.learn.sources import shipped_sources
from isel.learn.term import Term
from isel.learn.vocabulary import available
from isel.model.machine import Machine
from isel.synth.instructions.library import Library, library_of
from isel.workers import Pool
from semantics import target_named


def learn(arguments: argparse.Namespace) -> int:
    """Learn rules for targets, one after the other, and write one book; of several targets a
    folder with what all of them have operations for, and what only one has.
    """
    names: list[str] = arguments.names
    if not names or not arguments.output:
        raise UsageProblem("isel rules learn takes a target, and -o with the book to write")
    libraries = {name: _library(name, arguments.mcpu or "") for name in names}
    shelf = Shelf(frozenset.intersection(*map(available, libraries.values())))
    size = arguments.size or SIZE
    learner = Learner(
        rules(), shipped_sources(), size, Pool(arguments.jobs), shelf.put, arguments.steps or 0
    )
    code = OK
    try:
        for name, library in libraries.items():
            shelf.target = name
            learner.sources.met = _lanes(arguments.modules, library.machine)
            learner.run(name, library, _tell)
    except (KeyboardInterrupt, MemoryError):
        code = INTERRUPTED
    steps = f" --steps {learner.steps}" if learner.steps else ""
    head = head_of(f"isel rules learn {' '.join(names)} --size {size}{steps}", learner.counts)
    _write(Path(arguments.output), names, shelf, head, whole=code == OK)
    return code


def _library(name: str, cpu: str) -> Library:
    target = target_named(name)
    cpu, features = cpu_of(name, cpu, "")
    known = target.features(cpu, features)
    return library_of(Machine(target, cpu, known, target.vector_bits(known, {})))


def _lanes(paths: list[str], machine: Machine) -> list[Term]:
    """Return the lanes of those modules that are for a machine, each once."""
    found: dict[Term, None] = {}
    for path in paths:
        text = read_bytes(path).decode(errors="replace")
        if machine.target.handles(triple_of(text)):
            found.update(dict.fromkeys(lanes_of(text, path, machine)))
    return list(found)


def lanes_of(text: str, file: str, machine: Machine) -> Iterator[Term]:
    """Yield the lanes of a module's windows, of up to three elements of one width, each once."""
    parsed = parse_module(normalise(text, file))
    met: dict[Expr, None] = {}
    for function in parsed.functions:
        scene = Scene(parsed, function, machine.target)
        for place in places(scene, Limits(register=machine.vector_bits)):
            for site in place.sites:
                for root in site.window.in_regions().roots:
                    met.update((canonical(e)[0], None) for e in root.lanes if e is not None)
    yield from dict.fromkeys(t for e in met if (t := general(e)) is not None)


def _tell(count: Count) -> None:
    print(count, flush=True)


def _write(output: Path, names: list[str], shelf: Shelf, head: list[str], *, whole: bool) -> None:
    """Write what was proved."""
    if len(names) == 1:
        entries = [e for book in (COMMON, names[0]) for e in shelf.entries(book)]
        write_book(output, text_of(entries, head, whole=whole), entries)
        print(f"{len(entries)} rules in {output}")
        return
    output.mkdir(exist_ok=True)
    for book in (COMMON, *names):
        entries = shelf.entries(book)
        write_book(output / f"{book}.rules", text_of(entries, head, whole=whole), entries)
        print(f"{book}: {len(entries)} rules")
