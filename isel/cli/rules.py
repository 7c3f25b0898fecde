"""``isel rules``: list, show, prove and export the equalities that terms are rewritten by."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from isel.cli.edge import NOT_PROVED, OK
from isel.cli.files import read_bytes
from isel.cli.pairs import export_rules
from isel.cli.texts import write_whole
from isel.errors import UnknownName, UsageProblem
from isel.json_text import to_json
from isel.rules.books import definitions
from isel.rules.parse import parse_rules
from isel.rules.proofs import Proofs, proofs, read_proofs
from isel.rules.record import Record, every_rule, line_of, record, write_proofs
from isel.rules.syntax import Rule
from isel.smt.portfolio import default_portfolio


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel rules``."""
    if arguments.output and arguments.action not in ("prove", "learn"):
        raise UsageProblem("-o belongs to 'isel rules prove' and 'isel rules learn'")
    if arguments.json and arguments.action != "list":
        raise UsageProblem("--json belongs to 'isel rules list'")
    if (arguments.pairs is not None) != (arguments.action == "export"):
        raise UsageProblem("--pairs DIR belongs to 'isel rules export'")
    actions = {"list": _list, "show": _show, "prove": _prove, "learn": _learn, "export": _export}
    return actions[arguments.action](arguments)


def _learn(arguments: argparse.Namespace) -> int:
    from isel.cli.learning import learn

    return learn(arguments)


def count_up() -> str:
    """Return how often each rule was applied in this process, and what was proved for that."""
    known = proofs()
    rows = [f"  {count:6} {name}\n" for name, count in sorted(known.used.items())]
    rows += [f"  proved now: {name} at {','.join(map(str, s))}\n" for name, s in known.found]
    return "".join(["rules applied:\n", *(rows or ["  none\n"])])


def _name(names: Sequence[str]) -> tuple[Rule, ...]:
    """Return the rules of names and patterns, all where there are none."""
    every = every_rule()
    found: dict[str, Rule] = {} if names else {r.name: r for r in every}
    for name in names:
        some = [r for r in every if fnmatchcase(r.name, name)]
        if not some:
            raise UnknownName("rule", name, tuple(r.name for r in every))
        found.update((r.name, r) for r in some)
    return tuple(found.values())


def _list(arguments: argparse.Namespace) -> int:
    rules, known = _name(arguments.names), proofs()
    if arguments.json:
        rows = [
            {"name": r.name, "file": r.file, "line": line_of(r), "proved": len(known.known(r))}
            for r in rules
        ]
        sys.stdout.write("".join(f"{to_json(row)}\n" for row in rows))
        return OK
    for r in rules:
        print(f"{r.name:24} {r.file}:{line_of(r)}  proved at {len(known.known(r))} widths")
    print(f"{len(rules)} rules")
    return OK


def _show(arguments: argparse.Namespace) -> int:
    if not arguments.names:
        raise UsageProblem("isel rules show takes a rule")
    for r in _name(arguments.names):
        end = next((k for k in _ends(r.source, r.at) if k > r.at), len(r.source))
        widths = " ".join(",".join(map(str, s)) for s in sorted(proofs().known(r)))
        print(f"{r.file}:{line_of(r)}\n{r.source[r.at : end].rstrip()}")
        print(f"proved at {','.join(r.sizes)} = {widths}")
    return OK


def _ends(source: str, at: int) -> list[int]:
    """Return where lines begin after a rule that are no part of it."""
    lines = source[at:].splitlines(keepends=True)
    starts = [at + sum(map(len, lines[:k])) for k in range(len(lines))]
    return [s for s, line in zip(starts, lines, strict=True) if not line[0].isspace()]


def _prove(arguments: argparse.Namespace) -> int:
    """Prove rules again; files hold rules of their own, which may use the derived operations."""
    files = [n for n in arguments.names if n.endswith(".rules")]
    if arguments.output and len(files) != len(arguments.names):
        raise UsageProblem("isel rules prove -o takes no names: the list is of all rules")
    rules = _rules(files, [n for n in arguments.names if n not in files])
    if not arguments.names:
        rules = [r for r in rules if not r.is_learned]
    known = proofs() if not files else Proofs(_beside(files))
    checker = default_portfolio()
    records = [_tell(record(r, known, checker)) for r in rules]
    without = [r.rule.name for r in records if not r.has_word]
    print(f"{len(records)} rules proved at {sum(len(r.proved) for r in records)} widths")
    print(f"without a proof at 32 bits: {' '.join(without) or 'none'}")
    if arguments.output:
        write_whole(Path(arguments.output), write_proofs((r.rule, r.proved) for r in records))
    elif _differ(rules, known):
        return NOT_PROVED
    return NOT_PROVED if any(r.unknown and not r.proved for r in records) else OK


def _differ(rules: Sequence[Rule], known: Proofs) -> bool:
    """Name the learned rules that the list of their book does not have as they are."""
    found = [r for r in rules if r.is_learned and not known.listed(r)]
    for r in found:
        print(f"{r.file}:{line_of(r)}: '{r.name}' is not what was proved for the list: not used")
    return bool(found)


def _beside(books: Sequence[str]) -> dict[str, str]:
    """Return the lists of proofs that are beside books of learned rules."""
    lists = (Path(b).with_suffix(".proved") for b in books)
    found = [read_proofs(read_bytes(str(p)).decode()) for p in lists if p.is_file()]
    return {rule: sizes for one in found for rule, sizes in one.items()}


def _export(arguments: argparse.Namespace) -> int:
    return export_rules(_name(arguments.names), arguments.pairs)


def _rules(files: Sequence[str], names: Sequence[str]) -> list[Rule]:
    """Return the rules of files and those of names: all where there is neither."""
    rules = [r for f in files for r in _read(f)]
    return [*rules, *(_name(names) if names or not files else ())]


def _read(path: str) -> tuple[Rule, ...]:
    text = read_bytes(path).decode(errors="replace")
    return parse_rules(text, path, definitions()).rules


def _tell(r: Record) -> Record:
    unknown = f", unknown at {' '.join(','.join(map(str, s)) for s in r.unknown)}"
    print(f"{r.rule.name:24} proved at {len(r.proved)} widths{unknown if r.unknown else ''}")
    return r
