"""``isel rules learn``: rules that are found by looking at all small terms of targets."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from frontends.llvm.linked.binding import normalise
from frontends.llvm.text.parse import parse_module
from frontends.llvm.windows.places import places
from frontends.llvm.windows.scene import Limits, Scene
from isel.cli.autollvm import triple_of
from isel.cli.edge import INTERRUPTED, OK
from isel.cli.files import check_writable, read_bytes
from isel.cli.target import cpu_of
from isel.cli.texts import folder_for, write_whole
from isel.egraph.tables import rules
from isel.errors import UsageProblem
from isel.ir.canon import canonical
from isel.ir.expr import Expr
from isel.learn.book import Entry, Shelf, head_of, text_of
from isel.learn.lanes import general
from isel.learn.limits import SIZE
from isel.learn.search import Learner
from isel.learn.sources import shipped_sources
from isel.learn.term import Term
from isel.learn.vocabulary import available
from isel.model.machine import Machine
from isel.rules.books import COMMON
from isel.rules.record import write_proofs
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
    libraries = {name: library_for(name, arguments.mcpu or "") for name in names}
    shelf = Shelf(frozenset.intersection(*map(available, libraries.values())))
    output = Path(arguments.output)
    if len(names) == 1:
        check_writable(str(output))
    else:
        folder_for(str(output))
    size, steps, more = arguments.size or SIZE, arguments.steps or 0, arguments.instructions
    pool = Pool(arguments.jobs)
    learner = Learner(rules(), shipped_sources(), size, pool, shelf.put, steps, instructions=more)
    code = OK
    try:
        for name, library in libraries.items():
            shelf.target = name
            learner.sources.met = _lanes(arguments.modules, library.machine)
            learner.run(name, library, partial(print, flush=True))
    except (KeyboardInterrupt, MemoryError):
        code = INTERRUPTED
    head = head_of(_command(names, learner, arguments), learner.counts)
    _write(output, names, shelf, head, whole=code == OK)
    return code


def _command(names: list[str], learner: Learner, arguments: argparse.Namespace) -> str:
    """Return the command that gives the same book."""
    words = ["isel rules learn", *names, f"--size {learner.size}"]
    words += [f"--steps {learner.steps}"] if learner.steps else []
    words += ["--instructions"] if learner.instructions else []
    words += [f"-mcpu={arguments.mcpu}"] if arguments.mcpu else []
    return " ".join([*words, *(f"--from {Path(m).name}" for m in arguments.modules)])


def library_for(name: str, cpu: str) -> Library:
    """Return what a CPU of a target, or its usual one, has instructions for."""
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
    lanes = dict.fromkeys(window_lanes(text, file, machine))
    yield from dict.fromkeys(t for e in lanes if (t := general(e)) is not None)


def window_lanes(text: str, file: str, machine: Machine) -> Iterator[Expr]:
    """Yield the lanes of a module's windows as canonical terms, as often as they are there."""
    parsed = parse_module(normalise(text, file))
    for function in parsed.functions:
        scene = Scene(parsed, function, machine.target)
        for place in places(scene, Limits(register=machine.vector_bits)):
            for site in place.sites:
                for root in site.window.in_regions().roots:
                    yield from (canonical(e)[0] for e in root.lanes if e is not None)


def write_book(path: Path, text: str, entries: Sequence[Entry]) -> None:
    """Write a book and the list of its proofs beside it, each at once; raises
    :class:`isel.errors.FileProblem`.
    """
    proofs = write_proofs((e.rule.as_rule(e.name), e.rule.sizes) for e in entries)
    write_whole(path, text)
    write_whole(path.with_suffix(".proved"), proofs)


def _write(output: Path, names: list[str], shelf: Shelf, head: list[str], *, whole: bool) -> None:
    """Write what was proved."""
    if len(names) == 1:
        entries = [e for book in (COMMON, names[0]) for e in shelf.entries(book)]
        write_book(output, text_of(entries, head, whole=whole), entries)
        print(f"{len(entries)} rules in {output}")
        return
    for book in (COMMON, *names):
        entries = shelf.entries(book)
        write_book(output / f"{book}.rules", text_of(entries, head, whole=whole), entries)
        print(f"{book}: {len(entries)} rules")
