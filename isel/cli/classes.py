"""``isel classes``: make, list and show the equivalence classes of all instruction sets."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from equiv_classes.describe import described
from equiv_classes.dictionary import FILE, Dictionary, EquivClass, Member, dictionary, write
from equiv_classes.summary import common, shares, show_shares, summaries
from equiv_classes.summary import show as show_counts
from isel import __version__
from isel.cli.edge import NOT_PROVED, OK
from isel.cli.listing import Filter, check, matches
from isel.cli.texts import write_whole
from isel.errors import UnknownName, UsageProblem
from isel.json_text import print_json

_FLAGS: Final = {
    **dict.fromkeys(("summary", "swizzles", "feature", "width", "json"), "list"),
    **dict.fromkeys(("output", "jobs"), "build"),
}


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel classes``."""
    for flag, action in _FLAGS.items():
        if getattr(arguments, flag) and arguments.action != action:
            raise UsageProblem(f"--{flag} belongs to 'isel classes {action}'")
    if arguments.names and arguments.action == "build":
        raise UsageProblem("isel classes build takes no names")
    short = arguments.action == "list" and (arguments.summary or arguments.swizzles)
    if short and (arguments.names or arguments.json or Filter.of(arguments)):
        raise UsageProblem("--summary and --swizzles go with no names, no filter and no --json")
    return _ACTIONS[arguments.action](arguments)


def _build(arguments: argparse.Namespace) -> int:
    if not arguments.output:
        raise UsageProblem("isel classes build takes -o FOLDER (in a checkout: equiv_classes)")
    from equiv_classes import swizzles
    from equiv_classes.build import Source, build
    from isel.workers import processors
    from semantics import searched

    jobs = arguments.jobs or processors()
    sources = [Source(t.name, t.digest, t.instructions()) for t in searched()]
    built = build(sources, __version__, jobs, lambda line: print(line, file=sys.stderr))
    folder = Path(arguments.output)
    calls = [swizzles.calls_of(s.instructions) for s in sources]
    moved = swizzles.build_swizzles(sources, calls, __version__)
    made = {FILE: write(built.dictionary, __version__), swizzles.FILE: write(moved, __version__)}
    for name, text in made.items():
        write_whole(folder / name, text)
    for name, why in built.rejected:
        print(f"not proved: {name}: {why}")
    counts = f"{built.proved} members proved, {built.solved} lanes by solvers"
    print(f"{counts}, {len(built.rejected)} not proved")
    return NOT_PROVED if built.rejected else OK


def _list(arguments: argparse.Namespace) -> int:
    if arguments.swizzles:
        from equiv_classes import swizzles

        found = swizzles.swizzles()
        sys.stdout.write(swizzles.show_counts(swizzles.counts(found)))
        if arguments.summary:
            return OK
        print()
    else:
        found = dictionary()
        if arguments.summary:
            groups = _groups()
            sys.stdout.write(
                f"{show_counts(summaries(found))}\n{show_shares(shares(found, groups))}"
                f"\n{common(found, groups).line()}"
            )
            return OK
    classes = _filter_by(found, arguments.names, Filter.of(arguments))
    if arguments.json:
        return print_json([_as_json(c) for c in classes])
    sys.stdout.writelines(map(_line, classes))
    return OK


def _line(c: EquivClass) -> str:
    count = len({m.name for m in c.members})
    plural = "instruction " if count == 1 else "instructions"
    read = f"{len(c.parameters)} parameters; {' '.join(c.modes)}"
    return f"{c.name:32} {count:4} {plural}  {f'unread: {c.reason}' if c.reason else read}\n"


def _filter_by(found: Dictionary, patterns: Sequence[str], wanted: Filter) -> list[EquivClass]:
    """Return the classes that have a member which a filter takes, and of which the name, or
    that of such a member, is like one of some patterns.
    """
    if not (patterns or wanted):
        return list(found.classes)
    from semantics import searched

    every = {(t.name, i.name): i for t in searched() for i in t.instructions()}
    check(wanted, tuple(every.values()))
    known = {key: i for key, i in every.items() if wanted.takes(i)}

    def takes(c: EquivClass) -> bool:
        members = [known[m.target, m.name] for m in c.members if (m.target, m.name) in known]
        like = any(fnmatchcase(c.name, p) or any(matches(i, p) for i in members) for p in patterns)
        return bool(members) and (like or not patterns)

    some = [c for c in found.classes if takes(c)]
    if patterns and not some:
        shown = " or ".join(map(repr, patterns))
        raise UsageProblem(f"no class or instruction is called like {shown}")
    return some


def _as_json(c: EquivClass) -> dict[str, object]:
    members = [
        {
            "target": m.target,
            "name": m.name,
            "mode": m.mode,
            "parameters": c.environment(m) if not c.reason else {},
        }
        for m in c.members
    ]
    return {
        "name": c.name,
        "operands": list(c.letters),
        "parameters": list(c.parameters),
        "modes": list(c.modes),
        "unread": c.reason,
        "members": members,
    }


def _groups() -> Callable[[Member], str]:
    from semantics import searched
    from semantics.coverage import group

    names = {(t.name, i.name): group(t, i) for t in searched() for i in t.instructions()}
    return lambda m: names.get((m.target, m.name), "not there any more")


def _show(arguments: argparse.Namespace) -> int:
    if not arguments.names:
        raise UsageProblem("isel classes show takes the names of classes or instructions")
    found = _show_all()
    chosen = dict.fromkeys(c.name for name in arguments.names for c in _name(found, name))
    sys.stdout.write("\n".join(described(c) for c in found.classes if c.name in chosen))
    return OK


def _show_all() -> Dictionary:
    from equiv_classes.swizzles import swizzles

    return Dictionary((*dictionary().classes, *swizzles().classes))


def _by_mnemonic(found: Dictionary, name: str) -> tuple[EquivClass, ...]:
    from semantics import searched

    called = {(t.name, i.name) for t in searched() for i in t.instructions() if i.mnemonic == name}
    return tuple(c for c in found.classes if any((m.target, m.name) in called for m in c.members))


def _name(found: Dictionary, name: str) -> Sequence[EquivClass]:
    named = found.named(name)
    if named is not None:
        return (named,)
    of = tuple(c for c in found.classes if any(m.name == name for m in c.members))
    of = of or _by_mnemonic(found, name)
    if not of:
        known = (
            *(c.name for c in found.classes),
            *(m.name for c in found.classes for m in c.members),
        )
        raise UnknownName("class or instruction", name, tuple(dict.fromkeys(known)))
    return of


_ACTIONS: Final = {"build": _build, "list": _list, "show": _show}
