"""``isel semantics``: list, show, execute or count the instructions of an instruction set."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from functools import partial
from typing import Final

from isel.cli.edge import NOT_PROVED, OK, REFUTED
from isel.cli.files import write_file
from isel.cli.limits import SEMANTICS_SAMPLES
from isel.cli.listing import Filter, as_json, choose
from isel.cli.progress import progress
from isel.errors import UsageProblem
from isel.json_text import print_json
from isel.spec.sem_show import show_sem
from isel.spec.target import Target
from semantics import isa_named, target_named
from semantics.coverage import coverage
from semantics.fuzz import LEAST, FuzzReport, fuzz
from semantics.record import executed


def run(arguments: argparse.Namespace) -> int:
    """Obey ``isel semantics``."""
    if arguments.spec is not None and arguments.action != "import":
        raise UsageProblem("--spec belongs to 'isel semantics import'")
    if arguments.output is not None and (
        arguments.action not in ("import", "fuzz")
        or (arguments.action == "fuzz" and arguments.names)
    ):
        also = "and to 'isel semantics fuzz' of every instruction"
        raise UsageProblem(f"-o belongs to 'isel semantics import', {also}")
    target = target_named(arguments.isa)
    if arguments.action == "import":
        from isel.cli.importing import import_semantics

        return import_semantics(arguments)
    _check_flags(arguments)
    return _ACTIONS[arguments.action](target, arguments)


def _check_flags(arguments: argparse.Namespace) -> None:
    if arguments.json and arguments.action not in ("coverage", "list"):
        raise UsageProblem("--json belongs to 'isel semantics coverage' and 'isel semantics list'")
    if Filter.of(arguments) and arguments.action not in ("list", "show"):
        of = "'isel semantics list' and 'isel semantics show'"
        raise UsageProblem(f"--feature, --width and --class belong to {of}")
    for flag in ("seed", "samples"):
        if getattr(arguments, flag) is not None and arguments.action != "fuzz":
            raise UsageProblem(f"--{flag} belongs to 'isel semantics fuzz'")


def _list(target: Target, arguments: argparse.Namespace) -> int:
    found = choose(target, arguments.names, Filter.of(arguments))
    if arguments.json:
        return print_json([as_json(i) for i in found])
    for i in found:
        operands = ", ".join(f"{o.name}: {o.lanes}x{o.width}" for o in i.operands)
        print(f"{i.name:28} {i.lanes}x{i.width} ({operands})  {' '.join(sorted(i.features))}")
    return OK


def _show(target: Target, arguments: argparse.Namespace) -> int:
    if not arguments.names:
        raise UsageProblem("isel semantics show takes the names of instructions")
    some = choose(target, arguments.names, Filter.of(arguments))
    sys.stdout.write("\n".join(show_sem(i).rstrip("\n") + "\n" for i in some))
    return OK


def _fuzz(target: Target, arguments: argparse.Namespace) -> int:
    seed = arguments.seed or 0
    names = [i.name for i in choose(target, arguments.names, Filter())] if arguments.names else None
    samples = arguments.samples or SEMANTICS_SAMPLES
    missing = isa_named(target.name).executor().lacks(frozenset())
    if missing:
        raise UsageProblem(f"no instruction can be executed: this machine {missing}")
    with progress("executing") as tell:
        told, jobs = partial(tell, "instructions"), arguments.jobs or os.cpu_count() or 1
        least = min(LEAST, samples)
        report = fuzz(target, samples, seed, names, least=least, jobs=jobs, progress=told)
    sys.stdout.writelines(f"{d.line()}\n" for d in report.disagreements)
    sys.stdout.writelines(f"not executed: {u.name}: {u.reason}\n" for u in report.untestable)
    sys.stdout.write(_fuzz_all(report, seed))
    if arguments.output is not None:
        write_file(arguments.output, executed(target, report).encode())
    if report.disagreements:
        return REFUTED
    return OK if report.agree else NOT_PROVED


def _fuzz_all(report: FuzzReport, seed: int) -> str:
    wrong = len({d.name for d in report.disagreements})
    return (
        f"seed {seed}: {len(report.agree)} instructions agree, {wrong} disagree, "
        f"{len(report.untestable)} were not executed; {report.vectors} applications, "
        f"{report.functions} instructions with their immediates\n"
    )


def _coverage(target: Target, arguments: argparse.Namespace) -> int:
    counted = coverage(target)
    if arguments.json:
        return print_json(counted.as_json())
    for name, value in counted.as_json().items():
        if isinstance(value, Mapping):
            rows = (f"  {key or '(none)'}: {count}\n" for key, count in value.items())
            sys.stdout.write(f"{name}:\n{''.join(rows)}")
        else:
            print(f"{name}: {value}")
    return OK


_ACTIONS: Final = {"list": _list, "show": _show, "fuzz": _fuzz, "coverage": _coverage}
